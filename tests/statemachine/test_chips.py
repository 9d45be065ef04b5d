"""641a.8(b): the chips of progressive wagers equal the accepted wagers before any card leaves."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.ledger import CORRECTION
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import Dispense, RefuseWager, ReturnWager
from sabot.statemachine.vocabulary.events import Key

from .shift import NotOfferedError, Shift

PROGRESSIVE = [("pa641a", "prog4"), ("md4cp", "progressive")]


def locked(chapter: str = "pa641a", **changes: Any) -> Shift:
    """Two seats, one of them with a progressive wager, nothing counted yet."""
    shift = Shift(chapter, **changes)
    shift.open_table()
    wager = dict(PROGRESSIVE)[chapter]
    shift.bet(2, ante=1000, **{wager: 100})
    shift.bet(5, ante=1000)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.COUNTING_CHIPS)
    return shift


@pytest.mark.parametrize("chapter", [chapter for chapter, _ in PROGRESSIVE])
def test_x_8b_the_count_is_keyed_in_and_the_deal_begins_when_it_is_right(chapter: str) -> None:
    shift = locked(chapter)
    assert shift.prompt == ("COUNT CHIPS: -", "+ - THEN OK")
    shift.press(Key.PLUS, Key.PLUS, Key.MINUS)
    assert shift.prompt == ("COUNT CHIPS: 1", "+ - THEN OK")
    shift.ok()
    assert shift.is_in(Phase.DEALING)
    assert shift.table.state.play.current.chips == 1


def test_641a_8b_without_progressive_wagers_nothing_is_counted() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, aces_up=500)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.DEALING)


def test_641a_8b_no_card_leaves_before_the_count() -> None:
    shift = locked(method="auto_shoe")
    assert not shift.said(Dispense)
    shift.press(Key.PLUS, Key.OK)
    assert shift.prompt == ("CHIPS TO TRAY", "THEN OK")
    assert not shift.said(Dispense)
    shift.ok()
    assert shift.said(Dispense)


def test_641a_8b_back_clears_the_count_and_less_than_none_is_not_counted() -> None:
    shift = locked()
    shift.press(Key.BACK)
    assert shift.why == "BACK: nothing is counted yet"
    shift.press(Key.MINUS)
    assert shift.prompt[0] == "COUNT CHIPS: -"
    shift.press(Key.PLUS, Key.PLUS, Key.BACK)
    assert shift.prompt[0] == "COUNT CHIPS: -"


@pytest.mark.parametrize("key", [Key.ONE, Key.TWO, Key.THREE, Key.FOLD, Key.LEFT, Key.RIGHT])
def test_641a_8b_only_the_count_keys_count(key: Key) -> None:
    shift = locked()
    shift.press(Key.PLUS, Key.PLUS, key)
    assert shift.why == f"{key} means nothing now"
    assert shift.prompt[0] == "COUNT CHIPS: 2"


def test_641a_8b_a_mismatch_waits_for_the_floor() -> None:
    shift = locked()
    shift.count_chips(0)
    assert (shift.phase, shift.prompt) == (
        Phase.CHIP_MISMATCH,
        ("0 CHIPS: NOT EQUAL", "FLOOR: CHIP MISMATCH"),
    )
    shift.ok()
    assert shift.why == "OK means nothing now"


def test_641a_8b_a_miscount_may_be_counted_again_and_stays_in_the_record() -> None:
    shift = locked()
    shift.press(Key.PLUS, Key.PLUS, Key.OK)
    shift.press(Key.BACK)
    assert shift.is_in(Phase.COUNTING_CHIPS)
    shift.count_chips()
    assert shift.is_in(Phase.DEALING)
    assert [note.words for note in shift.table.state.play.current.notes if "chips" in note.words] == [
        "2 chips for 1 wagers"
    ]


def test_641a_8b_the_floor_strikes_a_wager_without_a_chip_and_its_share_of_the_meter() -> None:
    shift = locked()
    shift.count_chips(0)
    fed = shift.table.rooms.shares.meters()["prog4"]["main"]
    shift.mark()
    shift.floor("CHIP MISMATCH", "2 prog4 down")
    assert shift.is_in(Phase.DEALING)
    assert shift.table.state.play.current.bets[2] == {"ante": 1000}
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == fed - 29
    assert shift.table.state.books.ledger.moved["prog4.main"][CORRECTION] == -2900
    assert [(each.seat, each.wager, each.why) for each in shift.said(RefuseWager)] == [
        (2, "prog4", "no chip for it")
    ]
    assert not shift.said(ReturnWager)


def test_641a_8b_the_floor_adds_a_wager_that_the_system_did_not_accept() -> None:
    shift = locked()
    shift.press(Key.PLUS, Key.PLUS, Key.OK)
    fed = shift.table.rooms.shares.meters()["prog4"]["main"]
    shift.floor("CHIP MISMATCH", "5 prog4 up", person="f7")
    assert shift.is_in(Phase.DEALING)
    assert shift.table.state.play.current.bets[5] == {"ante": 1000, "prog4": 100}
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == fed + 29
    assert [
        (note.words, note.by) for note in shift.table.state.play.current.notes if "by the floor" in note.words
    ] == [("seat 5 prog4 up by the floor", "f7")]


def test_641a_8b_a_chip_too_many_that_was_no_wager_goes_back() -> None:
    shift = locked()
    shift.press(Key.PLUS, Key.PLUS, Key.OK)
    fed = shift.table.rooms.shares.meters()
    shift.mark()
    shift.floor("CHIP MISMATCH", "5 prog4 back")
    assert shift.is_in(Phase.DEALING)
    assert shift.table.state.play.current.bets[5] == {"ante": 1000}
    assert shift.table.rooms.shares.meters() == fed
    assert [(each.seat, each.why) for each in shift.said(RefuseWager)] == [(5, "no wager")]


def test_641a_8b_the_deal_waits_until_the_last_chip_is_explained() -> None:
    shift = locked()
    shift.press(Key.PLUS, Key.PLUS, Key.PLUS, Key.OK)
    shift.floor("CHIP MISMATCH", "5 prog4 up")
    assert shift.is_in(Phase.CHIP_MISMATCH)
    shift.floor("CHIP MISMATCH", "2 prog5 up")
    assert shift.is_in(Phase.DEALING)


def test_641a_8b_only_what_can_be_is_offered() -> None:
    shift = locked()
    shift.count_chips(0)
    for value in ("2 prog4 up", "5 prog4 down", "5 prog4 back", "3 prog4 up", "5 aces_up up"):
        with pytest.raises(NotOfferedError):
            shift.floor("CHIP MISMATCH", value)


def test_641a_8b_the_dealer_cannot_resolve_a_mismatch() -> None:
    shift = locked()
    shift.count_chips(0)
    with pytest.raises(NotOfferedError):
        shift.menu("CHIP MISMATCH")


def test_641a_8b_only_the_struck_wagers_share_is_taken_back() -> None:
    shift = Shift()
    shift.open_table()
    before = shift.table.rooms.shares.meters()
    shift.bet(2, ante=1000, prog4=100, prog5=100)
    shift.bet(5, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    shift.press(Key.PLUS, Key.PLUS, Key.OK)
    shift.floor("CHIP MISMATCH", "2 prog4 down")
    after = shift.table.rooms.shares.meters()
    assert after["prog4"]["main"] == before["prog4"]["main"] + 29
    assert after["prog5"]["main"] == before["prog5"]["main"] + 21


def test_641a_8b_the_floor_chooses_among_the_progressive_wagers_on_offer_alone() -> None:
    shift = locked(offers=frozenset({"prog4", "aces_up"}))
    shift.count_chips(0)
    assert shift.table.rooms.chip_count.chip_fixes() == ["2 prog4 down", "5 prog4 up"]
