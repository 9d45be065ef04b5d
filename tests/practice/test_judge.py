"""What a learner's keys are judged by: what stood on the display when they went down."""

from collections.abc import Iterable

import pytest

from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.table.crew import STEPS
from sabot.hil.table.declaring import NEUTRAL
from sabot.practice.judge import RIGHT, Followed, Lines, Miss, wanted_at
from sabot.practice.marks import Marks
from sabot.practice.teacher import make_judge

OPEN: Lines = ("BETS OPEN", "1 SEATS   LOCK=END")


def judged(verb: str, words: str, *moves: tuple[str, Lines]) -> tuple[list[Miss], bool]:
    """The misses of these keys, and whether the step is done with them."""
    judge = make_judge(ScenarioStep(verb, words, None, 1), {2: "FOLD"})
    found = [judge.press(key, lines) for key, lines in moves]
    return [miss for miss in found if miss], judge.is_done(moves[-1][1])


def test_each_picture_that_people_of_the_rig_answer_has_its_keys() -> None:
    assert list(RIGHT) == list(STEPS)


def test_the_key_that_was_wanted_is_right_and_no_other() -> None:
    missed, is_done = judged("key", "LOCK", ("OK", OPEN), ("LOCK", OPEN))
    assert [(miss.pressed, miss.wanted) for miss in missed] == [("OK", "LOCK")]
    assert is_done


def test_more_keys_than_were_wanted_are_wrong() -> None:
    missed, _ = judged("key", "LOCK", ("LOCK", OPEN), ("LOCK", OPEN))
    assert [miss.wanted for miss in missed] == ["no key"]


TAKING = (
    ("MENU", ("SEAT 1: PLAY", "1X-3X OR FOLD")),
    ("RIGHT", ("MENU 1/3", "CARD FACE UP")),
    ("OK", ("MENU 2/3", "WRONG NUMBER")),
    ("OK", ("WRONG NUMBER", "SEAT 1")),
)
VOID = ("VOID: RETURN ALL", "WAGERS, THEN OK")


def test_a_title_is_taken_with_its_value() -> None:
    judge = make_judge(ScenarioStep("menu", "WRONG NUMBER > SEAT 1", None, 1), {})
    assert [judge.press(*move) for move in TAKING] == [None] * 4
    assert not judge.is_done(TAKING[-1][1])
    assert judge.is_done(VOID)


@pytest.mark.parametrize(
    ("number", "move", "wanted"),
    [
        (0, ("OK", ("SEAT 1: PLAY", "")), "MENU"),
        (2, ("OK", ("MENU 1/3", "CARD FACE UP")), "OK at WRONG NUMBER"),
        (3, ("OK", ("WRONG NUMBER", "SEAT 2")), "OK at SEAT 1"),
    ],
)
def test_another_title_or_value_is_wrong(number: int, move: tuple[str, Lines], wanted: str) -> None:
    judge = make_judge(ScenarioStep("menu", "WRONG NUMBER > SEAT 1", None, 1), {})
    for before in TAKING[:number]:
        judge.press(*before)
    miss = judge.press(*move)
    assert miss is not None
    assert miss.wanted == wanted
    assert not judge.is_done(VOID)


def test_the_stub_is_right_with_its_number_alone() -> None:
    assert judged("stub", "41", ("RIGHT", ("COUNT STUB: -", "")), ("OK", ("COUNT STUB: 41", ""))) == (
        [],
        True,
    )
    missed, is_done = judged("stub", "41", ("OK", ("COUNT STUB: 40", "")))
    assert (missed[0].wanted, is_done) == ("OK at 41", False)


def test_as_the_display_says_what_a_player_has_said_is_entered() -> None:
    seat_2: Lines = ("SEAT 2: PLAY", "1X-3X OR FOLD")
    assert judged("follow to", "REVEAL", ("FOLD", seat_2))[0] == []
    assert [miss.wanted for miss in judged("follow to", "REVEAL", ("ONE", seat_2))[0]] == ["FOLD or OK"]
    assert judged("follow to", "REVEAL", ("ONE", ("SEAT 1: PLAY", "1X-3X OR FOLD")))[0] == []


def test_as_the_display_says_no_key_is_wanted_while_cards_are_dealt() -> None:
    missed, _ = judged("follow to", "REVEAL", ("OK", ("CARD 1 TO", "SEAT 1")))
    assert [miss.wanted for miss in missed] == ["no key"]


def test_a_number_and_a_pin_are_judged_by_nobody() -> None:
    assert judged("follow to", "REVEAL", ("ONE", ("PERSON+PIN **", "")))[0] == []


def test_a_declared_hand_is_held_against_the_cards() -> None:
    asked: list[tuple[str, list[str]]] = []

    def look(question: str, _row: str, rows: Iterable[str]) -> str:
        asked.append((question, list(rows)))
        return "PAIR"

    judge = Followed("CARDS TO RACK", {}, look)
    for row in (NEUTRAL, "HIGH CARD", "PAIR"):
        judge.see(("S1 HAND", row))
    assert judge.press("RIGHT", ("S1 HAND", "HIGH CARD")) is None
    miss = judge.press("OK", ("S1 HAND", "HIGH CARD"))
    assert miss is not None
    assert miss.wanted == "OK at PAIR"
    assert judge.press("OK", ("S1 HAND", "PAIR")) is None
    assert asked[-1] == ("S1 HAND", ["HIGH CARD", "PAIR"])


def test_drawing_wants_cards_and_signing_on_the_key_switch() -> None:
    draw = make_judge(ScenarioStep("draw", "2", None, 1), {})
    for words in ("draw As", "unplug", "faceup"):
        assert not draw.is_done(OPEN)
        draw.hear("shoe", words)
    assert draw.is_done(OPEN)
    assert draw.press("OK", OPEN) is not None
    sign_on = make_judge(ScenarioStep("people", "sign on", None, 1), {})
    sign_on.hear("lines", "let key_switch")
    sign_on.hear("lines", "hold key_switch")
    assert not sign_on.is_done(OPEN)
    sign_on.hear("lines", "let key_switch")
    assert sign_on.is_done(OPEN)


def test_nobody_knows_what_a_notice_wants() -> None:
    assert wanted_at(("LOCK MEANS NOTHING", "NOW")) is None


def test_the_score_is_the_share_of_keys_that_were_right() -> None:
    marks = Marks()
    assert marks.score == 100
    for _ in range(3):
        marks.judge(0, None)
    marks.judge(1, Miss("OK", OPEN, "LOCK"))
    assert marks.score == 75
    marks.show(2, "press LOCK")
    marks.take(2, 4.04)
    assert marks.seen()["seconds"] == 4.0
    assert [each.wanted for each in marks.missed] == ["LOCK", "press LOCK"]
