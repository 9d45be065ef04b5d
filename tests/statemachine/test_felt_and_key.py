"""x.11(b): a second wager that the pad feels beside the one that the dealer keys, and chips that go back."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import ReturnWager
from sabot.statemachine.vocabulary.events import Key, LinkLost, WagerSensed

from .shift import Shift
from .tables import CHAPTERS
from .test_decisions import FIRST_RAISE, dealt

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def feel(shift: Shift, seat: int, cents: int | None) -> None:
    """Chips on the spot of the second wager."""
    shift.send(WagerSensed, seat=seat, wager=FIRST_RAISE[shift.chapter.id], cents=cents)


def words(shift: Shift) -> list[str]:
    return [note.words for note in shift.table.state.play.current.notes]


def back(shift: Shift) -> list[tuple[int, str, int | None]]:
    return [(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)]


@pytest.mark.parametrize("felt_first", [True, False])
@pytest.mark.parametrize("chapter", [chapter for chapter in CHAPTERS if chapter != "pa679a"])
def test_x_11b_chips_that_differ_from_the_key_are_asked_about(chapter: str, felt_first: bool) -> None:
    shift = dealt(chapter)
    if felt_first:
        feel(shift, 2, 3000)
    shift.press(Key.TWO)
    if not felt_first:
        feel(shift, 2, 3000)
    assert shift.prompt == ("S2 FELT $30 <", "KEYED $20 >")
    shift.ok()
    assert shift.why == f"felt 3000, keyed 2000: which counts? ({shift.table.law.cite('11(b)')})"
    assert shift.table.state.play.current.raises == {}


@pytest.mark.parametrize(
    ("felt", "line"),
    [(123_456_725, "FELT $1,234,567.25 <"), (123_456_712_345, "FELT $1234567123.45")],
)
def test_641a_11b_no_sum_of_chips_is_cut(felt: int, line: str) -> None:
    shift = dealt()
    feel(shift, 2, felt)
    shift.press(Key.TWO)
    assert shift.prompt[0] == line


@pytest.mark.parametrize(("key", "cents", "which"), [(Key.LEFT, 3000, "felt"), (Key.RIGHT, 2000, "keyed")])
def test_641a_11b_the_dealer_says_which_counts_and_both_stay_in_the_record(
    key: Key, cents: int, which: str
) -> None:
    shift = dealt()
    feel(shift, 2, 3000)
    shift.press(Key.TWO, key)
    assert shift.prompt == ("SEAT 2: PLAY", f"${cents // 100} {which.upper()}, OK")
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [cents]}
    assert f"seat 2 play: felt 3000, keyed 2000; {which} counts" in words(shift)


@pytest.mark.parametrize("change", [Key.THREE, 2000])
def test_641a_11b_what_agrees_again_is_no_contradiction(change: Key | int) -> None:
    shift = dealt()
    feel(shift, 2, 3000)
    shift.press(Key.TWO)
    if isinstance(change, Key):
        shift.press(change)
    else:
        feel(shift, 2, change)
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [3000 if isinstance(change, Key) else change]}
    assert not [each for each in words(shift) if "felt" in each]


def test_641a_11b_a_choice_between_chips_and_key_does_not_outlive_either() -> None:
    shift = dealt()
    feel(shift, 2, 3000)
    shift.press(Key.TWO, Key.RIGHT)
    feel(shift, 2, 1500)
    shift.ok()
    assert "which counts?" in shift.why
    shift.press(Key.LEFT, Key.ONE)
    shift.ok()
    assert "which counts?" in shift.why


def test_641a_11b_back_takes_the_key_away_and_the_chips_count() -> None:
    shift = dealt()
    feel(shift, 2, 3000)
    shift.press(Key.TWO, Key.BACK)
    assert shift.prompt == ("SEAT 2: PLAY", "$30")
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [3000]}


def test_641a_11b_left_and_right_mean_nothing_where_chips_and_key_agree() -> None:
    shift = dealt()
    shift.press(Key.TWO, Key.LEFT)
    assert shift.why == "LEFT means nothing now"


@each_chapter
def test_x_11b_a_pad_that_feels_presence_only_keeps_the_multiple_that_was_keyed(chapter: str) -> None:
    shift = dealt(chapter)
    times = 1 if chapter == "pa679a" else 3
    key = {1: Key.ONE, 3: Key.THREE}[times]
    shift.press(key)
    feel(shift, 2, None)
    assert shift.prompt[1] == f"${10 * times}"
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [times * 1000]}
    feel(shift, 5, None)
    shift.press(key, Key.OK)
    assert shift.table.state.play.current.raises[5] == [times * 1000]


@each_chapter
@pytest.mark.parametrize("is_felt", [True, False])
def test_x_11b_the_multiple_of_an_ante_of_unknown_value_is_shown_and_on_record(
    chapter: str, *, is_felt: bool
) -> None:
    """Pads that feel presence only feel no Ante's value either: what the dealer keyed is all there is."""
    shift = dealt(chapter, bets={2: {"ante": None}, 5: {"ante": 1000}})
    times = 1 if chapter == "pa679a" else 3
    if is_felt:
        feel(shift, 2, None)
        assert shift.prompt[1] == "PRESENT"
    shift.press({1: Key.ONE, 3: Key.THREE}[times])
    assert shift.prompt[1] == f"{times}X"
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [None]}
    assert f"seat 2 {FIRST_RAISE[chapter]}: keyed {times} times an ante of unknown value" in words(shift)


