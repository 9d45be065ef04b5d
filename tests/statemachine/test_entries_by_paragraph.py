"""x.13(c)-(d), x.7(b): what may be said of cards and players, until when, of what, and who takes it back."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import RequireRole, ReturnWager, TakeBackPayment, VoidRound
from sabot.statemachine.vocabulary.events import Key, ShuffleCompleted, ShuffleStarted

from .life import at
from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
OPTIONAL = {"pa641a": "aces_up", "md4cp": "aces_up", "pa679a": "prime", "pa682a": "prime", "pa683a": "pocket"}
SEEN = {chapter: "community_exposed" if chapter == "pa683a" else "dealer_exposed" for chapter in CHAPTERS}
P = Phase


def dealt(chapter: str = "pa641a", bets: dict[int, dict[str, int]] | None = None, **changes: Any) -> Shift:
    """Two seats with an optional wager each, the stub in the rack."""
    shift = Shift(chapter, **changes)
    shift.open_table()
    for seat, wagers in (bets or {seat: {"ante": 1000, OPTIONAL[chapter]: 500} for seat in (2, 5)}).items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal()
    shift.mark()
    return shift


def settled(shift: Shift) -> Shift:
    """All is settled, the cards are picked up."""
    shift.reveal()
    shift.settle_all()
    assert shift.is_in(P.CLEARING)
    return shift


def words(shift: Shift) -> list[str]:
    return [note.words for note in shift.table.state.play.current.notes]


# ---------------------------------------------------------------- 13(c): found when cards are picked up, and where


@each_chapter
def test_x_13c_a_wrong_number_found_while_clearing_voids_and_lists_what_was_paid(chapter: str) -> None:
    shift = settled(dealt(chapter))
    paid = {
        (line.seat, line.wager)
        for line in shift.table.state.play.current.lines
        if line.result == "win" and line.paid
    }
    shift.mark()
    shift.wrong_number("seat2")
    cite = law(chapter).irregularities["wrong_count"].cite
    assert [each.cite for each in shift.said(VoidRound)] == [cite]
    taken = shift.said(TakeBackPayment)
    assert {(each.seat, each.wager) for each in taken} == paid
    notes = words(shift)
    assert all(
        f"seat {each.seat} {each.wager}: {each.cents} paid is to be taken back" in notes for each in taken
    )
    shift.next_round()
    assert shift.record.void == cite


def test_641a_13c_the_display_walks_through_the_payments_that_are_to_be_taken_back() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(5, ante=1000, aces_up=500)
    shift.lock()
    shift.deal(seat5="9s 9h 9d 2c 3h", dealer="2d 4h 6s 8c Jd 3c")
    settled(shift)
    shift.wrong_number("dealer")
    assert shift.prompt == ("TAKE BACK 1/4 < >", "S5 ANTE $10")
    shift.press(Key.RIGHT)
    assert shift.prompt == ("TAKE BACK 2/4 < >", "S5 PLAY $10")
    shift.press(Key.LEFT, Key.LEFT)
    assert shift.prompt == ("TAKE BACK 4/4 < >", "S5 ACES UP $45")
    shift.ok()
    assert shift.is_in(P.CLEARING)


@pytest.mark.parametrize(
    ("ante", "words"),
    [(300_000_000, "S5 ANTE $3,000,000"), (10**12, "S5 $10,000,000,000"), (10**18, "S5 ANTE")],
)
def test_641a_13c_no_sum_that_is_to_be_taken_back_is_cut(ante: int, words: str) -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(5, ante=ante)
    shift.lock()
    shift.deal(seat5="9s 9h 9d 2c 3h", dealer="2d 4h 6s 8c Jd 3c")
    settled(shift)
    shift.wrong_number("dealer")
    assert shift.prompt == ("TAKE BACK 1/3 < >", words)


def test_641a_13c_a_void_without_payments_has_nothing_to_walk_through() -> None:
    shift = dealt()
    shift.wrong_number("seat2")
    assert shift.prompt == ("VOID: RETURN ALL", "WAGERS, THEN OK")
    shift.press(Key.RIGHT)
    assert shift.why == "RIGHT means nothing now"


def test_641a_13c_a_payment_of_unknown_value_is_listed_too() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(5, ante=None)
    shift.lock()
    shift.deal(seat5="9s 9h 9d 2c 3h", dealer="2d 4h 6s 8c Jd 3c")
    settled(shift)
    shift.wrong_number("dealer")
    assert shift.prompt == ("TAKE BACK 1/3 < >", "S5 ANTE")


@each_chapter
def test_x_13c_a_wrong_number_is_said_until_the_next_shuffle(chapter: str) -> None:
    """The record stands; what was paid is listed, what was lost is noted, and the floor sees to it (V23)."""
    shift = settled(dealt(chapter))
    shift.quick_shuffler = False
    shift.clear()
    shift.mark()
    shift.menu("WRONG NUMBER BEFORE", "seat2")
    cite = law(chapter).irregularities["wrong_count"].cite
    paid = {(line.seat, line.wager) for line in shift.record.lines if line.result == "win" and line.paid}
    lost = {(line.seat, line.wager) for line in shift.record.lines if line.result == "lose"}
    assert {(each.seat, each.wager) for each in shift.said(TakeBackPayment)} == paid
    noted = [note.words for note in shift.table.state.books.notes]
    assert "round 1: wrong number of cards at seat2, found before the next shuffle" in noted
    assert {
        (seat, wager) for seat, wager in lost if any(f"seat {seat} {wager}:" in each for each in noted)
    } == lost
    assert shift.prompt == ("HELD: ROUND WAS VOID", "FLOOR: RETURN ALL")
    assert shift.table.state.trouble.holds[0].cite == cite
    with pytest.raises(NotOfferedError):
        shift.menu("WRONG NUMBER BEFORE", "seat2")
    shift.floor("RELEASE")
    shift.get_ready()
    assert shift.is_in(P.BETS_OPEN)


def test_679a_13c_a_wager_that_went_back_in_the_round_has_nothing_to_return() -> None:
    shift = Shift("pa679a")
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal(dealer="2s 3h 5d", seat2="As Kd 9c")
    shift = settled(shift)
    assert {line.wager: line.result for line in shift.table.state.play.current.lines} == {
        "ante": "returned",
        "play": "win",
    }
    shift.quick_shuffler = False
    shift.clear()
    shift.menu("WRONG NUMBER BEFORE", "seat2")
    assert not [note.words for note in shift.table.state.books.notes if "to be returned" in note.words]


@pytest.mark.parametrize("begins", [ShuffleStarted, ShuffleCompleted])
def test_641a_13c_once_the_shuffle_begins_a_round_is_over(
    begins: type[ShuffleStarted | ShuffleCompleted],
) -> None:
    shift = settled(dealt())
    shift.quick_shuffler = False
    shift.clear()
    shift.send(begins, deck="A", **({"count": 52} if begins is ShuffleCompleted else {}))
    with pytest.raises(NotOfferedError):
        shift.menu("WRONG NUMBER BEFORE", "seat2")


def test_641a_13c_nor_after_a_shuffle_by_hand_nor_of_a_round_that_was_void() -> None:
    shift = settled(dealt(shuffler=Shuffler.HAND))
    shift.clear()
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    assert "WRONG NUMBER BEFORE" in titles_of(shift)
    shift.ok()
    assert "WRONG NUMBER BEFORE" not in titles_of(shift)
    shift = settled(dealt())
    shift.quick_shuffler = False
    shift.wrong_number("seat2")
    shift.clear()
    assert "WRONG NUMBER BEFORE" not in titles_of(shift)


def titles_of(shift: Shift) -> list[str]:
    shift.press(Key.MENU)
    titles = shift.titles()
    shift.press(Key.BACK)
    return titles


@pytest.mark.parametrize("chapter", ["pa641a", "pa683a"])
def test_x_13c_a_void_round_is_not_made_void_again_while_it_is_cleared(chapter: str) -> None:
    shift = dealt(chapter)
    shift.wrong_number("seat2")
    shift.ok()
    assert shift.is_in(P.CLEARING)
    with pytest.raises(NotOfferedError):
        shift.wrong_number("seat2")


def test_641a_13c_reading_v16_holds_a_round_that_is_cleared_and_the_floor_may_void_it() -> None:
    shift = settled(dealt(readings={"void_after_payment": "held"}))
    shift.wrong_number("seat2")
    assert shift.table.rooms.faults.held is not None
    shift.floor("VOID ROUND")
    assert shift.is_in(P.RETURNING)


@each_chapter
def test_x_13c_it_asks_where(chapter: str) -> None:
    shift = dealt(chapter)
    places = ["seat2", "seat5", "community" if chapter == "pa683a" else "dealer"]
    shift.press(Key.MENU)
    assert "WRONG NUMBER" in shift.titles()
    offered = shift.table.rooms.actions.named("wrong_number").values()  # type: ignore[misc]
    assert offered[: len(places)] == places
    said = [shift.table.rooms.actions.named("wrong_number").words(place) for place in offered]
    assert said[:2] == ["SEAT 2", "SEAT 5"]


@pytest.mark.parametrize(
    ("chapter", "bet", "place"),
    [
        ("pa641a", "six_card", "six_card"),
        ("pa682a", "all_six", "all_six"),
    ],
)
def test_x_13c_reading_v6_only_the_places_that_are_named_void(chapter: str, bet: str, place: str) -> None:
    shift = dealt(chapter, {2: {"ante": 1000, bet: 500}})
    shift.wrong_number(place)
    assert not shift.said(VoidRound)
    assert shift.is_in(P.DECIDING)
    assert f"wrong number of cards at {place}: no rule names it" in words(shift)
    assert [each.why for each in shift.said(RequireRole)] == [f"wrong number of cards at {place}"]


@each_chapter
def test_x_13c_the_places_that_void_are_those_of_the_text(chapter: str) -> None:
    named = law(chapter).irregularities["wrong_count"].places
    assert named == (("player", "community") if chapter == "pa683a" else ("player", "dealer"))


def test_x_13c_where_it_was_found_stays_in_the_record() -> None:
    shift = dealt()
    shift.wrong_number("seat5")
    assert "wrong number of cards at seat5" in words(shift)


# ---------------------------------------------------------------- a card that was dealt


@each_chapter
def test_x_13_before_a_card_is_dealt_none_was_seen_and_none_is_too_many(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    for title in ("WRONG NUMBER", "IRREGULARITY"):
        with pytest.raises(NotOfferedError):
            shift.menu(title)


@each_chapter
def test_x_13d_a_card_of_the_dealer_or_the_board_is_seen_once_it_lies_there(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    place = "community" if chapter == "pa683a" else "dealer"
    while not shift.truth(place):
        with pytest.raises(NotOfferedError):
            shift.menu("IRREGULARITY", SEEN[chapter])
        shift.draw()
    shift.mark()
    shift.menu("IRREGULARITY", SEEN[chapter])
    assert shift.said(VoidRound)


def test_683a_13d_community_cards_that_were_all_turned_are_not_exposed() -> None:
    shift = dealt("pa683a")
    while shift.phase is not P.SETTLING:
        shift.answer_all()
        shift.ok()
    assert shift.phase is P.SETTLING
    shift = dealt("pa683a")
    shift.answer_all()
    shift.menu("IRREGULARITY", "community_exposed")
    assert shift.table.rooms.contest.is_void


# ---------------------------------------------------------------- 13(d): after a noted exposure


def noted() -> Shift:
    """All have raised; a dealer's card is seen after it."""
    shift = dealt("pa682a")
    shift.answer_all()
    shift.menu("IRREGULARITY", "dealer_exposed")
    assert shift.is_in(P.TURNING)
    assert not shift.table.rooms.contest.is_void
    return shift


