"""641a.6(e), MD 6.F, 679a.6(d), 682a.6(e) and 683a.6(e): the best five of six cards, and the royal of all six."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.cards import NAMES, SUITS
from sabot.rules.rankings import LEAD_SHIFT
from tests.model.hands import best_five_name, six_card_royal_suit
from tests.model.hands import parse as model_card

from .table_talk import ALL, hand, law, poker, score

each_chapter = pytest.mark.parametrize("chapter", ALL)
# Highest first; the items of the paragraph in their order.
LADDER = {
    "six_card_royal": "As Ks Qs Js Ts 9s",
    "royal_flush": "As Ks Qs Js Ts 9d",
    "straight_flush": "Kh Qh Jh Th 9h Ad | 6d 5d 4d 3d 2d Ks",
    "four_of_a_kind": "As Ah Ad Ac Kd Kh | 2s 2h 2d 2c 3d 3h",
    "full_house": "As Ah Ad Kc Kd Kh | 2s 2h 2d 3c 3d Ac",
    "flush": "As Ks Qs Js 9s Td | 7c 5c 4c 3c 2c 2d",
    "straight": "As Kh Qd Jc Td 9c | 6s 5h 4d 3c 2d 2c",
    "three_of_a_kind": "As Ah Ad Kc Qd 2c | 2s 2h 2d 4c 3d 7h",
    "high": "As Kh Qd Jc 9d 7c",
}


@each_chapter
@pytest.mark.parametrize("row", LADDER)
def test_x_6e_each_hand_by_its_name(chapter: str, row: str) -> None:
    ranking = poker(chapter, "six_card")
    assert {hand(ranking, cards) for cards in LADDER[row].split(" | ")} == {row}


@each_chapter
@pytest.mark.parametrize("cards", ["As Ah Kd Kc Qd Qc", "As Ah Kd Kc Qd Jc", "As Ah Kd Qc Jd 9c"])
def test_x_6e8_nothing_under_three_of_a_kind_has_a_name(chapter: str, cards: str) -> None:
    assert hand(poker(chapter, "six_card"), cards) == "high"


@each_chapter
def test_x_6e_the_order(chapter: str) -> None:
    ranking = poker(chapter, "six_card")
    ladder = [score(ranking, cards) for row in LADDER.values() for cards in row.split(" | ")]
    assert all(higher > lower for higher, lower in pairwise(ladder))


@each_chapter
@pytest.mark.parametrize("suit", "cdhs")
def test_x_6e1_and_md_6f8_the_six_card_royal_of_each_suit_and_no_other(chapter: str, suit: str) -> None:
    """The suit stands where other hands have their lead rank: the paytables tell diamonds apart."""
    ranking = poker(chapter, "six_card")
    royal = score(ranking, " ".join(f"{rank}{suit}" for rank in "AKQJT9"))
    assert (ranking.name(royal), SUITS[royal >> LEAD_SHIFT & 15]) == ("six_card_royal", suit)
    assert hand(ranking, " ".join(f"{rank}{suit}" for rank in "KQJT98")) == "straight_flush"
    assert hand(ranking, " ".join(f"{rank}{suit}" for rank in "AKQJT8")) == "royal_flush"


@each_chapter
def test_x_12_diamonds_and_hearts_spades_or_clubs_are_the_rows_of_the_royal(chapter: str) -> None:
    (table,) = law(chapter).paytables["six_card" if chapter in ("pa641a", "md4cp") else "all_six"].sheets
    suits = ["".join(SUITS[suit] for suit in row.suits) for row in table.rows]
    assert suits == ["d", "hsc", *[""] * 7]


def test_x_6e_a_ranking_that_does_not_list_the_six_card_royal_sees_a_royal_flush() -> None:
    assert hand(poker("pa683a", "five_card"), "As Ks Qs Js Ts 9s") == "royal_flush"


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa679a", "pa682a"])
def test_x_6e_without_the_wheel(chapter: str) -> None:
    """R2."""
    without = poker(chapter, "six_card", wheel5="no")
    for cards, names in {
        "As 2h 3d 4c 5s Kd": ("straight", "high"),
        "As 2s 3s 4s 5s Kd": ("straight_flush", "flush"),
        "As 2h 3d 4c 5s 6d": ("straight", "straight"),
        "As 2h 3d 4c 5s 5d": ("straight", "high"),
    }.items():
        assert (hand(poker(chapter, "six_card"), cards), hand(without, cards)) == names


@pytest.mark.parametrize("wheel", ["yes", "no"])
def test_641a_6e_as_a_brute_force_names_it(wheel: str) -> None:
    rng = random.Random(6)
    ranking = poker("pa641a", "six_card", wheel5=wheel)
    for _ in range(1500):
        cards = rng.sample(range(rng.choice((16, 24, 52))), 6)
        texts = [model_card(NAMES[card]) for card in cards]
        name = "six_card_royal" if six_card_royal_suit(texts) else best_five_name(texts, wheel=wheel == "yes")
        assert ranking.name(ranking.score(cards)) == ("high" if name in ("two_pair", "pair") else name)


@given(cards=st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True))
def test_641a_6e_the_best_five_of_six(cards: list[int]) -> None:
    ranking = poker("pa641a", "six_card")
    best = ranking.score(cards)
    if ranking.name(best) != "six_card_royal":
        assert best == max(ranking.score(five) for five in combinations(cards, 5))
