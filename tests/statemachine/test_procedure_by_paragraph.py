"""The steps of a round that every document has, each in every chapter and by every method of dealing.

The documents say the same procedure in sections 8, 9 and 10, once for each way of dealing; so do these tests,
and they hold the citation that the dealer sees against a table of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import (
    CollectWager,
    Dispense,
    FreezeHit,
    LightSeat,
    LockWagers,
    OpenSpots,
    PayWager,
    RecordRound,
    RefuseWager,
    RemoveDeck,
    RequireRole,
    ShowPrompt,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import DeviceRetested, Key, Role, ShufflerStopped, ShuffleStarted

from .shift import Shift
from .tables import CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
each_method = pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe"])
PROGRESSIVE = {"pa641a": "prog4", "md4cp": "progressive"}
with_progressive = pytest.mark.parametrize("chapter", PROGRESSIVE)
TRIPS, STRAIGHT_FLUSH, NOTHING = "9s 9h 9d 2c 3h", "9h 8h 7h 6h 5h", "2d 4h 6s 8c Jd 3c"
SECTION = {"pa641a": "641a.", "md4cp": "ch.", "pa679a": "679a.", "pa682a": "682a.", "pa683a": "683a."}
# Where each document has it: by the method, then by the chapter (``*``: all that are not named).
CHIPS = {
    "manual_shoe": {"md4cp": "8.C", "*": "8(b)"},
    "hand": {"md4cp": "9.A(3)", "*": "9(a)(3)"},
    "auto_shoe": {"md4cp": "10.A(2)", "*": "10(a)(2)"},
}
STUB = {
    "manual_shoe": {"pa641a": "8(e)", "md4cp": "8.F", "*": "8(d)"},
    "hand": {"md4cp": "9.B(7)", "*": "9(c)"},
    "auto_shoe": {"md4cp": "10.C", "pa683a": "10(c)(2)", "*": "10(c)"},
}
COUNT = {
    "manual_shoe": {"pa641a": "8(f)", "md4cp": "8.G", "*": "8(e)"},
    "hand": {"md4cp": "9.C", "*": "9(d)"},
    "auto_shoe": {"md4cp": "10.D", "*": "10(d)"},
}
WRONG = {
    "manual_shoe": {"pa641a": "8(h)", "md4cp": "8.H", "*": "8(g)"},
    "hand": {"md4cp": "9.F-G", "*": "9(f)"},
    "auto_shoe": {"md4cp": "10.F-G", "*": "10(f)"},
}
WASHING = {"md4cp": "4.C", "*": "4(c)"}
CLEARING = {
    "pa641a": "11(d)",
    "md4cp": "11.D(11)",
    "pa679a": "11(e)",
    "pa682a": "11(f)",
    "pa683a": "11(j)",
}


def paragraph(chapter: str, where: dict[str, str]) -> str:
    return SECTION[chapter] + where.get(chapter, where.get("*", ""))


def shown(shift: Shift) -> str:
    """The paragraph on the dealer's display."""
    return next(effect.cite for effect in reversed(shift.effects) if isinstance(effect, ShowPrompt))


def washed(chapter: str, **changes: Any) -> Shift:
    """The deck waits for its shuffle."""
    shift = Shift(chapter, **changes)
    shift.quick_shuffler = False
    shift.receive()
    shift.verify_cards()
    shift.wash()
    return shift


def opened(chapter: str, **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    return shift


def dealt(chapter: str, method: str = "manual_shoe", **changes: Any) -> Shift:
    """All cards lie; the stub is in the dealer's hand."""
    shift = opened(chapter, method=method, **changes)
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    shift.mark()
    return shift


# ---------------------------------------------------------------- 2(c): the lock-out


@with_progressive
def test_x_2c2_a_progressive_wager_after_no_more_bets_is_not_recognised(chapter: str) -> None:
    wager = PROGRESSIVE[chapter]
    shift = opened(chapter)
    shift.bet(2, **{"ante": 1000, wager: 100})
    shift.bet(5, ante=1000)
    shift.mark()
    shift.press(Key.LOCK)
    assert {(seat, wager) for seat in range(1, 8)} <= set(shift.said(LockWagers)[0].spots)
    fed = shift.table.rooms.shares.meters()
    shift.bet(5, **{wager: 100})
    assert [(each.seat, each.wager, each.why) for each in shift.said(RefuseWager)] == [
        (5, wager, "after no more bets")
    ]
    assert shift.table.state.play.current.bets[5] == {"ante": 1000}
    assert shift.table.rooms.shares.meters() == fed


# ---------------------------------------------------------------- 3(b): two decks


@each_chapter
def test_x_3b1_the_backs_of_two_decks_differ_in_color(chapter: str) -> None:
    shift = Shift(chapter, decks=2)
    shift.sign_on()
    shift.register(color="red")
    shift.register(color="red")
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.CLOSED, "the backs of two decks must differ in color")