def test_641a_11b_the_multiple_of_an_unknown_ante_counts_as_the_chips_that_are_felt() -> None:
    shift = dealt(bets={2: {"ante": None}, 5: {"ante": 1000}})
    shift.press(Key.TWO)
    feel(shift, 2, 2000)
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [2000]}


@each_chapter
def test_x_11b_fold_with_chips_on_the_spot_returns_them_and_says_so(chapter: str) -> None:
    shift = dealt(chapter)
    feel(shift, 2, 1000)
    shift.press(Key.FOLD)
    assert shift.prompt[1] == "FOLD? CHIPS GO BACK"
    shift.mark()
    shift.ok()
    wager = FIRST_RAISE[chapter]
    assert back(shift) == [(2, wager, 1000)]
    assert f"seat 2 {wager} felt 1000 goes back: fold" in words(shift)
    assert (shift.table.state.play.current.folded, shift.table.state.play.current.raises) == ([2], {})


def test_641a_11b_chips_laid_after_fold_was_keyed_do_not_undo_it() -> None:
    shift = dealt()
    shift.press(Key.FOLD)
    feel(shift, 2, None)
    assert shift.prompt[1] == "FOLD? CHIPS GO BACK"
    shift.press(Key.BACK)
    assert shift.prompt[1] == "PRESENT"
    shift.press(Key.FOLD, Key.OK)
    assert back(shift)[-1:] == [(2, "play", None)]


@each_chapter
def test_x_7b_a_player_who_leaves_has_the_unconfirmed_raise_back(chapter: str) -> None:
    shift = dealt(chapter)
    feel(shift, 2, 1000)
    shift.mark()
    shift.menu("PLAYER LEFT", "2")
    wager = FIRST_RAISE[chapter]
    assert back(shift) == [(2, wager, 1000)]
    assert f"seat 2 {wager} felt 1000 goes back: left the table" in words(shift)
    assert shift.table.state.play.current.asking == 5


@pytest.mark.parametrize(
    ("chapter", "kind"),
    [
        ("pa641a", "dealer_exposed"),
        ("pa679a", "dealer_exposed"),
        ("pa682a", "dealer_exposed"),
        ("pa683a", "community_exposed"),
    ],
)
def test_x_13d_an_exposed_card_gives_an_unconfirmed_raise_back(chapter: str, kind: str) -> None:
    shift = dealt(chapter, {2: {"ante": 1000, **_optional(chapter)}})
    feel(shift, 2, 1000)
    shift.mark()
    shift.menu("IRREGULARITY", kind)
    wager = FIRST_RAISE[chapter]
    assert [each for each in back(shift) if each[1] == wager] == [(2, wager, 1000)]
    assert any(each.startswith(f"seat 2 {wager} felt 1000 goes back: ") for each in words(shift))


def _optional(chapter: str) -> dict[str, int]:
    """An optional wager that keeps the round alive under 13(d)."""
    return {"pa679a": {"prime": 500}, "pa682a": {"prime": 500}, "pa683a": {"pocket": 500}}.get(chapter, {})


def test_641a_11b_chips_that_were_lifted_while_the_table_was_held_are_not_confirmed() -> None:
    shift = dealt()
    feel(shift, 2, 2000)
    shift.send(LinkLost, device="sign", reason="silent")
    feel(shift, 2, 0)
    assert shift.table.state.entry.pending.felt == 0
    feel(shift, 2, 1000)
    assert shift.table.state.entry.pending.felt == 1000


def test_641a_11b_an_answer_is_taken_back_beneath_chips_that_are_not_confirmed() -> None:
    shift = dealt()
    shift.answer(2, 1)
    feel(shift, 5, 3000)
    shift.press(Key.BACK)
    assert (shift.phase, shift.table.state.play.current.asking) == (Phase.DECIDING, 2)


def test_641a_11b_plus_and_minus_step_from_the_chips_that_are_felt() -> None:
    shift = dealt(smallest_chip_cents=500)
    feel(shift, 2, 2000)
    shift.press(Key.PLUS)
    assert shift.prompt == ("S2 FELT $20 <", "KEYED $25 >")


def joined(adjacent: int, **changes: Any) -> Shift:
    """Boxes 1, 2 and 3 are one player's."""
    shift = Shift(adjacent_boxes=adjacent, **changes)
    shift.open_table()
    shift.menu("JOIN BOXES", "1+2")
    shift.menu("JOIN BOXES", "2+3")
    return shift


@pytest.mark.parametrize("adjacent", [2, 3])
def test_x_7e_boxes_that_do_not_lie_side_by_side_are_refused(adjacent: int) -> None:
    shift = joined(adjacent)
    shift.bet(1, ante=1000)
    shift.bet(3, ante=1000)
    shift.lock()
    assert (shift.phase, shift.why) == (Phase.BETS_OPEN, "boxes 1 and 3 are not adjacent (641a.7(e))")
    shift.bet(1, ante=0)
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.players == {2: "seat1", 3: "seat1"}