def test_682a_13d_a_decision_that_is_reopened_after_an_exposure_was_before_the_raises() -> None:
    shift = noted()
    shift.floor("CORRECT ENTRY", "2")
    assert shift.table.rooms.contest.is_void
    assert (shift.table.state.play.current.irregularity, shift.table.state.play.current.when) == (
        "dealer_exposed",
        "before_raise",
    )
    assert shift.is_in(P.TURNING)
    settled(shift)
    shift.next_round()
    assert {line.result for line in shift.record.lines if line.wager in ("ante", "raise")} == {"returned"}
    assert "seat 2 raise 1000 taken back" in [note.words for note in shift.record.notes]


def test_682a_13d_without_optional_wagers_the_reopened_round_is_void() -> None:
    shift = dealt("pa682a", {2: {"ante": 1000}})
    shift.answer_all()
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.floor("CORRECT ENTRY", "2")
    assert shift.is_in(P.RETURNING)


def test_682a_13d_whoever_is_here_after_all_decides_before_the_raises() -> None:
    shift = dealt("pa682a")
    shift.menu("PLAYER LEFT", "2")
    shift.answer_all()
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.floor("CORRECT ENTRY", "2 is here")
    assert shift.table.rooms.contest.is_void


def test_682a_13d_whoever_had_decided_and_is_here_after_all_reopens_nothing() -> None:
    shift = dealt("pa682a")
    shift.answer_all()
    shift.menu("PLAYER LEFT", "5")
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.floor("CORRECT ENTRY", "5 is here")
    assert not shift.table.rooms.contest.is_void
    assert shift.is_in(P.TURNING)


