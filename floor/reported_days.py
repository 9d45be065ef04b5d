"""The gaming day of tables by their own word: as it is kept, and as figures of a report.

It moves no money and is in no ledger; it is kept as its board signed it, so anybody can prove it again. A
table that got a spare board on that day has told of it twice, and both count.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sabot.floor import table_state, wire
from sabot.floor.store import ToldDay

HOUR_S = 3600
Json = dict[str, Any]


class BoardDay(NamedTuple):
    """The rounds that a board has recorded on a day, when the first and the last, and its faults by kind."""

    rounds: int
    first: str
    last: str
    faults: Counter[str]


def told_day(state: Json, board: str, body: bytes, signature: bytes) -> ToldDay:
    """Return the gaming day that a state tells of; what it counts only grows."""
    counted = state["played"][0] + sum(count for _, count in state["faults"])
    return ToldDay(state["date"], state["table"], board, counted, body, signature)


def is_theirs(told: ToldDay) -> bool:
    """Return whether its board signed this word, and it is kept as it was said."""
    if not wire.is_signed(told.board, wire.TABLE_STATE, told.body, told.signature):
        return False
    return told_day(_state(told), told.board, told.body, told.signature) == told


def _state(told: ToldDay) -> Json:
    return wire.read_body(told.body, table_state.STATE, "state of a table")


def played(told: ToldDay) -> BoardDay:
    """Return the rounds and faults of which a board's word tells."""
    state = _state(told)
    rounds, first, last = state["played"]
    return BoardDay(rounds, first, last, Counter(dict(state["faults"])))


def figures(of_boards: Sequence[BoardDay]) -> Json:
    """Return rounds, rounds an hour and faults by kind of a table, or of all."""
    faults = sum((each.faults for each in of_boards), Counter[str]())
    return {
        "rounds": sum(each.rounds for each in of_boards),
        "first": min((each.first for each in of_boards if each.rounds), default=""),
        "last": max((each.last for each in of_boards if each.rounds), default=""),
        "rounds_an_hour": an_hour(of_boards),
        "faults_by_kind": dict(sorted(faults.items())),
    }


def an_hour(of_boards: Iterable[BoardDay]) -> float | None:
    """Return the rounds an hour from the first record to the last; of several boards that of one."""
    # Between n records lie n - 1 rounds.
    spans = [(each.rounds - 1, _hours(each)) for each in of_boards if each.rounds > 1]
    hours = sum(each for _, each in spans)
    return round(sum(rounds for rounds, _ in spans) / hours, 1) if hours > 0 else None


def _hours(each: BoardDay) -> float:
    return (datetime.fromisoformat(each.last) - datetime.fromisoformat(each.first)).total_seconds() / HOUR_S
