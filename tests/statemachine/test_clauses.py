"""Clauses that the paragraph's other tests do not hold: each was seen to fail by the mutant that names it.

`make coverage` makes the table behave otherwise, clause by clause (tests/law/behaviour.py); what no other test noticed
is held here.
"""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary.effects import (
    CollectWager,
    Dispense,
    PayWager,
    ReturnWager,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import (
    DeviceJammed,
    DeviceRetested,
    Key,
    ShufflerStopped,
    WagerSensed,
)

from .shift import Shift
from .tables import CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
each_method = pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe"])
OPTIONAL = {"pa641a": "aces_up", "md4cp": "aces_up", "pa679a": "prime", "pa682a": "prime", "pa683a": "pocket"}


def locked(chapter: str, **changes: Any) -> Shift:
    """Two seats with an Ante and an optional wager, no card dealt yet."""
    shift = Shift(chapter, **changes)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, **{"ante": 1000, OPTIONAL[chapter]: 500})
    shift.lock()
    shift.mark()
    return shift


# ---------------------------------------------------------------- 13: what void means


@each_chapter
@pytest.mark.parametrize("shuffler", [Shuffler.COUNTING, Shuffler.HAND], ids=["by-device", "by-hand"])
def test_x_13_the_cards_of_a_void_round_are_not_dealt_again_without_a_shuffle(
    chapter: str, shuffler: Shuffler
) -> None:
    shift = locked(chapter, shuffler=shuffler)
    shift.quick_shuffler = False
    shift.deal_cards()
    shift.wrong_number()
    shift.ok(2)
    assert (shift.phase, shift.table.state.stock.decks["A"].ready) == (Phase.SHUFFLING, False)
    assert [each.deck for each in shift.said(StartShuffle)] == (
        ["A"] if shuffler is Shuffler.COUNTING else []
    )
    shift.bet(2, ante=1000)
    shift.press(Key.LOCK)
    assert (shift.phase, shift.said(Dispense)) == (Phase.SHUFFLING, [])
    if shuffler is Shuffler.HAND:
        shift.ok()
        assert shift.is_in(Phase.CUTTING)


