"""All 2,598,960 five-card hands by class: each set of ranks once with mixed suits and once, if it can be, in one.

Suits are equal (x.6(a), held by a test of its own), so one hand stands for all of its class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, prod

Cards = Sequence[int]


def five_card_classes() -> Iterator[tuple[list[int], int]]:
    """(a hand, how many hands are like it)."""
    for ranks in combinations_with_replacement(range(13), 5):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        ways = prod(comb(4, n) for n in counts.values())
        mixed = [rank * 4 + suit for rank, n in counts.items() for suit in range(n)]
        if len(counts) == 5:
            mixed[0] += 1
            yield [rank * 4 for rank in ranks], 4
            ways -= 4
        yield mixed, ways


def counted(name: Callable[[Cards], str]) -> dict[str, int]:
    """How many of all five-card hands have each name."""
    counts: Counter[str] = Counter()
    for hand, ways in five_card_classes():
        counts[name(hand)] += ways
    return dict(counts)
