"""The order of two hands of a contest, in a form that can be counted.

An order gives every hand a key that sorts as the hands compare, and for a key the stretch of keys that are
level with it: what lies below the stretch is beaten, what lies above it wins. The literal reading of x.6(c)
(R3) compares by the highest card, but rows are made by the score as poker is played: so it carries both
scores in one key.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from sabot.rules.rankings import LEVEL_SHIFT, PokerRanking

_SCORE_BITS = LEVEL_SHIFT + 4
_SCORE_MASK = (1 << _SCORE_BITS) - 1


class Level(NamedTuple):
    """The keys level with one: from the floor up to, not including, the ceiling."""

    floor: int
    ceiling: int


class HandOrder(Protocol):
    """The part of a comparison that a showdown needs."""

    size: int

    def key(self, cards: Sequence[int]) -> int:
        """Return the key of a hand, above 0."""

    def score(self, key: int) -> int:
        """Return the score, as poker is played, of the hand behind a key."""

    def level(self, key: int) -> Level:
        """Return the keys that are level with a key."""


class PokerOrder:
    """Hands compare by their scores."""

    def __init__(self, ranking: PokerRanking) -> None:
        self.ranking = ranking
        self.size = ranking.order.size

    def key(self, cards: Sequence[int]) -> int:
        """Return the score itself."""
        return self.ranking.score(cards)

    def score(self, key: int) -> int:
        """Return the key itself."""
        return key

    def level(self, key: int) -> Level:
        """Return the key alone."""
        return Level(key, key + 1)


class LiteralOrder:
    """Hands of one name compare by their highest cards."""

    def __init__(self, ranking: PokerRanking) -> None:
        self.ranking = ranking
        self.literal = ranking.breaking_ties_by_highest_card()
        self.size = ranking.order.size

    def key(self, cards: Sequence[int]) -> int:
        """Return the literal score above the score as poker is played."""
        # Above, so that it alone decides; the other comes along for the row that the hand makes.
        return self.literal.score(cards) << _SCORE_BITS | self.ranking.score(cards)

    def score(self, key: int) -> int:
        """Return the lower part of the key."""
        return key & _SCORE_MASK

    def level(self, key: int) -> Level:
        """Return all keys with the same upper part."""
        literal = key >> _SCORE_BITS
        return Level(literal << _SCORE_BITS, literal + 1 << _SCORE_BITS)
