"""Shapes where hands lie on the felt: two that are one together, and two that have cards in common.

A shape that lies on two hands lies on each in part: two hands without a pair make no trips together. Two
hands that share a board share its cards: what the one has of a shape there the other has there too, and what
the one holds itself the other does not. As in ``hand_shapes``, what is not proven impossible may be.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from sabot.rules.hand_shapes import MIXED, SUITED, Ranks, Shape, implies, room, within

OF_A_RANK = 4
# A full house has 156 ways, and two of them may lie on most boards: shapes with so many are not tried.
MOST_WAYS = 13


class CardsPart(NamedTuple):
    """Cards that belong together: how many, the shapes that they hold, and those that they do not."""

    size: int
    has: frozenset[Shape]
    lacks: frozenset[Shape]

    def may_hold(self, ranks: Ranks, of: Shape, size: int) -> bool:
        """Return whether ``size`` cards of a shape may lie here, with these ranks if the shape names any."""
        # Nothing fits anywhere; else a piece needs room beside every shape that is said to be here.
        piece = Shape(size, (ranks,) if of.ways else (), of.tone, of.suits)
        is_room = size <= self.size and all(room(piece, each) <= self.size for each in self.has)
        return not size or (is_room and not any(implies(piece, each) for each in self.lacks))


@lru_cache(maxsize=4096)
def fit_together(one: Shape, other: Shape, size: int, lacks: frozenset[Shape]) -> bool:
    """Return whether ``size`` cards can hold both shapes and none of those that they lack."""
    if room(one, other) > size:
        return False
    # What is said only by suits names no rank that could make one of the lacking shapes.
    if not (lacks and one.ways and other.ways):
        return True
    return any(_joins(a, other, size, lacks) for a in one.ways)


def _joins(ranks: Ranks, shape: Shape, size: int, lacks: Iterable[Shape]) -> bool:
    """Return whether cards of these ranks fit in or beside a shape without making one that is lacking."""
    together = (tuple((Counter(ranks) | Counter(way)).elements()) for way in shape.ways)
    return any(len(all_) <= size and not _makes_any(all_, lacks) for all_ in together)


def _makes_any(ranks: Ranks, shapes: Iterable[Shape]) -> bool:
    """Return whether cards of these ranks make one of these shapes whatever their suits."""
    return any(each.tone == MIXED and any(within(way, ranks) for way in each.ways) for each in shapes)


@lru_cache(maxsize=4096)
def can_divide(whole: CardsPart, one: CardsPart, other: CardsPart) -> bool:
    """Return whether what is said of some cards agrees with what is said of the two hands they are."""
    if not all(_divides(shape, one, other) for shape in whole.has):
        return False
    # The other way round: what the two hands hold lies side by side in the whole, and must fit with it.
    pairs = ((a, b) for a in one.has for b in other.has if a.ways and b.ways)
    return all(any(_may_be_of(whole, x + y) for x in a.ways for y in b.ways) for a, b in pairs)


def _may_be_of(whole: CardsPart, ranks: Ranks) -> bool:
    """Return whether cards of these ranks may lie among cards of which this much is said."""
    shapes = (each for each in whole.has if each.ways)
    return not _makes_any(ranks, whole.lacks) and all(
        _joins(ranks, each, whole.size, whole.lacks) for each in shapes
    )


def _divides(shape: Shape, one: CardsPart, other: CardsPart) -> bool:
    """Return whether a shape can be split, some of its cards in the one hand and the rest in the other."""
    # A shape of any ranks is split by number alone: its cards count as of one rank that is none.
    for way in shape.ways or ((0,) * shape.size,):
        for size in range(shape.size + 1):
            for mine in set(combinations(way, size)):
                rest = tuple((Counter(way) - Counter(mine)).elements())
                if one.may_hold(mine, shape, size) and other.may_hold(rest, shape, len(rest)):
                    return True
    return False


# ---------------------------------------------------------------- cards in common


@lru_cache(maxsize=4096)
def can_share(one: Shape, other: Shape, own: tuple[int, int], shared: int) -> bool:
    """Return whether two hands with these numbers of own and shared cards can each hold their shape."""
    # Not tried: then it may be.
    if not 0 < len(one.ways) <= MOST_WAYS or not 0 < len(other.ways) <= MOST_WAYS:
        return True
    is_suited = one.tone == other.tone == SUITED
    if is_suited and _may_differ(one, other) and one.size - own[0] + other.size - own[1] <= shared:
        return True  # of two suits, with no card in common
    most = SUITED if is_suited else OF_A_RANK
    return any(
        (mine[0] | others[0]).total() <= shared and _lie(mine, others, most)
        for a, b in product(one.ways, other.ways)
        for mine, others in product(_on_board(a, own[0], shared), _on_board(b, own[1], shared))
    )


def _may_differ(one: Shape, other: Shape) -> bool:
    return len({*one.suits, *other.suits}) > 1


Split = tuple[Counter[int], Counter[int]]


def _on_board(way: Ranks, own: int, shared: int) -> Iterator[Split]:
    """Yield each choice of a way's cards that may lie on the board, with all of its cards."""
    for size in range(max(len(way) - own, 0), min(len(way), shared) + 1):
        for ranks in set(combinations(way, size)):
            yield Counter(ranks), Counter(way)


def _lie(one: Split, other: Split, most: int) -> bool:
    """Return whether there are enough cards of each rank for the board and both hands."""
    board = one[0] | other[0]
    mine, others = one[1] - board, other[1] - board
    return all(board[rank] + mine[rank] + others[rank] <= most for rank in mine | others)
