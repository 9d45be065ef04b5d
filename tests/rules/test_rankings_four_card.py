"""641a.6(b), MD 6.C and 682a.6(b): the best four of five or six cards.

Four of a kind stands above a straight flush, three of a kind above a flush, a flush above a straight.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.cards import NAMES
from tests.model.hands import best_four
from tests.model.hands import parse as model_card

from .table_talk import hand, poker, score

CHAPTERS = ("pa641a", "md4cp", "pa682a")
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)

LADDER = {
    "four_of_a_kind": "As Ah Ad Ac | Ks Kh Kd Kc | 3s 3h 3d 3c | 2s 2h 2d 2c",
    "straight_flush": "As Ks Qs Js | Kh Qh Jh Th | 5d 4d 3d 2d | 4c 3c 2c Ac",
    "three_of_a_kind": "As Ah Ad Kc | As Ah Ad 2c | Ks Kh Kd Ac | 2s 2h 2d Ac | 2s 2h 2d 3c",
    "flush": "As Ks Qs Ts | As Ks Js Ts | Ah 5h 4h 2h | Kd Qd Jd 9d | 6c 5c 4c 2c | 6c 4c 3c 2c",
    "straight": "As Kh Qd Jc | Ks Qh Jd Tc | 5s 4h 3d 2c | As 4h 3d 2c",
    "two_pair": "As Ah Kd Kc | As Ah 2d 2c | Ks Kh Qd Qc | 4s 4h 2d 2c | 3s 3h 2d 2c",
    "pair": "As Ah Kd Qc | As Ah 3d 2c | Ks Kh Ad Qc | 2s 2h Ad Kc | 2s 2h 4d 3c",
    "high": "As Kh Qd Tc | As Kh Jd Tc | As 5h 3d 2c | Ks Qh Jd 9c | 6s 5h 4d 2c | 6s 4h 3d 2c",
}


@each_chapter
@pytest.mark.parametrize("row", LADDER)
def test_641a_6b_md_6c_and_682a_6b_each_hand_by_its_name(chapter: str, row: str) -> None:
    ranking = poker(chapter, "four_card")
    assert {hand(ranking, cards) for cards in LADDER[row].split(" | ")} == {row}


@each_chapter
def test_641a_6b_md_6c_and_682a_6b_the_order(chapter: str) -> None:
    ranking = poker(chapter, "four_card")
    ladder = [score(ranking, cards) for row in LADDER.values() for cards in row.split(" | ")]
    assert all(higher > lower for higher, lower in pairwise(ladder))


@each_chapter
def test_641a_6b_md_6c_and_682a_6b_all_270725_hands(chapter: str) -> None:
    ranking = poker(chapter, "four_card")
    counts = Counter(ranking.score(cards) >> 20 for cards in combinations(range(52), 4))
    assert {ranking.name(level << 20): n for level, n in counts.items()} == {
        "four_of_a_kind": 13,
        "straight_flush": 44,
        "three_of_a_kind": 2496,
        "flush": 2816,
        "straight": 2772,
        "two_pair": 2808,
        "pair": 82368,
        "high": 177408,
    }


@each_chapter
@pytest.mark.parametrize("cards", ["Ks Ah 2d 3c", "Qs Kh Ad 2c", "As 3h 4d 5c", "Ah 2h 3h Kh"])
def test_641a_6a_md_6a_and_682a_6a_no_sequence_around_the_corner(chapter: str, cards: str) -> None:
    assert hand(poker(chapter, "four_card"), cards) in ("high", "flush")


@each_chapter
def test_641a_6a_md_6a1_and_682a_6a_the_ace_is_low_with_2_3_4(chapter: str) -> None:
    ranking = poker(chapter, "four_card")
    assert hand(ranking, "As 2h 3d 4c") == "straight"
    assert hand(ranking, "As 2s 3s 4s") == "straight_flush"
    assert score(ranking, "As 2h 3d 4c") < score(ranking, "2h 3d 4c 5s")


@each_chapter
@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("As Ah 9s 7s 2s", "flush"),  # a pair of aces that also makes a flush (R15)
        ("As Ah Kd Qc Js", "straight"),
        ("Ts Th 4d Tc 4h", "three_of_a_kind"),  # a full house has no name here
        ("2s 2h 2d 2c As", "four_of_a_kind"),
        ("As Ks Qs Js Ts 9s", "straight_flush"),
        ("2s 3s 4s 5s 9h Ah", "straight_flush"),
        ("Ks Kd Qs Qd Js Jd", "two_pair"),
        ("2c 3s 6c 8s Td 7d", "high"),
    ],
)
def test_641a_11c2_md_11d3_and_682a_11d_the_best_four_of_more_cards(
    chapter: str, cards: str, row: str
) -> None:
    assert hand(poker(chapter, "four_card"), cards) == row


@each_chapter
@pytest.mark.parametrize(
    ("cards", "same"),
    [
        ("As Kh Jd 9c 2s", "Ad Kc Jh 9s 3d"),  # the fifth card does not count
        ("9s 9h 4d 3c 2d", "9d 9c 4s 3h 2c"),
        ("Ah Kh Jh 9h 2s", "As Ks Js 9s 2d"),
        ("Ks Kd Qs Qd 2h", "Kh Kc Qh Qc As"),
    ],
)
def test_641a_6c_md_6e_and_682a_6c_hands_of_the_same_four_ranks_tie(
    chapter: str, cards: str, same: str
) -> None:
    ranking = poker(chapter, "four_card")
    assert score(ranking, cards) == score(ranking, same)


@each_chapter
@pytest.mark.parametrize(
    ("literally", "lower"),
    [
        ("3s 3h Ad 4c", "9s 9h Kd 4s"),
        ("As 2h 3d 4c", "5s 6h 7d 8c"),
        ("2s 2h 2d Ac", "9s 9h 9d Kc"),
        ("3s 3d As Ad", "Ks Kd Qs Qd"),
    ],
)
def test_641a_6c_md_6d_and_682a_6c_taken_literally_the_highest_card_decides(
    chapter: str, literally: str, lower: str
) -> None:
    """R3 (aces up beat kings up in both readings)."""
    ranking = poker(chapter, "four_card")
    literal = ranking.breaking_ties_by_highest_card()
    assert score(literal, literally) > score(literal, lower)
    assert (score(ranking, literally) < score(ranking, lower)) == (literally != "3s 3d As Ad")


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("size", [5, 6])
def test_641a_6b_the_best_of_more_cards_as_a_brute_force_finds_it(size: int, literal: bool) -> None:
    """The same name, and of two hands the same one is higher, by trying every four cards."""
    rng = random.Random(size)
    ranking = poker("pa641a", "four_card")
    ranking = ranking.breaking_ties_by_highest_card() if literal else ranking
    tried = []
    for _ in range(600):
        cards = rng.sample(range(52), size)
        best = best_four([model_card(NAMES[card]) for card in cards], "highest_card" if literal else "")
        made = ranking.score(cards)
        assert ranking.name(made) == best.name
        tried.append((best.value, made))
    tried.sort()
    assert all((a[0] < b[0]) == (a[1] < b[1]) for a, b in pairwise(tried))


@given(cards=st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True))
def test_641a_6b_more_cards_are_never_worse(cards: list[int]) -> None:
    """The best of six is the best of all its fives, and that of all its fours."""
    ranking = poker("pa641a", "four_card")
    best = ranking.score(cards)
    assert best == max(ranking.score(five) for five in combinations(cards, 5))
    assert best == max(ranking.score(four) for four in combinations(cards, 4))
