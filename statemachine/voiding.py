"""A void round: every stake goes back by what the law says of it, and nothing of the round stays on a meter.

Contributions are reversed and hits restored by name. What was paid before the round turned out void is listed
to be taken back. Beside the irregularities that void by law, a floorperson may void a round that is held by
what no law names: a deck proven bad, a shoe that gives no more cards.
"""

from typing import TYPE_CHECKING

from sabot.rules.round import Line
from sabot.statemachine import hits, linked, stub
from sabot.statemachine.action import ROUND_PHASES, Action, Refused, phases
from sabot.statemachine.answering import return_chips
from sabot.statemachine.chips import give_back
from sabot.statemachine.dealing import free_recalled, order_stub, recall_order, waits_for_shoe
from sabot.statemachine.effects import CollectWager, TakeBackPayment, VoidRound
from sabot.statemachine.events import Key, Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.ledger import REVERSAL, Cause
from sabot.statemachine.phases import Phase
from sabot.statemachine.settled import carried_out
from sabot.statemachine.state import Payment

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

DECK_REMOVED = "deck_removed"


def void(table: "Table", why: str, cite: str, *, remove: bool = False) -> None:
    """Every stake goes back, contributions are reversed, payments are listed to be taken back."""
    round_, ledger = table.round, table.state.ledger
    hit_paid, cause = bool(ledger.draws) or linked.was_paid(table), Cause(REVERSAL, round_.number)
    round_.void = cite
    table.emit(VoidRound(why=why, cite=cite))
    return_chips(table, why)
    recall_order(table, cite)
    hits.drop(table, round_.frozen)
    _give_back(table, carried_out(round_), cite)
    list(ledger.restore_draws(cause))
    list(ledger.reverse_round(cause))
    linked.take_back(table, cite)
    table.state.day.voids += 1
    table.clear_pending()
    round_.asking = 0
    table.phases.void()
    if remove:
        table.remove_deck(round_.deck, why, cite)
    if hit_paid:
        table.hold("hit_paid", "table", "a meter hit of a void round was paid", cite)


def _give_back(table: "Table", carried_out: list[Line], cite: str) -> None:
    """Each stake by what the law says of it in a void round, with regard to what the dealer did already."""
    shares = [hit for hit in table.round.hits if hit.needs_documents]
    for line in carried_out:
        if line.result == "win" and line.paid != 0:
            cents = next((hit.cents for hit in shares if (hit.seat, hit.wager) == line[:2]), line.paid)
            _list_payment(table, Payment(line.seat, line.wager, cents), cite)
    table.settle_known()
    went_back = {(line.seat, line.wager) for line in carried_out if _went_back(line)}
    taken = {(line.seat, line.wager) for line in carried_out if line.result in ("lose", "forfeit")}
    taken |= {(seat, wager) for seat in table.round.collected for wager in table.chapter.contest.wagers}
    for line in table.round.lines:
        spot = line.seat, line.wager
        if line.result == "returned" and spot not in went_back:
            give_back(table, line.seat, line.wager, line.stake, line.cite)
        elif line.result != "returned" and spot not in taken:
            table.emit(CollectWager(seat=line.seat, wager=line.wager, cents=line.stake, cite=line.cite))


def _list_payment(table: "Table", paid: Payment, cite: str) -> None:
    """A payment that was made: on the dealer's list, and in the record."""
    table.round.take_back.append(paid)
    table.emit(TakeBackPayment(seat=paid.seat, wager=paid.wager, cents=paid.cents, cite=cite))
    what = "chips" if paid.cents is None else paid.cents
    table.round.note(table.now, f"seat {paid.seat} {paid.wager}: {what} paid is to be taken back", cite)


def look_at_payments(table: "Table", key: Key) -> None:
    """The dealer walks through what is to be taken back."""
    count = len(table.round.take_back)
    if not count:
        raise Refused(f"{key} means nothing now")
    table.state.pending.choice = (table.state.pending.choice + (1 if key is Key.RIGHT else -1)) % count


def _went_back(line: Line) -> bool:
    """Whether the stake of a line is the player's again; where it is not known its odds tell."""
    if line.result == "win" and line.stake is None:
        return " to " in (line.odds or "")
    return line.result in ("returned", "push") or bool(line.back)


# ---------------------------------------------------------------- by the floor

PROVEN_BAD = ("composition", "deck_color")
PAID_FIRST = "paid_first"
# What leaves it open whether an automated shoe gives all its cards; what is certain has voided the round.
IN_DOUBT = ("short_stack", "contradiction", "lost_link", "device", "sort_mode", "not_emptied", "exit_sensor")


def void_reason(table: "Table") -> tuple[str, str]:
    """As which irregularity a held round may be voided, and why (both empty: it may not be)."""
    is_clearing = table.state.phase is Phase.CLEARING
    if is_clearing and (table.round.void or table.round.by_hand):
        return "", ""
    kinds = {PAID_FIRST: "wrong_count"}
    if not is_clearing:
        kinds |= dict.fromkeys(PROVEN_BAD, "stub_short")
    for held in table.holding():
        if held.kind in kinds:
            return kinds[held.kind], held.why
        if held.kind in IN_DOUBT and held.device == "shoe" and _may_lack_cards(table, held.kind):
            return "shoe_jam", held.why
    return "", ""


def _may_lack_cards(table: "Table", kind: str) -> bool:
    """Whether the shoe has cards to give yet, or put out a stack that nobody has counted."""
    is_stack = kind == "short_stack" and table.state.phase in (Phase.DEALING, Phase.STUB)
    return is_stack or waits_for_shoe(table)


def may_void(table: "Table") -> bool:
    """Whether anything that holds the round voids it."""
    return any(void_reason(table))


def verify_void(table: "Table", _value: str) -> None:
    """A proven bad deck, a shoe that gives no more cards, or a void that was left to the floor."""
    if not may_void(table):
        raise Refused("nothing that holds the round voids it")


def void_round(table: "Table", _value: str) -> None:
    """The floor voids a held round; a deck that is proven bad leaves the table (our own policy)."""
    kind, why = void_reason(table)
    found = table.chapter.irregularities[kind]
    table.round.irregularity = kind
    table.note(f"void: {why}", found.cite, table.person(Role.FLOOR))
    is_ours = kind == "stub_short"
    void(table, why, POLICY if is_ours else found.cite, remove=is_ours)


def returned(table: "Table", _value: str) -> None:
    """All wagers were given back."""
    free_recalled(table, table.round.void)
    table.phases.returned()
    order_stub(table)
    stub.count_at_last(table)


ACTIONS = (
    Action(
        "void_round",
        "VOID ROUND",
        Role.FLOOR,
        ROUND_PHASES | phases(Phase.CLEARING),
        "13",
        void_round,
        verify_void,
        when=may_void,
        while_held=True,
    ),
    Action(
        "returned", "WAGERS RETURNED", Role.DEALER, phases(Phase.RETURNING), "13", returned, while_held=True
    ),
)
