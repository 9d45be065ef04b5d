"""682a.6(d) Aces Bonus, 683a.6(c) pocket, 683a.7(d)(4) Lo Ball and the colors of the Prime wagers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from sabot.rules.round import Options
from sabot.rules.settlement import House
from tests.dealt import parse_all

from .suit_classes import Cards, counted
from .table_talk import all_a, hand, law, poker, ranking


def house(chapter: str, letters: str = "", **readings: str) -> House:
    chosen = all_a(chapter) | dict(each.split("=") for each in letters.split())
    return House(law(chapter), Options(paytables=chosen, readings=readings))


def row_of(house: House, table: str, cards: Cards) -> str:
    column = house.column(table)
    hit = column.find(column.ranking.score(cards))
    return hit.row if hit else "none"


# ---------------------------------------------------------------- 682a.6(d): Aces Bonus


def test_682a_6d_all_2598960_hands() -> None:
    """Aces full of anything are three aces, kings full of aces three of a kind (R6)."""
    aces = house("pa682a")
    full_houses_and_trips = 3744 + 54912
    three_aces = 4 * comb(48, 2)
    assert counted(lambda cards: row_of(aces, "aces_bonus", cards)) == {
        "four_aces": 48,
        "four_of_a_kind": 576,
        "royal_flush": 4,
        "straight_flush": 36,
        "three_aces": three_aces,
        "three_of_a_kind": full_houses_and_trips - three_aces,
        "flush": 5108,
        "straight": 10200,
        "two_pair": 123552,
        "two_aces": 84480,
        "none": 2598960 - 624 - 40 - full_houses_and_trips - 5108 - 10200 - 123552 - 84480,
    }


def test_682a_6d_of_four_cards_a_pair_of_aces_is_rarer() -> None:
    """R1, R15: 81,096 pairs of aces, the others make a four-card flush or straight."""
    four = house("pa682a", aces_bonus="four")
    counts = Counter(row_of(four, "aces_bonus", cards) for cards in ACES_AND_THREE)
    assert len(ACES_AND_THREE) == 14080
    assert counts["two_aces"] * 6 == 81096


# A pair of aces (of two suits out of six pairs of suits) with three other ranks in any suits.
ACES_AND_THREE = [
    (48, 49, a * 4 + s, b * 4 + t, c * 4 + u)
    for a, b, c in combinations(range(12), 3)
    for s in range(4)
    for t in range(4)
    for u in range(4)
]


@pytest.mark.parametrize(
    ("cards", "five", "four"),
    [
        ("As Ah Ad Kc Kd", "three_aces", "three_aces"),  # R6
        ("7s 7h 7d Ac Ad", "three_of_a_kind", "three_of_a_kind"),
        ("As Ah 3d 3c 9d", "two_pair", "two_pair"),
        ("As 2h 3d 4c 5s", "straight", "straight"),
        ("As Ks Qs Js 2d", "none", "royal_flush"),
        ("Ks Qs Js Ts 2d", "none", "straight_flush"),
        ("As 2h 3d 4c 9s", "none", "straight"),
        ("As Ah 9s 7s 2s", "two_aces", "flush"),
    ],
)
def test_682a_6d_with_five_cards_and_with_four(cards: str, five: str, four: str) -> None:
    dealt = parse_all(cards)
    assert row_of(house("pa682a"), "aces_bonus", dealt) == five
    assert row_of(house("pa682a", aces_bonus="four"), "aces_bonus", dealt) == four


def test_682a_6d3_and_4_without_the_wheel() -> None:
    """R2."""
    aces = house("pa682a", wheel5="no")
    assert row_of(aces, "aces_bonus", parse_all("As 2h 3d 4c 5s")) == "none"
    assert row_of(aces, "aces_bonus", parse_all("As 2s 3s 4s 5s")) == "flush"


# ---------------------------------------------------------------- 683a.6(c): pocket


def test_683a_6c_all_1326_pockets() -> None:
    pockets = house("pa683a")
    counts = Counter(row_of(pockets, "pocket", cards) for cards in combinations(range(52), 2))
    assert counts == {
        "pair_of_aces": 6,
        "ace_face_suited": 12,
        "ace_face_unsuited": 36,
        "pair_2s_to_kings": 72,
        "none": 1200,
    }


# ---------------------------------------------------------------- 683a.7(d)(4): Lo Ball


def test_683a_7d4_the_low_hands_of_all_2598960() -> None:
    """R13: from n ranks under the top one four are taken, less the straights, less the flushes."""
    lows = house("pa683a", "lo_ball=B")
    counts = counted(lambda cards: row_of(lows, "lo_ball", cards))
    expected = {}
    for row, ranks, straights in (
        ("high_7", 5, 1),
        ("high_8", 6, 1),
        ("high_9", 7, 1),
        ("high_10", 8, 1),
        ("high_jack", 9, 1),
        ("high_queen", 10, 1),
    ):
        expected[row] = (comb(ranks, 4) - straights) * (4**5 - 4)
    assert {row: n for row, n in counts.items() if row != "none"} == expected


def test_683a_6b_nothing_counts_as_high() -> None:
    assert hand(poker("pa683a", "five_card"), "7s 5h 4d 3c 2d") == "high"


# ---------------------------------------------------------------- Prime: colors


@pytest.mark.parametrize(
    ("cards", "own", "others"),
    [
        ("2h 9d 6h Kd 4d Jh", 3, 3),
        ("2h 9d 6h Kd 4d Js", 3, 2),
        ("2h 9d 6h Kc 4s Js", 3, 0),
        ("2s 9c 6s Kc 4s Js", 3, 3),
        ("2s 9c 6h Kc 4s Js", 2, 3),
        ("2h 9d 6s Kc 4s Js", 2, 0),
    ],
)
def test_679a_7d2_how_many_of_three_share_a_color_and_how_many_of_the_dealers(
    cards: str, own: int, others: int
) -> None:
    colors = ranking("pa679a", "prime")
    assert colors.score(parse_all(cards)) == own << 4 | others
    assert colors.name(own << 4 | others) == f"{own}_same_color"


def test_679a_11d1_all_22100_hands_of_one_color_or_two() -> None:
    colors = ranking("pa679a", "prime")
    counts = Counter(colors.score(cards) >> 4 for cards in combinations(range(52), 3))
    assert counts == {3: 2 * comb(26, 3), 2: 2 * comb(26, 2) * 26}


@pytest.mark.parametrize(
    ("cards", "own"),
    [("2h 9d 6h Kd 4d", 5), ("2h 9d 6h Kd 4s", 4), ("2h 9d 6h Kc 4s", 3), ("2s 9c 6s Kd 4c", 4)],
)
def test_682a_7d2_how_many_of_five_share_a_color(cards: str, own: int) -> None:
    """R16: all five is one row, four another."""
    colors = ranking("pa682a", "prime")
    assert colors.score(parse_all(cards)) == own << 4