def test_682a_13d_the_dealer_reopens_no_decision_after_a_noted_exposure() -> None:
    shift = noted()
    shift.press(Key.BACK)
    assert shift.why == "only the floor can undo it"
    shift.menu("PLAYER LEFT", "5")
    shift.press(Key.BACK, Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"


# ---------------------------------------------------------------- 13(d): a player who left


@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_13d_a_player_who_left_keeps_the_optional_wagers(chapter: str, knowledge: Knowledge) -> None:
    shift = Shift(chapter, knowledge=knowledge)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000, **{OPTIONAL[chapter]: 500})
    shift.lock()
    shift.deal(seat2="As Ah" if chapter == "pa683a" else "As Ks Qs")
    shift.menu("PLAYER LEFT", "2")
    shift.menu("IRREGULARITY", SEEN[chapter])
    settled(shift)
    shift.next_round()
    (line,) = [line for line in shift.record.lines if (line.seat, line.wager) == (2, OPTIONAL[chapter])]
    assert line.cite != law(chapter).abandoned_cite
    wins = {
        (each.seat, each.wager): each.result for each in shift.record.lines if each.wager == OPTIONAL[chapter]
    }
    if chapter != "pa682a":
        assert wins[2, OPTIONAL[chapter]] == "win"
    if knowledge is Knowledge.NONE:
        assert shift.record.declared["seat2"]
    else:
        assert "seat2" in shift.record.public


