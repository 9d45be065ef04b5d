"""Our policy: a round that is taken over has a line for every stake, as the floor entered it."""

from __future__ import annotations

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.effects import CollectWager
from sabot.statemachine.vocabulary.events import DeviceFaulted, Key, Resumed, Role, RoleLocked

from .shift import NotOfferedError, Shift


def taken_over(fate: str = "kept", *, felt: int | None = 0) -> Shift:
    """Two seats, one of them with a progressive wager; people go on in the middle of the decisions."""
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.bet(5, ante=None)
    shift.lock()
    shift.deal()
    shift.answer(2, 3)
    if felt != 0:
        shift.bet(5, play=felt)
    shift.send(DeviceFaulted, device="shoe", fault="lamp", detail="")
    shift.floor("TAKE OVER", fate)
    assert shift.is_in(Phase.CLEARING)
    return shift


def lines(shift: Shift) -> dict[tuple[int, str], tuple[str, int | None, int | None]]:
    return {(line.seat, line.wager): (line.result, line.paid, line.back) for line in shift.record.lines}


def test_policy_the_table_is_not_cleared_before_every_stake_has_its_line() -> None:
    shift = taken_over()
    assert shift.prompt == ("4 STAKES BY HAND", "FLOOR: SETTLED HOW?")
    shift.ok()
    assert shift.why == "4 stakes have no line yet: SETTLED BY HAND"
    with pytest.raises(NotOfferedError):
        shift.menu("SETTLED BY HAND")
    shift.floor("SETTLED BY HAND", "2 ante paid", person="f5")
    shift.how_much(1000)
    shift.floor("SETTLED BY HAND", "2 play paid")
    shift.how_much(3000)
    shift.floor("SETTLED BY HAND", "2 prog4 taken")
    assert shift.prompt[0] == "1 STAKE BY HAND"
    shift.floor("SETTLED BY HAND", "5 ante back")
    shift.clear()
    assert lines(shift) == {
        (2, "ante"): ("win", 1000, None),
        (2, "play"): ("win", 3000, None),
        (2, "prog4"): ("lose", 0, 0),
        (5, "ante"): ("returned", None, None),
    }
    assert {line.cite for line in shift.record.lines} == {"our policy"}
    assert {line.stake for line in shift.record.lines if line.wager == "play"} == {3000}
    assert ("seat 2 ante: paid by hand", "f5") in [(note.words, note.by) for note in shift.record.notes]


@pytest.mark.parametrize(("how", "result"), [("taken", ("lose", 0, 0)), ("back", ("returned", 0, 1000))])
def test_policy_what_is_left_is_entered_at_once(how: str, result: tuple[str, int, int]) -> None:
    shift = taken_over("reversed")
    shift.floor("SETTLED BY HAND", "2 play paid")
    shift.how_much(9000)
    shift.floor("SETTLED BY HAND", f"rest {how}")
    shift.clear()
    assert lines(shift)[2, "ante"] == result
    assert lines(shift)[2, "play"][0] == "win"
    assert len(lines(shift)) == 4


def test_policy_an_entry_by_hand_is_entered_anew_and_both_stay_in_the_record() -> None:
    shift = taken_over()
    shift.floor("SETTLED BY HAND", "rest taken")
    shift.floor("SETTLED BY HAND", "2 ante paid")
    shift.how_much(1000)
    shift.clear()
    assert lines(shift)[2, "ante"][0] == "win"
    words = [note.words for note in shift.record.notes if note.words.startswith("seat 2 ante")]
    assert words == [
        "seat 2 ante: taken by hand",
        "seat 2 ante: paid by hand",
        "seat 2 ante: 1000 cents paid by hand",
    ]


def test_policy_of_what_was_paid_by_hand_the_floor_says_how_much() -> None:
    shift = taken_over()
    shift.floor("SETTLED BY HAND", "rest back")
    shift.floor("SETTLED BY HAND", "2 prog4 paid")
    assert shift.prompt == ("S2 4-CARD PROG PAID", "FLOOR: HOW MUCH?")
    shift.ok()
    assert shift.why == "how much was paid for seat 2 prog4?"
    shift.unlock()
    assert shift.prompt[1] == "DIGITS IN CENTS, OK"
    shift.ok()
    assert shift.why == "how much was paid?"
    shift.press(Key.ONE, Key.TWO, Key.THREE, Key.FOLD, Key.LEFT, Key.RIGHT)
    assert shift.prompt[1] == "$1,234.56, OK"
    shift.press(Key.BACK, Key.MINUS, Key.PLUS, Key.MENU, Key.FLOOR)
    assert shift.prompt[1] == "$1,234,578.90, OK"
    shift.press(Key.LOCK)
    assert shift.why, "the lock-out key is no digit"
    shift.ok()
    shift.send(RoleLocked, role=Role.FLOOR)
    shift.clear()
    assert lines(shift)[2, "prog4"] == ("win", 123_457_890, None)
    assert ("seat 2 prog4: 123457890 cents paid by hand", "floor") in [
        (note.words, note.by) for note in shift.record.notes
    ]


