"""The books of a wagering system: what it says twice, out of its turn, or of what it does not have."""

from dataclasses import replace
from typing import Any

import pytest

from sabot.drivers.sabot_accounts.books import FAULT_WORDS, LIFTS, AccountBooks, pack_stakes
from sabot.drivers.sabot_accounts.draws import Draws, seal_of
from sabot.drivers.sabot_link import account_messages as a
from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link.books import LinkBooks
from sabot.statemachine.vocabulary.events import (
    AccountCredited,
    AccountWager,
    DeviceFaulted,
    DeviceRetested,
    DrawMade,
    Event,
)

SALT = bytes(16)
TOLD = m.IdentityTold(1, 1, 1, 7, bytes(32), bytes(32), bytes(32), "maker", "model", "serial", "firmware")
STANDING = {
    "phase": 0,
    "round": 6,
    "placed": 0,
    "cents": 0,
    "credits": 4,
    "total": 900,
    "draw": 9,
    "fault": 0,
}


def books() -> AccountBooks:
    """The books of two stations, which have been counted."""
    found = AccountBooks(name="accounts", wagers=("one", "two"), seats=2)
    assert found.begun(standing(), 1.0) == []
    found.counted(a.StakesTold(2, 0, b""), 1.0)
    return found


def standing(**changed: int) -> a.Standing:
    return a.Standing(command=1, kept=0, time=0, **{**STANDING, "stations": 2, "wagers": 2, **changed})


def asked(ticket: int = 1, seat: int = 1, wager: int = 1, account: int = 7) -> a.WagerAsked:
    return a.WagerAsked(1, 1, ticket, seat, wager, 500, account)


def in_round() -> AccountBooks:
    """Round 7 is told, with one stake of $5."""
    found = books()
    list(found.told(asked()))
    assert found.answered((1, 1), 1, accepted=True)
    found.take(a.TakeStakesMessage(7, pack_stakes([(1, 1, 500)])))
    return found


def why(events: Any) -> list[str]:
    """The complaints among these."""
    return [each.detail for each in events if isinstance(each, DeviceFaulted)]


def test_what_was_asked_before_the_system_counted_is_void() -> None:
    found = AccountBooks(name="accounts", wagers=("one",), seats=1)
    assert found.told(asked()) == []
    assert not found.answered((1, 1), 1, accepted=True)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (asked(2, seat=3), "a wager at station 3, wager 1, which it does not have"),
        (asked(2, wager=3), "a wager at station 1, wager 3, which it does not have"),
        (asked(1, seat=2), "ticket 1 after 1"),
        (asked(2), "station 1 asks again before it was answered"),
        (asked(2, wager=2, account=8), "station 1 asks for another account than that of its wagers"),
    ],
)
def test_a_wager_that_cannot_be_is_a_contradiction(second: a.WagerAsked, words: str) -> None:
    found = books()
    (first,) = found.told(asked())
    assert isinstance(first, AccountWager)
    assert why(found.told(second)) == [words]


def test_fewer_stations_than_the_table_has_seats_is_a_fault() -> None:
    found = AccountBooks(name="accounts", wagers=("one", "two"), seats=2)
    assert why(found.begun(standing(stations=1), 1.0)) == ["it has 1 stations of 2"]
    assert why(found.begun(standing(stations=9, wagers=1), 1.0)) == ["it has 9 stations of 1"]


def test_a_sum_that_changed_while_nobody_listened_is_a_contradiction() -> None:
    found = books()
    assert why(found.begun(standing(total=1000), 2.0)) == ["it credited 1000 cents in all, not 900"]


def test_a_test_that_stays_bad_says_which_fault_remains_and_what_lifts_it() -> None:
    found = books()
    found.begun(standing(fault=21), 2.0)
    (told,) = found.told(m.Retested(2, 0, 0, 0))
    assert isinstance(told, DeviceRetested)
    assert not told.good
    assert told.detail == (
        "the accounts are not reached (let the accounts be reached again, then test again)"
    )
    (told,) = found.told(m.Retested(3, 0, 0, 1))
    assert isinstance(told, DeviceRetested)
    assert (told.good, told.detail) == (True, "")
    assert LIFTS.keys() == FAULT_WORDS.keys()


def test_a_fault_that_stands_is_told_once() -> None:
    found = books()
    assert why(found.begun(standing(fault=21), 2.0)) == ["the accounts are not reached"]
    assert found.begun(standing(fault=21), 3.0) == []
    assert why(found.begun(standing(fault=99), 3.0)) == ["its fault 99"]


def test_a_wager_where_there_is_no_station_does_not_stand() -> None:
    found = books()
    told = a.StakesTold(2, 0, bytes([9, 1]) + (500).to_bytes(4, "big") + bytes(4))
    assert why(found.counted(told, 2.0)) == ["a wager stands where it has no station"]


