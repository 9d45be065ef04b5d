"""Correcting what was entered: BACK until the next step is confirmed, the floor after that.

A correction erases nothing: what was said first stands in the record as taken back, with the name of whoever
took it back. What has moved money or cards cannot be corrected here; that is an irregularity or a hold.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import answering, chips, dealing, deciding, declaring, stub, undo
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.events import Role
from sabot.statemachine.labels import seat_words
from sabot.statemachine.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sabot.statemachine.table import Table

P = Phase
BEFORE_REVEAL = phases(P.DEALING, P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING)
SAYING = phases(P.DECLARING, P.SETTLING, P.VALIDATING)


def back(table: "Table") -> None:
    """BACK: clear what is being entered, else take back the last entry."""
    is_entering = answering.is_keyed(table) or table.state.phase is P.STUB_WRONG
    if undo.may_take_back(table) and not is_entering:
        undo.take_back(table)
        return
    take_back = _TAKE_BACK.get(table.state.phase)
    if take_back is None:
        raise Refused("BACK: only the floor can correct what was confirmed")
    take_back(table)


def _clear_count(table: "Table") -> None:
    if table.state.pending.number is None:
        raise Refused("BACK: nothing is counted yet")
    table.clear_pending()


def _undeal(table: "Table") -> None:
    """The count of the chips until a card is dealt, then the last way around."""
    if table.round.last_entry == chips.CHIPS:
        chips.take_back_count(table)
    else:
        dealing.take_back_lap(table)


def _undecide(table: "Table") -> None:
    """What is being entered, the stub that was just laid down, else the last answer."""
    if table.round.last_entry == stub.STUB and not answering.is_keyed(table):
        stub.rack_again(table)
    else:
        deciding.take_back(table)


def _recount(table: "Table") -> None:
    """The stub is counted again, whatever was declared meanwhile."""
    declared = table.state.undo
    table.do("recount")
    table.state.undo = declared


_TAKE_BACK: "Mapping[Phase, Callable[[Table], None]]" = {
    P.COUNTING_CHIPS: _clear_count,
    P.CHIP_MISMATCH: lambda table: table.do("recount_chips"),
    P.DEALING: _undeal,
    P.STUB: stub.take_back,
    P.STUB_WRONG: _recount,
    P.LAST_COUNT: _clear_count,
    P.LAST_WRONG: lambda table: table.do("count_last_again"),
    P.DECIDING: _undecide,
    P.TURNING: _undecide,
    P.DECLARING: declaring.take_back,
    P.SETTLING: declaring.take_back,
    P.VALIDATING: declaring.take_back,
}


def answers(table: "Table") -> list[str]:
    """What the floor may have entered again: an answer or a declaration, or who is there after all."""
    if table.state.phase in SAYING:
        return declaring.may_reopen(table) + deciding.may_come_back(table)
    given = deciding.may_reopen(table) if table.state.phase in (P.DECIDING, P.TURNING) else []
    return given + deciding.may_come_back(table)


def correct(table: "Table", value: str) -> None:
    """The floor has an answer given, or a hand declared, once more."""
    by = table.person(Role.FLOOR)
    if table.state.phase in SAYING and not value.endswith(deciding.HERE):
        declaring.reopen(table, value, by)
    elif value.endswith(deciding.HERE):
        deciding.come_back(table, value.partition(" ")[0], by)
    else:
        deciding.reopen(table, int(value), by)


def _words(table: "Table", value: str) -> str:
    """A seat, the dealer, or a seat that did not leave."""
    boxes, _, here = value.partition(" ")
    return f"{deciding.boxes_words(table, boxes)} {here}".upper() if here else seat_words(table, value)


ACTIONS = (
    Action(
        "correct",
        "CORRECT ENTRY",
        Role.FLOOR,
        BEFORE_REVEAL | SAYING,
        "11(b)",
        correct,
        values=answers,
        say=_words,
    ),
)
