"""What cards make, as far as procedure asks: the best class of a hand, by x.6 of each text."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
# The orders of x.6(b), from the highest; what is none of these is a high card.
FOUR = (
    "four_of_a_kind",
    "straight_flush",
    "three_of_a_kind",
    "flush",
    "straight",
    "two_pair",
    "pair",
    "high",
)
THREE = ("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high")
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
    "high",
)
SIZE = {"pa641a": 4, "md4cp": 4, "pa679a": 3, "pa682a": 4, "pa683a": 5}
ORDER = {3: THREE, 4: FOUR, 5: FIVE}


def name_of(chapter: str, cards: Iterable[str]) -> str:
    """Return the best class that the cards make in the contest of a chapter."""
    size = SIZE[chapter]
    order = ORDER[size]
    classes = (_class(chosen, size) for chosen in combinations(list(cards), size))
    return min(classes, key=order.index, default="high")


def _class(cards: Sequence[str], size: int) -> str:
    """Return the class of exactly so many cards."""
    counts = sorted(Counter(card[0] for card in cards).values(), reverse=True)
    is_suited = len({card[1] for card in cards}) == 1
    ranks = {RANKS.index(card[0]) for card in cards}
    is_run = len(ranks) == size and _runs(ranks, size)
    if is_suited and is_run:
        is_top = ranks == set(range(len(RANKS) - size, len(RANKS)))
        return {3: "mini_royal", 5: "royal_flush"}.get(size, "straight_flush") if is_top else "straight_flush"
    if is_suited:
        return "flush"
    if is_run:
        return "straight"
    by_counts = {(4,): "four_of_a_kind", (3, 2): "full_house", (3,): "three_of_a_kind", (2, 2): "two_pair"}
    several = tuple(count for count in counts if count > 1)
    return by_counts.get(several, "pair" if several else "high")


def _runs(ranks: set[int], size: int) -> bool:
    """Whether the ranks follow one another; the ace may stand below the two and nowhere else."""
    is_low = ranks == {len(RANKS) - 1, *range(size - 1)}
    return max(ranks) - min(ranks) == size - 1 or is_low


def has_pair(cards: Iterable[str]) -> bool:
    """Whether three cards are a pair or better (679a.7(d)(3))."""
    return name_of("pa679a", cards) != "high"
