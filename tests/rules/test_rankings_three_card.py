"""679a.6(b) and 683a.6(d): hands of three cards, where a straight stands above a flush."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from .table_talk import hand, poker, score

RANKINGS = (("pa679a", "three_card"), ("pa683a", "board"))
both = pytest.mark.parametrize(("chapter", "name"), RANKINGS, ids=["679a.6(b)", "683a.6(d)"])

# The hands of one row from the highest to the lowest; rows from the highest to the lowest.
LADDER = {
    "mini_royal": "Ah Kh Qh",
    "straight_flush": "Kh Qh Jh | Qd Jd Td | 4s 3s 2s | 3c 2c Ac",
    "three_of_a_kind": "As Ah Ad | Ks Kh Kd | 3c 3d 3h | 2s 2h 2d",
    "straight": "As Kh Qd | Ks Qh Jd | 4c 3d 2h | Ac 2d 3h",
    "flush": "Ah Kh Jh | Ad Kd Td | Ad 4d 2d | Ks Qs Ts | 5h 4h 2h | 5c 3c 2c",
    "pair": "As Ah Kd | As Ah 2d | Ks Kh Ad | 3s 3h Ad | 2s 2h Ad | 2s 2h 3d",
    "high": "As Kh Jd | As Kh Td | As 4h 2d | Ks Qh Td | 5s 4h 2d | 5s 3h 2d",
}


@both
@pytest.mark.parametrize("row", LADDER)
def test_679a_6b_and_683a_6d_each_hand_by_its_name(chapter: str, name: str, row: str) -> None:
    ranking = poker(chapter, name)
    assert {hand(ranking, cards) for cards in LADDER[row].split(" | ")} == {row}


@both
def test_679a_6b_and_683a_6d_the_order_from_mini_royal_to_nothing(chapter: str, name: str) -> None:
    ranking = poker(chapter, name)
    ladder = [score(ranking, cards) for row in LADDER.values() for cards in row.split(" | ")]
    assert all(higher > lower for higher, lower in pairwise(ladder))


@both
def test_679a_6b_and_683a_6d_all_22100_hands(chapter: str, name: str) -> None:
    ranking = poker(chapter, name)
    counts = Counter(ranking.name(ranking.score(cards)) for cards in combinations(range(52), 3))
    assert counts == {
        "mini_royal": 4,
        "straight_flush": 44,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high": 16440,
    }


@both
@pytest.mark.parametrize("cards", ["Ks Ah 2d", "Qs Ah 2d", "Kh Ah 2h", "As 3h 4d"])
def test_679a_6a_no_sequence_around_the_corner(chapter: str, name: str, cards: str) -> None:
    assert hand(poker(chapter, name), cards) in ("high", "flush")


@pytest.mark.parametrize(
    ("cards", "same"),
    [("As Kh Jd", "Ad Kc Jh"), ("9s 9h 4d", "9d 9c 4s"), ("4c 3d 2h", "4h 3s 2d"), ("Ah Kh Jh", "As Ks Js")],
)
def test_679a_6c_hands_of_the_same_ranks_tie(cards: str, same: str) -> None:
    ranking = poker("pa679a", "three_card")
    assert score(ranking, cards) == score(ranking, same)


@pytest.mark.parametrize(
    ("literally", "lower"),
    [
        ("3s 3h Ad", "9s 9h Kd"),  # a pair of 3s with an ace against a pair of 9s with a king
        ("As 2h 3d", "4s 5h 6d"),  # the straight with the ace against a higher one
        ("Ah 2h 3h", "Kh Qh Jh"),
    ],
)
def test_679a_6c_taken_literally_the_highest_card_decides(literally: str, lower: str) -> None:
    """R3."""
    ranking = poker("pa679a", "three_card")
    literal = ranking.breaking_ties_by_highest_card()
    assert score(ranking, literally) < score(ranking, lower)
    assert score(literal, literally) > score(literal, lower)
    assert hand(literal, literally) == hand(ranking, literally)
