from __future__ import annotations

from fractions import Fraction

import pytest

from sabot.rules.odds.stated_holds import Stated, verdict

RANGE = Stated("125-204", "1.11", "6.6")


def pct(*texts: str) -> list[Fraction]:
    return [Fraction(text) for text in texts]


@pytest.mark.parametrize(
    ("hold", "agrees"),
    [("1.106", True), ("1.104", False), ("6.6499", True), ("6.651", False), ("3", True), ("-1", False)],
)
def test_a_figure_agrees_when_it_rounds_into_the_range(hold: str, agrees: bool) -> None:
    assert RANGE.agrees(Fraction(hold)) is agrees


def test_an_end_is_met_by_a_figure_that_rounds_to_it() -> None:
    assert RANGE.ends_met(pct("1.1061", "4")) == (True, False)
    assert RANGE.ends_met(pct("6.61", "1.12")) == (False, True)


def test_the_range_for_people() -> None:
    assert RANGE.text == "1.11 to 6.6 %"
    assert (
        Stated("125-204", "2.13", "2.63", of_total_wagered=True).text
        == "2.13 to 2.63 % of all that is wagered"
    )


def test_a_range_that_follows_from_the_default_needs_no_words() -> None:
    assert verdict(RANGE, {"default": pct("1.11", "6.6"), "other=x": pct("50", "60")}) is None


def test_a_range_that_follows_from_another_reading() -> None:
    said = verdict(RANGE, {"default": pct("46", "6"), "aces_bonus=four": pct("1.11", "6.61")})
    assert said == (
        "the stated 1.11 to 6.6 % follows only with aces_bonus=four "
        "(default: 1 of 2 letters within; aces_bonus=four: 2 of 2 letters within, both ends met)"
    )


def test_a_range_that_follows_from_nothing() -> None:
    said = verdict(RANGE, {"default": pct("1.5", "6.6"), "x=y": pct("2", "3")})
    assert said == (
        "the stated 1.11 to 6.6 % follows from no reading of the chapter "
        "(default: 2 of 2 letters within, but no letter holds 1.11 %; "
        "x=y: 2 of 2 letters within, but no letter holds 1.11 nor 6.6 %)"
    )