@each_chapter
@pytest.mark.parametrize("quick", [True, False], ids=["quick", "slow"])
def test_x_3b4_the_rack_never_holds_cards_of_both_decks(chapter: str, quick: bool) -> None:
    """A deck is in the rack from the end of its round until the shuffler is to take it."""
    shift = opened(chapter, decks=2)
    shift.quick_shuffler = quick
    for _ in range(4):
        shift.play((2,))
    in_rack: set[str] = set()
    decks = iter("ABAB")
    for effect in shift.effects:
        if isinstance(effect, RecordRound):
            in_rack.add(next(decks))
        elif isinstance(effect, StartShuffle):
            in_rack.discard(effect.deck)
        assert len(in_rack) < 2
    assert next(decks, "") == ""


# ---------------------------------------------------------------- 4(c): after the first player's look


@each_chapter
def test_x_4c_after_the_look_the_cards_are_turned_down_washed_and_stacked_before_the_shuffle(
    chapter: str,
) -> None:
    shift = Shift(chapter)
    shift.receive()
    shift.verify_cards()
    assert shift.prompt == ("SPREAD IN COLUMNS", "PLAYER LOOKED? OK")
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.WASHING, ("WASH AND STACK", "FACE DOWN, THEN OK"))
    assert shown(shift) == paragraph(chapter, WASHING)
    assert not shift.said(StartShuffle)
    shift.ok()
    assert shift.said(StartShuffle, deck="A")


# ---------------------------------------------------------------- 8(a), 10(a)(1): only a shuffled deck is dealt


@each_chapter
@each_method
def test_x_8a_and_10a1_no_deck_is_dealt_before_its_shuffle_is_done(chapter: str, method: str) -> None:
    shift = washed(chapter, method=method)
    shift.bet(2, ante=1000)
    shift.press(Key.LOCK)
    assert shift.why
    assert (shift.phase, shift.said(Dispense)) == (Phase.SHUFFLING, [])
    shift.shuffler_done()
    shift.bet(2, ante=1000)
    shift.send(ShuffleStarted, deck="A")
    shift.press(Key.LOCK)
    assert (shift.phase, shift.why, shift.said(Dispense)) == (Phase.BETS_OPEN, "no deck is ready", [])
    shift.floor("RESHUFFLE")
    shift.shuffler_done()
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.DEALING)


@each_chapter
def test_x_8a_and_5d_a_deck_shuffled_by_hand_is_not_dealt_before_its_cut(chapter: str) -> None:
    shift = washed(chapter, shuffler=Shuffler.HAND)
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.CUTTING, ("CUT: COVER CARD 10+", "ABOVE TO BOTTOM, OK"))
    shift.press(Key.LOCK)
    assert shift.why
    assert shift.is_in(Phase.CUTTING)
    shift.ok()
    shift.bet(2, ante=1000)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.DEALING)


# ---------------------------------------------------------------- 8(b), 9(a)(3), 10(a)(2): no more bets


@each_chapter
@each_method
def test_x_8b_9a3_10a2_no_card_is_dealt_before_no_more_bets(chapter: str, method: str) -> None:
    shift = opened(chapter, method=method)
    shift.bet(2, ante=1000)
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.BETS_OPEN, "OK means nothing now")
    assert not shift.said(Dispense)
    spots = {spot for each in shift.said(OpenSpots) for spot in each.spots}
    shift.press(Key.LOCK)
    assert isinstance(shift.last[0], LockWagers)
    assert set(shift.last[0].spots) == spots
    assert shift.is_in(Phase.DEALING)
    assert bool(shift.said(Dispense)) == (method == "auto_shoe")


