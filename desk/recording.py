"""A recorded shift: the set-up of its table in the first line or lines, then one event a line.

Everything is read before anything is run, so that a slip in the last line is found before the first word is
printed. A recording has its cards by name; it is made by a simulated table or out of unsealed journal pages.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from sabot.config import PRINTED, ChapterLaw
from sabot.desk.json_input import no_constant, open_input
from sabot.rules.errors import SabotError, table
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.snapshot import read_setup
from sabot.statemachine.vocabulary.codec import read, read_effect, read_event
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event

ERRORS = table(
    (
        "E-REPLAY-001",
        "not JSON: {why}",
        "A recording has one JSON value a line and nothing else.",
        "Correct the line at the place named.",
    ),
    (
        "E-REPLAY-002",
        "there is no set-up before the first event",
        "The table cannot be set up without it.",
        'Begin the file with a line such as {{"table": {{"chapter": "pa641a"}}}}; see docs/events.md.',
    ),
    (
        "E-REPLAY-003",
        "the set-up says {field!r} twice",
        "Several lines of set-up are taken together, each field once.",
        "Take one of the two out.",
    ),
)


class ReplayError(SabotError):
    """A recording that cannot be read."""


class Recorded(NamedTuple):
    """An event and the line it stands in."""

    line: int
    event: Event


class Recording(NamedTuple):
    """A table and what happened at it."""

    setup: Setup
    events: list[Recorded]


def read_recording(name: str, law: ChapterLaw = PRINTED) -> Recording:
    """Return a whole recording; ``-`` is standard input."""
    terms: dict[str, object] = {}
    events: list[Recorded] = []
    for number, value in _values(name):
        place = f"{name}:{number}"
        if not events and isinstance(value, dict) and value.keys() == {"table"}:
            _add(terms, read(dict[str, object], value["table"], f"{place} table"), place)
        elif not terms:
            raise ReplayError(ERRORS["E-REPLAY-002"], place)
        else:
            events.append(Recorded(number, read_event(value, place)))
    if not terms:
        raise ReplayError(ERRORS["E-REPLAY-002"], name)
    return Recording(read_setup(terms, law.chapter, f"{name} table"), events)


def _add(terms: dict[str, object], more: dict[str, object], place: str) -> None:
    for field, value in more.items():
        if field in terms:
            raise ReplayError(ERRORS["E-REPLAY-003"], place, field=field)
        terms[field] = value


def read_effects(name: str) -> list[list[Effect]]:
    """Return a list of effects for each event, alone or as ``effects`` in what ``replay --json`` printed."""
    found = []
    for number, value in _values(name):
        # ``replay --json`` prints finished rounds between the events.
        if isinstance(value, dict) and "round" in value:
            continue
        answer = value["effects"] if isinstance(value, dict) and "effects" in value else value
        items = read(list[object], answer, f"{name}:{number}")
        found.append([read_effect(each, f"{name}:{number}[{place}]") for place, each in enumerate(items)])
    return found


def _values(name: str) -> Iterator[tuple[int, object]]:
    """Yield the JSON values of a file with the numbers of their lines."""
    with open_input(name) as stream:
        for number, raw in enumerate(stream, 1):
            if raw.strip():
                yield number, _parse(raw, f"{name}:{number}")


def _parse(raw: bytes, place: str) -> object:
    try:
        return json.loads(raw.decode(), parse_constant=no_constant)
    except RecursionError as error:
        raise ReplayError(ERRORS["E-REPLAY-001"], place, why="nested too deeply") from error
    except ValueError as error:
        raise ReplayError(ERRORS["E-REPLAY-001"], place, why=str(error)) from error
