"""x.8(c)-(d), x.9(b) and x.10: who gets which card of the deck, method by method, and x.13(a).

A deal is written as the dealer would read it off the felt: `dealt("seat2") == [1, 4, 7]` are positions in the deck,
1 the first card out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.rules.plan import Bets, DealError, Placement, plan

from .table_talk import ALL, law

if TYPE_CHECKING:
    from collections.abc import Sequence

SINGLE = ("manual_shoe", "hand")
PA_SINGLE = pytest.mark.parametrize("method", SINGLE)


class Deal:
    """A deal, asked by place."""

    def __init__(self, placed: list[Placement]) -> None:
        self.placed = placed

    def __call__(self, place: str) -> list[int]:
        return [each.position for each in self.placed if each.place == place]

    def up(self) -> list[str]:
        """The cards that lie face up."""
        return [f"{each.place}@{each.position}" for each in self.placed if each.face_up]

    def used(self) -> list[int]:
        """Every position that left the deck."""
        return sorted(each.position for each in self.placed)


def deal(
    chapter: str,
    method: str,
    seats: Sequence[int],
    *,
    six_card: bool = False,
    all_six: bool = False,
    pair_bonus: Sequence[int] = (),
    shared_bonus_card: bool = False,
    face_up: Sequence[int] = (),
    **readings: str,
) -> Deal:
    bets = Bets(six_card, all_six, frozenset(pair_bonus), "community" if shared_bonus_card else "own")
    placed = plan(law(chapter), method, seats, bets, readings, face_up)
    made = Deal(placed)
    assert made.used() == list(range(1, len(placed) + 1)), "each card once and none left between"
    return made


# ---------------------------------------------------------------- 641a and Maryland


@PA_SINGLE
@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_641a_8d_9b_and_md_8e_9b_one_card_at_a_time_from_the_left(chapter: str, method: str) -> None:
    told = deal(chapter, method, [5, 2])
    assert told("seat2") == [1, 4, 7, 10, 13]
    assert told("seat5") == [2, 5, 8, 11, 14]
    assert told("dealer") == [3, 6, 9, 12, 15, 16]
    assert told.up() == ["dealer@16"]
    assert told("six_card") == []


@PA_SINGLE
@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_641a_8d_9b_and_md_8e_9b_the_six_card_bonus_card_first_if_somebody_bet_it(chapter: str, method: str) -> None:
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


# ---------------------------------------------------------------- 679a


@PA_SINGLE
def test_679a_8c_and_9b_three_cards_one_at_a_time(method: str) -> None:
    told = deal("pa679a", method, [2, 5])
    assert (told("seat2"), told("seat5"), told("dealer")) == ([1, 4, 7], [2, 5, 8], [3, 6, 9])
    assert told.up() == []


@PA_SINGLE
def test_679a_8c_and_9b_then_a_fourth_card_for_each_pair_bonus(method: str) -> None:
    """D6: after everybody has three, in the order of the seats."""
    told = deal("pa679a", method, [2, 3, 5], pair_bonus=[5, 2])
    assert (told("seat2:fourth"), told("seat3:fourth"), told("seat5:fourth")) == ([13], [], [14])


def test_679a_10b_stacks_of_three() -> None:
    told = deal("pa679a", "auto_shoe", [2, 5])
    assert (told("seat2"), told("seat5"), told("dealer")) == ([1, 2, 3], [4, 5, 6], [7, 8, 9])
    assert told("discard") == []


def test_679a_10c_fourth_cards_from_the_top_of_the_stub() -> None:
    """D9."""
    told = deal("pa679a", "auto_shoe", [2, 5], pair_bonus=[2, 5])
    assert (told("seat2:fourth"), told("seat5:fourth")) == ([10], [11])


@pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle"])
def test_679a_8h_9g_and_10h_one_community_card_instead(method: str) -> None:
    """D10: with a reshuffling shoe too, and then the stacks are of three."""
    told = deal("pa679a", method, [2, 5], pair_bonus=[5], shared_bonus_card=True)
    assert told("pair_bonus_card") == [10]
    assert (told("seat5:fourth"), told("discard")) == ([], [])
    assert sorted(told("seat2") + told("seat5") + told("dealer")) == list(range(1, 10))


@pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle"])
@pytest.mark.parametrize(("reading", "card"), [("no", []), ("yes", [10])])
def test_679a_8h_9g_and_10h_the_community_card_when_nobody_bet_the_pair_bonus(
    method: str, reading: str, card: list[int]
) -> None:
    """D5."""
    told = deal("pa679a", method, [2, 5], shared_bonus_card=True, community_card_if_unused=reading)
    assert told("pair_bonus_card") == card


def test_679a_10g1_and_2_stacks_of_four_lose_their_top_card() -> None:
    told = deal("pa679a", "auto_shoe_reshuffle", [2, 5], pair_bonus=[5])
    assert (told("seat2"), told("seat5"), told("dealer")) == ([2, 3, 4], [6, 7, 8], [10, 11, 12])
    assert (told("seat5:fourth"), told("discard")) == ([5], [1, 9])


def test_679a_10g_the_top_card_of_a_stack_that_was_piled_up() -> None:
    """D1."""
    told = deal("pa679a", "auto_shoe_reshuffle", [2, 5], pair_bonus=[5], stack_bottom="first")
    assert (told("seat2"), told("seat5:fourth"), told("discard")) == ([1, 2, 3], [8], [4, 12])


# ---------------------------------------------------------------- 682a


@PA_SINGLE
@pytest.mark.parametrize(("all_six", "first"), [(False, 1), (True, 2)])
def test_682a_8c_and_9b_the_all_six_card_first_then_one_at_a_time_all_face_down(
    method: str, all_six: bool, first: int
) -> None:
    told = deal("pa682a", method, [2, 5], all_six=all_six)
    assert told("all_six") == ([1] if all_six else [])
    assert told("seat2") == [first, first + 3, first + 6, first + 9, first + 12]
    assert told("dealer") == [first + 2, first + 5, first + 8, first + 11, first + 14, first + 15]
    assert told.up() == []


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_682a_10b_the_all_six_card_and_the_dealers_sixth_from_the_next_stack(method: str) -> None:
    """D15: 682a.5(g) has no order of its own."""
    told = deal("pa682a", method, [2, 5], all_six=True)
    assert (told("seat2"), told("seat5")) == ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
    assert told("dealer") == [11, 12, 13, 14, 15, 17]
    assert (told("all_six"), told("discard"), told.up()) == ([16], [18, 19, 20], [])


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_682a_10b_without_an_all_six_wager_the_dealers_sixth_is_the_top_card(method: str) -> None:
    """D8."""
    told = deal("pa682a", method, [2, 5])
    assert (told("dealer")[5], told("all_six"), told("discard")) == (16, [], [17, 18, 19, 20])


def test_682a_10b_the_top_card_of_a_stack_that_was_piled_up() -> None:
    """D1."""
    told = deal("pa682a", "auto_shoe", [2], all_six=True, stack_bottom="first")
    assert (told("all_six"), told("dealer")[5], told("discard")) == ([15], 14, [11, 12, 13])


# ---------------------------------------------------------------- 683a


@PA_SINGLE
@pytest.mark.parametrize(("all_six", "first"), [(False, 1), (True, 5)])
def test_683a_8c_and_9b_four_all_six_cards_then_two_each_then_three(
    method: str, all_six: bool, first: int
) -> None:
    told = deal("pa683a", method, [2, 5], all_six=all_six)
    assert told("all_six") == ([1, 2, 3, 4] if all_six else [])
    assert (told("seat2"), told("seat5")) == ([first, first + 2], [first + 1, first + 3])
    assert (told("community"), told.up()) == ([first + 4, first + 5, first + 6], [])


@PA_SINGLE
def test_683a_8c_and_9b_community_cards_dealt_among_the_players(method: str) -> None:
    """D3."""
    told = deal("pa683a", method, [2, 5], all_six=True, community="interleaved")
    assert told("all_six") == [1, 2, 3, 4]
    assert (told("seat2"), told("seat5"), told("community")) == ([5, 8], [6, 9], [7, 10, 11])


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
@pytest.mark.parametrize("all_six", [False, True])
def test_683a_10b_and_c_stacks_of_two_then_the_rest_from_the_hand(method: str, all_six: bool) -> None:
    """D15."""
    told = deal("pa683a", method, [2, 5], all_six=all_six)
    assert (told("seat2"), told("seat5")) == ([1, 2], [3, 4])
    assert told("all_six") == ([5, 6, 7, 8] if all_six else [])
    assert told("community") == ([9, 10, 11] if all_six else [5, 6, 7])


# ---------------------------------------------------------------- x.13(a), and what is refused


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
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle"])
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