@with_progressive
@each_method
def test_x_8b_9a3_10a2_the_chips_collected_equal_the_accepted_wagers_before_a_card(
    chapter: str, method: str
) -> None:
    shift = opened(chapter, method=method)
    wager = PROGRESSIVE[chapter]
    for seat in (2, 5):
        shift.bet(seat, **{"ante": 1000, wager: 100})
    shift.press(Key.LOCK)
    assert (shift.phase, shift.prompt) == (Phase.COUNTING_CHIPS, ("COUNT CHIPS: -", "+ - THEN OK"))
    assert shown(shift) == paragraph(chapter, CHIPS[method])
    shift.bet(2, **{wager: 0})
    shift.bet(5, **{wager: 0})
    assert shift.table.state.layout.late == []
    shift.press(Key.PLUS, Key.OK)
    assert shift.is_in(Phase.CHIP_MISMATCH)
    assert (shift.table.state.play.current.drawn, shift.said(Dispense)) == (0, [])
    shift.press(Key.BACK)
    shift.press(Key.PLUS, Key.PLUS, Key.OK)
    assert (shift.phase, shift.table.state.play.current.chips) == (Phase.DEALING, 2)


# ---------------------------------------------------------------- 8(e) to 10(c): the stub


@each_chapter
@each_method
def test_x_8e_9c_10c_the_stub_goes_to_the_rack_unexposed(chapter: str, method: str) -> None:
    shift = dealt(chapter, method)
    assert shift.prompt[0] == "STUB TO RACK"
    assert shown(shift) == paragraph(chapter, STUB[method])
    drawn = shift.table.state.play.current.drawn
    shift.ok()
    assert shift.is_in(Phase.DECIDING)
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    record = shift.record
    assert sum(map(len, record.public.values())) + sum(record.hidden.values()) == drawn < 52


@each_chapter
@each_method
def test_x_8g_9e_10e_a_stub_that_makes_52_goes_to_the_rack_and_the_round_goes_on(
    chapter: str, method: str
) -> None:
    shift = dealt(chapter, method, shuffler=Shuffler.PLAIN)
    shift.menu("COUNT THE STUB")
    left = 52 - shift.table.state.play.current.drawn
    assert shift.prompt == ("COUNT STUB: -", "< > 10  + - 1   OK")
    assert shown(shift) == paragraph(chapter, COUNT[method])
    seen = shift.table.rooms.views.public_cards()
    shift.count_stub()
    assert shift.is_in(Phase.DECIDING)
    assert shift.table.rooms.views.public_cards() == seen
    assert (shift.said(VoidRound), shift.said(RemoveDeck)) == ([], [])
    assert f"stub counted: {left}" in [note.words for note in shift.table.state.play.current.notes]


@each_chapter
@each_method
@pytest.mark.parametrize(("key", "removed"), [(Key.OK, []), (Key.FOLD, ["A"])], ids=["misdealt", "not"])
def test_x_8h_9f_10f_a_stub_that_does_not_make_52_voids_and_removes_a_deck_that_was_dealt_right(
    chapter: str, method: str, key: Key, removed: list[str]
) -> None:
    shift = dealt(chapter, method, shuffler=Shuffler.PLAIN)
    shift.menu("COUNT THE STUB")
    shift.press(Key.PLUS, Key.OK)
    assert shift.prompt[1] == "OK=MISDEALT FOLD=NO"
    assert shown(shift) == paragraph(chapter, WRONG[method])
    shift.press(key)
    assert len(shift.said(VoidRound)) == 1
    assert [each.deck for each in shift.said(RemoveDeck)] == removed
    assert shift.is_in(Phase.RETURNING)


# ---------------------------------------------------------------- 11: decisions, reveal, settlement


