"""Lessons: scenarios of the rig in which somebody at the page plays the dealer, or the floor.

A lesson is a scenario file like any other (`docs/hil.md`), so the rig can play it too: ``about`` is the
situation, and what stands after a ``#`` above a step tells the learner what is to be done next and by which
paragraph. The scenarios of the rig are lessons without such words; the rig's own words stand in for them.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from sabot.hil.scenarios import scenario_file
from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.scenarios.scenario_file import Library, Scenario, Start

DEALER, FLOOR, WORLD = "dealer", "floor", "world"
ROLES = (DEALER, FLOOR)
LESSON, OF_RIG = "lesson", "scenario of the rig"
WHOSE: Mapping[str, str] = {
    **dict.fromkeys(("key", "menu", "draw", "stub", "follow to"), DEALER),
    **dict.fromkeys(("floor", "technician"), FLOOR),
}
PEOPLE_OF = {"sign on": DEALER, "turn key dealer": DEALER, "sign on floor": FLOOR, "turn key floor": FLOOR}
# What a table of things cannot do, and why.
NOT_HERE: Mapping[tuple[str, str], str] = {
    ("power", "stumble"): "a slip of the program is the rig's alone",
    ("shuffler", "load"): "its cards are not those of this table",
    ("shoe", "load"): "its cards are not those of this table",
    ("shoe", "draw"): "its cards are not those of this table",
    ("shoe", "empty"): "its cards are not those of this table",
    ("shuffler", "empty"): "its cards are not those of this table",
}
_SAID = re.compile(r"(?P<words>.*?)\s*(?:\[(?P<cite>[^\]]+)\])?$")


class Task(NamedTuple):
    """A step of a lesson: whose it is, what is said about it, and the paragraph."""

    step: ScenarioStep
    who: str
    says: str
    cite: str


class Lesson(NamedTuple):
    """A scenario to learn from."""

    scenario: Scenario
    tasks: tuple[Task, ...]
    kind: str

    @property
    def unfit(self) -> str:
        """Return why it cannot be played at the page; an empty string if it can."""
        return next(filter(None, map(_unfit, self.scenario.steps)), "")

    def as_row(self) -> dict[str, str]:
        """Return its row in the list of lessons."""
        scenario = self.scenario
        return {
            "name": scenario.name,
            "paragraph": scenario.paragraph,
            "chapter": scenario.chapter,
            "method": scenario.method,
            "kind": self.kind,
        }


class Shelf(NamedTuple):
    """Every lesson by its name, and the prepared starts."""

    lessons: Mapping[str, Lesson]
    starts: Mapping[str, Start]


@lru_cache(maxsize=1)
def shelf() -> Shelf:
    """Return our lessons, and the scenarios of the rig behind them."""
    own, rig = (
        scenario_file.read_library(Path(str(files("sabot.practice") / "lessons"))),
        scenario_file.read_library(),
    )
    # Ours first: the page lists them in this order.
    lessons = {each.scenario.name: each for each in (*_lessons(own, LESSON), *_lessons(rig, OF_RIG))}
    return Shelf({name: each for name, each in lessons.items() if not each.unfit}, rig.starts | own.starts)


def _lessons(library: Library, kind: str) -> Iterable[Lesson]:
    for scenario in library.scenarios:
        yield Lesson(scenario, tuple(_task(step, scenario.paragraph) for step in scenario.steps), kind)


def _task(step: ScenarioStep, paragraph: str) -> Task:
    said = _SAID.fullmatch(step.about)
    assert said is not None  # it matches anything
    return Task(step, whose(step), said["words"], said["cite"] or _as_cited(paragraph))


def _as_cited(paragraph: str) -> str:
    """Return the paragraph of a scenario as the table cites it: ``641a.13(c)`` for ``pa641a.13(c)``."""
    return re.sub("^md4cp", "ch", paragraph.removeprefix("pa"))


def whose(step: ScenarioStep) -> str:
    """Return whose a step is: the dealer's or the floor's, whom a learner may play, or the world's."""
    return PEOPLE_OF.get(step.words, WORLD) if step.verb == "people" else WHOSE.get(step.verb, WORLD)


def _unfit(step: ScenarioStep) -> str:
    return NOT_HERE.get((step.verb, step.words.partition(" ")[0]), "")
