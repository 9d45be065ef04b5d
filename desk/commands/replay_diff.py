"""Recorded effects beside those that come now: the first difference, explained."""

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol

from sabot.firmware.pages.replay_text import words
from sabot.statemachine.codec import effect_json
from sabot.statemachine.effects import Effect


class DiffStep(Protocol):
    """An event and what followed from it."""

    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def event(self) -> dict[str, object]: ...  # noqa: D102
    @property
    def effects(self) -> Sequence[Effect]: ...  # noqa: D102


class Difference(NamedTuple):
    """The first effect that is another one (from 1), or 0 where one side ends before the other."""

    line: int
    event: dict[str, object] | None
    number: int
    expected: dict[str, object] | None
    came: dict[str, object] | None


def first_difference(steps: Sequence[DiffStep], expected: Sequence[Sequence[Effect]]) -> Difference | None:
    """The first place at which what came is not what was recorded."""
    for place, (step, recorded) in enumerate(zip_longest(steps, expected), 1):
        if step is None:
            return Difference(place, None, 0, None, None)
        if recorded is None:
            return Difference(step.line, step.event, 0, None, None)
        for number, (want, came) in enumerate(zip_longest(recorded, step.effects), 1):
            if want != came:
                return Difference(step.line, step.event, number, _plain(want), _plain(came))
    return None


def _plain(effect: Effect | None) -> dict[str, object] | None:
    return None if effect is None else effect_json(effect)


def explained(found: Difference) -> Iterator[str]:
    """A difference for people: where, what was expected, what came, and which fields are others."""
    if found.event is None:
        yield f"the recorded effects go on after the last event, with answer {found.line}"
        return
    if found.number == 0:
        yield f"line {found.line}, {words(found.event)}: the recorded effects end before it"
        return
    yield f"line {found.line}, {words(found.event)}: effect {found.number} is another one"
    yield f"  expected: {words(found.expected) if found.expected else 'no more effects'}"
    yield f"  came:     {words(found.came) if found.came else 'no more effects'}"
    if found.expected and found.came and found.expected["effect"] == found.came["effect"]:
        for name, want in found.expected.items():
            if want != found.came[name]:
                yield f"  {name}: expected {json.dumps(want)}, came {json.dumps(found.came[name])}"
