"""A void round: every stake goes back by what the law says of it, and nothing of the round stays on a meter.

Contributions are reversed and hits restored by name. What was paid before the round turned out void is listed
to be taken back. Beside the irregularities that void by law, a floorperson may void a round that is held by
what no law names: a deck proven bad, a shoe that gives no more cards.
"""

from dataclasses import dataclass

from sabot.rules.round import Line
from sabot.statemachine.action import ROUND_PHASES, Action, Refused, phases
from sabot.statemachine.answering import Answering
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.chips import ChipCount
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.effects import CollectWager, TakeBackPayment, VoidRound
from sabot.statemachine.events import Key, Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Hits
from sabot.statemachine.law import Law
from sabot.statemachine.ledger import REVERSAL, Cause
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.outcome import Settlements
from sabot.statemachine.parts import TableClock
from sabot.statemachine.people import EntryState, TableCrew
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.round import Payment, Play
from sabot.statemachine.settled import carried_out

DECK_REMOVED = "deck_removed"


def _went_back(line: Line) -> bool:
    """Return whether the stake of a line is the player's again; where it is not known its odds tell."""
    if line.result == "win" and line.stake is None:
        return " to " in (line.odds or "")
    return line.result in ("returned", "push") or bool(line.back)


# ---------------------------------------------------------------- by the floor

PROVEN_BAD = ("composition", "deck_color")
PAID_FIRST = "paid_first"
# What leaves it open whether an automated shoe gives all its cards; what is certain has voided the round.
IN_DOUBT = ("short_stack", "contradiction", "lost_link", "device", "sort_mode", "not_emptied", "exit_sensor")


@dataclass(slots=True, eq=False, repr=False)
class Voiding:
    """Void a round."""

    law: Law
    phases: Phases
    out: Outbox
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    books: MoneyBooks
    play: Play
    answering: Answering
    chip_count: ChipCount
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    hits: Hits
    linked_meters: LinkedMeters
    settlements: Settlements

    def void(self, why: str, cite: str, *, remove: bool = False) -> None:
        """Every stake goes back, contributions are reversed, payments are listed to be taken back."""
        round_, ledger = self.play.current, self.books.ledger
        hit_paid, cause = bool(ledger.draws) or self.linked_meters.was_paid(), Cause(REVERSAL, round_.number)
        round_.void = cite
        self.out.emit(VoidRound(why=why, cite=cite))
        self.answering.return_chips(why)
        self.dealing.recall_order(cite)
        self.hits.drop(round_.frozen)
        self._give_back(carried_out(round_), cite)
        list(ledger.restore_draws(cause))
        list(ledger.reverse_round(cause))
        self.linked_meters.take_back(cite)
        self.books.day.count_void(1)
        self.entry.clear_pending()
        round_.turn_to(0)
        self.phases.void()
        if remove:
            self.deck_room.remove_deck(round_.deck, why, cite)
        if hit_paid:
            self.faults.hold("hit_paid", "table", "a meter hit of a void round was paid", cite)

    def void_with_deck(self, why: str, cite: str) -> None:
        """End the round with its deck: every stake goes back, and the deck leaves the table."""
        self.play.current.meet("stub_short")
        self.void(why, cite, remove=True)

    def _give_back(self, carried_out: list[Line], cite: str) -> None:
        """Each stake by what the law says of it in a void round, less what the dealer did already."""
        shares = [hit for hit in self.play.current.hits if hit.needs_documents]
        for line in carried_out:
            if line.result == "win" and line.paid != 0:
                cents = next((hit.cents for hit in shares if (hit.seat, hit.wager) == line[:2]), line.paid)
                self._list_payment(Payment(line.seat, line.wager, cents), cite)
        self.settlements.settle_known()
        went_back = {(line.seat, line.wager) for line in carried_out if _went_back(line)}
        taken = {(line.seat, line.wager) for line in carried_out if line.result in ("lose", "forfeit")}
        taken |= {
            (seat, wager) for seat in self.play.current.collected for wager in self.law.chapter.contest.wagers
        }
        for line in self.play.current.lines:
            spot = line.seat, line.wager
            if line.result == "returned" and spot not in went_back:
                self.chip_count.give_back(line.seat, line.wager, line.stake, line.cite)
            elif line.result != "returned" and spot not in taken:
                self.out.emit(
                    CollectWager(seat=line.seat, wager=line.wager, cents=line.stake, cite=line.cite)
                )

    def _list_payment(self, paid: Payment, cite: str) -> None:
        """A payment that was made: on the dealer's list, and in the record."""
        self.play.current.take_back.append(paid)
        self.out.emit(TakeBackPayment(seat=paid.seat, wager=paid.wager, cents=paid.cents, cite=cite))
        what = "chips" if paid.cents is None else paid.cents
        self.play.current.note(
            self.clock.now, f"seat {paid.seat} {paid.wager}: {what} paid is to be taken back", cite
        )

    def look_at_payments(self, key: Key) -> None:
        """The dealer walks through what is to be taken back."""
        count = len(self.play.current.take_back)
        if not count:
            raise Refused(f"{key} means nothing now")
        way, pending = 1 if key is Key.RIGHT else -1, self.entry.pending
        pending.move_to((pending.choice + way) % count)

    def void_reason(self) -> tuple[str, str]:
        """Return the irregularity as which a held round may be voided, and the reason.

        Both are empty where it may not be.
        """
        is_clearing = self.play.phase is Phase.CLEARING
        if is_clearing and (self.play.current.void or self.play.current.by_hand):
            return "", ""
        kinds = {PAID_FIRST: "wrong_count"}
        if not is_clearing:
            kinds |= dict.fromkeys(PROVEN_BAD, "stub_short")
        for held in self.faults.holding():
            if held.kind in kinds:
                return kinds[held.kind], held.why
            if held.kind in IN_DOUBT and held.device == "shoe" and self._may_lack_cards(held.kind):
                return "shoe_jam", held.why
        return "", ""

    def _may_lack_cards(self, kind: str) -> bool:
        """Return whether the shoe has cards to give yet, or put out a stack that nobody has counted."""
        is_stack = kind == "short_stack" and self.play.phase in (Phase.DEALING, Phase.STUB)
        return is_stack or self.dealing.waits_for_shoe()

    def may_void(self) -> bool:
        """Return whether anything that holds the round voids it."""
        return any(self.void_reason())

    def verify_void(self, _value: str) -> None:
        """A proven bad deck, a shoe that gives no more cards, or a void that was left to the floor."""
        if not self.may_void():
            raise Refused("nothing that holds the round voids it")

    def void_round(self, _value: str) -> None:
        """The floor voids a held round; a deck that is proven bad leaves the table (our own policy)."""
        kind, why = self.void_reason()
        found = self.law.chapter.irregularities[kind]
        self.play.current.meet(kind)
        self.out.note(f"void: {why}", found.cite, self.crew.person(Role.FLOOR))
        is_ours = kind == "stub_short"
        self.void(why, POLICY if is_ours else found.cite, remove=is_ours)


ACTIONS = (
    Action(
        "void_round",
        "VOID ROUND",
        Role.FLOOR,
        ROUND_PHASES | phases(Phase.CLEARING),
        "13",
        Voiding.void_round,
        Voiding.verify_void,
        when=Voiding.may_void,
        while_held=True,
    ),
)
