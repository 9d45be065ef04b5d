"""People who declare stay with a question that came while a key for the one before was on its way."""

import random
from typing import Any

import pytest

from sabot.hil.table.dealer_eyes import Eyes
from sabot.hil.table.declaring import NEUTRAL, declare
from sabot.hil.table.game import read_game
from sabot.hil.table.stacks import Stacks

ROWS = {
    "S1 HAND": ["FLUSH", "PAIR", "NONE OF THESE"],
    "DEALER'S HAND": ["QUALIFIES, NO PAIR", "PAIR", "TOO LOW"],
}
OVER = ("CARDS TO RACK", "THEN OK")


class Felt:
    """The display, and a dealer's keys: the OK of the question before is heard with the first key after it."""

    def __init__(self, *questions: str) -> None:
        self.questions, self.row, self.said = list(questions), 0, [""]
        self.rows: list[str] = []
        self.eyes = Eyes(read_game("pa679a"), random.Random(1))
        self.eyes.plan("SEAT 1", ["As", "Ah", "7d"])
        self.eyes.plan("DEALER", ["Ks", "9h", "9d"])
        self.hands: Any = self
        self.game, self.stacks, self.on_look = self.eyes.game, Stacks(), lambda _look: None
        self.is_late = True

    @property
    def lines(self) -> tuple[str, str]:
        if not self.questions:
            return OVER
        rows = [NEUTRAL, *ROWS[self.questions[0]]]
        return self.questions[0], rows[self.row % len(rows)]

    def diary(self, _row: int) -> list[Any]:
        return []

    def press(self, key: str) -> None:
        if self.is_late:
            self.is_late = False
            self.go_on()
        if key == "RIGHT":
            self.row += 1
        else:
            self.said.append(" ".join(self.lines))
            self.go_on()

    def go_on(self) -> None:
        self.row = 0
        self.questions.pop(0)


@pytest.mark.parametrize("question", ["DEALER'S HAND", "S1 HAND"])
def test_a_question_whose_cursor_moved_by_a_key_for_the_one_before_is_answered(question: str) -> None:
    before = next(each for each in ROWS if each != question)
    felt = Felt(before, question)

    declare(felt)

    assert felt.said[1:] == [f"{question} PAIR"]
    assert felt.lines == OVER


def test_what_is_no_question_is_left_alone() -> None:
    felt = Felt("S1 HAND")

    declare(felt)

    assert felt.said[1:] == []
    assert felt.lines == OVER
