"""How two hands of a contest compare, in a form that can be counted.

An order gives every hand a key, and for a player's key the thresholds between the dealer's keys below it,
level with it and above it: a list of ``(threshold, sign)`` whose counts of smaller keys add up to the
number wanted. For poker that is one cut. The literal reading of x.6(c) (R3) compares by the highest card,
but only hands which are not level as poker is played, so it carries both scores in one key and takes the
few hands in question out one by one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from sabot.rules.rankings import LEVEL_SHIFT, PokerRanking

Cuts = tuple[tuple[int, int], ...]
_SCORE_BITS = LEVEL_SHIFT + 4
_SCORE_MASK = (1 << _SCORE_BITS) - 1


class Bounds(NamedTuple):
    """Which of the dealer's keys are below a player's hand, and which level with it."""

    below: Cuts
    level: Cuts


class HandOrder(Protocol):
    """What a showdown needs to know of a comparison."""

    size: int

    def key(self, cards: Sequence[int]) -> int:
        """The key of a hand."""

    def score(self, key: int) -> int:
        """The score, as poker is played, of the hand behind a key."""

    def bounds(self, key: int, peers: Mapping[int, Sequence[int]]) -> Bounds:
        """The thresholds of a player's key; ``peers`` has the dealer's keys by their score."""


class PokerOrder:
    """Hands compare by their scores."""

    def __init__(self, ranking: PokerRanking) -> None:
        self.ranking = ranking
        self.size = ranking.order.size

    def key(self, cards: Sequence[int]) -> int:
        """The score itself."""
        return self.ranking.score(cards)

    def score(self, key: int) -> int:
        """The key itself."""
        return key

    def bounds(self, key: int, peers: Mapping[int, Sequence[int]]) -> Bounds:  # noqa: ARG002
        """One cut below the key, one above."""
        return Bounds(((key, 1),), ((key + 1, 1), (key, -1)))


class LiteralOrder:
    """Hands of one name compare by their highest cards, unless they are level as poker is played."""

    def __init__(self, ranking: PokerRanking) -> None:
        self.ranking = ranking
        self.literal = ranking.breaking_ties_by_highest_card()
        self.size = ranking.order.size

    def key(self, cards: Sequence[int]) -> int:
        """The literal score above the score as poker is played."""
        return self.literal.score(cards) << _SCORE_BITS | self.ranking.score(cards)

    def score(self, key: int) -> int:
        """The lower part of the key."""
        return key & _SCORE_MASK

    def bounds(self, key: int, peers: Mapping[int, Sequence[int]]) -> Bounds:
        """Cuts around the literal score; peers of another literal score are level too."""
        literal = key >> _SCORE_BITS
        floor, ceiling = literal << _SCORE_BITS, literal + 1 << _SCORE_BITS
        others = [each for each in peers.get(self.score(key), ()) if each >> _SCORE_BITS != literal]
        taken = _cuts_around(each for each in others if each < floor)
        below = ((floor, 1), *((cut, -sign) for cut, sign in taken))
        return Bounds(below, ((ceiling, 1), (floor, -1), *_cuts_around(others)))


def _cuts_around(keys: Iterable[int]) -> Cuts:
    return tuple(cut for key in keys for cut in ((key + 1, 1), (key, -1)))


def joined(*several: Cuts) -> Cuts:
    """The keys of several lists of cuts together."""
    signs_by_cut: Counter[int] = Counter()
    for cut, sign in (each for cuts in several for each in cuts):
        signs_by_cut[cut] += sign
    return tuple((cut, sign) for cut, sign in signs_by_cut.items() if sign)


def within(cuts: Cuts, first: int, last: int) -> Cuts:
    """The same keys as far as they lie from ``first`` up to, not including, ``last``."""
    low = tuple((min(cut, first), -sign) for cut, sign in cuts)
    return tuple((min(cut, last), sign) for cut, sign in cuts) + low


def signs(cuts: Cuts, key: int) -> int:
    """1 when the key is among those that the cuts count, else 0."""
    return sum(sign for cut, sign in cuts if key < cut)
