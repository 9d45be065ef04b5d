"""The cores of hands: what a named hand holds, and so what else the same cards can and cannot be.

Theory of operation. A hand's name says that its cards hold a *shape* (four of one rank, five in a row, three
of one suit) and none of the shapes that rank higher. People tell names and not cards, so everything that
follows from a name is worked out on shapes: one implies another (a five-card flush holds four of a suit), two
shapes share some cards and need room for the rest (a full house and four in a row never fit into five cards),
a shape that loses a card leaves a smaller one behind (trips among six cards leave a pair among five of them).

Every answer is a safe one: "cannot be" is proven, and what is not proven impossible may be.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from functools import cache, lru_cache
from itertools import combinations

from sabot.rules.cards import RED, SUITS
from sabot.rules.frozen import frozen
from sabot.rules.rankings import ACE, ROYALS, SIX_CARD_ROYAL

Ranks = tuple[int, ...]
RANK_VALUES = range(2, ACE + 1)
ALL_SUITS = tuple(range(len(SUITS)))
# The tone of a shape is how many cards of one rank it can have, so it serves as a bound and sorts by freedom.
SUITED, COLORED, MIXED = 1, 2, 4


@frozen
class Shape:
    """``size`` cards whose ranks are one of ``ways`` (none: any ranks), of one suit, one color, or any."""

    size: int
    ways: tuple[Ranks, ...] = ()
    tone: int = MIXED
    suits: tuple[int, ...] = ALL_SUITS
    # Shapes are asked for by the thousand; a full house alone has 156 ways to hash.
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.size, self.ways, self.tone, self.suits)))

    def __hash__(self) -> int:
        return self._hash


# ---------------------------------------------------------------- the shapes of named hands

_GROUPS = {
    "four_of_a_kind": (4,),
    "full_house": (3, 2),
    "three_of_a_kind": (3,),
    "two_pair": (2, 2),
    "pair": (2,),
}


@cache
def named_shape(name: str, size: int, *, ace_low: bool = True, first: int = 2, last: int = ACE) -> Shape:
    """Return the shape of a named hand of ``size`` cards, its leading rank from ``first`` to ``last``."""
    if name in _GROUPS:
        groups = _GROUPS[name]
        return Shape(sum(groups), tuple(_grouped(groups, first, last)))
    if name == "flush":
        return Shape(size, (), SUITED)
    if name == SIX_CARD_ROYAL:
        return Shape(6, (tuple(range(ACE - 5, ACE + 1)),), SUITED)
    # A royal is the straight flush that an ace leads.
    if name in ROYALS:
        first = ACE
    runs = tuple(_runs(size, first, last, ace_low=ace_low))
    return Shape(size, runs, MIXED if name == "straight" else SUITED)


@cache
def groups_of(shape: Shape) -> tuple[int, ...]:
    """Return the sizes of a shape's groups of one rank, empty for a shape that is not a group of any rank."""
    return next((groups for name, groups in _GROUPS.items() if shape == named_shape(name, shape.size)), ())


def _grouped(groups: tuple[int, ...], first: int, last: int) -> Iterator[Ranks]:
    """Yield groups with the leading rank between two others; a second group of the same size is lower."""
    for lead in range(first, last + 1):
        if len(groups) == 1:
            yield (lead,) * groups[0]
        for rank in RANK_VALUES if len(groups) > 1 else ():
            if rank != lead and (groups[0] != groups[1] or rank < lead):
                yield (lead,) * groups[0] + (rank,) * groups[1]


def _runs(size: int, first: int, last: int, *, ace_low: bool) -> Iterator[Ranks]:
    for top in range(max(size + 1, first), last + 1):
        yield tuple(range(top - size + 1, top + 1))
    if ace_low and first <= size <= last:
        yield (*range(2, size + 1), ACE)


@cache
def one_of(first: int, last: int) -> Shape:
    """Return the shape of one card between two ranks."""
    return Shape(1, tuple((rank,) for rank in range(first, last + 1)))


# ---------------------------------------------------------------- one shape and another


@lru_cache(maxsize=4096)
def implies(one: Shape, other: Shape) -> bool:
    """Return whether cards that hold the one must hold the other."""
    # Fewer cards, or more freedom in their suits, can never prove the other shape.
    if one.size < other.size or one.tone > other.tone or not set(one.suits) <= set(other.suits):
        return False
    if not other.ways:
        return True
    # For every way in which the one can be made: one that lacks the other is enough against it.
    return bool(one.ways) and all(any(within(b, a) for b in other.ways) for a in one.ways)


