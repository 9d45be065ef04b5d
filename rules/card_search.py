"""The search, card by card, for cards that make everything that was said true.

Theory of operation. The felt is cut into *cells*: positions that lie in the same hands, so that it never
matters which of them has which card. A search lays a card on each unread place of a few cells and goes back
where a hand holds what it is said to lack, or can no longer hold what it is said to have. It is made three
times: with suits alone, with ranks alone, and with cards. The first two are small and find most of what
cannot be; where one of them finds nothing, no cards can be found either.

A search has a limited number of tries. One that comes to its end without a find has proven that it cannot be;
one that is given up has not, and then it may be: a true word is never left out.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE, RED, Card
from sabot.rules.hand_shapes import (
    MIXED,
    SUITED,
    Ranks,
    Shape,
    alike,
    counted,
    counts_of,
    groups_of,
    rank_of,
    within,
)
from sabot.rules.rankings import PokerRanking

Cells = tuple[int, ...]
Values = tuple[int, ...]


class Margin(NamedTuple):
    """A comparison of two hands as it was said: ``sign`` is 1 for ``own``, -1 for ``other``, 0 for a tie.

    Where both play all their cards (``plays_all``) ranks alone decide, and equal hands have equal ranks. In
    larger hands the comparison hardly ever rules anything out, and is left to the search with cards.
    """

    own: Cells
    other: Cells
    ranking: PokerRanking
    sign: int
    plays_all: bool


class SaidWord(NamedTuple):
    """A statement about some cells: the shapes held, those lacking, what a card may be, who is higher."""

    cells: Cells
    has: frozenset[Shape]
    lacks: frozenset[Shape]
    among: frozenset[Card] | None = None
    margin: Margin | None = None


# Hashable, all of it, for ``may_all_be`` is cached: the same question comes with each row that is
# offered, and with each event while the question is open.
class Felt(NamedTuple):
    """Some cells in question: the cards read in each, the number unread, the statements, the cards left."""

    read: tuple[tuple[Card, ...], ...]
    unread: tuple[int, ...]
    words: tuple[SaidWord, ...]
    pool: frozenset[Card]


class View(NamedTuple):
    """An aspect of cards to search by (suits, ranks, or both), and how far to try.

    ``shows`` picks the shapes that this aspect alone can prove, ``compares`` the margins that it can judge,
    and ``places`` is the number of unread cards up to which the search is made at all.
    """

    of_card: Callable[[Card], int]
    lack: Callable[[Shape, Values], int]
    shows: Callable[[Shape], bool]
    compares: Callable[[Margin], bool]
    card: Callable[[int, int], Card]
    most: int
    places: int = PACK_SIZE


# ---------------------------------------------------------------- views


# What is kept is of use within one round's questions; more of it would only grow with every shift.
@lru_cache(maxsize=1 << 13)
def lack_of_ranks(shape: Shape, ranks: Values) -> int:
    """Return the least number of cards that a shape lacks beside cards of these ranks."""
    counts = counts_of(ranks)
    if not shape.ways:
        return shape.size - sum(min(count, shape.tone) for count in counts)
    if groups := groups_of(shape):
        most = sorted(counts, reverse=True)
        return sum(max(group - count, 0) for group, count in zip(groups, most, strict=False))
    # At least: the fewest over all ways to make the shape. A bound too low never leaves out a true word.
    return min(sum(max(count - counts[rank], 0) for rank, count in way) for way in counted(shape))


def lack_of_suits(shape: Shape, suits: Values) -> int:
    """Return the least number of cards that a shape lacks beside cards of these suits."""
    if shape.tone == MIXED:
        return 0
    if shape.tone == SUITED:
        return shape.size - max(suits.count(suit) for suit in shape.suits)
    reds = sum(RED[suit] for suit in suits)
    return shape.size - max(reds, len(suits) - reds)


@lru_cache(maxsize=1 << 12)
def lack_of_cards(shape: Shape, cards: Values) -> int:
    """Return how many cards a shape lacks beside these."""
    return min(lack_of_ranks(shape, ranks) for ranks in alike(shape, cards))


def _suit_of(card: Card) -> int:
    return card & 3


def _itself(card: int, _nth: int = 0) -> int:
    return card


def _is_of_suits(shape: Shape) -> bool:
    return not shape.ways and shape.tone != MIXED


def _is_of_ranks(shape: Shape) -> bool:
    return shape.tone == MIXED


def _by_ranks(margin: Margin) -> bool:
    return margin.plays_all


def _never(_: object) -> bool:
    return False


def _always(_: object) -> bool:
    return True


# Ranks alone have to become cards to be scored: of suits spread evenly no flush comes in by chance.
def _any_suit(rank: int, nth: int) -> Card:
    """Return a card of this rank, the suits taken in turn."""
    return (rank - 2) * 4 + nth % 4


VIEWS = (
    # The two small views first: they rule out most of what cannot be, and the third sees only what is left.
    View(_suit_of, lack_of_suits, _is_of_suits, _never, _itself, most=2000),
    View(rank_of, lack_of_ranks, _is_of_ranks, _by_ranks, _any_suit, most=8000),
    # Many unread cards can be too many hands to try, and what ranks and suits allow is mostly possible.
    View(_itself, lack_of_cards, _always, _always, _itself, most=2500, places=3),
)


# ---------------------------------------------------------------- the search


# Few: one of them is all that was said of a round, some kilobytes.
@lru_cache(maxsize=1 << 9)
def may_all_be(felt: Felt) -> bool:
    """Return whether some cards may make every statement true at once."""
    searches = (_Search(felt, view) for view in VIEWS if sum(felt.unread) <= view.places)
    # Every view has to find something: one that finds nothing has proven that no cards can be found.
    return all(search.stands() and search.finds() for search in searches)


class _Search:
    """A search under one view, cell by cell: first those about which the most is said."""

    def __init__(self, felt: Felt, view: View) -> None:
        self.view = view
        self.left = Counter(map(view.of_card, felt.pool))
        self.lying = [list(map(view.of_card, cards)) for cards in felt.read]
        self.tries = view.most
        self.words = [_seen(word, felt, view) for word in felt.words]
        self.of_cell = [[word for word in self.words if cell in word.cells] for cell in range(len(felt.read))]
        self.values = [self._in_turn(cell) for cell in range(len(felt.read))]
        # Cells bound by the most statements are filled first: they fail soonest, and what hangs on them need
        # not be tried.
        cells = sorted(range(len(felt.read)), key=lambda cell: (-len(self.of_cell[cell]), cell))
        self.places = [cell for cell in cells for _ in range(felt.unread[cell])]
        self.open = list(felt.unread)

    def stands(self) -> bool:
        """Return whether every word may be true beside the cards that were read."""
        return all(self._stands(word) for word in self.words)

    def finds(self, nth: int = 0, least: int = 0) -> bool:
        """Return whether the places from this one on can be filled; True too once the tries are used up."""
        if nth == len(self.places):
            return True
        cell = self.places[nth]
        # Places of one cell are alike: laid in rising order, each set
        # of cards is tried once and not in every order.
        is_new = nth == 0 or self.places[nth - 1] != cell
        values = enumerate(self.values[cell])
        return any(
            self._goes(nth, at, value) for at, value in values if self.left[value] and (is_new or at >= least)
        )

    def _in_turn(self, cell: int) -> list[int]:
        """Return the values in the order to try them: from above for a hand that is to be the higher."""
        margins = [word.margin for word in self.of_cell[cell] if word.margin]
        lean = sum(
            (cell in margin.own) * margin.sign - (cell in margin.other) * margin.sign for margin in margins
        )
        return sorted(self.left, reverse=lean > 0)

    def _goes(self, nth: int, at: int, value: int) -> bool:
        """Return whether a value can lie at a place, with others at the places after it."""
        self.tries -= 1
        # Given up: then it may be, for a true word is never left out.
        if self.tries < 0:
            return True
        cell = self.places[nth]
        self._lay(cell, value, 1)
        self.lying[cell].append(value)
        goes = all(self._stands(word) for word in self.of_cell[cell]) and self.finds(nth + 1, at)
        self.lying[cell].pop()
        self._lay(cell, value, -1)
        return goes

    def _lay(self, cell: int, value: int, count: int) -> None:
        self.left[value] -= count
        self.open[cell] -= count

    def _stands(self, word: SaidWord) -> bool:
        """Return whether a word may still be true."""
        lack, more = self.view.lack, sum(self.open[cell] for cell in word.cells)
        values = self._lying(word.cells)
        if any(lack(shape, values) > more for shape in word.has):
            return False
        # Cards that are there already cannot be lacking, whatever comes beside them.
        if any(lack(shape, values) <= 0 for shape in word.lacks):
            return False
        if word.among is not None and not word.among.issuperset(values):
            return False
        return word.margin is None or self._is_margin(word.margin, more)

    def _lying(self, cells: Cells) -> Values:
        return tuple(sorted(value for cell in cells for value in self.lying[cell]))

    def _is_margin(self, margin: Margin, more: int) -> bool:
        """Return whether the comparison may still come out as it was stated."""
        # Hands that are not whole yet can still become the higher or the lower.
        if more:
            return margin.sign != 0 or not margin.plays_all or self._may_be_same(margin)
        own, other = (self._score(margin, cells) for cells in (margin.own, margin.other))
        return (own > other) - (own < other) == margin.sign

    def _may_be_same(self, margin: Margin) -> bool:
        """Return whether two hands may still have the same ranks, judged once one of them is whole."""
        hands = [cells for cells in (margin.own, margin.other) if not any(self.open[cell] for cell in cells)]
        if not hands:
            return True
        few, many = sorted((self._ranks(margin.own), self._ranks(margin.other)), key=len)
        return within(few, many)

    def _ranks(self, cells: Cells) -> Ranks:
        return tuple(rank_of(self.view.card(value, 0)) for value in self._lying(cells))

    def _score(self, margin: Margin, cells: Cells) -> int:
        return margin.ranking.score(
            [self.view.card(value, nth) for nth, value in enumerate(self._lying(cells))]
        )


def _seen(word: SaidWord, felt: Felt, view: View) -> SaidWord:
    """Return the part of a statement that a view can judge."""
    size = sum(len(felt.read[cell]) + felt.unread[cell] for cell in word.cells)
    lacks = frozenset(each for each in word.lacks | _all_of_a_suit(word, size) if view.shows(each))
    among = None if word.among is None else frozenset(map(view.of_card, word.among))
    margin = word.margin if word.margin and view.compares(word.margin) else None
    return SaidWord(word.cells, word.has, lacks, among, margin)


def _all_of_a_suit(word: SaidWord, size: int) -> frozenset[Shape]:
    """Return "all of one suit" as lacking, where all cards are a straight but no straight flush."""
    return frozenset(
        Shape(size, (), SUITED, no.suits)
        for no in word.lacks
        for shape in word.has
        if no.tone == SUITED and shape.size == size and shape.ways and set(shape.ways) <= set(no.ways)
    )


def cells_of(hands: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Return the positions of some hands, grouped by the hands that they lie in."""
    found: dict[tuple[bool, ...], set[int]] = {}
    for position in sorted(frozenset[int]().union(*hands)):
        found.setdefault(tuple(position in hand for hand in hands), set()).add(position)
    return [frozenset(each) for each in found.values()]
