"""641a.6(d), MD 6.F and 683a.6(b): hands of five cards, as everybody expects them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.cards import NAMES
from tests.model.hands import name_of_five
from tests.model.hands import parse as model_card

from .suit_classes import counted, five_card_classes
from .table_talk import hand, poker, score

# 641a.6(d) and MD 6.F list nothing under three of a kind.
CHAPTERS = ("pa641a", "md4cp", "pa683a")
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
UNLISTED = {"pa641a": ("two_pair", "pair"), "md4cp": ("two_pair", "pair"), "pa683a": ()}

LADDER = {
    "royal_flush": "As Ks Qs Js Ts",
    "straight_flush": "Kh Qh Jh Th 9h | 6d 5d 4d 3d 2d | 5c 4c 3c 2c Ac",
    "four_of_a_kind": "As Ah Ad Ac Kd | As Ah Ad Ac 2d | Ks Kh Kd Kc Ad | 2s 2h 2d 2c 3d",
    "full_house": "As Ah Ad Kc Kd | As Ah Ad 2c 2d | Ks Kh Kd Ac Ad | 2s 2h 2d 3c 3d",
    "flush": "As Ks Qs Js 9s | As 6s 4s 3s 2s | Ks Qs Js Ts 8s | 7c 5c 4c 3c 2c",
    "straight": "As Kh Qd Jc Td | Ks Qh Jd Tc 9d | 6s 5h 4d 3c 2d | 5s 4h 3d 2c Ad",
    "three_of_a_kind": "As Ah Ad Kc Qd | As Ah Ad 3c 2d | Ks Kh Kd Ac Qd | 2s 2h 2d 4c 3d",
    "two_pair": "As Ah Kd Kc Qd | As Ah Kd Kc 2d | As Ah 2d 2c Kd | Ks Kh Qd Qc Ad | 3s 3h 2d 2c 4d",
    "pair": "As Ah Kd Qc Jd | As Ah 4d 3c 2d | Ks Kh Ad Qc Jd | 2s 2h Ad Kc Qd | 2s 2h 5d 4c 3d",
    "high": "As Kh Qd Jc 9d | As 6h 4d 3c 2d | Ks Qh Jd Tc 8d | 7s 5h 4d 3c 2d",
}
COUNTS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three_of_a_kind": 54912,
    "two_pair": 123552,
    "pair": 1098240,
    "high": 1302540,
}


@each_chapter
@pytest.mark.parametrize("row", LADDER)
def test_641a_6d_md_6f_and_683a_6b_each_hand_by_its_name(chapter: str, row: str) -> None:
    ranking = poker(chapter, "five_card")
    name = "high" if row in UNLISTED[chapter] else row
    assert {hand(ranking, cards) for cards in LADDER[row].split(" | ")} == {name}


@each_chapter
def test_641a_6d_md_6f_and_683a_6b_the_order(chapter: str) -> None:
    ranking = poker(chapter, "five_card")
    rows = [row for row in LADDER if row not in UNLISTED[chapter]]
    ladder = [score(ranking, cards) for row in rows for cards in LADDER[row].split(" | ")]
    assert all(higher > lower for higher, lower in pairwise(ladder))


@each_chapter
def test_641a_6d_md_6f_and_683a_6b_all_2598960_hands(chapter: str) -> None:
    ranking = poker(chapter, "five_card")
    expected = {row: n for row, n in COUNTS.items() if row not in UNLISTED[chapter]}
    expected["high"] += sum(COUNTS[row] for row in UNLISTED[chapter])
    assert counted(lambda cards: ranking.name(ranking.score(cards))) == expected


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_641a_6d_and_md_6f_without_the_wheel(chapter: str) -> None:
    """R2: A-2-3-4-5 is a straight unless the chapter's silence is taken to the letter."""
    with_it, without = poker(chapter, "five_card"), poker(chapter, "five_card", wheel5="no")
    assert (hand(with_it, "As 2h 3d 4c 5s"), hand(without, "As 2h 3d 4c 5s")) == ("straight", "high")
    assert (hand(with_it, "As 2s 3s 4s 5s"), hand(without, "As 2s 3s 4s 5s")) == ("straight_flush", "flush")
    counts = counted(lambda cards: without.name(without.score(cards)))
    assert (counts["straight_flush"], counts["straight"]) == (36 - 4, 10200 - 1020)
    assert (counts["royal_flush"], counts["flush"]) == (4, 5108 + 4)


def test_683a_6a_the_ace_is_low_with_2_3_4_5_whatever_641a_is_taken_to_say() -> None:
    ranking = poker("pa683a", "five_card")
    assert hand(ranking, "As 2h 3d 4c 5s") == "straight"
    assert score(ranking, "As 2h 3d 4c 5s") < score(ranking, "2h 3d 4c 5s 6s")


@each_chapter
@pytest.mark.parametrize("cards", ["Ks Ah 2d 3c 4s", "Qs Kh Ad 2c 3s", "Js Qh Kd Ac 2s", "Ah 2h 3h 4h Kh"])
def test_683a_6a_and_641a_6a_no_sequence_around_the_corner(chapter: str, cards: str) -> None:
    assert hand(poker(chapter, "five_card"), cards) in ("high", "flush")


@pytest.mark.parametrize(("chapter", "wheel"), [("pa641a", True), ("pa641a", False), ("pa683a", True)])
def test_641a_6d_and_683a_6b_every_class_as_the_model_names_it(chapter: str, wheel: bool) -> None:
    readings = {} if wheel else {"wheel5": "no"}
    ranking = poker(chapter, "five_card", **readings)
    for cards, _ in five_card_classes():
        name = name_of_five([model_card(NAMES[card]) for card in cards], wheel=wheel)
        made = ranking.name(ranking.score(cards))
        assert made == ("high" if name in UNLISTED[chapter] else name)


@given(cards=st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True))
def test_the_best_five_of_six_and_of_seven(cards: list[int]) -> None:
    ranking = poker("pa683a", "five_card")
    best = max(ranking.score(five) for five in combinations(cards, 5))
    assert ranking.score(cards) == best == max(ranking.score(six) for six in combinations(cards, 6))


def test_683a_1_community_card_every_player_makes_the_best_hand_with_them() -> None:
    ranking = poker("pa683a", "five_card")
    board = "9c 9d 2s"
    hands = {own: hand(ranking, f"{own} {board}") for own in ("9h 9s", "2c 2d", "2h Ac", "Ah Kd")}
    assert Counter(hands.values()) == {"four_of_a_kind": 1, "full_house": 1, "two_pair": 1, "pair": 1}
