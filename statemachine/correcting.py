"""Correcting what was entered: BACK until the next step is confirmed, the floor after that.

A correction erases nothing: what was said first stands in the record as taken back, with the name of whoever
took it back. What has moved money or cards cannot be corrected here; that is an irregularity or a hold.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import dealing, deciding, declaring
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.events import Role
from sabot.statemachine.labels import seat_words
from sabot.statemachine.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sabot.statemachine.table import Table

P = Phase
ENTERING = phases(P.DECIDING, P.TURNING)
SAYING = phases(P.DECLARING, P.SETTLING)


def back(table: "Table") -> None:
    """BACK: clear what is being entered, else take back the last entry."""
    take_back = _TAKE_BACK.get(table.state.phase)
    if take_back is None:
        raise Refused("BACK: only the floor can correct what was confirmed")
    take_back(table)


def _clear_count(table: "Table") -> None:
    if not table.state.pending.number:
        raise Refused("BACK: nothing is counted yet")
    table.state.pending.number = 0


_TAKE_BACK: "Mapping[Phase, Callable[[Table], None]]" = {
    P.COUNTING_CHIPS: _clear_count,
    P.CHIP_MISMATCH: lambda table: table.do("recount_chips"),
    P.DEALING: dealing.take_back_lap,
    P.STUB: dealing.take_back_lap,
    P.STUB_WRONG: lambda table: table.do("recount"),
    P.DECIDING: deciding.take_back,
    P.TURNING: deciding.take_back,
    P.DECLARING: declaring.take_back,
    P.SETTLING: declaring.take_back,
}


def answers(table: "Table") -> list[str]:
    """Whose answer or declaration the floor may have entered again."""
    if table.state.phase in ENTERING:
        return deciding.may_reopen(table)
    return declaring.may_reopen(table)


def correct(table: "Table", value: str) -> None:
    """The floor has an answer given, or a hand declared, once more."""
    by = table.person(Role.FLOOR)
    if table.state.phase in ENTERING:
        deciding.reopen(table, int(value), by)
    else:
        declaring.reopen(table, value, by)


ACTIONS = (
    Action(
        "correct",
        "CORRECT ENTRY",
        Role.FLOOR,
        ENTERING | SAYING,
        "11(b)",
        correct,
        values=answers,
        say=seat_words,
    ),
)
