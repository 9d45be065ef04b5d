"""The search for cards that make all that was said, tried card by card.

Theory of operation. The felt is cut into *cells*: positions that lie in the same hands, so that it never
matters which of them has which card. A search lays a card on each unread place of a few cells and goes back
where a hand holds what it lacks, or can no more hold what it has. It is made three times: with suits alone,
with ranks alone, and with cards. The first two are small and find most of what cannot be; where one of them
finds nothing, no cards can be found either.

A search tries so much and no more. One that comes to its end without a find has proven that it cannot be;
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
    """The hand that is said to be the higher of two: 1 the first, -1 the other, 0 none.

    Of hands that play all their cards (``plays_all``) ranks decide: equal ones have the same. Which of larger
    hands is the higher hardly ever rules out anything, and is left to the search with cards.
    """

    own: Cells
    other: Cells
    ranking: PokerRanking
    sign: int
    plays_all: bool


class SaidWord(NamedTuple):
    """The shapes that some cells have together, those that they lack, what one card may be, who is higher."""

    cells: Cells
    has: frozenset[Shape]
    lacks: frozenset[Shape]
    among: frozenset[Card] | None = None
    margin: Margin | None = None


# Values that can be hashed, all of it: the same question comes with each row that is
# offered, and with each event while the question is open.
class Felt(NamedTuple):
    """Some cells: the cards read in each, how many were not, what is said of them, what may come."""

    read: tuple[tuple[Card, ...], ...]
    unread: tuple[int, ...]
    words: tuple[SaidWord, ...]
    pool: frozenset[Card]


class View(NamedTuple):
    """Something seen of cards: what a shape still lacks of it, what it shows to be there, how far to try."""

    of_card: Callable[[Card], int]
    lack: Callable[[Shape, Values], int]
    shows: Callable[[Shape], bool]
    compares: Callable[[Margin], bool]
    card: Callable[[int, int], Card]
    most: int
    places: int = PACK_SIZE


# ---------------------------------------------------------------- views


# What is kept is of use within one round's questions; more of it would only grow with every shift.
@lru_cache(maxsize=1 << 14)
def lack_of_ranks(shape: Shape, ranks: Values) -> int:
    """Return how many cards a shape lacks at least beside cards of these ranks."""
    counts = counts_of(ranks)
    if not shape.ways:
        return shape.size - sum(min(count, shape.tone) for count in counts)
    if groups := groups_of(shape):
        most = sorted(counts, reverse=True)
        return sum(max(group - count, 0) for group, count in zip(groups, most, strict=False))
    # At least: the fewest over all ways to make the shape. A bound too low never leaves out a true word.
    return min(sum(max(count - counts[rank], 0) for rank, count in way) for way in counted(shape))


def lack_of_suits(shape: Shape, suits: Values) -> int:
    """Return how many cards a shape lacks at least beside cards of these suits."""
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
    """A card of a rank; of so many in turn no suit is held often."""
    return (rank - 2) * 4 + nth % 4


VIEWS = (
    # The two small views first: they rule out most of what cannot be, and the third sees only what is left.
    View(_suit_of, lack_of_suits, _is_of_suits, _never, _itself, most=2000),
    View(rank_of, lack_of_ranks, _is_of_ranks, _by_ranks, _any_suit, most=8000),
    # Of many unread cards there are too many to try: what ranks and suits allow mostly is.
    View(_itself, lack_of_cards, _always, _always, _itself, most=2500, places=3),
)


# ---------------------------------------------------------------- the search


# Few: one of them is all that was said of a round, some kilobytes.
@lru_cache(maxsize=1 << 10)
def may_all_be(felt: Felt) -> bool:
    """Return whether there may be cards that make every word."""
    searches = (_Search(felt, view) for view in VIEWS if sum(felt.unread) <= view.places)
    # Every view has to find something: one that finds nothing has proven that no cards can be found.
    return all(search.stands() and search.finds() for search in searches)


class _Search:
    """One way of looking, cell by cell: those first of which the most is said."""

    def __init__(self, felt: Felt, view: View) -> None:
        self.view = view
        self.left = Counter(map(view.of_card, felt.pool))
        self.lying = [list(map(view.of_card, cards)) for cards in felt.read]
        self.tries = view.most
        self.words = [_seen(word, felt, view) for word in felt.words]
        self.of_cell = [[word for word in self.words if cell in word.cells] for cell in range(len(felt.read))]
        self.values = [self._in_turn(cell) for cell in range(len(felt.read))]
        # What is bound by the most words is laid first: it fails
        # soonest, and what hangs on it need not be tried.
        cells = sorted(range(len(felt.read)), key=lambda cell: (-len(self.of_cell[cell]), cell))
        self.places = [cell for cell in cells for _ in range(felt.unread[cell])]
        self.open = list(felt.unread)

    def stands(self) -> bool:
        """Return whether every word may be true beside the cards that were read."""
        return all(self._stands(word) for word in self.words)

    def finds(self, nth: int = 0, least: int = 0) -> bool:
        """Return whether the places from this one on can be laid, or it was tried too long to say."""
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
        """The values in the order in which they are tried: of a hand that is to be the higher from above."""
        margins = [word.margin for word in self.of_cell[cell] if word.margin]
        lean = sum(
            (cell in margin.own) * margin.sign - (cell in margin.other) * margin.sign for margin in margins
        )
        return sorted(self.left, reverse=lean > 0)

    def _goes(self, nth: int, at: int, value: int) -> bool:
        """Return whether a value can lie at a place, and others at those after it."""
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
        """Return whether the one hand may still be as much higher than the other."""
        # Hands that are not whole yet can still become the higher or the lower.
        if more:
            return margin.sign != 0 or not margin.plays_all or self._may_be_same(margin)
        own, other = (self._score(margin, cells) for cells in (margin.own, margin.other))
        return (own > other) - (own < other) == margin.sign

    def _may_be_same(self, margin: Margin) -> bool:
        """Return whether what lies of the one hand is in the other, once that is whole."""
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
    """Return what the read cards show of a word: the shapes that show, and the higher hand where it shows."""
    size = sum(len(felt.read[cell]) + felt.unread[cell] for cell in word.cells)
    lacks = frozenset(each for each in word.lacks | _all_of_a_suit(word, size) if view.shows(each))
    among = None if word.among is None else frozenset(map(view.of_card, word.among))
    margin = word.margin if word.margin and view.compares(word.margin) else None
    return SaidWord(word.cells, word.has, lacks, among, margin)


def _all_of_a_suit(word: SaidWord, size: int) -> frozenset[Shape]:
    """All cards of one suit, where they are a straight and no straight flush."""
    return frozenset(
        Shape(size, (), SUITED, no.suits)
        for no in word.lacks
        for shape in word.has
        if no.tone == SUITED and shape.size == size and shape.ways and set(shape.ways) <= set(no.ways)
    )


def cells_of(hands: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """The positions of some hands, those together that lie in the same of them."""
    found: dict[tuple[bool, ...], set[int]] = {}
    for position in sorted(frozenset[int]().union(*hands)):
        found.setdefault(tuple(position in hand for hand in hands), set()).add(position)
    return [frozenset(each) for each in found.values()]
