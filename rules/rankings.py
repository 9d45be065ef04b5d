"""The ranking of hands, as tables that fill themselves.

Theory of operation. A ranking names the hands it knows, highest first, and makes the best ``size`` of the
cards it is given. A hand may satisfy several names (a full house holds three of a kind): it counts as the
first name of the order that it satisfies, so that "the highest ranking hand" of every chapter is the same
few lines.

A score is one integer, and a greater score is a better hand::

    level of the name << 20 | lead rank << 16 | second << 12 | third << 8 | fourth << 4 | fifth

Cards are summed by ``cards.CODE``. When no suit is held ``size`` times the sum's rank fields alone decide,
and the answer stands in a table keyed by them; else the mask of the suited ranks decides through a second
table, and the better of both counts. Both tables are dicts which compute a missing entry from the
``size``-card hands inside it: nothing is built at start, nothing is shipped, and a table can never hold
more than the deck can make.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from sabot.rules.cards import CODE, RANK_BITS, RANK_FIELDS, RANKS, RED, SUIT_BITS, SUIT_SHIFT, SUITS
from sabot.rules.frozen import frozen

ACE = 14
LEVEL_SHIFT = 20
LEAD_SHIFT = 16
SECOND_SHIFT = 12
HIGH = "high"
SIX_CARD_ROYAL = "six_card_royal"
_SIX_CARD_ROYAL_MASK = 0b1111110000000

# The names that a hand satisfies by its count pattern, strongest first.
_SHAPES = {
    4: ("four_of_a_kind", "three_of_a_kind", "pair"),
    32: ("full_house", "three_of_a_kind", "two_pair", "pair"),
    3: ("three_of_a_kind", "pair"),
    22: ("two_pair", "pair"),
    2: ("pair",),
    1: (),
}
# A straight flush of the highest ranks has a name of its own in some chapters.
ROYALS = {"royal_flush": 5, "mini_royal": 3}
_RUNS = frozenset({"straight", "straight_flush", *ROYALS})
HAND_KINDS = frozenset(
    {name for names in _SHAPES.values() for name in names}
    | set(ROYALS)
    | {"straight_flush", "flush", "straight", SIX_CARD_ROYAL}
)


class Ranking(Protocol):
    """The side of a ranking that a paytable uses: a score, and the names its levels have."""

    def score(self, cards: Sequence[int]) -> int:
        """Return the score of these cards; greater is better."""

    def name(self, score: int) -> str:
        """Return the name of the hand behind a score."""

    def level_of(self, name: str) -> int | None:
        """Return the level of a named hand, None when the ranking does not know it."""


@frozen
class RankOrder:
    """The names a ranking knows, highest first, how many cards make a hand, and how ties are broken."""

    size: int
    names: tuple[str, ...]
    ace_low: bool = True
    by_highest_card: bool = False

    def level(self, satisfied: Collection[str]) -> int:
        """Return the level of the highest listed name among those a hand satisfies (0: none of them)."""
        for place, name in enumerate(self.names):
            if name in satisfied:
                return len(self.names) - place
        return 0

    def name(self, level: int) -> str:
        """Return the name of a level, ``high`` for none."""
        return self.names[-level] if level else HIGH

    def straight_top(self, ranks: Sequence[int]) -> int:
        """Return the top rank of a straight made by all these ranks, sorted downwards, else 0."""
        if len(set(ranks)) < len(ranks) or len(ranks) < self.size:
            return 0
        if ranks[0] - ranks[-1] == self.size - 1:
            return ranks[0]
        # The ace below a two: the top of this straight is not the ace, which makes it the lowest (x.6(b)).
        low_run = [ACE, *range(self.size, 1, -1)]
        return self.size if self.ace_low and list(ranks) == low_run else 0


def _pack(level: int, ranks: Iterable[int]) -> int:
    score, shift = level << LEVEL_SHIFT, LEAD_SHIFT
    for rank in ranks:
        score |= rank << shift
        shift -= 4
    return score


def _hand_score(order: RankOrder, ranks: Sequence[int], *, suited: bool) -> int:
    """Return the score of exactly ``size`` cards, given by their ranks sorted downwards."""
    counts = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    # The two greatest counts as digits: 32 is a full house, 22 two pair; single cards are left out.
    shape = counts[0][0] * 10 + counts[1][0] if len(counts) > 1 and counts[1][0] > 1 else counts[0][0]
    satisfied = list(_SHAPES[shape])
    top = order.straight_top(ranks)
    if top:
        satisfied.append("straight")
    if suited:
        satisfied.append("flush")
        if top:
            satisfied.append("straight_flush")
            if top == ACE:
                satisfied += [name for name, size in ROYALS.items() if size == order.size]
    level = order.level(satisfied)
    # Reading R3 taken literally: ranks from above, however often each is there.
    if order.by_highest_card:
        return _pack(level, ranks)
    # Of a straight the top card says everything, and with an ace below it is not the ace.
    if order.name(level) in _RUNS:
        return _pack(level, (top,))
    return _pack(level, (rank for _, rank in counts))


# One card of each rank, and all of the field that counts them.
_FIELDS = tuple((1 << shift, 7 << shift) for shift in range(0, SUIT_SHIFT, RANK_BITS))


def _ranks_of_key(key: int) -> list[int]:
    """Return the ranks, sorted downwards, that a sum of rank fields stands for."""
    ranks = []
    while key:
        field = (key.bit_length() - 1) // RANK_BITS
        ranks.append(field + 2)
        key -= 1 << RANK_BITS * field
    return ranks


class _RankTable(dict[int, int]):
    """Best score by the sum of rank fields, suits aside; surplus cards are tried with each left out."""

    def __init__(self, order: RankOrder) -> None:
        super().__init__()
        self.order = order

    def __missing__(self, key: int) -> int:
        # Fields are octal digits, so that the remainder by seven is that of their sum, the number of cards.
        if key % 7 == self.order.size:
            score = _hand_score(self.order, _ranks_of_key(key), suited=False)
        else:
            # Best of the hands that leave one card out: each of those
            # is in the table, or comes into it on the way.
            score = max([self[key - one] for one, field in _FIELDS if key & field])
        self[key] = score
        return score


class _SuitedTable(dict[int, int]):
    """Best score by the mask of the ranks held in one suit; surplus cards are tried with each left out."""

    def __init__(self, order: RankOrder) -> None:
        super().__init__()
        self.order = order

    def __missing__(self, mask: int) -> int:
        ranks = [bit + 2 for bit in range(len(RANKS) - 1, -1, -1) if mask >> bit & 1]
        if len(ranks) == self.order.size:
            score = _hand_score(self.order, ranks, suited=True)
        else:
            score = max(self[mask ^ 1 << rank - 2] for rank in ranks)
        self[mask] = score
        return score


# Equal orders share their tables: the five chapters have few different rankings between them.
_rank_table = cache(_RankTable)
_suited_table = cache(_SuitedTable)


class PokerRanking:
    """The best ``order.size`` of the cards given, at most seven."""

    def __init__(self, order: RankOrder) -> None:
        self.order = order
        # Added to each suit's field: with ``size`` cards of a suit its
        # highest bit is set, and one test finds a flush.
        bias = 8 - order.size
        fields = range(SUIT_SHIFT, SUIT_SHIFT + SUIT_BITS * len(SUITS), SUIT_BITS)
        self._bias = sum(bias << field for field in fields)
        self._flush_bits = sum(8 << field for field in fields)
        self._six_card_royal = order.level((SIX_CARD_ROYAL,)) << LEVEL_SHIFT
        self._plain = _rank_table(order)
        self._suited = _suited_table(order)

    def score(self, cards: Sequence[int]) -> int:
        """Return the score of the best hand in these cards."""
        code = CODE
        total = self._bias
        for card in cards:
            total += code[card]
        flush = total & self._flush_bits
        if flush:
            return self._score_with_flush(cards, total, flush)
        return self._plain[total & RANK_FIELDS]

    def _score_with_flush(self, cards: Sequence[int], total: int, flush: int) -> int:
        suit = (flush.bit_length() - 1 - SUIT_SHIFT) // SUIT_BITS
        mask = 0
        for card in cards:
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
        # The one hand of which the suit counts: paytable E pays the one in diamonds by a row of its own.
        if mask == _SIX_CARD_ROYAL_MASK and self._six_card_royal:
            return self._six_card_royal | suit << LEAD_SHIFT
        # A flush may hold four of a kind beside it: the better one counts.
        return max(self._suited[mask], self._plain[total & RANK_FIELDS])

    def name(self, score: int) -> str:
        """Return the name of the hand behind a score, ``high`` when it has none."""
        return self.order.name(score >> LEVEL_SHIFT)

    def level_of(self, name: str) -> int | None:
        """Return the level of a named hand, None when the ranking does not know it."""
        return self.order.level((name,)) if name in self.order.names else 0 if name == HIGH else None

    def breaking_ties_by_highest_card(self) -> "PokerRanking":
        """Return this ranking with ties broken by the highest card alone (reading R3, taken literally)."""
        return poker_ranking(replace(self.order, by_highest_card=True))


poker_ranking = cache(PokerRanking)


class ColorRanking:
    """A ranking by how many of the first ``own`` cards share a color, and how many of the others have it."""

    def __init__(self, own: int) -> None:
        self.own = own

    def score(self, cards: Sequence[int]) -> int:
        """Return the own cards of the majority color << 4 | the other cards of that color."""
        red = sum(RED[card] for card in cards[: self.own])
        majority_red = red * 2 > self.own
        others = sum(RED[card] == majority_red for card in cards[self.own :])
        return (red if majority_red else self.own - red) << 4 | others

    def name(self, score: int) -> str:
        """Return the name of the hand behind a score: how many own cards share the color."""
        return f"{score >> 4}_same_color"

    def level_of(self, _name: str) -> int | None:
        """Return None, for colors have no levels."""
        return None
