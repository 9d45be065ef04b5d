"""641a.2(d), 11(c)(7)(iii), 12(g)(3): what the table tells a wagering system, and what it believes of it."""

from __future__ import annotations

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import (
    AcceptWager,
    CreditAccount,
    OpenDraws,
    OweAccounts,
    Owed,
    RefuseWager,
    ReturnWager,
    TakeStakes,
)
from sabot.statemachine.vocabulary.events import (
    AccountCredited,
    AccountsRead,
    AccountWager,
    DrawMade,
    DrawSealed,
    Key,
    LinkLost,
    LinkRestored,
    Resumed,
)

from .shift import Shift

PLAYER, DEALER = "hand_bonus_player", "hand_bonus_dealer"
FULL_HOUSE = "2c 2s 2h 8d 8h"
SEAL, OTHER = "5e" * 32, "0f" * 32
CREDITED_BY = "641a.11(c)(7), 641a.12(g)"


def opened() -> Shift:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    return shift


def locked() -> Shift:
    shift = opened()
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    return shift


def dealt(shift: Shift) -> Shift:
    shift.deal(seat2=FULL_HOUSE, dealer="3s 5h 7d 9c Jd Qh")
    return shift


def won() -> Shift:
    """A round in which the hand bonus of seat 2 won, settled."""
    shift = dealt(locked())
    shift.reveal()
    shift.settle_all()
    return shift


def heard_again(shift: Shift) -> None:
    shift.send(LinkRestored, device="accounts")
    shift.floor("RELEASE")


# ---------------------------------------------------------------- the answer to a station


def test_641a_7d7_a_wager_that_is_accepted_is_acknowledged_with_its_ticket() -> None:
    shift = opened()
    shift.send(AccountWager, seat=2, wager=PLAYER, cents=100, ticket=7, account="a1")
    (said,) = shift.said(AcceptWager)
    assert (said.seat, said.wager, said.cents, said.ticket) == (2, PLAYER, 100, 7)
    assert said.cite == "641a.7(d)(7)"
    shift.mark()
    shift.send(AccountWager, seat=2, wager=PLAYER, cents=0, ticket=8, account="a1")
    assert [(each.cents, each.ticket) for each in shift.said(AcceptWager)] == [(0, 8)]
    assert shift.table.state.layout.bets == {2: {"ante": 1000}}


@pytest.mark.parametrize(
    ("seat", "cents", "why"), [(3, 100, "needs ante (641a.7(d)(7))"), (2, 0, "nothing to take back")]
)
def test_641a_7d7_a_wager_that_is_not_taken_is_answered_with_its_ticket(
    seat: int, cents: int, why: str
) -> None:
    shift = opened()
    shift.send(AccountWager, seat=seat, wager=PLAYER, cents=cents, ticket=9)
    (said,) = shift.said(RefuseWager)
    assert (said.ticket, said.why) == (9, why)
    assert not shift.said(AcceptWager)


def test_641a_7d7_a_station_that_asks_for_what_is_not_offered_gets_its_answer() -> None:
    shift = Shift(offers=frozenset({"aces_up", PLAYER}))
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.send(AccountWager, seat=2, wager=DEALER, cents=100, ticket=9)
    (said,) = shift.said(RefuseWager)
    assert (said.ticket, said.why) == (9, "not offered here")
    shift.send(AccountWager, seat=2, wager=DEALER, cents=100)
    assert shift.why == "hand_bonus_dealer is not offered on an account"


def test_641a_7c_a_wager_after_the_lock_is_refused_with_its_ticket() -> None:
    shift = locked()
    shift.mark()
    shift.send(AccountWager, seat=2, wager=DEALER, cents=100, ticket=9)
    (said,) = shift.said(RefuseWager)
    assert (said.ticket, said.why) == (9, "after no more bets")


# ---------------------------------------------------------------- what is in the round


def test_641a_8b_the_lock_tells_the_stakes_of_the_round_whole() -> None:
    shift = opened()
    shift.bet(4, ante=1000)
    shift.account(4, hand_bonus_dealer=300)
    shift.account(2, hand_bonus_player=100, hand_bonus_dealer=200)
    shift.mark()
    shift.lock()
    (told,) = shift.said(TakeStakes)
    assert told.stakes == ((2, DEALER, 200), (2, PLAYER, 100), (4, DEALER, 300))
    assert (told.number, told.cite) == (1, "641a.8(b)")