def test_stakes_of_a_round_that_nobody_told_are_a_contradiction() -> None:
    assert why(books().told(a.StakesTaken(1, 1, 7, 0, 0, 0))) == ["it took in round 7, which it was not told"]


def test_draws_that_were_told_and_not_sealed_are_a_contradiction() -> None:
    found = in_round()
    assert why(found.told(a.StakesTaken(1, 1, 7, 1, 500, 2))) == ["0 draws are sealed, it says 2"]


def sealed(draw: int = 10, value: int = 31, round_: int = 7) -> a.DrawSealedMessage:
    return a.DrawSealedMessage(1, 1, draw, round_, seal_of(draw, round_, a.MAGIC_CARD, value, SALT))


def test_a_draw_comes_in_its_turn_for_its_round_and_under_one_seal() -> None:
    found = in_round()
    assert why(found.told(sealed(round_=6))) == ["draw 10 is for round 6, under way is 7"]
    assert why(found.told(sealed(11))) == ["draw 11 comes where 10 is the next"]
    assert why(found.told(sealed())) == []
    assert why(found.told(sealed())) == []
    assert why(found.told(sealed(value=30))) == ["draw 10 has another seal than before"]


def test_a_draw_is_opened_once_when_it_was_ordered() -> None:
    found = in_round()
    told = sealed()
    list(found.told(told))
    opened = a.DrawOpened(2, 2, 10, 7, a.MAGIC_CARD, 31, SALT)
    assert why(found.told(opened)) == ["draw 10 was opened and not ordered"]
    found.draws.ordered({10: told.seal.hex()})
    (made,) = found.told(opened)
    assert isinstance(made, DrawMade)
    assert (made.draw, made.magic_card) == (10, 31)
    assert list(found.told(opened)) == []
    other = a.DrawOpened(3, 3, 10, 7, a.MAGIC_CARD, 30, SALT)
    assert why(found.told(other)) == ["draw 10 is opened a second time, as another"]


def credited(**changed: int) -> a.Credited:
    values = {"number": 5, "round": 7, "cents": 100, "account": 7, "total": 1000, "again": 0, **changed}
    return a.Credited(1, 1, *values.values())


def test_a_credit_is_believed_once_and_as_it_was_ordered() -> None:
    found = in_round()
    order = a.Credit(5, 7, 1, 1, a.WINNINGS, 100, "")
    found.orders[5] = order
    for wrong in ({"round": 6}, {"cents": 101}, {"account": 8}):
        assert why(found.told(credited(**wrong))) == ["credit 5 is not as it was ordered"]
    assert why(found.told(credited(total=1100))) == ["it credited 1100 cents in all, not 1000"]
    assert not found.is_met(order)
    (event,) = found.told(credited())
    assert isinstance(event, AccountCredited)
    assert found.is_met(order)
    assert list(found.told(credited(again=1))) == []
    assert why(found.told(credited())) == ["it credited 100 cents under 5, which nobody ordered now"]
    assert why(found.told(credited(number=9, total=0))) == [
        "it credited 100 cents under 9, which nobody ordered now"
    ]


def test_a_host_that_knows_nothing_yet_takes_the_sum_as_it_is() -> None:
    found = AccountBooks(name="accounts", wagers=("one",), seats=1)
    found.orders[5] = a.Credit(5, 7, 1, 1, a.WINNINGS, 100, "")
    events: list[Event] = list(found.told(credited(total=123_456, again=1)))
    assert [type(each) for each in events] == [AccountCredited]


def test_what_the_system_has_no_number_for_is_no_spot() -> None:
    found = books()
    assert found.spot_of(1, "two:magic_card") == (1, 2)
    assert found.spot_of(3, "two") is None
    assert found.spot_of(1, "three") is None


def test_draws_that_are_ordered_are_known_by_their_seals() -> None:
    draws = Draws()
    draws.ordered({3: "ab" * 32})
    assert draws.count == 1
    assert draws.waits

    told = a.DrawSealedMessage(1, 1, 3, draws.round, bytes.fromhex("ab" * 32))
    assert draws.sealed(told) == ""
    assert "another seal" in draws.sealed(replace(told, seal=bytes(32)))


def test_books_that_heard_of_no_device_begin_with_its_first_word() -> None:
    """A host that starts beside a device that has been up knows nothing of what was before."""
    found = LinkBooks(name="shoe")
    assert (found.capabilities, found.boot, found.last_event, found.fault) == (0, 0, 0, 0)
    found.connected(TOLD)
    assert not found.is_from_first
    found.connected(replace(TOLD, boot=TOLD.boot + 1))
    assert found.is_from_first


def test_whose_stakes_stand_is_forgotten_when_bets_open_again() -> None:
    found = in_round()
    found.holders[1, 1] = 7

    found.is_over()

    assert found.holders == {}
    found.holders[2, 1] = 8
    found.is_over()
    assert found.holders, "no round was under way"
