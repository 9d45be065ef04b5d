"""The six kinds of payout, as printed and in cents, and the rule for fractions of a cent (reading P13)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.payouts import PayKind, Payout, dollars, grouped, parse_payout

KINDS = {
    "9 to 1": (PayKind.TO, True),
    "3 to 2": (PayKind.TO, True),
    "200,000 to 1": (PayKind.TO, True),
    "300 for 1": (PayKind.FOR, False),
    "100% of meter": (PayKind.METER, False),
    "10% of mega": (PayKind.METER, False),
    "$1,000,000": (PayKind.FIXED, True),
    "push": (PayKind.PUSH, True),
    "loss": (PayKind.LOSS, False),
}


def read(text: str) -> Payout:
    payout = parse_payout(text)
    assert payout is not None
    return payout


@pytest.mark.parametrize("text", KINDS)
def test_each_kind_is_printed_as_it_was_read(text: str) -> None:
    payout = read(text)
    assert payout.text == text
    assert payout.odds == text.replace(",", "")
    assert (payout.kind, payout.keeps_stake) == KINDS[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9",
        "9 to",
        "9 to 0",
        "9 for 0",
        "to 1",
        "9 at 1",
        "-1 to 1",
        "5%",
        "5% of",
        "% of meter",
        "$",
        "$1000",
        "$1,00",
        "$-5",
        "Push",
        "nine to 1",
        "1.5 to 1",
    ],
)
def test_anything_else_is_no_payout(text: str) -> None:
    assert parse_payout(text) is None


def test_levels_of_meters() -> None:
    assert (read("100% of meter").level, read("10% of minor").level) == ("main", "minor")
    assert (read("10% of minor").rate, read("100% of meter").rate) == (Fraction(1, 10), Fraction(1))


@pytest.mark.parametrize(
    ("text", "stake", "cents"),
    [
        ("9 to 1", 500, 4_500),
        ("9 for 1", 500, 4_500),
        ("3 to 2", 500, 750),
        ("3 to 2", 501, 751),
        ("3 to 2", 1, 1),
        ("$100,000", 1, 10_000_000),
    ],
)
def test_what_a_stake_wins_besides_itself(text: str, stake: int, cents: int) -> None:
    assert read(text).of_stake(stake) == cents


@given(stake=st.integers(1, 10**9), number=st.integers(0, 10**6), per=st.integers(1, 9))
def test_p13_less_than_a_cent_is_dropped_and_never_more(stake: int, number: int, per: int) -> None:
    exact = Fraction(stake * number, per)
    paid = Payout(PayKind.TO, Fraction(number, per)).of_stake(stake)
    assert 0 <= exact - paid < 1


def test_money_for_people() -> None:
    texts = [dollars(cents) for cents in (0, 5, 500, 525, 123_456_700, -525)]
    assert texts == ["$0", "$0.05", "$5", "$5.25", "$1,234,567", "-$5.25"]
    assert grouped(200_000) == "200,000"