def test_641a_8b_what_does_not_stand_at_the_lock_is_not_taken_in() -> None:
    shift = opened()
    shift.bet(3, ante=1000)
    shift.account(3, hand_bonus_player=100)
    shift.bet(3, ante=0)
    shift.lock()
    (told,) = shift.said(TakeStakes)
    assert told.stakes == ()
    assert [(each.seat, each.ticket) for each in shift.said(RefuseWager, wager=PLAYER)] == [(3, 0)]
    assert not shift.table.state.books.owed  # what was never taken in is not owed


def test_x_a_table_that_offers_no_wager_on_accounts_tells_a_wagering_system_nothing() -> None:
    shift = Shift("md4cp")
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    assert not shift.said(TakeStakes)


def test_x_after_a_restart_within_the_round_its_stakes_are_told_again() -> None:
    shift = locked()
    shift.mark()
    shift.send(Resumed, down_s=3.0)
    assert [each.stakes for each in shift.said(TakeStakes)] == [((2, PLAYER, 100),)]


def test_x_a_system_that_has_other_stakes_than_the_round_holds_the_table() -> None:
    shift = locked()
    shift.send(AccountsRead, device="accounts", round=1, stakes=((2, PLAYER, 100),))
    assert shift.table.rooms.faults.held is None
    shift.send(AccountsRead, device="accounts", round=0, stakes=())  # it is to be told of the round yet
    assert shift.table.rooms.faults.held is None
    shift.send(AccountsRead, device="accounts", round=1, stakes=((2, PLAYER, 200),))
    held = shift.table.rooms.faults.held
    assert held is not None
    assert (held.kind, held.device, held.why) == (
        "contradiction",
        "accounts",
        "it has other stakes than the round",
    )


def test_x_before_the_lock_the_table_goes_by_what_stands_in_the_system() -> None:
    shift = opened()
    shift.bet(3, ante=1000)
    shift.bet(4, ante=1000)
    shift.account(2, hand_bonus_player=100, hand_bonus_dealer=100)
    shift.account(3, hand_bonus_player=100)
    shift.mark()
    shift.send(
        AccountsRead,
        device="accounts",
        round=0,
        stakes=((2, DEALER, 300), (2, PLAYER, 100), (4, PLAYER, 100)),
    )
    assert shift.table.state.layout.bets == {
        2: {"ante": 1000, PLAYER: 100, DEALER: 300},
        3: {"ante": 1000},
        4: {"ante": 1000},
    }
    assert [(each.seat, each.ticket) for each in shift.said(RefuseWager)] == [(4, 0)]
    assert "seat 3 hand_bonus_player: 0 in the wagering system" in [
        note.words for note in shift.table.state.books.notes
    ]


def test_x_a_seat_that_has_nothing_left_has_no_wagers() -> None:
    shift = opened()
    shift.account(2, hand_bonus_player=100)
    shift.bet(2, ante=0)
    shift.send(AccountsRead, device="accounts", round=0, stakes=())
    assert shift.table.state.layout.bets == {}


# ---------------------------------------------------------------- credits


def test_641a_11c7iii_a_win_is_owed_under_a_number_with_round_and_paragraph() -> None:
    shift = won()
    (credit,) = shift.said(CreditAccount)
    (told,) = shift.said(OweAccounts)
    assert told.owed == (Owed(1, 1, 2, PLAYER, credit.cents, is_stake=False, cite=credit.cite),)
    assert credit.cite == CREDITED_BY


def test_641a_11c7iii_a_credit_that_was_confirmed_is_owed_no_more_and_stands_in_the_record() -> None:
    shift = won()
    (owed,) = shift.table.state.books.owed
    shift.send(AccountCredited, device="accounts", number=1, cents=owed.cents, account="a1")
    assert shift.table.state.books.owed == []
    assert "owed" not in shift.table.rooms.last_told.effects
    shift.next_round()
    words = f"credit 1: {owed.cents} cents of round 1 to the account of seat 2 a1"
    assert words in [note.words for note in shift.record.notes]


@pytest.mark.parametrize(("number", "cents"), [(1, 1), (2, 10_000)])
def test_x_a_credit_that_is_not_owed_holds_the_table(number: int, cents: int) -> None:
    shift = won()
    shift.send(AccountCredited, device="accounts", number=number, cents=cents)
    held = shift.table.rooms.faults.held
    assert held is not None
    assert (held.kind, held.device) == ("contradiction", "accounts")
    assert held.why == f"credit {number} of {cents} cents is not owed"
    assert len(shift.table.state.books.owed) == 1


