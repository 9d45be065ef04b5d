"""Settling seat by seat, hits, documents (x.11(c)).

The whole round is settled at the reveal; here its lines are carried out one confirmed seat at a time, so
that the money on the felt follows the chapter's order. A progressive hit, and a large payment of a hand that
was declared, waits for the floor when all before it is paid; a hand whose payout is not from the tray stays
until its documents are done.
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from sabot.rules.cards import NAMES
from sabot.rules.round import Line
from sabot.statemachine import hits, large, linked
from sabot.statemachine.accounts import SETTLED
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.calling import call
from sabot.statemachine.chips import give_back
from sabot.statemachine.effects import (
    CollectWager,
    CreditAccount,
    FreezeHit,
    PayWager,
)
from sabot.statemachine.events import DrawMade, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.shares import draw, hit_cents, share_payout
from sabot.statemachine.state import Hit

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def current_seat(table: "Table") -> int:
    """The seat that is settled next (0: none is left)."""
    round_ = table.round
    return round_.order[round_.settled] if round_.settled < len(round_.order) else 0


@dataclass(frozen=True, slots=True)
class Sorted:
    """The lines of a round, and those of each seat in their order."""

    lines: list[Line]
    by_seat: dict[int, list[Line]]


def sort_lines(lines: list[Line]) -> Sorted:
    """Lines made easy to look up by their seat."""
    by_seat: dict[int, list[Line]] = {}
    for line in lines:
        by_seat.setdefault(line.seat, []).append(line)
    return Sorted(lines, by_seat)


def lines_left(table: "Table") -> list[Line]:
    """The lines of the current seat that are not carried out yet."""
    return table.sorted_lines.by_seat.get(current_seat(table), [])[table.round.carried :]


class Due(NamedTuple):
    """The lines that OK carries out, and those that the floor must validate when they are.

    OK goes as far as the first that waits for the floor. The floor looks at that one and at those that follow
    it; envy is paid between, and before what is won on an account is looked at (11(c)(5)(v), (7)).
    """

    now: list[Line]
    awaited: list[Line]


def due(table: "Table") -> Due:
    """Return what is due at the current seat."""
    left = lines_left(table)
    waits = [is_awaited(table, line) for line in left]
    if True not in waits:
        return Due(left, [])
    first = waits.index(True)
    alike = [is_on_account(table, line) == is_on_account(table, left[first]) for line in left]
    goes_along = [
        alike[at] and (waits[at] or line.wager.startswith(large.ENVY)) for at, line in enumerate(left)
    ]
    run = takewhile(goes_along.__getitem__, range(first, len(left)))
    return Due(left[:first], [left[at] for at in run if waits[at]])


def is_awaited(table: "Table", line: Line) -> bool:
    """Whether a line waits for the floor."""
    if not large.wants_floor(table, line):
        return False
    return all((hit.seat, hit.wager) != (line.seat, line.wager) for hit in table.round.hits)


def is_share(table: "Table", line: Line) -> bool:
    """Whether a line is paid from a meter."""
    return share_payout(table, line) is not None


def is_on_account(table: "Table", line: Line) -> bool:
    """Whether a line is of a wager on a game account, or of a bonus on one."""
    return line.wager.partition(":")[0] in table.account_wagers


def pay_seat(table: "Table", _value: str) -> None:
    """Carry out the lines of the current seat, as far as no hit waits for the floor (641a.11(c)(3)-(5))."""
    round_ = table.round
    round_.last_said = ""
    now, awaited = due(table)
    for line in now:
        carry_out(table, line)
        round_.carried += 1
    if awaited:
        _call_floor(table, awaited)
        return
    round_.settled += 1
    round_.carried = 0
    if not current_seat(table):
        _end_of_settlement(table)


def _call_floor(table: "Table", waiting: list[Line]) -> None:
    """What is won on a device is announced by its light and frozen; the floor is called."""
    for line in (line for line in waiting if large.is_on_device(table, line)):
        if linked.claim(table, line):
            continue  # its amount is the floor's to say
        cents, row = hit_cents(table, line), line.row or ""
        table.round.frozen.append(Hit(line.seat, line.wager, row, cents, is_share(table, line)))
        table.emit(FreezeHit(seat=line.seat, wager=line.wager, row=row, cents=cents, cite=line.cite))
    why = f"validate seat {current_seat(table)}"
    call(table, Role.FLOOR, why, waiting[0].cite)
    table.phases.hit()


def is_collected(table: "Table", line: Line) -> bool:
    """Whether a fold's stake was taken before the reveal."""
    is_lost = line.result in ("forfeit", "lose")
    return is_lost and line.seat in table.round.collected and line.wager in table.chapter.contest.wagers


