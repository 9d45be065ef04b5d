"""Hands in classes that cannot rank differently, each with one hand to stand for it.

Where no suit holds enough cards for a flush the counts of ranks alone decide, and where one does the ranks
in that suit decide too. So some hundred thousand classes stand for twenty million six-card hands, and
``census`` asks the ranking once for each. With fewer than twice as many cards as make a flush there is
never more than one suit to look at.
"""

from collections.abc import Iterator
from functools import cache
from math import comb, prod
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE, RED
from sabot.rules.odds.suit_masks import SUIT_COUNT, WAYS, Items, draws, representative, submasks
from sabot.rules.rankings import ColorRanking, PokerRanking, Ranking, RankOrder

RED_CARDS = tuple(card for card in range(PACK_SIZE) if RED[card])
BLACK_CARDS = tuple(card for card in range(PACK_SIZE) if not RED[card])


class HandKind(NamedTuple):
    """Hands with the same score, and as many cards of the counted rank: one of them, and how many."""

    score: int
    counted: int
    cards: tuple[int, ...]
    weight: int


Class = tuple[tuple[int, ...], int]


def poker_classes(count: int, size: int) -> Iterator[Class]:
    """Yield every class of hands of ``count`` cards under a ranking whose hands have ``size`` cards."""
    assert count < 2 * size  # else two suits could both hold a flush
    for items, key in draws(count):
        weight = prod(WAYS[SUIT_COUNT][taken] for _, taken in items)
        ranks = sum(1 << rank for rank, _ in items)
        for mask in submasks(ranks):
            if mask.bit_count() < size:
                continue
            each = _ways_around(items, mask)
            # Hands with a flush are taken off: the rest of those with these ranks are decided by ranks alone.
            weight -= each * SUIT_COUNT
            for suit in range(SUIT_COUNT):
                yield representative(key, mask, suit), each
        yield representative(key), weight


def _ways_around(items: Items, mask: int) -> int:
    """Return how many hands of these ranks hold exactly the masked ranks in a given suit."""
    return prod(WAYS[SUIT_COUNT - 1][taken - (mask >> rank & 1)] for rank, taken in items)


def color_classes(own: int, others: int) -> Iterator[Class]:
    """Yield every class of own cards followed by others, by how many of each are red."""
    half = PACK_SIZE // 2
    for red in range(own + 1):
        for red_others in range(others + 1):
            black, black_others = own - red, others - red_others
            weight = comb(half, red) * comb(half, black)
            weight *= comb(half - red, red_others) * comb(half - black, black_others)
            cards = RED_CARDS[:red] + BLACK_CARDS[:black]
            cards += RED_CARDS[red : red + red_others] + BLACK_CARDS[black : black + black_others]
            yield cards, weight


def census(ranking: Ranking, count: int, counted_rank: int | None = None) -> tuple[HandKind, ...]:
    """Return every kind of hand of ``count`` cards, told apart by score and cards of the counted rank."""
    if isinstance(ranking, ColorRanking):
        return _gather(ranking, color_classes(ranking.own, count - ranking.own), counted_rank)
    assert isinstance(ranking, PokerRanking)
    return _poker_census(ranking.order, count, counted_rank)


@cache
def _poker_census(order: RankOrder, count: int, counted_rank: int | None) -> tuple[HandKind, ...]:
    # Rankings of one order share their tables; the census is shared in the same way.
    return _gather(PokerRanking(order), poker_classes(count, order.size), counted_rank)


def _gather(ranking: Ranking, classes: Iterator[Class], counted_rank: int | None) -> tuple[HandKind, ...]:
    score_of = ranking.score
    found: dict[tuple[int, int], tuple[tuple[int, ...], int]] = {}
    for cards, weight in classes:
        counted = 0 if counted_rank is None else sum(card >> 2 == counted_rank for card in cards)
        kind = score_of(cards), counted
        first, total = found.get(kind, (cards, 0))
        found[kind] = first, total + weight
    return tuple(HandKind(score, counted, *rest) for (score, counted), rest in found.items())
