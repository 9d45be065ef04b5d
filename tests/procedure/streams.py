"""Event streams of random shifts, as the checker reads them, to be tampered with."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import TYPE_CHECKING, Any

from procedure.check import Checker
from procedure.reading import items
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.vocabulary import codec
from sabot.statemachine.vocabulary.effects import RecordRound
from sabot.statemachine.vocabulary.events import Role
from tests.statemachine.walk.random_shift import RandomShift
from tests.statemachine.walk.setups import WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from procedure.finding import Objection

Line = dict[str, Any]
EVENTS = 450
CALM, LIVELY = (0.0, 0.0), (0.03, 0.06)


@cache
def _written(way: str, seed: int, mood: tuple[float, float]) -> str:
    """A shift of a way, as JSON lines."""
    chosen = next(each for each in WAYS if str(each) == way)
    shift = RandomShift(seed, chosen, noise=mood[0], whims=mood[1], pauses=0.0)
    lines = [{"sabot_stream": 1, "table": setup_json(shift.setup)}]
    for step, _ in zip(shift.steps(), range(EVENTS), strict=False):
        line: Line = {
            "event": codec.event_json(step.event),
            "effects": [codec.effect_json(effect) for effect in step.effects],
        }
        if any(isinstance(effect, RecordRound) for effect in step.effects):
            line["record"] = codec.write(shift.table.rooms.recorded.last)
        if shift.table.state.play.round is not None:
            line["shown"] = shift.table.rooms.views.view(Role.DEALER)["public"]
        lines.append(line)
    return json.dumps(lines)


def stream(way: str, seed: int, mood: tuple[float, float] = CALM) -> list[Line]:
    """A shift that may be changed."""
    found: list[Line] = json.loads(_written(way, seed, mood))
    return found


def objections(lines: Sequence[Line]) -> list[Objection]:
    """What the checker says of a stream."""
    checker = Checker()
    checker.check(items(json.dumps(line).encode() for line in lines))
    return checker.objections


@cache
def objections_before(way: str, seed: int, mood: tuple[float, float]) -> frozenset[tuple[str, int, str]]:
    """What it says of the shift as it was."""
    return frozenset((each.rule, each.round, each.words) for each in objections(stream(way, seed, mood)))


# ---------------------------------------------------------------- finding one's way in a stream


def steps(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines that are steps."""
    yield from (line for line in lines if "event" in line)


def effects(lines: Sequence[Line], kind: str) -> Iterator[tuple[Line, Line]]:
    """Every effect of a kind, with its step."""
    for line in steps(lines):
        for effect in line["effects"]:
            if effect["effect"] == kind:
                yield line, effect


def events(lines: Sequence[Line], kind: str) -> Iterator[Line]:
    """Every step with an event of a kind."""
    yield from (line for line in steps(lines) if line["event"]["event"] == kind)


def records(lines: Sequence[Line]) -> Iterator[Line]:
    """The records of rounds that were played to their end."""
    for line in steps(lines):
        record = line.get("record")
        if record and not record["void"] and not record["by_hand"] and not record["irregularity"]:
            yield record


def round_of(lines: Sequence[Line], record: Line) -> list[Line]:
    """The steps of a round, from its lock to its record."""
    found: list[Line] = []
    for line in steps(lines):
        found = [line] if line["event"].get("key") == "LOCK" and line["effects"] else [*found, line]
        if line.get("record") is record:
            return found
    raise AssertionError(record["number"])


def drop(lines: list[Line], *gone: Line) -> None:
    """Take lines out, by what they are and not by what they say."""
    lines[:] = [line for line in lines if not any(line is each for each in gone)]


def insert_after(lines: list[Line], place: Line, event: Line, *told: Line) -> None:
    """Put a step behind another."""
    number = next(n for n, line in enumerate(lines) if line is place)
    at = place["event"]["at"]
    lines.insert(
        number + 1, {"event": {"source": "", "at": at} | event, "effects": copy.deepcopy(list(told))}
    )