@each_chapter
@each_method
def test_x_11a_nobody_is_asked_before_the_deal_is_complete(chapter: str, method: str) -> None:
    shift = opened(chapter, method=method)
    shift.bet(2, ante=1000)
    shift.lock()
    asked = []
    while shift.phase is not Phase.DECIDING:
        asked.append(shift.table.state.play.current.asking)
        shift.press(Key.ONE)
        assert shift.why == "ONE means nothing now"
        shift.draw() if shift.phase is Phase.DEALING else shift.ok()
    assert set(asked) == {0}
    assert shift.table.state.play.current.asking == 2


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa679a", "pa682a"])
def test_x_11c_the_dealers_hand_is_revealed_when_all_have_answered(chapter: str) -> None:
    shift = dealt(chapter)
    shift.ok()
    shift.answer(2)
    before = len(shift.table.rooms.views.public_cards().get("dealer", ()))
    shift.ok()
    assert shift.is_in(Phase.DECIDING)
    shift.answer(5, "fold")
    assert (shift.phase, shift.prompt) == (Phase.TURNING, ("REVEAL DEALER", "FOLDS IN RACK? OK"))
    assert len(shift.table.rooms.views.public_cards().get("dealer", ())) == before < 2
    shift.ok()
    assert shift.table.rooms.views.public_cards()["dealer"] == shift.truth("dealer")
    assert [each.seat for each in shift.said(CollectWager)] == [5]


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_683a_11c_11e_11g_a_community_card_is_turned_when_all_have_raised_or_folded(nth: int) -> None:
    shift = dealt("pa683a")
    shift.ok()
    for _ in range(nth - 1):
        shift.answer_all()
        shift.ok()
    shift.answer(2)
    shift.ok()
    assert (shift.phase, shift.table.state.play.current.turned) == (Phase.DECIDING, nth - 1)
    shift.answer(5, "fold")
    assert (shift.phase, shift.prompt) == (Phase.TURNING, (f"TURN COMMUNITY {nth}", "FOLDS IN RACK? OK"))
    assert shown(shift) == "683a.11(b)-(g)"
    shift.ok()
    assert shift.table.rooms.views.public_cards()["community"] == shift.truth("community")[:nth]


@each_chapter
def test_x_11c1_a_players_cards_are_turned_at_that_players_turn(chapter: str) -> None:
    shift = dealt(chapter)
    shift.ok()
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)
    turned = shift.table.rooms.views.public_cards()
    assert turned["seat5"] == shift.truth("seat5")
    assert "seat2" not in turned
    shift.ok()
    assert shift.table.rooms.views.public_cards()["seat2"] == shift.truth("seat2")


@pytest.mark.parametrize(
    ("chapter", "wager", "cards", "row"),
    [
        pytest.param("pa641a", "prog4", TRIPS, "three_of_a_kind", id="pa641a-prog4"),
        pytest.param("pa641a", "prog5", STRAIGHT_FLUSH, "straight_flush", id="pa641a-prog5"),
        pytest.param("md4cp", "progressive", TRIPS, "three_of_a_kind", id="md4cp-progressive"),
    ],
)
@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
def test_x_11c5_a_progressive_hit_is_verified_its_light_seen_and_validated_before_it_is_paid(
    chapter: str, wager: str, cards: str, row: str, knowledge: Knowledge
) -> None:
    shift = opened(chapter, knowledge=knowledge)
    shift.bet(2, **{"ante": 1000, wager: 100})
    shift.lock()
    shift.deal(seat2=cards, dealer=NOTHING)
    shift.reveal()
    shift.mark()
    shift.ok()
    assert (shift.phase, shift.prompt) == (
        Phase.VALIDATING,
        ("HIT SEAT 2 LIGHT ON?", "FLOOR: VALIDATE HIT"),
    )
    assert [(each.seat, each.wager, each.row) for each in shift.said(FreezeHit)] == [(2, wager, row)]
    assert [each.role for each in shift.said(RequireRole)] == [Role.FLOOR]
    shift.ok()
    before = [each.wager for each in shift.said(PayWager)]
    assert before == ["ante", "play", "ante_bonus"], "(c)(3) before (c)(5)"
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert len(shift.said(PayWager, seat=2, wager=wager)) == 1


@pytest.mark.parametrize(("hand", "wager"), [("seat2", "hand_bonus_player"), ("dealer", "hand_bonus_dealer")])
def test_641a_11c7i_a_hand_bonus_hit_names_the_hand_that_was_found_to_win(hand: str, wager: str) -> None:
    shift = opened("pa641a")
    shift.bet(2, ante=1000)
    shift.account(2, **{wager: 300})
    shift.lock()
    shift.deal(**{hand: STRAIGHT_FLUSH})
    shift.reveal()
    shift.mark()
    shift.ok()
    assert (shift.phase, shift.prompt[0]) == (Phase.VALIDATING, "HIT SEAT 2")
    assert [(each.wager, each.row) for each in shift.said(FreezeHit)] == [(wager, "straight_flush")]