def within(few: Ranks, many: Ranks) -> bool:
    """Return whether these ranks are among the others, each as often."""
    return all(few.count(rank) <= many.count(rank) for rank in set(few))


@lru_cache(maxsize=4096)
def room(one: Shape, other: Shape) -> int:
    """Return the least number of cards that hold both."""
    return one.size + other.size - _shared(one, other)


def _shared(one: Shape, other: Shape) -> int:
    """Return how many cards can be part of both."""
    if one.ways and other.ways:
        # The most they can share in any way, so the least room: too little room is then proven.
        return max(_common(a, b, min(one.tone, other.tone)) for a in one.ways for b in other.ways)
    if not one.ways and not other.ways:
        return min(one.size, other.size)
    # Of the cards of a bound shape a free one can share what its own suits allow, whatever their ranks.
    free, bound = (other, one) if one.ways else (one, other)
    return max(min(free.size, _common(way, way, free.tone)) for way in bound.ways)


def _common(one: Ranks, other: Ranks, most: int) -> int:
    """Return how many cards two lists of ranks can have in common, at most ``most`` of a rank."""
    return sum(min(one.count(rank), other.count(rank), most) for rank in set(one))


@lru_cache(maxsize=4096)
def leaves(shape: Shape, gone: int, wanted: frozenset[Shape]) -> bool:
    """Return whether a shape that loses ``gone`` cards always leaves one of the wanted ones behind."""
    if gone >= shape.size:
        return False
    ways = shape.ways or ((),)
    return all(
        any(implies(rest, each) for each in wanted) for way in ways for rest in _rests(shape, way, gone)
    )


def _rests(shape: Shape, way: Ranks, gone: int) -> Iterator[Shape]:
    size = shape.size - gone
    rests: Iterable[Ranks] = set(combinations(way, size)) if way else ((),)
    for rest in rests:
        yield Shape(size, (rest,) if rest else (), shape.tone, shape.suits)


@cache
def least_of_ranks(shape: Shape) -> dict[int, int]:
    """Return the ranks that a shape has whichever way it is made, and the least number of cards of each."""
    sure = set(shape.ways[0]).intersection(*shape.ways) if shape.ways else ()
    return {rank: min(way.count(rank) for way in shape.ways) for rank in sure}


# ---------------------------------------------------------------- shapes and cards


def alike(shape: Shape, cards: Collection[int]) -> Iterator[Ranks]:
    """Yield the ranks of the cards that a shape can be made of, once for each suit or color."""
    if shape.tone == MIXED:
        yield tuple(map(rank_of, cards))
    elif shape.tone == COLORED:
        for is_red in (True, False):
            yield tuple(rank_of(card) for card in cards if RED[card] == is_red)
    else:
        for suit in shape.suits:
            yield tuple(rank_of(card) for card in cards if card & 3 == suit)


def rank_of(card: int) -> int:
    """Return the rank of a card, 2 to 14."""
    return (card >> 2) + 2


def holds(shape: Shape, cards: Collection[int]) -> bool:
    """Return whether these cards hold a shape."""
    return can_hold(shape, cards, 0, ())


def can_hold(shape: Shape, cards: Collection[int], more: int, pool: Collection[int]) -> bool:
    """Return whether these cards and ``more`` others out of a pool can hold a shape."""
    if len(cards) + more < shape.size:
        return False
    return any(
        _fits(shape, have, more, left)
        for have, left in zip(alike(shape, cards), alike(shape, pool), strict=True)
    )


def _fits(shape: Shape, have: Ranks, more: int, left: Ranks) -> bool:
    if not shape.ways:
        return len(have) + min(more, len(left)) >= shape.size
    lying, coming = counts_of(have), counts_of(left)
    return any(_can_fill(way, lying, more, coming) for way in counted(shape))


def counts_of(ranks: Ranks) -> list[int]:
    """Return the number of cards of each rank, indexed by rank."""
    counts = [0] * (ACE + 1)
    for rank in ranks:
        counts[rank] += 1
    return counts


@cache
def counted(shape: Shape) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the ways of a shape, each as pairs of a rank and its number of cards."""
    return tuple(tuple((rank, way.count(rank)) for rank in sorted(set(way))) for way in shape.ways)


def _can_fill(way: Iterable[tuple[int, int]], lying: list[int], more: int, coming: list[int]) -> bool:
    for rank, count in way:
        lack = count - lying[rank]
        if lack > 0:
            more -= lack
            if more < 0 or lack > coming[rank]:
                return False
    return True