@each_chapter
def test_x_13f_after_a_jam_every_wager_goes_back(chapter: str) -> None:
    shift = locked(chapter, method="auto_shoe")
    shift.draw()
    shift.mark()
    shift.send(DeviceJammed, device="shoe", cause="jam")
    assert len(shift.said(VoidRound)) == 1
    gave_back = {(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)}
    assert gave_back == {
        (seat, wager, cents) for seat in (2, 5) for wager, cents in (("ante", 1000), (OPTIONAL[chapter], 500))
    }


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_13d_without_an_optional_wager_every_ante_goes_back(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.deal_cards()
    shift.mark()
    shift.menu("IRREGULARITY", "community_exposed" if chapter == "pa683a" else "dealer_exposed")
    assert {(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)} == {
        (2, "ante", 1000),
        (5, "ante", 1000),
    }
    assert not shift.said(CollectWager) + shift.said(PayWager)


# ---------------------------------------------------------------- 8(h), 9(f), 10(f): a count that is wrong


@each_chapter
@each_method
def test_x_8h_9f_10f_a_wrong_count_is_determined_in_whatever_round_it_is_made(
    chapter: str, method: str
) -> None:
    shift = Shift(chapter, method=method, shuffler=Shuffler.PLAIN)
    shift.open_table()
    for _ in range(4):
        shift.play((2,))
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    shift.count_stub(1)
    assert shift.is_in(Phase.STUB_WRONG)
    assert not shift.said(VoidRound)
    shift.press(Key.FOLD)
    assert len(shift.said(VoidRound)) == 1


@each_chapter
@each_method
@pytest.mark.parametrize("key", [Key.OK, Key.FOLD], ids=["misdealt", "not"])
def test_x_8h_9f_10f_whatever_a_wrong_count_comes_from_every_wager_goes_back(
    chapter: str, method: str, key: Key
) -> None:
    shift = locked(chapter, method=method, shuffler=Shuffler.PLAIN)
    shift.deal_cards()
    shift.menu("COUNT THE STUB")
    shift.count_stub(1)
    shift.mark()
    shift.press(key)
    assert {(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)} == {
        (seat, wager, cents) for seat in (2, 5) for wager, cents in (("ante", 1000), (OPTIONAL[chapter], 500))
    }


# ---------------------------------------------------------------- 11: folds, raises, spots

SECOND = {"pa641a": "play", "md4cp": "play", "pa679a": "play", "pa682a": "raise", "pa683a": "raise1"}


@each_chapter
@pytest.mark.parametrize("cents", [500, 4000])
def test_x_11b_no_other_amount_is_taken_for_a_second_wager(chapter: str, cents: int) -> None:
    """The Ante is $10: $5 is too little everywhere, $40 too much."""
    shift = locked(chapter)
    shift.deal()
    assert shift.is_in(Phase.DECIDING)
    shift.send(WagerSensed, seat=2, wager=SECOND[chapter], cents=cents)
    shift.ok()
    assert shift.why
    assert (shift.table.state.play.current.raises, shift.table.state.play.current.asking) == ({}, 2)


def test_683a_11f_what_a_fold_on_the_third_street_forfeits_is_collected_before_the_last_card_is_turned() -> (
    None
):
    shift = Shift("pa683a")
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.deal()
    for _ in range(2):
        shift.answer_all()
        shift.ok()
    shift.answer(2, "fold")
    shift.answer(5)
    shift.mark()
    shift.ok()
    assert [(each.seat, each.wager) for each in shift.said(CollectWager)] == [
        (2, "ante"),
        (2, "raise1"),
        (2, "raise2"),
    ]


@each_chapter
def test_x_7d_a_wager_that_is_not_offered_is_not_taken(chapter: str) -> None:
    shift = Shift(chapter, offers=frozenset(), meters={})
    shift.open_table()
    shift.send(
        WagerSensed,
        seat=2,
        wager=OPTIONAL[chapter] if chapter not in ("pa641a", "md4cp") else "six_card",
        cents=500,
    )
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.bets == {2: {"ante": 1000}}


# ---------------------------------------------------------------- 13(b), 13(e): used, and shuffled again


@each_chapter
def test_x_13b_a_card_drawn_in_error_lies_where_the_next_card_belongs(chapter: str) -> None:
    shift = locked(chapter)
    plan = list(shift.table.state.play.current.plan)
    shift.draw()
    shift.menu("DRAWN IN ERROR")
    shift.deal_cards()
    assert (shift.table.state.play.current.plan, shift.table.state.play.current.face_up) == (plan, [])
    first = next(each.place for each in sorted(plan))
    assert shift.truth(first)[0] == shift.pack[0]


@each_chapter
@pytest.mark.parametrize("cause", ["jam", "stopped shuffling", "cycle not completed"])
def test_x_13e_however_a_shuffle_fails_the_cards_are_shuffled_again(chapter: str, cause: str) -> None:
    shift = Shift(chapter)
    shift.quick_shuffler = False
    shift.receive()
    shift.verify_cards()
    shift.wash()
    shift.send(ShufflerStopped, deck="A", cause=cause)
    assert shift.prompt[0] == "HELD: SHUFFLER STOP"
    shift.send(DeviceRetested, device="shuffler", fault="shuffler_jam", good=True)
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    shift.shuffler_done("A")
    assert shift.is_in(Phase.BETS_OPEN)


# ---------------------------------------------------------------- 11(c): what is told, and what is turned

PAIR_OF_ACES = {
    "pa641a": {"seat2": "As Ah 9d 4c 3h", "dealer": "2d 4h 6s 8c Jd 3c"},
    "md4cp": {"seat2": "As Ah 9d 4c 3h", "dealer": "2d 4h 6s 8c Jd 3c"},
    "pa679a": {"seat2": "As Ah 3d", "dealer": "Qd 4h 6s"},
    "pa682a": {"seat2": "As Ah 9d 4c 3h", "dealer": "2d 4h 6s 8c Jd 3c"},
    "pa683a": {"seat2": "As Ah", "community": "Kd 4c 2s"},
}


@each_chapter
def test_x_11c_the_display_tells_the_dealer_to_pay_what_the_round_pays(chapter: str) -> None:
    """A pair of aces wins 1 to 1 on the Ante and on each second wager, $10 each."""
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal(**PAIR_OF_ACES[chapter])
    shift.reveal()
    assert (shift.phase, shift.prompt) == (
        Phase.SETTLING,
        ("SEAT 2", "PAY $40" if chapter == "pa683a" else "PAY $20"),
    )
    shift.mark()
    shift.ok()
    assert {each.paid for each in shift.said(PayWager)} == {1000}


@pytest.mark.parametrize(("chapter", "seat"), [("pa682a", 2), ("pa683a", 2)])
def test_x_11_the_all_six_cards_are_turned_when_such_a_wager_is_settled(chapter: str, seat: int) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(seat, ante=1000, all_six=500)
    shift.lock()
    shift.deal()
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)
    assert shift.table.rooms.views.public_cards()["all_six"] == shift.truth("all_six")


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_x_11_the_six_card_bonus_card_is_turned_when_such_a_wager_is_settled(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000, aces_up=500, six_card=500)
    shift.lock()
    shift.deal()
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)
    assert shift.table.rooms.views.public_cards()["six_card"] == shift.truth("six_card")
