"""x.13(a), a card found face up; seats and methods that are refused; a full table."""

from __future__ import annotations

import pytest

from sabot.rules.plan import DealError

from .dealing import EVERY_METHOD, deal
from .table_talk import ALL, law


@pytest.mark.parametrize("chapter", ALL)
def test_x_13a_a_card_found_face_up_goes_to_the_rack_and_the_next_takes_its_place(chapter: str) -> None:
    straight, shifted = deal(chapter, "hand", [2, 5]), deal(chapter, "hand", [2, 5], face_up=[4])
    expected = [(each.place, each.position + (each.position >= 4), each.nth) for each in straight.placed]
    played = [(each.place, each.position, each.nth) for each in shifted.placed if each.place != "discard"]
    assert played == expected
    assert [str(each) for each in shifted.placed if each.place == "discard"] == ["discard^@4"]


def test_x_13a_in_a_stack_the_next_card_fills_the_gap() -> None:
    """V7."""
    told = deal("pa641a", "auto_shoe", [2, 5], face_up=[3])
    assert (told("seat2"), told("seat5")) == ([1, 2, 4, 5, 6], [7, 8, 9, 10, 11])
    assert told("discard") == [3, 17, 18, 19, 20]


def test_x_13a_a_face_up_card_beyond_the_deal_changes_nothing() -> None:
    assert deal("pa679a", "hand", [2], face_up=[40]).placed == deal("pa679a", "hand", [2]).placed


@pytest.mark.parametrize(
    ("chapter", "cite"),
    [
        ("pa641a", "641a.13(a)"),
        ("md4cp", "ch.13.B"),
        ("pa679a", "679a.13(a)"),
        ("pa682a", "682a.13(a)"),
        ("pa683a", "683a.13(a)"),
    ],
)
def test_x_13a_two_cards_face_up_void_the_round(chapter: str, cite: str) -> None:
    with pytest.raises(DealError) as caught:
        deal(chapter, "hand", [2, 5], face_up=[3, 9])
    assert "E-DEAL-003 face up: two cards face up (3, 9) leave nothing to deal" in str(caught.value)
    assert f"voids the round ({cite})" in str(caught.value)


@pytest.mark.parametrize("chapter", ALL)
def test_x_2a_a_seat_that_the_table_does_not_have_is_not_dealt_in(chapter: str) -> None:
    too_high = law(chapter).seats + 1
    for seat in (0, -1, too_high):
        with pytest.raises(DealError, match=f"E-DEAL-002 seats: there is no seat {seat}"):
            deal(chapter, "hand", [1, seat])
    assert deal(chapter, "hand", [too_high - 1])(f"seat{too_high - 1}")


@pytest.mark.parametrize(("seats", "what"), [([2, 2], "a seat is named twice"), ([], "no seat is dealt in")])
def test_seats_twice_and_no_seats_are_refused(seats: list[int], what: str) -> None:
    with pytest.raises(DealError, match=f"E-DEAL-002 seats: {what}"):
        deal("pa641a", "hand", seats)


def test_a_method_that_no_chapter_knows_is_refused() -> None:
    with pytest.raises(
        DealError, match="E-DEAL-001 method: pa641a does not know the dealing method 'juggling'"
    ):
        deal("pa641a", "juggling", [1])


@pytest.mark.parametrize("chapter", ALL)
@pytest.mark.parametrize("method", EVERY_METHOD)
def test_x_10_a_full_table_with_every_wager_fits_into_the_pack(chapter: str, method: str) -> None:
    seats = range(1, law(chapter).seats + 1)
    told = deal(chapter, method, seats, six_card=True, all_six=True, pair_bonus=seats)
    sizes = law(chapter).hands.places
    for place, size in {
        **{f"seat{seat}": sizes["player"] for seat in seats},
        "dealer": sizes.get("dealer", 0),
    }.items():
        assert len(told(place)) == size
    assert told.used()[-1] <= 52


def test_placements_are_numbered_place_by_place() -> None:
    told = deal("pa641a", "hand", [2])
    numbered = [(each.place, each.nth) for each in told.placed]
    assert numbered[:4] == [("seat2", 1), ("dealer", 1), ("seat2", 2), ("dealer", 2)]
    assert numbered[-1] == ("dealer", 6)
