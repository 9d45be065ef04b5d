"""The lessons of an evening: one at a time, begun, gone back in, shown, left; and the learner's progress."""

import asyncio
from collections.abc import Mapping
from typing import Any

from sabot.practice.cards import CardsError
from sabot.practice.house import PracticeHouse
from sabot.practice.lesson import DEALER, ROLES, Lesson, shelf
from sabot.practice.marks import Marks
from sabot.practice.teacher import LessonPlay
from sabot.practice.training import LearnerProgress

Asked = Mapping[str, Any]


class School:
    """The teacher at the tables of a house."""

    def __init__(self, house: PracticeHouse, progress: LearnerProgress) -> None:
        self.house, self.progress = house, progress
        self._play: LessonPlay | None = None
        self._turn = asyncio.Lock()

    def rows(self) -> list[dict[str, object]]:
        """Return every lesson for the list of a page, with the learner's best score."""
        best = self.progress.best()
        return [each.as_row() | {"best": best.get(name)} for name, each in shelf().lessons.items()]

    async def order(self, asked: Asked) -> None:
        """Do what a page orders about lessons; raise ValueError for what cannot be done."""
        word = str(asked["word"])
        if word == "show":
            # Not behind the lock: it is for the lesson that is under way, and a long order may hold the lock.
            self._now().show()
            return
        async with self._turn:
            if word == "begin":
                await self._begin(_lesson(str(asked["name"])), _roles(asked))
            elif word == "again":
                await self._begin(self._now().lesson, self._now().roles)
            elif word == "back":
                await self._back()
            elif word == "leave":
                await self.end()
                self.house.tell({"lesson": {}})
            else:
                raise ValueError("begin, again, back, show or leave")

    def _now(self) -> LessonPlay:
        if self._play is None:
            raise CardsError("no lesson is under way")
        return self._play

    async def _begin(
        self, lesson: Lesson, roles: frozenset[str], back_to: int = 0, marks: Marks | None = None
    ) -> None:
        await self.end()
        scenario = lesson.scenario
        await self.house.sit_at(scenario.chapter, scenario.method, scenario.start)
        self._play = LessonPlay(
            lesson,
            sorted(roles),
            self.house.sitting,
            marks=marks or Marks(),
            back_to=back_to,
            ended=self._ended,
        )
        self.house.sitting.teacher = self._play
        self._play.begin()

    async def _back(self) -> None:
        """Begin the lesson again at the learner's step before this one; misses are kept."""
        play = self._now()
        before = [n for n, task in enumerate(play.lesson.tasks[: play.at]) if play.is_learners(task)]
        at = before[-1] if before and not play.is_done else play.at
        # A table cannot go back. So the lesson begins anew, and the steps before
        # ``at`` are taken for the learner.
        await self._begin(play.lesson, play.roles, at, play.marks)

    def _ended(self, play: LessonPlay) -> None:
        if play.is_done:
            self.progress.add(play.lesson, sorted(play.roles), play.marks)
            self.house.tell({"best": self.progress.best()})

    async def end(self) -> None:
        """Leave the lesson that is under way; the table stays as it is."""
        if self._play is not None:
            await asyncio.to_thread(self._play.end)
            self.house.sitting.teacher = self._play = None


def _lesson(name: str) -> Lesson:
    found = shelf().lessons.get(name)
    if found is None:
        raise ValueError(f"there is no lesson {name!r}")
    return found


def _roles(asked: Asked) -> frozenset[str]:
    roles = frozenset(map(str, asked.get("roles") or (DEALER,)))
    if not roles <= set(ROLES):
        raise ValueError(f"a learner is {' or '.join(ROLES)}")
    return roles
