"""The order that is counted is the order by which a settlement compares hands."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.config import load_chapter
from sabot.rules.odds.hand_order import LiteralOrder, PokerOrder
from sabot.rules.odds.trial import Trial
from sabot.rules.rankings import PokerRanking
from sabot.rules.round import Options, Round, Seat
from sabot.rules.settlement import House
from sabot.rules.settlement.round_settlement import RoundSettlement
from tests.dealt import parse_all

deals = st.lists(st.integers(0, 51), min_size=11, max_size=11, unique=True)
# Few ranks, so that hands of one name meet often and straights from the ace up are dealt.
close_deals = st.lists(
    st.sampled_from([card for card in range(52) if card >> 2 in (0, 1, 2, 3, 4, 12)]),
    min_size=11,
    max_size=11,
    unique=True,
)


@cache
def house(tiebreak: str) -> House:
    return House(load_chapter("pa641a"), Options(readings={"tiebreak": tiebreak}))


def ranking() -> PokerRanking:
    contest = Trial(load_chapter("pa641a"), {}, {}).house.contest_ranking
    assert isinstance(contest, PokerRanking)
    return contest


def margin(tiebreak: str, own: list[int], dealer: list[int]) -> int:
    """What the settlement says of two hands: 1, 0 or -1."""
    seat = Seat(1, "p", {"ante": 100}, cards=tuple(own))
    round_ = Round("pa641a", house(tiebreak).options, (seat,), {"dealer": tuple(dealer)})
    found = RoundSettlement(house(tiebreak), round_).margin(seat)
    return (found > 0) - (found < 0)


def compared(order: PokerOrder | LiteralOrder, own: list[int], dealer: list[int]) -> int:
    """What the cuts of the order say: 1 where the dealer's key is below, 0 where it is level."""
    key = order.key(dealer)
    floor, ceiling = order.level(order.key(own))
    return 1 if key < floor else 0 if key < ceiling else -1


@given(st.one_of(deals, close_deals))
def test_641a_6c_hands_compare_as_the_settlement_compares_them(cards: list[int]) -> None:
    own, dealer = cards[:5], cards[5:]
    assert compared(PokerOrder(ranking()), own, dealer) == margin("poker", own, dealer)


@given(st.one_of(deals, close_deals))
def test_641a_6c_taken_literally_too(cards: list[int]) -> None:
    """R3."""
    own, dealer = cards[:5], cards[5:]
    assert compared(LiteralOrder(ranking()), own, dealer) == margin("highest_card", own, dealer)


@pytest.mark.parametrize(
    ("own", "dealer", "expected"),
    [
        ("As 2h 3d 4c 5s", "2s 3c 4d 5h 9d Jc", 1),  # level as poker is played, but one holds an ace
        ("2s 3c 4d 5h 9d", "As 2h 3h 4c 5s Jc", -1),
        ("As 2h 3d 4c 9s", "5s 6c 7d 8h Jd Qc", 1),  # with the ace it is the higher, to the letter
        ("3s 3h Ad 7c 5s", "9s 9h Kd Jc 2d 4h", 1),
        ("As 2h 3d 4c 5s", "2s 3c 4d 5h 6d Ac", 0),  # the same highest cards, another top
    ],
)
def test_641a_6c_straights_from_the_ace_up_under_the_literal_reading(
    own: str, dealer: str, expected: int
) -> None:
    cards = list(parse_all(own)), list(parse_all(dealer))
    assert margin("highest_card", *cards) == expected
    assert compared(LiteralOrder(ranking()), *cards) == expected
