"""What a named hand holds, held against every hand: an implication never lies, and what cannot be never is."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from sabot.rules.hand_shapes import (
    COLORED,
    SUITED,
    Shape,
    can_hold,
    holds,
    implies,
    least_of_ranks,
    leaves,
    named_shape,
    one_of,
    room,
)
from sabot.rules.rankings import ACE, HAND_KINDS, PokerRanking, RankOrder
from tests.dealt import parse_all

FIVE = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
)
SHAPES = {name: named_shape(name, 5) for name in FIVE}
SHAPES |= {f"{name}4": named_shape(name, 4) for name in ("straight_flush", "flush", "straight")}
SHAPES |= {"aces": named_shape("pair", 5, first=ACE, last=ACE), "four_red": Shape(4, (), COLORED)}


def hands(seed: int, count: int) -> list[tuple[int, ...]]:
    """Random hands, and as many of a narrow pack in which rare ones are common."""
    rng = random.Random(seed)
    narrow = [card for card in range(52) if card >> 2 in (12, 11, 10, 9, 8, 7, 0, 1, 2, 3)]
    suited = [card for card in range(52) if card & 3 in (1, 2)]
    packs = [list(range(52)), narrow, suited, [card for card in suited if card >> 2 > 5]]
    return [tuple(rng.sample(packs[nth % 4], 5)) for nth in range(count)]


HANDS = hands(1, 4000)


def test_x_6_a_shape_is_held_by_just_the_hands_of_its_name_and_better_ones() -> None:
    for name in FIVE:
        ranking = PokerRanking(RankOrder(5, (name,)))
        for cards in HANDS:
            assert holds(SHAPES[name], cards) == (ranking.name(ranking.score(cards)) == name), (name, cards)


@pytest.mark.parametrize("one", SHAPES)
def test_x_6_what_a_shape_implies_each_hand_that_holds_it_holds(one: str) -> None:
    holding = [cards for cards in HANDS if holds(SHAPES[one], cards)]
    for other in SHAPES:
        if implies(SHAPES[one], SHAPES[other]):
            assert all(holds(SHAPES[other], cards) for cards in holding), (one, other)


@pytest.mark.parametrize("one", SHAPES)
def test_x_6_shapes_that_have_no_room_together_are_never_together(one: str) -> None:
    for other in SHAPES:
        if room(SHAPES[one], SHAPES[other]) > 5:
            both = [c for c in HANDS if holds(SHAPES[one], c) and holds(SHAPES[other], c)]
            assert not both, (one, other)


def test_x_6_what_a_shape_leaves_of_itself_each_smaller_hand_holds() -> None:
    wanted = [frozenset({SHAPES[name]}) for name in SHAPES]
    for shape in SHAPES.values():
        for gone, wish in ((gone, wish) for gone in (0, 1, 2) for wish in wanted):
            if leaves(shape, gone, wish):
                (other,) = wish
                for cards in [cards for cards in HANDS if holds(shape, cards)][:40]:
                    assert all(holds(other, few) for few in combinations(cards, 5 - gone))


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("royal_flush", "straight_flush", True),
        ("straight_flush", "straight4", True),
        ("straight_flush", "flush4", True),
        ("full_house", "two_pair", True),
        ("four_of_a_kind", "two_pair", False),
        ("two_pair", "aces", False),
        ("flush", "four_red", True),
        ("pair", "straight4", False),
    ],
)
def test_x_6_implications_by_name(one: str, other: str, is_so: bool) -> None:
    assert implies(SHAPES[one], SHAPES[other]) is is_so


@pytest.mark.parametrize(
    ("one", "other", "cards"),
    [
        ("full_house", "straight_flush4", 7),
        ("three_of_a_kind", "flush", 7),
        ("four_of_a_kind", "four_red", 6),
        ("flush", "straight", 5),
        ("pair", "pair", 2),
    ],
)
def test_x_6_room_by_name(one: str, other: str, cards: int) -> None:
    assert room(SHAPES[one], SHAPES[other]) == cards


def test_x_6_a_card_that_goes_leaves_a_pair_of_trips_and_nothing_sure_of_a_pair() -> None:
    pair = frozenset({SHAPES["pair"]})
    assert leaves(SHAPES["three_of_a_kind"], 1, pair)
    assert not leaves(SHAPES["pair"], 1, pair)
    assert not leaves(SHAPES["pair"], 2, pair)
    assert leaves(SHAPES["flush"], 1, frozenset({SHAPES["flush4"]}))
    assert not leaves(SHAPES["straight"], 1, frozenset({SHAPES["straight4"]}))


def test_641a_6_ranks_that_a_shape_must_have() -> None:
    assert least_of_ranks(named_shape("four_of_a_kind", 5, first=ACE, last=ACE)) == {ACE: 4}
    assert least_of_ranks(SHAPES["royal_flush"]) == {10: 1, 11: 1, 12: 1, 13: 1, 14: 1}
    assert least_of_ranks(SHAPES["pair"]) == least_of_ranks(SHAPES["flush"]) == {}


@pytest.mark.parametrize(
    ("name", "have", "more", "pool", "is_so"),
    [
        ("flush", "As Ks Qs 2s", 1, "3s 4h", True),
        ("flush", "As Ks Qs 2s", 1, "3d 4h", False),
        ("flush", "As Ks Qs", 1, "3s 4s", False),
        ("pair", "As Ks", 1, "Ah", True),
        ("pair", "As Ks", 1, "Qh Jd", False),
        ("royal_flush", "As Ks Qs Js", 1, "Td Ts", True),
        ("straight", "As 2s 3d 4h", 1, "5c", True),
        ("four_red", "Ah Kd Qd", 1, "2d", True),
        ("four_red", "Ah Kd Qs", 1, "2d", False),
    ],
)
def test_x_6_cards_read_and_cards_left_say_what_can_be(
    name: str, have: str, more: int, pool: str, is_so: bool
) -> None:
    assert can_hold(SHAPES[name], parse_all(have), more, parse_all(pool)) is is_so


def test_x_6_every_kind_of_hand_has_a_shape() -> None:
    sizes = {"mini_royal": 3}
    shapes = {name: named_shape(name, sizes.get(name, 5)) for name in HAND_KINDS}
    assert shapes["mini_royal"].ways == ((12, 13, 14),)
    assert shapes["six_card_royal"] == Shape(6, ((9, 10, 11, 12, 13, 14),), SUITED)
    assert named_shape("straight", 4, ace_low=False).ways[0] == (2, 3, 4, 5)
    assert one_of(13, 14).ways == ((13,), (14,))
