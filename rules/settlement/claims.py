"""A dealer's statements about cards, as shapes: names of hands, rows of a paytable, single cards.

Cards are named by the positions in which they left the deck.
"""

# Theory of operation. A dealer tells names, a settlement asks rows, a deck has cards: in shapes all three can
# be held against each other. A name says that cards hold its shape, and that they lack the shapes of all
# names above, for whoever names a hand says that it is no better one. A row of a paytable says the same of
# the rows above it, as far as that can be said in shapes: of a row that wants two shapes cards may lack
# either, and nobody knows which. What is left out for that makes a claim weaker, never false.

from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache, lru_cache

from sabot.rules.cards import SUITS, Card
from sabot.rules.frozen import frozen
from sabot.rules.hand_shapes import COLORED, Shape, implies, named_shape, one_of
from sabot.rules.paytables import ANY_HAND, Column, PayRow
from sabot.rules.rankings import ACE, HIGH, ColorRanking, PokerRanking, RankOrder

Cards = frozenset[int]
FLUSH = "flush"


@frozen
class Higher:
    """The higher of two hands of one class: ``sign`` is 1 for ``own``, -1 for ``other``, 0 for a tie."""

    own: Cards
    other: Cards
    ranking: PokerRanking
    sign: int

    @property
    def plays_all(self) -> bool:
        """Return whether both hands play all their cards, so that ranks alone decide between them."""
        return len(self.own) == len(self.other) == self.ranking.order.size


@frozen
class Claim:
    """The shapes that certain cards are said to hold, and those they are said not to hold.

    Of one card alone it may also be said which it may be (``among``), of two hands which is the higher.
    """

    cards: Cards
    has: frozenset[Shape] = frozenset()
    lacks: frozenset[Shape] = frozenset()
    among: frozenset[Card] | None = None
    higher: Higher | None = None


# ---------------------------------------------------------------- what a row says


@cache
def _names(ranking: PokerRanking) -> tuple[Shape, ...]:
    """Return the shapes of a ranking's names, highest first."""
    return tuple(_shape(ranking.order, name) for name in ranking.order.names)


def _shape(order: RankOrder, name: str, first: int = 2, last: int = ACE) -> Shape:
    return named_shape(name, order.size, ace_low=order.ace_low, first=first, last=last)


def named(ranking: PokerRanking, name: str, cards: Cards) -> list[Claim]:
    """Return the claim that cards make a hand of this name and no better one."""
    level = ranking.level_of(name) or 0
    shapes = _names(ranking)
    # Whoever names a hand says as well that it is no better one.
    above = shapes[: len(shapes) - level]
    return [Claim(cards, frozenset(shapes[-level:][:1] if level else ()), frozenset(above))]


def may_tie(ranking: PokerRanking, level: int, tied: int = 0) -> bool:
    """Return whether a hand of a level can be equal to the dealer's, beside ``tied`` others that are.

    Equal hands have the same ranks, and one deck has four cards of each.
    """
    (shape,) = _names(ranking)[-level:][:1] if level else (Shape(0),)
    # Equal trips need six cards of a rank: a deck has four (reading R19).
    most = max((way.count(way[0]) for way in shape.ways), default=1)
    return most * (tied + 2) <= len(SUITS)


def row_claims(column: Column, name: str, own: Cards, others: Cards) -> list[Claim]:
    """Return the claims that a row of a column makes about the player's cards and those beside them."""
    if isinstance(column.ranking, ColorRanking):
        return _color_claims(column, name, own, others)
    has, lacks = _row_shapes(column, name)
    return [Claim(own | others, has, lacks)]


@lru_cache(maxsize=1024)
def _row_shapes(column: Column, name: str) -> tuple[frozenset[Shape], frozenset[Shape]]:
    """Return the shapes of a row, and those that are lacking in it: the hands and the rows above."""
    assert isinstance(column.ranking, PokerRanking)  # the caller took the other kind
    lacks: set[Shape] = set()
    for row in column.rows:
        has, above = _shapes_of(column.ranking, row)
        if row.name == name:
            return has, frozenset(lacks | above)
        # Only of a row above that is *one* shape does it follow that this shape is lacking.
        if len(has) == 1 and all(_is_ruled_out(shape, lacks) for shape in above):
            lacks |= has
    return frozenset(), frozenset(lacks)


def _is_ruled_out(shape: Shape, lacks: AbstractSet[Shape]) -> bool:
    """Return whether cards that lack these lack a shape too.

    Either the shape holds one of them, or all of them together are the shape, suit by suit.
    """
    if any(implies(shape, each) for each in lacks):
        return True
    alike = (each.suits for each in lacks if replace(each, suits=shape.suits) == shape)
    return set(shape.suits) <= set[int]().union(*alike)


def _shapes_of(ranking: PokerRanking, row: PayRow) -> tuple[frozenset[Shape], frozenset[Shape]]:
    """Return the shapes that make a row, and those of the hands above it that do not make it too."""
    hand = next((name for name in row.hands if ranking.level_of(name) is not None), ANY_HAND)
    if hand == ANY_HAND:
        return frozenset(), frozenset()
    first, last = row.lead or (2, ACE)
    level, shapes, names = ranking.level_of(hand) or 0, _names(ranking), ranking.order.names
    above = {shapes[nth] for nth, name in enumerate(names[: len(names) - level]) if name not in row.hands}
    has = set() if hand == HIGH else {_shape(ranking.order, hand, first, last)}
    # These names have no rank of their own in their shape: the card that leads is a shape beside it.
    if hand in (HIGH, FLUSH) and row.lead:
        has.add(one_of(first, last))
    if hand == HIGH and last < ACE:
        above.add(one_of(last + 1, ACE))
    if row.second:
        has.add(one_of(*row.second))
    return frozenset(_of_suits(shape, row.suits) for shape in has), frozenset(above)


def _of_suits(shape: Shape, suits: tuple[int, ...]) -> Shape:
    return Shape(shape.size, shape.ways, shape.tone, suits) if suits else shape


def _color_claims(column: Column, name: str, own: Cards, others: Cards) -> list[Claim]:
    """Return the claims of a row of colors: it is this row, and none of the rows above."""
    claims: list[Claim] = []
    for row in column.rows:
        mine = Shape(row.own, (), COLORED)
        every = Shape(row.own + row.others, (), COLORED)
        if row.name == name:
            claims.append(Claim(own, frozenset({mine})))
            return [*claims, Claim(own | others, frozenset({every}))] if row.others else claims
        # A row above that was not made: there are not so many cards of one color.
        claims.append(Claim(own | others if row.others else own, frozenset(), frozenset({every})))
    return claims


def card_claim(card: Card, cards: Cards, *, is_there: bool) -> Claim:
    """Return the claim that a certain card is among these, or is not."""
    return _claim_of(Shape(1, (((card >> 2) + 2,),), 1, (card & 3,)), cards, is_there=is_there)


def rank_claim(cards: Cards, rank: int, *, is_there: bool) -> Claim:
    """Return the claim that a card of this rank is among these, or none is."""
    return _claim_of(one_of(rank, rank), cards, is_there=is_there)


def _claim_of(shape: Shape, cards: Cards, *, is_there: bool) -> Claim:
    shapes = frozenset({shape})
    return Claim(cards, shapes) if is_there else Claim(cards, frozenset(), shapes)


def qualifying(cards: Cards, lead: int, *, qualifies: bool) -> Claim:
    """Return the claim that a hand without a name has a card of this rank or above, or has none."""
    return _claim_of(one_of(lead, ACE), cards, is_there=qualifies)