# ---------------------------------------------------------------- who takes it back


@each_chapter
@pytest.mark.parametrize("entry", ["exposed", "number"])
def test_x_13_what_voids_or_changes_money_is_taken_back_by_the_floor_in_every_chapter(
    chapter: str, entry: str
) -> None:
    shift = dealt(chapter)
    if entry == "exposed":
        shift.menu("IRREGULARITY", SEEN[chapter])
    else:
        shift.wrong_number("seat2")
    shift.press(Key.BACK)
    assert shift.why.endswith("only the floor can undo it")
    shift.floor("UNDO VOID", person="f4")
    assert shift.is_in(P.DECIDING)
    assert (shift.table.state.play.current.irregularity, shift.table.state.play.current.void) == ("", "")
    assert [
        note.by for note in shift.table.state.play.current.notes if note.words.endswith("taken back")
    ] == ["f4"]
    settled(shift)


def test_682a_13d_a_noted_exposure_is_taken_back_by_the_floor() -> None:
    shift = noted()
    shift.floor("UNDO VOID")
    assert shift.table.state.play.current.exposed == ""
    shift.press(Key.BACK)
    assert shift.is_in(P.DECIDING)


# ---------------------------------------------------------------- 7(b): who left


@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
@pytest.mark.parametrize("phase", [P.COUNTING_CHIPS, P.DEALING, P.STUB, P.DECIDING, P.TURNING, P.SETTLING])
def test_641a_7b_a_player_may_be_said_to_have_left_until_the_round_is_complete(
    phase: Phase, knowledge: Knowledge
) -> None:
    shift = at(phase, knowledge=knowledge)
    shift.menu("PLAYER LEFT", "5")
    assert shift.is_in(phase)
    assert shift.table.state.play.current.left == [5]
    if shift.phase is P.COUNTING_CHIPS:
        shift.count_chips()
    shift.deal()
    settled(shift)
    shift.next_round()
    lost = {line.wager: (line.result, line.cite) for line in shift.record.lines if line.seat == 5}
    assert set(lost.values()) == {("lose", "641a.7(b)")}


