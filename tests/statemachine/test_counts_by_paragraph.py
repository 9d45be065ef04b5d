"""x.8(b), (f)-(h): counts are blind, none is passed over, and a wrong one is left by its determination alone."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import RemoveDeck, ShowPrompt, VoidRound
from sabot.statemachine.vocabulary.events import DeviceFaulted, Key, Role

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law
from .test_stub import dealt, fifth, opened

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
PROGRESSIVE = {"pa641a": "prog4", "md4cp": "progressive"}


def shown_since(shift: Shift) -> str:
    """All that the display has said since the mark."""
    return " / ".join(f"{each.first} {each.second}" for each in shift.said(ShowPrompt))


def words(shift: Shift) -> list[str]:
    return [note.words for note in shift.table.state.play.current.notes]


# ---------------------------------------------------------------- blind


@each_chapter
def test_x_8f_the_count_of_the_stub_starts_empty_and_the_expected_number_is_not_shown(chapter: str) -> None:
    shift = opened(chapter)
    for _ in range(4):
        shift.play((2,))
    shift.mark()
    dealt(shift)
    expected = 52 - shift.out
    assert shift.prompt == ("COUNT STUB: -", "< > 10  + - 1   OK")
    assert str(expected) not in shown_since(shift)
    shift.ok()
    assert shift.why == "count the stub first"
    shift.press(*(Key.RIGHT,) * (expected // 10), *(Key.PLUS,) * (expected % 10))
    assert shift.prompt[0] == f"COUNT STUB: {expected}"
    shift.ok()
    assert shift.is_in(Phase.DECIDING)
    assert f"stub counted: {expected}" in words(shift)


def test_641a_8f_tens_and_ones_are_taken_off_again_and_never_below_none() -> None:
    shift = fifth()
    shift.press(Key.RIGHT, Key.RIGHT, Key.LEFT, Key.PLUS, Key.MINUS, Key.MINUS)
    assert shift.prompt[0] == "COUNT STUB: 9"
    shift.press(Key.LEFT)
    assert shift.why == "there are none to take off"
    shift.press(Key.BACK)
    assert shift.prompt[0] == "COUNT STUB: -"


@each_chapter
def test_x_8f_a_wrong_count_does_not_tell_the_right_one_and_is_counted_again_from_nothing(
    chapter: str,
) -> None:
    shift = fifth(chapter)
    expected = 52 - shift.out
    shift.mark()
    shift.count_stub(expected - 1)
    assert shift.prompt == (f"STUB {expected - 1}: WRONG", "OK=MISDEALT FOLD=NO")
    shift.press(Key.BACK)
    assert shift.prompt[0] == "COUNT STUB: -"
    assert str(expected) not in shown_since(shift)


@pytest.mark.parametrize("chapter", PROGRESSIVE)
def test_x_8b_the_count_of_the_chips_starts_empty_and_the_accepted_number_is_not_shown(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    for seat in (1, 2, 3):
        shift.bet(seat, ante=1000, **{PROGRESSIVE[chapter]: 100})
    shift.mark()
    shift.press(Key.LOCK)
    assert shift.prompt == ("COUNT CHIPS: -", "+ - THEN OK")
    shift.ok()
    assert shift.why == "count the chips first"
    shift.press(Key.PLUS, Key.PLUS, Key.OK)
    assert shift.prompt == ("2 CHIPS: NOT EQUAL", "FLOOR: CHIP MISMATCH")
    assert "3" not in shown_since(shift)
    shift.press(Key.BACK)
    assert shift.prompt[0] == "COUNT CHIPS: -"
    shift.press(Key.PLUS, Key.PLUS, Key.PLUS, Key.OK)
    assert shift.is_in(Phase.DEALING)


def test_641a_8b_no_chip_at_all_is_a_count_too_and_the_floor_sees_both_numbers() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    shift.press(Key.PLUS, Key.MINUS, Key.OK)
    assert shift.prompt == ("0 CHIPS: NOT EQUAL", "FLOOR: CHIP MISMATCH")
    shift.unlock(Role.FLOOR)
    assert shift.prompt == ("CHIPS 0, WAGERS 1", "FLOOR: CHIP MISMATCH")


# ---------------------------------------------------------------- 8(f): none is passed over


def four_rounds(chapter: str = "pa641a", **changes: Any) -> Shift:
    """Four rounds since the last count, bets open for the fifth."""
    shift = opened(chapter, **changes)
    for _ in range(4):
        shift.play((2,))
    shift.bet(2, ante=1000)
    shift.lock()
    return shift


def void(shift: Shift) -> None:
    """The round is void before its stub was reached."""
    shift.draw()
    shift.wrong_number()
    assert shift.is_in(Phase.RETURNING)


@each_chapter
def test_x_8f_the_fifth_round_is_counted_though_it_is_void(chapter: str) -> None:
    shift = four_rounds(chapter)
    void(shift)
    shift.ok()
    expected = 52 - shift.table.state.play.current.drawn
    assert shift.is_in(Phase.LAST_COUNT)
    assert shift.prompt == ("COUNT STUB: -", "< > 10  + - 1   OK")
    shift.count_stub(expected)
    assert shift.is_in(Phase.CLEARING)
    shift.next_round()
    assert f"stub counted: {expected}" in [note.words for note in shift.record.notes]
    assert not is_counted_next(shift)


def is_counted_next(shift: Shift) -> bool:
    dealt(shift)
    return shift.prompt[0].startswith("COUNT STUB")


def test_641a_8f_a_void_round_before_the_fifth_and_one_that_a_shuffler_counted_go_uncounted() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.lock()
    void(shift)
    shift.ok()
    assert shift.is_in(Phase.CLEARING)
    shift = four_rounds(shuffler=Shuffler.COUNTING)
    void(shift)
    shift.ok()
    assert shift.is_in(Phase.CLEARING)


def test_641a_8f_a_void_round_after_its_stub_was_counted_is_not_counted_twice() -> None:
    shift = fifth()
    shift.count_stub()
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.ok()
    assert shift.is_in(Phase.CLEARING)


def test_641a_8f_a_count_that_was_wanted_is_wanted_of_a_void_round_too() -> None:
    shift = dealt(opened())
    shift.menu("COUNT THE STUB")
    shift.wrong_number()
    shift.ok()
    assert shift.is_in(Phase.LAST_COUNT)


def test_641a_8f_a_round_that_is_finished_by_hand_is_counted_where_its_stub_was_not() -> None:
    shift = four_rounds()
    shift.draw()
    shift.send(DeviceFaulted, device="shoe", fault="lamp", detail="")
    shift.floor("TAKE OVER", "kept")
    assert shift.is_in(Phase.LAST_COUNT)
    shift.count_stub(52 - shift.table.state.play.current.drawn)
    assert shift.is_in(Phase.CLEARING)


def test_641a_8f_a_void_round_is_counted_whatever_holds_the_table() -> None:
    shift = four_rounds()
    void(shift)
    shift.send(DeviceFaulted, device="shoe", fault="lamp", detail="")
    shift.ok()
    assert shift.prompt[0] == "COUNT STUB: -"
    shift.count_stub(52 - shift.table.state.play.current.drawn)
    assert shift.is_in(Phase.CLEARING)


@each_chapter
@pytest.mark.parametrize(("key", "removed"), [(Key.OK, []), (Key.FOLD, ["A"])])
def test_x_8h_a_wrong_count_of_a_void_round_is_determined(chapter: str, key: Key, removed: list[str]) -> None:
    shift = four_rounds(chapter)
    void(shift)
    shift.ok()
    shift.mark()
    shift.count_stub(52 - shift.table.state.play.current.drawn - 1)
    assert shift.is_in(Phase.LAST_WRONG)
    assert shift.prompt == (f"STUB {51 - shift.table.state.play.current.drawn}: WRONG", "OK=MISDEALT FOLD=NO")
    shift.press(key)
    assert shift.is_in(Phase.CLEARING)
    assert [each.deck for each in shift.said(RemoveDeck)] == removed
    assert not shift.said(VoidRound)
    kind = "stub_misdealt" if key is Key.OK else "stub_short"
    cite = law(chapter).irregularities[kind].cite
    assert (kind.replace("_", " "), cite) in [
        (note.words, note.cite) for note in shift.table.state.play.current.notes
    ]


def test_641a_8f_a_void_round_may_be_counted_again() -> None:
    shift = four_rounds()
    void(shift)
    shift.ok()
    shift.press(Key.PLUS, Key.BACK)
    assert shift.prompt[0] == "COUNT STUB: -"
    shift.press(Key.BACK)
    assert shift.why == "BACK: nothing is counted yet"
    shift.press(Key.PLUS, Key.OK)
    assert shift.is_in(Phase.LAST_WRONG)
    shift.press(Key.BACK)
    assert shift.is_in(Phase.LAST_COUNT)
    shift.count_stub(52 - shift.table.state.play.current.drawn)
    assert shift.is_in(Phase.CLEARING)


# ---------------------------------------------------------------- 8(g)-(h): no way out but the determination


@each_chapter
def test_x_8g_no_irregularity_is_entered_on_top_of_a_wrong_count(chapter: str) -> None:
    shift = fifth(chapter)
    shift.count_stub(10)
    assert shift.is_in(Phase.STUB_WRONG)
    for title in ("IRREGULARITY", "WRONG NUMBER", "CARD FACE UP", "PLAYER LEFT"):
        with pytest.raises(NotOfferedError):
            shift.menu(title)
    shift.press(Key.BACK)
    assert shift.is_in(Phase.STUB)
    for title in ("IRREGULARITY", "WRONG NUMBER", "CARD FACE UP"):
        with pytest.raises(NotOfferedError):
            shift.menu(title)
    shift.count_stub()
    assert shift.is_in(Phase.DECIDING)
    shift.wrong_number()
    assert shift.is_in(Phase.RETURNING)


def test_641a_8g_a_round_that_is_taken_over_with_a_wrong_count_is_determined_too() -> None:
    shift = fifth()
    shift.count_stub(10)
    shift.send(DeviceFaulted, device="shoe", fault="lamp", detail="")
    shift.floor("TAKE OVER", "kept")
    assert shift.is_in(Phase.LAST_COUNT)
    shift.count_stub(10)
    shift.press(Key.FOLD)
    assert shift.said(RemoveDeck)


def test_641a_8g_the_deal_is_not_taken_back_beneath_a_wrong_count() -> None:
    shift = fifth(knowledge=Knowledge.NONE)
    shift.count_stub(10)
    shift.press(Key.BACK, Key.BACK)
    assert shift.is_in(Phase.STUB)
    assert shift.why == "only the floor can correct what was confirmed"


def test_641a_8g_a_void_that_is_undone_leaves_the_wrong_count_where_it_was() -> None:
    shift = fifth()
    shift.count_stub(10)
    shift.ok()
    shift.floor("UNDO VOID")
    assert shift.is_in(Phase.STUB_WRONG)
    shift.press(Key.BACK)
    assert shift.prompt[0] == "COUNT STUB: -"
    shift.ok()
    assert shift.why == "count the stub first"


def test_641a_8h_a_determined_count_is_a_count() -> None:
    shift = fifth()
    shift.count_stub(10)
    shift.ok()
    shift.next_round()
    assert shift.table.state.stock.since_count == 0
