"""679a, 682a and 683a, x.8 to x.10: who gets which card of the deck."""

from __future__ import annotations

import pytest

from .dealing import SINGLE, deal

one_at_a_time = pytest.mark.parametrize("method", SINGLE)

# ---------------------------------------------------------------- 679a


@one_at_a_time
def test_679a_8c_and_9b_three_cards_one_at_a_time(method: str) -> None:
    told = deal("pa679a", method, [2, 5])
    assert (told("seat2"), told("seat5"), told("dealer")) == ([1, 4, 7], [2, 5, 8], [3, 6, 9])
    assert told.up() == []


@one_at_a_time
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


def test_679a_10g_the_top_card_is_moved_before_the_rest_of_its_stack() -> None:
    order = deal("pa679a", "auto_shoe_reshuffle", [2, 5], pair_bonus=[5]).order()
    assert order[:4] == ["discard@1", "seat2@2", "seat2@3", "seat2@4"]
    assert order[4:8] == ["seat5:fourth@5", "seat5@6", "seat5@7", "seat5@8"]


def test_679a_10g_the_top_card_of_a_stack_that_was_piled_up() -> None:
    """D1."""
    told = deal("pa679a", "auto_shoe_reshuffle", [2, 5], pair_bonus=[5], stack_bottom="first")
    assert (told("seat2"), told("seat5:fourth"), told("discard")) == ([1, 2, 3], [8], [4, 12])


# ---------------------------------------------------------------- 682a


@one_at_a_time
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


@one_at_a_time
@pytest.mark.parametrize(("all_six", "first"), [(False, 1), (True, 5)])
def test_683a_8c_and_9b_four_all_six_cards_then_two_each_then_three(
    method: str, all_six: bool, first: int
) -> None:
    told = deal("pa683a", method, [2, 5], all_six=all_six)
    assert told("all_six") == ([1, 2, 3, 4] if all_six else [])
    assert (told("seat2"), told("seat5")) == ([first, first + 2], [first + 1, first + 3])
    assert (told("community"), told.up()) == ([first + 4, first + 5, first + 6], [])


@one_at_a_time
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


def test_679a_10c_fourth_cards_are_dealt_by_hand_after_the_last_stack() -> None:
    told = deal("pa679a", "auto_shoe", [2, 5], pair_bonus=[5])
    assert (told.stacks("seat2"), told.stacks("seat5"), told.stacks("dealer")) == ([1] * 3, [2] * 3, [3] * 3)
    assert told.stacks("seat5:fourth") == [0]


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_679a_10h_so_is_the_community_card(method: str) -> None:
    told = deal("pa679a", method, [2, 5], pair_bonus=[5], shared_bonus_card=True)
    assert (told.stacks("dealer"), told.stacks("pair_bonus_card")) == ([3] * 3, [0])


def test_679a_10g_but_not_the_fourth_card_of_a_stack_of_four() -> None:
    told = deal("pa679a", "auto_shoe_reshuffle", [2, 5], pair_bonus=[5])
    assert (told.stacks("seat5:fourth"), told.stacks("dealer"), told.stacks("discard")) == (
        [2],
        [3] * 3,
        [1, 3],
    )


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_683a_10c_the_rest_is_dealt_by_hand_after_the_players_stacks(method: str) -> None:
    told = deal("pa683a", method, [2, 5], all_six=True)
    assert (told.stacks("seat2"), told.stacks("seat5")) == ([1, 1], [2, 2])
    assert (told.stacks("all_six"), told.stacks("community")) == ([0] * 4, [0] * 3)