def carry_out(table: "Table", line: Line) -> None:
    """The effect of one line; a share of a meter leaves the meter now."""
    stake, cite = line.stake, line.cite
    if line.result in ("returned", "push"):
        give_back(table, line.seat, line.wager, line.back, cite)
        return
    if line.result in ("lose", "forfeit"):
        if not is_collected(table, line):
            table.emit(CollectWager(seat=line.seat, wager=line.wager, cents=stake, cite=cite))
        return
    share, paid = share_payout(table, line), line.paid
    if share:
        paid = hit_cents(table, line)
        draw(table, line, share)
    if is_on_account(table, line) and not share:
        table.emit(CreditAccount(seat=line.seat, wager=line.wager, cents=line.paid or 0, cite=cite))
        table.owe(line.seat, line.wager, line.paid or 0, cite, is_stake=False)
        return
    table.emit(
        PayWager(
            seat=line.seat,
            wager=line.wager,
            paid=paid,
            back=line.back,
            odds=line.odds or "",
            from_tray=share is None,
            cite=cite,
        )
    )


def validate_hit(table: "Table", _value: str) -> None:
    """The floor validates the hits of the current seat that are settled next."""
    by = table.person(Role.FLOOR)
    for line in due(table).awaited:
        needs, cents = is_share(table, line), hit_cents(table, line)
        table.round.hits.append(Hit(line.seat, line.wager, line.row or "", cents, needs, by))
        linked.validated(table, line, by)
    table.phases.hit_validated()


def look_again(table: "Table") -> None:
    """Hold announced hits against lines decided anew; one that changed is announced again in its turn."""
    round_, stands = table.round, {(*line[:2], hit_cents(table, line)) for line in lines_left(table)}
    open_ = hits.waiting(table)
    gone = [hit for hit in open_ if (hit.seat, hit.wager, hit.cents) not in stands]
    now, awaited = due(table)
    if table.phases.state is Phase.VALIDATING and (gone or now or not awaited):
        gone = open_
        table.phases.hit_validated()
    hits.drop(table, gone)
    round_.frozen = [hit for hit in round_.frozen if hit not in gone]
    spots = {(hit.seat, hit.wager) for hit in gone}
    round_.hits = [hit for hit in round_.hits if (hit.seat, hit.wager) not in spots]
    claim_again(table)


def claim_again(table: "Table") -> None:
    """Claim what is awaited now and was not before, where another outcome stands."""
    if table.phases.state is Phase.VALIDATING:
        for line in due(table).awaited:
            linked.claim(table, line)


def _end_of_settlement(table: "Table") -> None:
    if any(hit.needs_documents for hit in table.round.hits):
        call(table, Role.FLOOR, "documents of the hit", table.cite("11(c)(5)(iv)"))
        table.phases.await_documents()
    else:
        table.phases.all_settled()


def documents_done(table: "Table", _value: str) -> None:
    """The documents are done; the hand may be cleared."""
    table.round.note(table.now, "documents done", table.cite("11(c)(5)(iv)"), table.person(Role.FLOOR))
    table.phases.all_settled()


def _verify_draw(table: "Table", event: DrawMade) -> None:
    """A card of the pack, a position of the table, or both."""
    card, position = event.magic_card, event.lucky
    if card is None and position is None:
        raise Refused("nothing was drawn")
    if card is not None and not 0 <= card < table.chapter.deck.pack:
        raise Refused("there is no such card")
    is_seat = isinstance(position, int) and 1 <= position <= table.setup.seat_count
    if position is not None and position != "dealer" and not is_seat:
        raise Refused(f"there is no position {position}")


def _unseal(table: "Table", event: DrawMade) -> None:
    """A draw with a number was under seal, or is no draw of this round."""
    sealed = table.round.sealed
    if event.draw and all(each.draw != event.draw for each in sealed):
        raise Refused(f"draw {event.draw} was not sealed for this round")
    table.round.sealed = [each for each in sealed if each.draw != event.draw]


def on_draw(table: "Table", event: DrawMade) -> None:
    """The table game system drew a card or a position, before the settlement."""
    if table.state.round is None or table.state.phase in SETTLED:
        raise Refused("a draw belongs to a round that is not yet settled")
    if not table.chapter.extras:
        raise Refused(f"{table.chapter.id} has no draws")
    _verify_draw(table, event)
    table.state.undo = None
    _unseal(table, event)
    table.round.magic_card = event.magic_card if event.magic_card is not None else table.round.magic_card
    table.round.lucky = event.lucky if event.lucky is not None else table.round.lucky
    words = f"drawn by {event.source or 'the game system'}: "
    card = NAMES[event.magic_card] if event.magic_card is not None else ""
    table.round.note(table.now, f"{words}{card} {event.lucky or ''}".strip(), table.cite("12(g)(3)"))


ACTIONS = (
    Action("pay_seat", "SEAT SETTLED", Role.DEALER, phases(Phase.SETTLING), "11(c)", pay_seat),
    Action(
        "validate_hit",
        "VALIDATE HIT",
        Role.FLOOR,
        phases(Phase.VALIDATING),
        "11(c)(5)(iii)",
        validate_hit,
        linked.verify_heard,
    ),
    Action(
        "documents", "DOCUMENTS DONE", Role.FLOOR, phases(Phase.DOCUMENTS), "11(c)(5)(iv)", documents_done
    ),
)
