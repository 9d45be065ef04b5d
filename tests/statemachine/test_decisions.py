"""x.11(a)-(b): each player with an Ante is asked in turn; what may be answered, corrected, and forfeited."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import CollectWager, LightSeat, ReturnWager
from sabot.statemachine.vocabulary.events import Key

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
FIRST_RAISE = {"pa641a": "play", "md4cp": "play", "pa679a": "play", "pa682a": "raise", "pa683a": "raise1"}


def dealt(
    chapter: str = "pa641a", bets: dict[int, dict[str, int | None]] | None = None, **changes: Any
) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    for seat, wagers in (bets or {2: {"ante": 1000}, 5: {"ante": 1000}}).items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal()
    return shift


# ---------------------------------------------------------------- who is asked, in which order


@each_chapter
def test_x_11b_players_are_asked_from_the_dealers_left_with_their_lamp(chapter: str) -> None:
    shift = dealt(chapter, {seat: {"ante": 1000} for seat in (5, 1, 3)})
    asked = []
    while shift.phase is Phase.DECIDING:
        asked.append((shift.table.state.play.current.asking, shift.said(LightSeat)[-1].seat))
        shift.answer(asked[-1][0])
    assert asked == [(1, 1), (3, 3), (5, 5)]


def test_641a_11b_a_player_without_an_ante_is_not_asked() -> None:
    shift = dealt(bets={2: {"aces_up": 500}, 5: {"ante": 1000}})
    assert shift.table.state.play.current.asking == 5
    shift = dealt(bets={2: {"aces_up": 500}})
    assert shift.is_in(Phase.TURNING)


# ---------------------------------------------------------------- what may be answered


@pytest.mark.parametrize(
    ("chapter", "live"),
    [
        ("pa641a", {1, 2, 3}),
        ("md4cp", {1, 2, 3}),
        ("pa679a", {1}),
        ("pa682a", {1, 2, 3}),
        ("pa683a", {1, 2, 3}),
    ],
)
def test_x_11b_the_keys_of_the_multiples_that_the_chapter_allows(chapter: str, live: set[int]) -> None:
    for times in (1, 2, 3):
        shift = dealt(chapter)
        shift.answer(2, times)
        assert (shift.why == "") == (times in live)
        if times in live:
            assert shift.table.state.play.current.raises == {2: [times * 1000]}
        else:
            assert shift.is_in(Phase.DECIDING)


def test_679a_11b_a_play_wager_equals_the_ante() -> None:
    shift = dealt("pa679a")
    shift.press(Key.TWO)
    assert shift.why == "Play is 1 to 1 times the Ante (679a.7(d)(1))"
    shift.answer(2, play=1500)
    assert shift.why == "Play must be 1 to 1 times 1000 (679a.7(d)(1))"
    assert shift.prompt == ("SEAT 2: PLAY", "$15")
    shift.answer(2, play=1000)
    assert shift.table.state.play.current.raises == {2: [1000]}


@pytest.mark.parametrize(
    ("chapter", "cents", "counts"),
    [
        ("pa641a", 999, False),
        ("pa641a", 1000, True),
        ("pa641a", 2550, True),
        ("pa641a", 3000, True),
        ("pa641a", 3001, False),
        ("md4cp", 1700, True),
        ("pa682a", 1500, False),
        ("pa682a", 2000, True),
        ("pa683a", 2500, False),
        ("pa683a", 3000, True),
    ],
)
def test_x_11b_a_sensed_wager_counts_as_it_is_within_its_bounds(
    chapter: str, cents: int, counts: bool
) -> None:
    shift = dealt(chapter)
    shift.answer(2, **{FIRST_RAISE[chapter]: cents})
    assert shift.table.state.play.current.raises == ({2: [cents]} if counts else {})
    assert bool(shift.why) == (not counts)


def test_641a_11b_plus_and_minus_step_between_1_and_3_times_in_the_smallest_chip() -> None:
    shift = dealt(smallest_chip_cents=500)
    for keys, shown in (
        ((Key.PLUS,), "$10"),
        ((Key.PLUS,), "$15"),
        ((Key.MINUS,) * 4, "$10"),
        ((Key.PLUS,) * 9, "$30"),
    ):
        shift.press(*keys)
        assert shift.prompt[1] == shown
    shift.press(Key.TWO, Key.PLUS)
    assert shift.prompt[1] == "$25"
    shift.ok()
    assert shift.table.state.play.current.raises == {2: [2500]}


def test_682a_11b_plus_and_minus_step_in_whole_multiples() -> None:
    shift = dealt("pa682a")
    shift.press(Key.PLUS, Key.PLUS)
    assert shift.prompt == ("SEAT 2: RAISE", "$20")


def test_641a_11b_an_ante_of_unknown_value_has_a_play_wager_of_unknown_value() -> None:
    shift = dealt(bets={2: {"ante": None}, 5: {"ante": None}, 6: {"ante": 1000}})
    shift.press(Key.PLUS)
    assert shift.why == "the Ante's value is not known"
    shift.press(Key.TWO)
    assert shift.prompt == ("SEAT 2: PLAY", "2X")
    shift.ok()
    shift.answer(5, play=2000)
    shift.answer(6, play=None)  # type: ignore[arg-type]
    assert shift.table.state.play.current.raises == {2: [None], 5: [2000], 6: [None]}


def test_641a_11b_nothing_is_confirmed_that_was_not_entered() -> None:
    shift = dealt()
    assert shift.prompt == ("SEAT 2: PLAY", "1X-3X OR FOLD")
    shift.ok()
    assert shift.why == "enter the wager or FOLD first"
    shift.bet(2, play=1000)
    shift.bet(2, play=0)
    shift.ok()
    assert shift.why == "enter the wager or FOLD first"


def test_641a_11b_fold_after_a_chip_is_a_fold() -> None:
    shift = dealt()
    shift.bet(2, play=2000)
    assert shift.prompt[1] == "$20"
    shift.press(Key.FOLD, Key.OK)
    assert shift.table.state.play.current.folded == [2]


# ---------------------------------------------------------------- corrections


def test_policy_back_clears_an_entry() -> None:
    shift = dealt()
    shift.press(Key.THREE, Key.BACK)
    assert shift.prompt[1] == "1X-3X OR FOLD"


@pytest.mark.parametrize("first", ["fold", 3])
def test_policy_back_reopens_the_last_answer_and_both_stay_in_the_record(first: str | int) -> None:
    shift = dealt()
    shift.answer(2, first)
    shift.press(Key.BACK)
    assert shift.table.state.play.current.asking == 2
    assert (shift.table.state.play.current.folded, shift.table.state.play.current.raises.get(2, [])) == (
        [],
        [],
    )
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    shift.answer(2, 1)
    shift.answer(5, 1)
    words = "fold" if first == "fold" else "play 3000"
    assert [note.words for note in shift.table.state.play.current.notes][-1] == f"seat 2 {words} taken back"


def test_policy_back_reopens_the_very_last_answer_until_cards_are_turned() -> None:
    shift = dealt()
    shift.answer_all()
    assert shift.is_in(Phase.TURNING)
    shift.press(Key.BACK)
    assert (shift.phase, shift.table.state.play.current.asking) == (Phase.DECIDING, 5)
    shift.answer(5, "fold")
    shift.ok()
    assert shift.is_in(Phase.SETTLING)
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"


def test_policy_the_floor_corrects_an_answer_that_back_no_longer_reaches() -> None:
    shift = dealt(bets={seat: {"ante": 1000} for seat in (1, 2, 5)})
    shift.answer(1, "fold")
    shift.answer(2, 3)
    shift.floor("CORRECT ENTRY", "1", person="f3")
    assert shift.prompt[0] == "SEAT 1: PLAY"
    shift.answer(1, 2)
    assert shift.table.state.play.current.asking == 5
    shift.answer(5)
    shift.floor("CORRECT ENTRY", "2")
    assert shift.is_in(Phase.DECIDING)
    shift.answer(2, 1)
    assert shift.is_in(Phase.TURNING)
    assert shift.table.state.play.current.raises == {1: [2000], 2: [1000], 5: [1000]}
    notes = [
        (note.words, note.by) for note in shift.table.state.play.current.notes if "taken back" in note.words
    ]
    assert notes == [("seat 1 fold taken back", "f3"), ("seat 2 play 3000 taken back", "floor")]


@pytest.mark.parametrize("chapter", ["pa641a", "pa683a"])
def test_x_11b_of_two_answers_that_are_open_again_the_one_from_the_dealers_left_comes_first(
    chapter: str,
) -> None:
    shift = dealt(chapter, {seat: {"ante": 1000} for seat in (1, 2, 3, 4)})
    for seat in (1, 2, 3):
        shift.answer(seat)
    shift.floor("CORRECT ENTRY", "2")
    shift.press(Key.TWO)
    entered = shift.prompt
    shift.floor("CORRECT ENTRY", "3")
    assert (shift.table.state.play.current.asking, shift.prompt) == (2, entered), (
        "what seat 2 has entered stands"
    )
    for seat in (2, 3, 4):
        assert shift.table.state.play.current.asking == seat
        shift.answer(seat)


def test_policy_the_floor_corrects_only_what_was_answered() -> None:
    shift = dealt()
    with pytest.raises(NotOfferedError):
        shift.floor("CORRECT ENTRY", "2")


# ---------------------------------------------------------------- folds


@each_chapter
def test_x_11b_a_fold_forfeits_the_ante_which_is_collected_before_the_reveal(chapter: str) -> None:
    shift = dealt(chapter)
    shift.answer(2, "fold")
    shift.answer(5)
    shift.mark()
    shift.ok()
    assert [(each.seat, each.wager, each.cents) for each in shift.said(CollectWager)] == [(2, "ante", 1000)]
    assert shift.said(CollectWager)[0].cite == law(chapter).contest.forfeit_cites[0]


def test_641a_11c_a_forfeited_ante_is_collected_once() -> None:
    shift = dealt(bets={2: {"ante": 1000, "aces_up": 500}, 5: {"ante": 1000}})
    shift.mark()
    shift.reveal({2: "fold"})
    shift.settle_all()
    assert len(shift.said(CollectWager, seat=2, wager="ante")) == 1


# ---------------------------------------------------------------- 683a: three raises, a community card after each


def test_683a_11b_players_are_asked_three_times_with_a_community_card_after_each() -> None:
    shift = dealt("pa683a")
    seen = []
    for turned in (0, 1, 2):
        assert shift.table.state.play.current.turned == turned
        assert len(shift.table.rooms.views.public_cards().get("community", ())) == turned
        seen.append(shift.prompt[0])
        shift.answer(2, 1)
        shift.answer(5, 2)
        assert shift.prompt == (f"TURN COMMUNITY {turned + 1}", "THEN OK")
        shift.ok()
    assert seen == ["SEAT 2: FIRST RAISE", "SEAT 2: SECOND RAISE", "SEAT 2: THIRD RAISE"]
    assert shift.is_in(Phase.SETTLING)
    assert shift.table.state.play.current.raises == {2: [1000] * 3, 5: [2000] * 3}


def test_683a_11d_a_player_who_folds_is_not_asked_again_and_loses_ante_and_raises() -> None:
    shift = dealt("pa683a")
    shift.answer(2)
    shift.answer(5)
    shift.ok()
    shift.answer(2, "fold")
    shift.answer(5)
    shift.mark()
    shift.ok()
    assert [(each.wager, each.cents) for each in shift.said(CollectWager)] == [
        ("ante", 1000),
        ("raise1", 1000),
    ]
    assert {each.cite for each in shift.said(CollectWager)} == {law("pa683a").contest.forfeit_cites[1]}
    assert shift.table.state.play.current.asking == 5
    shift.answer(5)
    shift.ok()
    assert shift.is_in(Phase.SETTLING)


def test_683a_11_a_fold_of_an_earlier_street_can_no_longer_be_taken_back() -> None:
    shift = dealt("pa683a")
    shift.answer(2, "fold")
    shift.answer(5)
    shift.ok()
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    with pytest.raises(NotOfferedError):
        shift.floor("CORRECT ENTRY", "2")
    shift.answer(5)
    shift.press(Key.BACK)
    assert (shift.phase, shift.table.state.play.current.raises) == (Phase.DECIDING, {5: [1000]})


def test_683a_11_when_everybody_folds_the_cards_are_turned_without_questions() -> None:
    shift = dealt("pa683a", {2: {"ante": 1000, "pocket": 500}, 5: {"ante": 1000}})
    shift.answer(2, "fold")
    shift.answer(5, "fold")
    prompts = []
    while shift.phase is Phase.TURNING:
        prompts.append(shift.prompt[0])
        shift.ok()
    assert prompts == ["TURN COMMUNITY 1", "TURN COMMUNITY 2", "TURN COMMUNITY 3"]
    assert shift.is_in(Phase.SETTLING)


# ---------------------------------------------------------------- 7(b): a player who leaves


@each_chapter
def test_x_7b_a_player_who_leaves_is_not_asked_and_loses_every_wager(chapter: str) -> None:
    shift = dealt(chapter)
    shift.menu("PLAYER LEFT", "2")
    assert shift.table.state.play.current.asking == 5
    shift.reveal()
    shift.mark()
    shift.settle_all()
    lost = [(each.seat, each.wager) for each in shift.said(CollectWager, seat=2)]
    assert lost == [(2, "ante")]
    assert not shift.said(ReturnWager, seat=2)


def test_641a_7b_whoever_left_is_not_listed_again_and_the_asked_one_stays_asked() -> None:
    shift = dealt()
    shift.menu("PLAYER LEFT", "5")
    assert shift.table.state.play.current.asking == 2
    with pytest.raises(NotOfferedError):
        shift.menu("PLAYER LEFT", "5")
    shift.answer(2)
    assert shift.is_in(Phase.TURNING)


def test_641a_7b_the_leaving_is_taken_back_before_the_answer() -> None:
    shift = dealt()
    shift.answer(2, 3)
    shift.menu("PLAYER LEFT", "2")
    shift.press(Key.BACK)
    assert (shift.table.state.play.current.left, shift.table.state.play.current.asking) == ([], 5)
    shift.press(Key.BACK)
    assert shift.table.state.play.current.asking == 2


def test_641a_7b_when_all_have_left_the_round_is_still_finished() -> None:
    shift = dealt()
    shift.menu("PLAYER LEFT", "2")
    shift.menu("PLAYER LEFT", "5")
    assert shift.is_in(Phase.TURNING)
    shift.ok()
    shift.settle_all()
    shift.next_round()
    assert shift.record.left == (2, 5)
    assert shift.record.public.keys() == {"dealer"}