def test_641a_7b_while_hands_are_declared_whoever_left_is_not_asked_about() -> None:
    shift = at(P.DECLARING)
    shift.declare("none")
    assert shift.table.state.play.current.asking == 5
    shift.menu("PLAYER LEFT", "5")
    assert shift.table.state.play.current.asking == 2
    shift.menu("PLAYER LEFT", "2")
    assert shift.is_in(P.SETTLING)
    shift.press(Key.BACK)
    assert (shift.phase, shift.table.state.play.current.asking, shift.table.state.play.current.left) == (
        P.DECLARING,
        2,
        [5],
    )


def test_641a_7b_a_settled_seat_did_not_leave_during_the_round() -> None:
    shift = dealt()
    shift.reveal()
    shift.settle_seat()
    done = shift.table.state.play.current.order[0]
    with pytest.raises(NotOfferedError):
        shift.menu("PLAYER LEFT", str(done))
    left = shift.table.state.play.current.order[1]
    before = [line for line in shift.table.state.play.current.lines if line.seat == done]
    shift.menu("PLAYER LEFT", str(left))
    assert [line for line in shift.table.state.play.current.lines if line.seat == done] == before
    assert {line.result for line in shift.table.state.play.current.lines if line.seat == left} == {"lose"}
    shift.press(Key.BACK)
    assert shift.table.state.play.current.left == []
    settled(shift)


def test_641a_7b_after_the_reveal_the_floor_says_that_a_player_is_here() -> None:
    shift = dealt(bets={seat: {"ante": 1000} for seat in (2, 3, 5)})
    shift.reveal()
    shift.menu("PLAYER LEFT", "2")
    shift.settle_seat()
    shift.floor("CORRECT ENTRY", "2 is here")
    assert shift.table.state.play.current.left == []
    assert "641a.7(b)" not in {line.cite for line in shift.table.state.play.current.lines}
    settled(shift)


def joined(**changes: Any) -> Shift:
    """One player on boxes 2 and 3, another on 5."""
    shift = Shift(adjacent_boxes=2, **changes)
    shift.open_table()
    shift.menu("JOIN BOXES", "2+3")
    for seat in (2, 3, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    return shift


def test_641a_7b_a_player_leaves_with_all_boxes_and_comes_back_to_all() -> None:
    shift = joined()
    shift.deal()
    action = shift.table.rooms.actions.named("player_left")
    assert action.values is not None
    assert action.values() == ["2+3", "5"]
    assert [action.words(value) for value in ("2+3", "5")] == ["SEATS 2+3", "SEAT 5"]
    shift.menu("PLAYER LEFT", "2+3")
    assert (shift.table.state.play.current.left, shift.table.state.play.current.asking) == ([2, 3], 5)
    shift.press(Key.THREE)
    shift.floor("CORRECT ENTRY", "2+3 is here")
    assert (shift.table.state.play.current.left, shift.table.state.play.current.asking) == ([], 2)
    shift.press(Key.FLOOR)


def test_641a_7b_an_unconfirmed_raise_of_the_second_box_goes_back_too() -> None:
    shift = joined()
    shift.deal()
    shift.answer(2)
    shift.bet(3, play=2000)
    shift.mark()
    shift.menu("PLAYER LEFT", "2+3")
    assert [(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)] == [(3, "play", 2000)]