@each_chapter
def test_x_11d_the_cards_go_to_the_rack_in_order_before_anything_else(chapter: str) -> None:
    shift = dealt(chapter)
    shift.ok()
    shift.reveal({5: "fold"})
    shift.settle_all()
    assert (shift.phase, shift.prompt) == (Phase.CLEARING, ("CARDS TO RACK", "IN ORDER, THEN OK"))
    assert shown(shift) == paragraph(chapter, CLEARING)
    shift.mark()
    shift.press(Key.LOCK)
    assert shift.why
    assert (shift.said(RecordRound), shift.said(StartShuffle)) == ([], [])
    truth = {place: shift.truth(place) for place in shift.table.rooms.views.public_cards()}
    shift.clear()
    assert shift.record.public == truth
    assert shift.record.hidden["seat5"] == len([p for p in shift.record.plan if p.startswith("seat5@")])
    assert [each.seat for each in shift.said(LightSeat)] in ([], [0])


# ---------------------------------------------------------------- 5: a shuffle on order, the faces on request


@each_chapter
def test_x_5a_a_floorperson_may_order_a_shuffle(chapter: str) -> None:
    shift = opened(chapter)
    shift.mark()
    shift.floor("RESHUFFLE", person="f3")
    assert shift.is_in(Phase.SHUFFLING)
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    assert shown(shift) == paragraph(chapter, {"md4cp": "5.A", "*": "5(a)"})
    shift.get_ready()
    assert ("reshuffle ordered", "f3") in [(note.words, note.by) for note in shift.play().notes]


@each_chapter
def test_x_5f_the_idle_cards_lie_face_down_or_up_and_no_round_begins_with_them(chapter: str) -> None:
    shift = opened(chapter)
    shift.menu("NOBODY PLAYING")
    assert (shift.phase, shift.prompt) == (Phase.IDLE, ("SPREAD FACE DOWN", "PLAYER LOOKED? OK"))
    assert shown(shift) == paragraph(chapter, {"md4cp": "5.F", "*": "5(f)"})
    shift.menu("SHOW FACES")
    assert shift.prompt == ("SPREAD FACE UP", "PLAYER LOOKED? OK")
    shift.press(Key.LOCK)
    assert shift.why
    shift.ok()
    assert shift.is_in(Phase.WASHING)
    shift.mark()
    shift.ok()
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]


# ---------------------------------------------------------------- 7(c): nothing changes after no more bets


@each_chapter
def test_x_7c_after_no_more_bets_a_wager_changes_only_at_its_seats_turn(chapter: str) -> None:
    shift = opened(chapter)
    shift.bet(2, ante=1000)
    shift.lock()
    late = paragraph(chapter, {"md4cp": "7.C-D", "*": "7(c)"})
    shift.mark()
    shift.bet(2, ante=2000)
    shift.bet(5, ante=1000)
    assert [(each.seat, each.cite) for each in shift.said(RefuseWager)] == [(2, late), (5, late)]
    assert shift.table.state.play.current.bets == {2: {"ante": 1000}}
    second = {"pa641a": "play", "md4cp": "play", "pa679a": "play", "pa682a": "raise", "pa683a": "raise1"}[
        chapter
    ]
    shift.bet(2, **{second: 1000})
    assert [each.wager for each in shift.said(RefuseWager)][2:] == [second]
    shift.hand_back()
    shift.deal()
    shift.answer(2, **{second: 1000})
    assert shift.table.state.play.current.raises == {2: [1000]}


# ---------------------------------------------------------------- 8(f), 9(d), 10(d): when the stub is counted


@each_chapter
@each_method
def test_x_8f_9d_10d_the_stub_of_the_fifth_round_is_counted(chapter: str, method: str) -> None:
    shift = opened(chapter, method=method, shuffler=Shuffler.PLAIN)
    for _ in range(4):
        assert "stub counted" not in " ".join(note.words for note in shift.play((2,)).notes)
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal_cards()
    assert shift.prompt[0].startswith("COUNT STUB")
    assert shown(shift) == paragraph(chapter, COUNT[method])


# ---------------------------------------------------------------- 13(e): a shuffler that stops


@each_chapter
def test_x_13e_what_a_stopped_shuffler_held_is_shuffled_again(chapter: str) -> None:
    shift = washed(chapter)
    shift.send(ShufflerStopped, deck="A", cause="jam")
    assert shift.prompt == ("HELD: SHUFFLER STOP", "FLOOR: CLEAR, RETEST")
    assert shown(shift) == paragraph(chapter, {"md4cp": "13.F", "*": "13(e)"})
    shift.send(DeviceRetested, device="shuffler", fault="shuffler_jam", good=True)
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    shift.shuffler_done("A")
    assert shift.is_in(Phase.BETS_OPEN)
