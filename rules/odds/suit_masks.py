"""Hands as four masks of ranks, one a suit: hands that differ only by the names of suits become one.

No chapter prefers a suit when hands meet, so of the 24 ways to name four suits one is enough. A class is
written with its masks falling; its weight is how many hands it stands for. Counts of ranks are kept as
``cards.CODE`` keeps them, three bits a rank, so that adding cards is adding integers.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial

from sabot.rules.cards import RANK_BITS, RANKS, SUITS

Masks = tuple[int, int, int, int]
Items = tuple[tuple[int, int], ...]

SUIT_COUNT, RANK_COUNT = len(SUITS), len(RANKS)
RANK_MASK = (1 << RANK_BITS) - 1
MOST_HELD = 6

# WAYS[n][k]: how many ways there are to take k cards of a rank when n are left.
WAYS = tuple(tuple(comb(left, taken) for taken in range(MOST_HELD + 1)) for left in range(SUIT_COUNT + 1))


@cache
def ranks_in(mask: int) -> tuple[int, ...]:
    """Return the ranks of a mask, lowest first."""
    return tuple(rank for rank in range(RANK_COUNT) if mask >> rank & 1)


@cache
def masks_of(count: int) -> tuple[int, ...]:
    """Return every mask of ``count`` ranks."""
    chosen = combinations(range(RANK_COUNT), count)
    return tuple(sorted(sum(1 << rank for rank in ranks) for ranks in chosen))


@cache
def submasks(mask: int) -> tuple[int, ...]:
    """Return every mask of ranks out of a mask, itself and the empty one included."""
    ranks = ranks_in(mask)
    return tuple(
        sum(1 << rank for rank in chosen)
        for count in range(len(ranks) + 1)
        for chosen in combinations(ranks, count)
    )


@cache
def key_of_mask(mask: int) -> int:
    """Return the sum of rank fields of a mask, one card a rank."""
    return sum(1 << RANK_BITS * rank for rank in ranks_in(mask))


@cache
def draws(count: int) -> tuple[tuple[Items, int], ...]:
    """Return every way to draw ``count`` ranks, each up to four times: (rank, times) pairs and their key."""
    found = []
    for ranks in combinations_with_replacement(range(RANK_COUNT), count):
        items = tuple(Counter(ranks).items())
        if all(taken <= SUIT_COUNT for _, taken in items):
            found.append((items, sum(taken << RANK_BITS * rank for rank, taken in items)))
    return tuple(found)


def held(key: int) -> list[int]:
    """Return how many cards of each rank a key holds."""
    return [key >> RANK_BITS * rank & RANK_MASK for rank in range(RANK_COUNT)]


def key_of(masks: Sequence[int]) -> int:
    """Return the sum of rank fields of a hand."""
    return sum(map(key_of_mask, masks))


def masks_of_cards(cards: Sequence[int]) -> Masks:
    """Return the class of these cards, its masks in falling order."""
    masks = [0] * SUIT_COUNT
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    masks.sort(reverse=True)
    return masks[0], masks[1], masks[2], masks[3]


def cards_of_masks(masks: Sequence[int]) -> tuple[int, ...]:
    """Return the cards of a hand written as masks."""
    return tuple(rank * SUIT_COUNT + suit for suit, mask in enumerate(masks) for rank in ranks_in(mask))


def suit_classes(count: int) -> Iterator[tuple[Masks, int]]:
    """Yield every class of hands of ``count`` cards, with its weight."""
    for masks in _falling(count, (), (1 << RANK_COUNT) - 1):
        alike = Counter(masks).values()
        weight = factorial(SUIT_COUNT)
        for times in alike:
            weight //= factorial(times)
        yield (masks[0], masks[1], masks[2], masks[3]), weight


def _falling(left: int, chosen: tuple[int, ...], most: int) -> Iterator[tuple[int, ...]]:
    if len(chosen) == SUIT_COUNT:
        if not left:
            yield chosen
        return
    for count in range(left + 1):
        for mask in masks_of(count):
            if mask <= most:
                yield from _falling(left - count, (*chosen, mask), mask)


def representative(key: int, mask: int = 0, suit: int = 0) -> tuple[int, ...]:
    """Return cards with these counts of ranks: the masked ranks in one suit, the others in the other suits.

    Without a mask the cards are spread over all four, so that no more of them share a suit than must.
    """
    cards = [rank * SUIT_COUNT + suit for rank in ranks_in(mask)]
    load = [0] * SUIT_COUNT
    free = [other for other in range(SUIT_COUNT) if not mask or other != suit]
    # To the suits with the fewest cards so far: no flush may come in that the class does not have.
    for rank, count in enumerate(held(key - key_of_mask(mask))):
        for chosen in sorted(free, key=load.__getitem__)[:count]:
            cards.append(rank * SUIT_COUNT + chosen)
            load[chosen] += 1
    return tuple(cards)
