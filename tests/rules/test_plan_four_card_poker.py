"""641a.8(d), 641a.9(b), 641a.10 and MD 8.E, 9.B, 10.B: who gets which card of the deck."""

from __future__ import annotations

import pytest

from .dealing import SINGLE, deal

one_at_a_time = pytest.mark.parametrize("method", SINGLE)

# ---------------------------------------------------------------- 641a and Maryland


@one_at_a_time
@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_641a_8d_9b_and_md_8e_9b_one_card_at_a_time_from_the_left(chapter: str, method: str) -> None:
    told = deal(chapter, method, [5, 2])
    assert told("seat2") == [1, 4, 7, 10, 13]
    assert told("seat5") == [2, 5, 8, 11, 14]
    assert told("dealer") == [3, 6, 9, 12, 15, 16]
    assert told.up() == ["dealer@16"]
    assert told("six_card") == []


@one_at_a_time
@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_641a_8d_9b_and_md_8e_9b_the_six_card_bonus_card_first_if_somebody_bet_it(
    chapter: str, method: str
) -> None:
    """D7: Maryland's chapters 8 and 9 do not say so, and are dealt alike."""
    told = deal(chapter, method, [2, 5], six_card=True)
    assert (told("six_card"), told("seat2")) == ([1], [2, 5, 8, 11, 14])
    assert told.up() == ["dealer@17"]


def test_641a_10b_stacks_of_five_from_the_left_then_the_dealers() -> None:
    told = deal("pa641a", "auto_shoe", [2, 5])
    assert told("seat2") == [1, 2, 3, 4, 5]
    assert told("seat5") == [6, 7, 8, 9, 10]
    assert told("dealer")[:5] == [11, 12, 13, 14, 15]


def test_641a_10c_the_bottom_card_of_the_next_stack_is_the_dealers_sixth() -> None:
    told = deal("pa641a", "auto_shoe", [2, 5])
    assert (told("dealer")[5], told.up()) == (20, ["dealer@20"])
    assert (told("six_card"), told("discard")) == ([], [16, 17, 18, 19])


@pytest.mark.parametrize(
    ("bottom", "following", "sixth", "six_card", "rack"),
    [
        ("last", "bottom", 20, 19, [16, 17, 18]),
        ("last", "top", 20, 16, [17, 18, 19]),
        ("first", "bottom", 16, 17, [18, 19, 20]),
        ("first", "top", 16, 20, [17, 18, 19]),
    ],
)
def test_641a_10c_the_next_card_is_the_six_card_bonus_card(
    bottom: str, following: str, sixth: int, six_card: int, rack: list[int]
) -> None:
    """D1, D2."""
    told = deal("pa641a", "auto_shoe", [2, 5], six_card=True, stack_bottom=bottom, next_card=following)
    assert (told("dealer")[5], told("six_card"), told("discard")) == (sixth, [six_card], rack)
    assert told.up() == [f"dealer@{sixth}"]


@pytest.mark.parametrize(
    ("where", "six_card", "dealer", "seat"),
    [("last", 17, 1, 7), ("first", 1, 2, 8), ("after_dealer", 7, 1, 8)],
)
def test_641a_10g_a_reshuffling_shoe_gives_the_dealers_six_first(
    where: str, six_card: int, dealer: int, seat: int
) -> None:
    """D4."""
    told = deal("pa641a", "auto_shoe_reshuffle", [2, 5], six_card=True, six_card_reshuffle=where)
    assert told("six_card") == [six_card]
    assert told("dealer") == list(range(dealer, dealer + 6))
    assert told("seat2") == list(range(seat, seat + 5))
    assert told.up() == [f"dealer@{dealer + 5}"]


def test_641a_10g_without_a_six_card_bonus_no_card_goes_there() -> None:
    for where in ("last", "first", "after_dealer"):
        told = deal("pa641a", "auto_shoe_reshuffle", [2, 5], six_card_reshuffle=where)
        assert (told("six_card"), told("dealer")) == ([], [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
@pytest.mark.parametrize("six_card", [False, True])
def test_md_10b_and_h_first_the_six_card_card_then_the_dealers_six_then_the_players(
    method: str, six_card: bool
) -> None:
    """D7: the first card goes to the Six Card Bonus box whether or not anybody bet it."""
    told = deal("md4cp", method, [2, 5], six_card=six_card)
    assert told("six_card") == [1]
    assert told("dealer") == [2, 3, 4, 5, 6, 7]
    assert (told("seat2"), told("seat5")) == ([8, 9, 10, 11, 12], [13, 14, 15, 16, 17])
    assert told.up() == ["dealer@7"]


def test_md_10b2_the_bottom_card_of_a_stack_that_was_piled_up() -> None:
    """D1."""
    told = deal("md4cp", "auto_shoe", [2], stack_bottom="first")
    assert told("dealer") == [3, 4, 5, 6, 7, 2]
    assert told.up() == ["dealer@2"]


def test_641a_10b_and_c_a_stack_for_each_player_one_for_the_dealer_and_one_divided() -> None:
    told = deal("pa641a", "auto_shoe", [2, 5], six_card=True)
    assert (told.stacks("seat2"), told.stacks("seat5")) == ([1] * 5, [2] * 5)
    assert told.stacks("dealer") == [3, 3, 3, 3, 3, 4]
    assert (told.stacks("six_card"), told.stacks("discard")) == ([4], [4, 4, 4])


@one_at_a_time
def test_641a_8d_and_9b_five_ways_around_the_table_and_the_dealers_sixth(method: str) -> None:
    told = deal("pa641a", method, [2, 5], six_card=True)
    assert (told.laps("six_card"), told.laps("seat5")) == ([1], [2, 3, 4, 5, 6])
    assert told.laps("dealer") == [2, 3, 4, 5, 6, 7]
