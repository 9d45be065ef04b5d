"""A lesson's ears, and its players' hands: nothing is lost by what came a moment too soon or too late."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.table.hands import Picture
from sabot.practice.judge import JudgedKeys
from sabot.practice.lesson import Task
from sabot.practice.marks import Marks
from sabot.practice.players import PracticePlayers
from sabot.practice.teacher import LessonPlay

VOIDED = Picture(0, ("VOID: RETURN ALL", "WAGERS, THEN OK"))
OK = (1.0, "lines", "", "hold key_ok", "did")
MOST_LOOKS = 5


class Diary:
    """Hands in whose diary a key goes down just as somebody asks what stands on the display."""

    def __init__(self, asked_when: int) -> None:
        self.rows: list[tuple[float, str, str, str, str]] = []
        self._asked, self._looks, self._asked_when = 0, 0, asked_when

    def diary(self) -> list[tuple[float, str, str, str, str]]:
        return self.rows

    def listen(self, _most_s: float) -> None:
        self._looks += 1
        assert self._looks < MOST_LOOKS, "the key was not heard"

    @property
    def newest(self) -> Picture:
        self._asked += 1
        if self._asked == self._asked_when:
            self.rows.append(OK)
        return VOIDED

    @property
    def lines(self) -> tuple[str, str]:
        return self.newest.lines

    def before(self, _row: int) -> Picture:
        return VOIDED


class Lesson(LessonPlay):
    """A lesson of one step, which nobody watches."""

    def __init__(self) -> None:
        self.at, self.hint, self.roles, self.marks, self.is_over = (
            0,
            "",
            frozenset({"dealer"}),
            Marks(),
            False,
        )

    def tell(self) -> None:
        """Nobody watches."""

    def _judge(self, _room: object, step: ScenarioStep) -> JudgedKeys:
        return JudgedKeys(*step.words.split())


def heard_at(asked_when: int) -> Marks:
    lesson, room = Lesson(), SimpleNamespace(crew=SimpleNamespace(hands=Diary(asked_when)))
    lesson._learn(cast("Any", room), Task(ScenarioStep("key", "OK", None, 1), "dealer", "", ""))
    return lesson.marks


def test_a_key_that_comes_while_the_newest_picture_is_asked_for_is_heard() -> None:
    for asked_when in range(1, 5):
        marks = heard_at(asked_when)
        assert (marks.right, marks.missed) == (1, [])


class Hands(PracticePlayers):
    """Somebody who deals by hand, and whose deeds are written down."""

    def __init__(self, *, in_hand: bool) -> None:
        self.deeds: list[str] = []
        self._in_hand = in_hand

    def act(self, name: str, **_words: object) -> None:
        self.deeds.append(name)
        self._in_hand = self._in_hand or name == "take_tray"

    def felt(self) -> Mapping[str, Any]:
        cards = ["red"] * 52
        return {"tray": ["blue"] * 52, "pack": cards if self._in_hand else [], "hand": [], "places": {}}

    @property
    def sizes(self) -> Mapping[str, int]:
        return {}


@pytest.mark.parametrize(("in_hand", "deeds"), [(False, ["take_tray", "lay"]), (True, ["lay"])])
def test_who_deals_takes_up_the_shuffled_deck_where_nobody_has(in_hand: bool, deeds: list[str]) -> None:
    dealer = Hands(in_hand=in_hand)
    dealer.deal_to("DEALER", 1, is_up=False)
    assert dealer.deeds == deeds
