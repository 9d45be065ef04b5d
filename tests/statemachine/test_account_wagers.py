"""641a.7(c), (d)(7), 8(b), 2(d): a Five Card Hand Bonus Wager on a game account, from making it to the lock."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import RefuseWager, ReturnWager
from sabot.statemachine.vocabulary.events import Key, LinkLost, Resumed

from .shift import Shift

PLAYER, DEALER = "hand_bonus_player", "hand_bonus_dealer"


def opened(**changes: Any) -> Shift:
    """A table with an Ante at seat 2."""
    shift = Shift(**changes)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.mark()
    return shift


def notes(shift: Shift) -> list[str]:
    """All that stands in the record so far."""
    state = shift.table.state
    return [note.words for note in (state.play.round.notes if state.play.round else state.books.notes)]


@pytest.mark.parametrize(
    ("method", "cite"),
    [("manual_shoe", "641a.8(b)"), ("hand", "641a.9(a)(3)"), ("auto_shoe", "641a.10(a)(2)")],
)
def test_641a_7c_8b_from_no_more_bets_on_no_account_wager_is_taken(method: str, cite: str) -> None:
    shift = opened(method=method)
    before = shift.table.rooms.shares.meters()
    shift.press(Key.LOCK)
    shift.account(2, hand_bonus_dealer=1000)
    (refused,) = shift.said(RefuseWager)
    assert (refused.seat, refused.wager, refused.why) == (2, DEALER, "after no more bets")
    assert refused.cite == f"641a.7(c), {cite}"
    assert shift.table.state.play.current.bets == {2: {"ante": 1000}}
    assert shift.table.rooms.shares.meters() == before
    assert f"seat 2 {DEALER} of 1000 refused: after no more bets" in notes(shift)


def test_641a_7c_while_chips_are_counted_an_account_wager_is_late_too() -> None:
    shift = opened()
    shift.bet(2, prog4=100)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.COUNTING_CHIPS)
    shift.account(2, hand_bonus_dealer=1000)
    assert DEALER not in shift.table.state.play.current.bets[2]


def test_641a_7c_after_no_more_bets_an_account_wager_is_not_withdrawn() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=300)
    shift.press(Key.LOCK)
    shift.account(2, hand_bonus_player=0)
    assert shift.table.state.play.current.bets[2][PLAYER] == 300
    assert f"seat 2 {PLAYER} of 0 refused: after no more bets" in notes(shift)


@pytest.mark.parametrize(
    ("cents", "why"),
    [
        (499, "under the minimum of 500 cents"),
        (5001, "over the maximum of 5000 cents"),
        (500, ""),
        (5000, ""),
    ],
)
def test_641a_7d7_the_limits_hold_when_an_account_wager_is_made(cents: int, why: str) -> None:
    shift = opened(limits={PLAYER: (500, 5000)})
    shift.account(2, hand_bonus_player=cents)
    assert [each.why for each in shift.said(RefuseWager)] == ([why] if why else [])
    assert (PLAYER in shift.table.state.layout.bets[2]) == (not why)
    assert (f"seat 2 {PLAYER} of {cents} refused: {why}" in notes(shift)) == bool(why)


def test_641a_7d7_a_changed_account_wager_out_of_the_limits_leaves_the_one_that_stands() -> None:
    shift = opened(limits={PLAYER: (500, 5000)})
    shift.account(2, hand_bonus_player=600)
    shift.account(2, hand_bonus_player=9000)
    assert shift.table.state.layout.bets[2][PLAYER] == 600


def test_641a_7d7_without_an_ante_an_account_wager_is_refused_and_noted() -> None:
    shift = opened()
    shift.account(3, hand_bonus_player=300)
    assert [each.why for each in shift.said(RefuseWager)] == ["needs ante (641a.7(d)(7))"]
    assert 3 not in shift.table.state.layout.bets
    assert f"seat 3 {PLAYER} of 300 refused: needs ante (641a.7(d)(7))" in notes(shift)


def test_641a_7d7_an_account_wager_whose_ante_was_lifted_may_be_withdrawn() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=300)
    shift.bet(2, ante=0)
    shift.account(2, hand_bonus_player=0)
    assert (shift.why, shift.said(RefuseWager)) == ("", [])
    assert shift.table.state.layout.bets == {}


def test_641a_7d7_an_account_wager_never_plays_for_the_next_person_at_the_seat() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=300)
    shift.bet(2, ante=0)
    shift.bet(2, ante=2500)
    (back,) = shift.said(ReturnWager)
    assert (back.seat, back.wager, back.cents, back.account) == (2, PLAYER, 300, True)
    assert [each.wager for each in shift.said(RefuseWager)] == [PLAYER]
    assert shift.table.state.layout.bets == {2: {"ante": 2500}}
    assert f"seat 2 {PLAYER} of 300 went back: its Ante was lifted" in notes(shift)


def test_641a_7d7_an_ante_that_grows_keeps_its_account_wager() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=300)
    shift.bet(2, ante=2500, aces_up=500)
    assert shift.table.state.layout.bets == {2: {"ante": 2500, PLAYER: 300, "aces_up": 500}}
    assert not shift.said(ReturnWager)


def test_641a_7d7_after_a_restart_whoever_lays_an_ante_may_be_another() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=300)
    shift.send(Resumed, down_s=60.0)
    shift.bet(2, ante=1000)
    assert [(each.wager, each.account) for each in shift.said(ReturnWager)] == [(PLAYER, True)]
    assert shift.table.state.layout.bets == {2: {"ante": 1000}}


def test_641a_7c_while_the_table_is_held_an_account_wager_is_refused_and_may_be_withdrawn() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=300)
    shift.send(LinkLost, device="sign", reason="silent")
    shift.account(2, hand_bonus_dealer=300)
    assert [(each.wager, each.why) for each in shift.said(RefuseWager)] == [(DEALER, "bets are not open")]
    shift.account(2, hand_bonus_player=0)
    assert shift.table.state.layout.bets == {2: {"ante": 1000}}


def test_641a_7d7_nothing_is_not_withdrawn_and_less_than_nothing_not_made() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=0)
    assert shift.why == "Five Card Hand Bonus, player's hand at seat 2: nothing to take back"
    shift.account(2, hand_bonus_player=-300)
    assert shift.why == "a wager of less than nothing"
    shift.account(9, hand_bonus_player=300)
    assert shift.why == "there is no seat 9"
