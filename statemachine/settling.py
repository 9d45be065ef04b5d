"""Settling seat by seat, hits, documents (x.11(c)).

The whole round is settled at the reveal; here its lines are carried out one confirmed seat at a time, so
that the money on the felt follows the chapter's order. A progressive hit waits for the floor; a hand whose
payout is not from the tray stays until its documents are done.
"""

from typing import TYPE_CHECKING

from sabot.rules.cards import NAMES
from sabot.rules.round import Line
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.chips import ACCOUNT, give_back
from sabot.statemachine.effects import (
    CollectWager,
    CreditAccount,
    FreezeHit,
    PayWager,
    RequireRole,
)
from sabot.statemachine.events import DrawMade, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.shares import draw, hit_cents, share_payout
from sabot.statemachine.state import Hit

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

FLOOR_ODDS = 500


def current_seat(table: "Table") -> int:
    """The seat that is settled next (0: none is left)."""
    round_ = table.round
    return round_.order[round_.settled] if round_.settled < len(round_.order) else 0


def seat_lines(table: "Table", seat: int) -> list[Line]:
    """The lines of a seat."""
    return [line for line in table.round.lines if line.seat == seat]


def unvalidated(table: "Table", seat: int) -> list[Line]:
    """The lines of a seat that the floor must validate first."""
    done = {(hit.seat, hit.wager) for hit in table.round.hits}
    return [
        line
        for line in seat_lines(table, seat)
        if _wants_floor(table, line) and (line.seat, line.wager) not in done
    ]


def _wants_floor(table: "Table", line: Line) -> bool:
    """A progressive payout; of the hand bonus, 500 for 1 or a share of the meter."""
    wager = table.chapter.wagers.get(line.wager)
    if wager is None or line.result != "win":
        return False
    if wager.envy:
        return True
    return wager.device == ACCOUNT and (is_share(table, line) or _odds(line) >= FLOOR_ODDS)


def _odds(line: Line) -> int:
    return (line.paid or 0) // line.stake if line.stake else 0


def is_share(table: "Table", line: Line) -> bool:
    """Whether a line is paid from a meter."""
    return share_payout(table, line) is not None


def pay_seat(table: "Table", _value: str) -> None:
    """Carry out the lines of the current seat; a hit that nobody validated waits for the floor."""
    seat = current_seat(table)
    waiting = unvalidated(table, seat)
    if waiting:
        for line in waiting:
            cents, row = hit_cents(table, line), line.row or ""
            table.round.frozen.append(Hit(seat, line.wager, row, cents, is_share(table, line)))
            table.emit(FreezeHit(seat=seat, wager=line.wager, row=row, cents=cents, cite=line.cite))
        table.emit(RequireRole(role=Role.FLOOR, why=f"validate seat {seat}", cite=waiting[0].cite))
        table.phases.hit()
        return
    table.round.last_said = ""
    for line in seat_lines(table, seat):
        carry_out(table, line)
    table.round.settled += 1
    if not current_seat(table):
        _end_of_settlement(table)


def is_collected(table: "Table", line: Line) -> bool:
    """Whether a fold's stake was taken before the reveal."""
    is_base = line.wager in table.chapter.contest.wagers
    return line.result in ("forfeit", "lose") and line.seat in table.round.collected and is_base


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
    base = line.wager.partition(":")[0]
    wager = table.chapter.wagers.get(base)
    if wager is not None and wager.device == ACCOUNT and not share:
        table.emit(CreditAccount(seat=line.seat, wager=line.wager, cents=line.paid or 0, cite=cite))
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
    """The floor validates the hits of the current seat."""
    seat, by = current_seat(table), table.person(Role.FLOOR)
    for line in unvalidated(table, seat):
        needs = is_share(table, line)
        cents = hit_cents(table, line)
        table.round.hits.append(Hit(seat, line.wager, line.row or "", cents, needs, by))
    table.phases.hit_validated()


def _end_of_settlement(table: "Table") -> None:
    if any(hit.needs_documents for hit in table.round.hits):
        table.emit(RequireRole(role=Role.FLOOR, why="documents of the hit", cite=table.cite("11(c)(5)(iv)")))
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


_SETTLED = frozenset({Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, Phase.CLEARING, Phase.RETURNING})


def on_draw(table: "Table", event: DrawMade) -> None:
    """The table game system drew a card or a position, before the settlement."""
    if table.state.round is None or table.state.phase in _SETTLED:
        raise Refused("a draw belongs to a round that is not yet settled")
    if not table.chapter.extras:
        raise Refused(f"{table.chapter.id} has no draws")
    _verify_draw(table, event)
    table.state.undo = None
    table.round.magic_card = event.magic_card if event.magic_card is not None else table.round.magic_card
    table.round.lucky = event.lucky if event.lucky is not None else table.round.lucky
    words = f"drawn by {event.source or 'the game system'}: "
    card = NAMES[event.magic_card] if event.magic_card is not None else ""
    table.round.note(table.now, f"{words}{card} {event.lucky or ''}".strip(), table.cite("12(g)(3)"))


ACTIONS = (
    Action("pay_seat", "SEAT SETTLED", Role.DEALER, phases(Phase.SETTLING), "11(c)", pay_seat),
    Action(
        "validate_hit", "VALIDATE HIT", Role.FLOOR, phases(Phase.VALIDATING), "11(c)(5)(iii)", validate_hit
    ),
    Action(
        "documents", "DOCUMENTS DONE", Role.FLOOR, phases(Phase.DOCUMENTS), "11(c)(5)(iv)", documents_done
    ),
)