def test_policy_a_sum_has_an_end_and_an_entry_without_one_is_taken_back() -> None:
    shift = taken_over()
    shift.floor("SETTLED BY HAND", "rest taken")
    shift.floor("SETTLED BY HAND", "2 play paid")
    shift.unlock()
    shift.press(*(Key.MENU,) * 12)
    assert shift.why == "no sum has more digits"
    assert shift.prompt == ("S2 PLAY PAID", "$999,999,999.99, OK")
    shift.press(*(Key.BACK,) * 11)
    assert shift.prompt[1] == "DIGITS IN CENTS, OK"
    shift.press(Key.BACK)
    assert shift.prompt[0] == "1 STAKE BY HAND"
    assert shift.table.state.play.current.notes[-1].words == "seat 2 play: paid by hand taken back"


def test_policy_a_hit_that_was_paid_by_hand_is_the_line_of_its_stake() -> None:
    shift = taken_over()
    meter = shift.table.rooms.shares.meters()["prog4"]["main"]
    shift.floor("HIT PAID BY HAND", "2 prog4 four_aces")
    offered = shift.table.rooms.actions.named("settled_by_hand").values
    assert offered is not None
    assert not any(value.startswith("2 prog4") for value in offered())
    shift.floor("SETTLED BY HAND", "rest taken")
    shift.clear()
    (line,) = [line for line in shift.record.lines if line.wager == "prog4"]
    assert (line.result, line.row, line.paid) == ("win", "four_aces", meter)


def test_policy_chips_of_an_answer_that_was_not_confirmed_are_a_stake_of_the_round() -> None:
    shift = taken_over(felt=2000)
    assert shift.prompt[0] == "5 STAKES BY HAND"
    assert shift.table.state.play.current.raises == {2: [3000], 5: [2000]}
    assert "seat 5 play felt 2000: taken over as made" in [
        note.words for note in shift.table.state.play.current.notes
    ]


def test_policy_what_the_table_had_settled_keeps_its_line() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_seat()
    before = [line for line in shift.table.state.play.current.lines if line.seat == 5]
    shift.send(DeviceFaulted, device="shoe", fault="lamp", detail="")
    shift.floor("TAKE OVER", "kept")
    assert shift.prompt[0] == "2 STAKES BY HAND"
    shift.floor("SETTLED BY HAND", "rest back")
    shift.clear()
    assert [line for line in shift.record.lines if line.seat == 5] == before


def test_policy_a_line_by_hand_turns_no_card() -> None:
    shift = taken_over()
    before = shift.table.rooms.views.public_cards()
    shift.floor("SETTLED BY HAND", "rest back")
    assert shift.table.rooms.views.public_cards() == before
    assert shift.table.rooms.views.view(Role.FLOOR)["hands"] == {}


@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
@pytest.mark.parametrize(("chapter", "cite"), [("pa641a", "641a.11(b)"), ("pa683a", "683a.11(b)")])
def test_x_11c_what_a_fold_forfeited_and_was_collected_nobody_settles_by_hand(
    chapter: str, cite: str, knowledge: Knowledge
) -> None:
    """The table had it collected before the reveal: it is not said to have been paid, and has its line."""
    shift = Shift(chapter, knowledge=knowledge)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=None)
    shift.bet(6, ante=1000)
    shift.lock()
    shift.deal()
    shift.answer_all({2: "fold", 5: "fold"})
    shift.ok()
    assert {each.seat for each in shift.said(CollectWager)} == {2, 5}
    shift.send(Resumed, down_s=1.0)
    shift.floor("TAKE OVER", "kept")
    with pytest.raises(NotOfferedError):
        shift.floor("SETTLED BY HAND", "2 ante paid")
    shift.floor("SETTLED BY HAND", "rest back")
    shift.clear()
    found = {(line.seat, line.wager): line for line in shift.record.lines}
    assert [(found[seat, "ante"].result, found[seat, "ante"].paid) for seat in (2, 5)] == [
        ("forfeit", 0),
        ("forfeit", None),
    ]
    assert found[2, "ante"].cite.startswith(cite)
    assert found[6, "ante"].result == "returned"


def test_679a_13d_an_ante_that_goes_back_is_settled_by_hand_though_its_seat_had_folded() -> None:
    shift = Shift("pa679a")
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000, prime=500)
    shift.lock()
    shift.deal()
    shift.answer(2, "fold")
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.send(Resumed, down_s=1.0)
    shift.floor("TAKE OVER", "kept")
    shift.floor("SETTLED BY HAND", "2 ante back")
    assert [line.result for line in shift.table.state.play.current.lines] == ["returned"]


@pytest.mark.parametrize(
    ("chapter", "beside", "wager"),
    [("pa641a", "six_card", "ante"), ("pa641a", "six_card", "play"), ("pa682a", "all_six", "raise")],
)
def test_policy_what_was_paid_by_hand_on_a_stake_of_unknown_value_bars_no_way_out(
    chapter: str, beside: str, wager: str
) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=None, **{beside: 1000})
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_seat()  # seat 2 has its turn
    shift.send(Resumed, down_s=1.0)
    shift.floor("TAKE OVER", "kept")
    shift.floor("SETTLED BY HAND", f"2 {wager} paid")
    shift.how_much(500)
    assert shift.table.rooms.views.view(Role.AUDITOR)["phase"] == "clearing"
    shift.clear()
    assert shift.record.by_hand
