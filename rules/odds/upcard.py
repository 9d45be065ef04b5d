"""What it is worth to heed the suit of the dealer's card and not its rank alone.

``duel`` chooses for each rank the dealer may show. The suit tells a little more: a card of a suit of which
the player holds several is a smaller threat of a flush. That seldom turns a decision, and to count it for
each of some six million situations would take long; so situations are drawn outside, and each is counted
exactly here.
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.odds.masks import masks_of_cards
from sabot.rules.odds.strategy import ANTE, FOLD, Strategy, best_place


class SuitGain(NamedTuple):
    """The gain from the suit in one situation, and how much more is wagered for it, both in antes."""

    gain: float
    more_wagered: float


class Situation:
    """A player who sees his own cards and one of the dealer's."""

    def __init__(self, strategy: Strategy, own: Sequence[int], shown: int) -> None:
        self.strategy = strategy
        self.own = own
        self.shown = shown
        self.meeting = strategy.duel.meeting(masks_of_cards(own), 1)
        self._by_rank = strategy.values(self.meeting)[shown >> 2]
        self._chosen = best_place(self._by_rank)

    @property
    def folds(self) -> bool:
        """Return whether a player who heeds only the rank of the card folds."""
        return self.strategy.multiples[self._chosen] == FOLD

    @property
    def clear_by(self) -> float:
        """By how many antes his choice is better than the next best."""
        second, best = sorted(self._by_rank)[-2:]
        return (best - second) / -self._by_rank[0]

    def worth_of_suit(self) -> SuitGain:
        """Return the worth of heeding the suit too."""
        duel, multiples = self.strategy.duel, self.strategy.multiples
        counted = duel.showdown.count_with(self.own, self.shown, duel.limits(self.meeting.key))
        hands = comb(PACK_SIZE - len(self.own) - 1, duel.dealer - 1)
        exact = self.meeting._replace(ends=duel.ends(counted, hands))
        (values,) = self.strategy.values(exact, packed=False)
        best = best_place(values)
        gain = (values[best] - values[self._chosen]) / (ANTE * hands)
        return SuitGain(gain, multiples[best] - multiples[self._chosen])