def test_x_a_system_that_credits_twice_holds_the_table() -> None:
    shift = won()
    (owed,) = shift.table.state.books.owed
    shift.send(AccountCredited, device="accounts", number=1, cents=owed.cents)
    assert shift.table.rooms.faults.held is None
    shift.send(AccountCredited, device="accounts", number=1, cents=owed.cents)
    assert shift.table.rooms.faults.held is not None


def test_x_after_a_restart_what_is_not_confirmed_is_told_again_under_the_same_number() -> None:
    shift = won()
    (told,) = shift.said(OweAccounts)
    shift.mark()
    shift.send(Resumed, down_s=3.0)
    assert [each.owed for each in shift.said(OweAccounts)] == [told.owed]
    assert not shift.said(CreditAccount)


def test_641a_13_in_a_void_round_the_stake_is_owed_to_the_account() -> None:
    shift = dealt(locked())
    shift.wrong_number()
    assert shift.said(ReturnWager, wager=PLAYER)
    (owed,) = shift.table.state.books.owed
    assert (owed.seat, owed.wager, owed.cents, owed.is_stake) == (2, PLAYER, 100, True)


# ---------------------------------------------------------------- draws


def test_641a_12g3_a_draw_is_sealed_until_all_have_decided() -> None:
    shift = locked()
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)  # told again after a lost link
    dealt(shift)
    assert not shift.said(OpenDraws)
    shift.answer_all()
    assert shift.is_in(Phase.TURNING)
    (due,) = shift.said(OpenDraws)
    assert (due.draws, due.cite) == (((12, SEAL),), "641a.12(g)(3)")
    assert shift.prompt == ("WAIT FOR THE DRAW", "GAME SYSTEM OPENS IT")
    shift.press(Key.OK)
    assert shift.why == "draw 12 is sealed yet"
    assert shift.is_in(Phase.TURNING)
    shift.send(DrawMade, source="accounts", draw=12, magic_card=0)
    assert shift.prompt[0] == "REVEAL DEALER"
    shift.press(Key.OK)
    shift.settle_all()
    assert tuple(each.cents for each in shift.said(CreditAccount) if each.wager.endswith("magic_card")) == (
        2000,
    )
    shift.next_round()
    assert f"draw 12 sealed: {SEAL}" in [note.words for note in shift.record.notes]


def test_641a_12g3_a_draw_that_was_not_sealed_for_the_round_is_none() -> None:
    shift = locked()
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    shift.send(DrawMade, draw=11, magic_card=0)
    assert shift.why == "draw 11 was not sealed for this round"
    assert shift.table.state.play.current.magic_card is None


def test_641a_12g3_a_draw_under_another_seal_than_before_holds_the_table() -> None:
    shift = locked()
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    shift.send(DrawSealed, device="accounts", draw=12, seal=OTHER)
    held = shift.table.rooms.faults.held
    assert held is not None
    assert held.why == "draw 12 has another seal than before"


def test_641a_12g3_no_draw_is_sealed_outside_a_round_or_after_the_reveal() -> None:
    shift = opened()
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    assert shift.why == "a draw belongs to a round that is not yet settled"
    other = Shift("md4cp")
    other.open_table()
    other.bet(2, ante=1000)
    other.lock()
    other.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    assert other.why == "md4cp has no draws"


def test_641a_12g3_where_no_wager_on_an_account_is_offered_no_draw_is_waited_for() -> None:
    """Found by a random shift: nobody ordered it open, and the round waited for it for ever."""
    shift = Shift(offers=frozenset({"aces_up"}))
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    assert shift.why == "no wager on a game account is offered here"
    dealt(shift)
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)


def test_x_while_the_table_is_held_no_draw_is_opened_and_after_it_is_due_again() -> None:
    shift = locked()
    shift.send(DrawSealed, device="accounts", draw=12, seal=SEAL)
    dealt(shift)
    shift.send(LinkLost, device="accounts", reason="silent")
    assert not shift.said(OpenDraws)
    heard_again(shift)
    shift.answer_all()
    assert len(shift.said(OpenDraws)) == 1
    shift.send(LinkLost, device="accounts", reason="silent")
    heard_again(shift)
    assert len(shift.said(OpenDraws)) == 2
