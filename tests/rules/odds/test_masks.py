from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.odds.suit_masks import (
    cards_of_masks,
    draws,
    held,
    key_of,
    key_of_mask,
    masks_of,
    masks_of_cards,
    ranks_in,
    representative,
    submasks,
    suit_classes,
)

hands = st.lists(st.integers(0, 51), min_size=0, max_size=6, unique=True)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_classes_of_hands_stand_for_every_hand_once(count: int) -> None:
    classes = list(suit_classes(count))
    assert sum(weight for _, weight in classes) == comb(52, count)
    assert len({masks for masks, _ in classes}) == len(classes)
    assert all(list(masks) == sorted(masks, reverse=True) for masks, _ in classes)


def test_two_cards_fall_into_169_classes_and_three_into_1755() -> None:
    assert [len(list(suit_classes(count))) for count in (2, 3)] == [169, 1755]


@given(hands)
def test_a_hand_and_the_same_in_other_suits_have_one_class(cards: list[int]) -> None:
    turned = [card ^ 3 for card in cards]
    assert masks_of_cards(cards) == masks_of_cards(turned)
    assert key_of(masks_of_cards(cards)) == key_of(masks_of_cards(turned))


@given(hands)
def test_masks_keep_the_cards_but_for_the_names_of_suits(cards: list[int]) -> None:
    masks = masks_of_cards(cards)
    again = cards_of_masks(masks)
    assert sorted(card >> 2 for card in again) == sorted(card >> 2 for card in cards)
    assert masks_of_cards(again) == masks


def test_a_mask_and_its_parts() -> None:
    assert ranks_in(0b1000000000101) == (0, 2, 12)
    assert sorted(submasks(0b101)) == [0, 0b1, 0b100, 0b101]
    assert len(masks_of(4)) == comb(13, 4)
    assert held(key_of_mask(0b101)) == [1, 0, 1] + [0] * 10


def test_draws_hold_no_rank_more_than_four_times() -> None:
    assert [len(draws(count)) for count in (0, 1, 2, 5)] == [1, 13, 91, 6175]
    assert all(taken <= 4 for items, _ in draws(5) for _, taken in items)


@pytest.mark.parametrize(("key", "mask"), [((2, 1, 0, 3), 0), ((1, 1, 1, 1, 1), 0), ((2, 2, 1, 1), 0b1111)])
def test_one_hand_stands_for_its_class(key: tuple[int, ...], mask: int) -> None:
    ranks = sum(count << 3 * rank for rank, count in enumerate(key))
    cards = representative(ranks, mask, suit=2)
    assert len(set(cards)) == sum(key)
    assert held(key_of(masks_of_cards(cards)))[: len(key)] == list(key)
    in_suit = sum(1 << (card >> 2) for card in cards if card & 3 == 2)
    if mask:
        assert in_suit == mask
    else:
        assert max(mask.bit_count() for mask in masks_of_cards(cards)) <= 2
