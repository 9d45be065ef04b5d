"""The floor around a lesson: a scenario's steps, taken by people whose cards lie on the felt of the page.

The steps are those of the rig, and so are the people. What differs stands here: cards are things that
somebody has to move, the power is that of the page's controller, and hands that a scenario names are made of
the cards that lie there.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from sabot.hil.scenarios import steps
from sabot.hil.scenarios.floor import Act, ScenarioFloor
from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.scenarios.people import RigPeople
from sabot.hil.scenarios.rig import Rig
from sabot.practice.autoplay import AtTable, Pace
from sabot.practice.page_actions import do
from sabot.practice.table_session import TableSession

if TYPE_CHECKING:
    from pathlib import Path

# A learner is waited for without end, and a page's machine may be slower than a rig's.
RIG = Rig("practice", "the practice table", "", frozenset(), 1, 3.0, {}, {})
# What a reading shoe is told of a card, by what is wrong with it (`practice/page_actions.py`).
SPOILT = {"faceup": "next face up", "unread": "next unreadable"}


class Staff(AtTable, RigPeople):
    """The people of a scenario, with cards that can be seen."""

    def draw_next(self, cards: list[str]) -> None:
        """Arrange for these cards to come next."""
        self.act("stack", cards=cards)


class PracticeTable:
    """The page's table as a scenario moves it."""

    def __init__(self, sitting: TableSession, loop: asyncio.AbstractEventLoop) -> None:
        self.root: Path = sitting.root
        self.memory: dict[str, Any] = {}
        self.offset_s = sitting.board.offset_s
        self._sitting, self._loop = sitting, loop

    def power(self, word: str) -> None:
        """Switch the controller's power as a page would: on, cut, stop."""
        self.wait(do(self._sitting, {"do": "power", "word": word}))

    def wait(self, doing: Coroutine[Any, Any, object]) -> None:
        """Let the page's loop do something, and wait until it is done."""
        asyncio.run_coroutine_threadsafe(doing, self._loop).result()

    def is_on(self) -> bool:
        """Return whether the program runs."""
        return self._sitting.board.is_on

    def log(self) -> str:
        """Return the program's log."""
        return (self.root / "program.log").read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """Do nothing: the table stays when the lesson is over."""


class Classroom(ScenarioFloor):
    """Everybody and everything at the practice table during one lesson."""

    crew: Staff
    table: PracticeTable

    def __init__(self, pace: Pace, sitting: TableSession) -> None:
        self.sitting = sitting
        table = PracticeTable(sitting, pace.loop)
        super().__init__(
            table, sitting.chapter, sitting.method, RIG, people=lambda _root: Staff(pace, sitting)
        )

    def take(self, step: ScenarioStep) -> None:
        """Take one step; raise NotSeenError if what it expects does not come."""
        OWN.get(step.verb, steps.take)(self, step)


def _hand(floor: "Classroom", step: ScenarioStep) -> None:
    """Make the cards of a place these, as soon as cards lie there."""
    names = step.words.split()
    length = 2 if names[0] == "seat" else 1
    floor.table.wait(floor.sitting.wish(" ".join(names[:length]).upper(), names[length:]))


def _shoe(floor: "Classroom", step: ScenarioStep) -> None:
    """Spoil the next card as the shoe's words say, draw it, and put it into the rack."""
    word = step.words.partition(" ")[0]
    if floor.sitting.is_machine or word not in SPOILT:
        steps.take(floor, step)
        return
    floor.crew.act("spoil", how=SPOILT[word])
    floor.crew.act("draw")
    floor.crew.act("to_rack", whole=True)


def _nothing(_floor: "Classroom", _step: ScenarioStep) -> None:
    """Skip the step: times are measured on a rig."""


OWN: Mapping[str, Callable[[Any, ScenarioStep], None] | Act] = {
    "hand": _hand,
    "shoe": _shoe,
    "measure": _nothing,
}
