"""The contest against the dealer's hand, played as well as the player's own cards allow.

For every hand the best is taken of a fold and the second wagers allowed. What is won or lost is linear in the
second wager, so that its least and its greatest amount are the only ones to weigh. Where the dealer shows a
card the choice is made for each rank of it.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from operator import mul

from sabot.rules.frozen import frozen
from sabot.rules.odds.duel import DEALER, Duel, Ends, Meeting
from sabot.rules.odds.suit_masks import cards_of_masks
from sabot.rules.odds.trial import Trial

ANTE = 10_000
FOLD = 0


@frozen
class Played:
    """A contest played well: what the house holds of an ante, what is wagered in all, how often folded."""

    hold: Fraction
    wagered: Fraction
    folds: Fraction


class Strategy:
    """The best play of a duel under the payments of one trial."""

    def __init__(self, duel: Duel, trial: Trial) -> None:
        self.duel = duel
        self.trial = trial
        self.columns = trial.contest_columns()
        self.opening, self.second = duel.chapter.contest.wagers[:2]
        times = duel.chapter.wagers[self.second].times
        assert times is not None  # a second wager is a multiple of the ante
        # What lies between the least and the most is never better than both: the gain is linear in the wager.
        self.multiples = tuple(sorted({FOLD, times.least, times.most}))
        self._nets: dict[tuple[str | None, ...], tuple[int, ...]] = {}
        # What can lose at all loses to the highest hand, what can win at all beats the lowest that qualifies.
        keys = duel.showdown.keys
        self._foes = {"unqualified": keys[0], "win": duel.first_qualified or keys[0], "lose": keys[-1]}

    def nets(self, end: str, meeting: Meeting) -> tuple[int, ...]:
        """Return the gain of an ante and its second wager at one end of the contest, for each multiple."""
        score = self.duel.order.score(meeting.key)
        hits = (column.find(score) for column in self.columns)
        # Hands that make the same rows are paid alike: the settlement is asked once for all of them.
        rows = (end, *(hit.row if hit else None for hit in hits))
        known = self._nets.get(rows)
        if known is None:
            foe = self.duel.level_with(meeting.key) if end == "level" else self._foes[end]
            known = self._nets[rows] = self._settle(cards_of_masks(meeting.masks), foe)
        return known

    def _settle(self, own: tuple[int, ...], foe: int) -> tuple[int, ...]:
        places = {DEALER: self.duel.dealer_cards(foe)}
        return tuple(
            self.trial.net({self.opening: ANTE, self.second: ANTE * multiple}, own, places)
            for multiple in self.multiples
            if multiple != FOLD
        )

    def values(self, meeting: Meeting, *, packed: bool = True) -> list[tuple[int, ...]]:
        """Return the worth of a fold and of each multiple, for each rank the dealer may show (else once)."""
        counts: dict[tuple[int, ...], int] = {}
        for end, count in zip(Ends._fields, meeting.ends, strict=True):
            # Ends that pay the same are added up before they are weighed.
            if count:
                nets = self.nets(end, meeting)
                counts[nets] = counts.get(nets, 0) + count
        columns = [self.duel.split(count) if packed else (count,) for count in counts.values()]
        fold = _weighted(columns, [-ANTE] * len(columns))
        return list(zip(fold, *(_weighted(columns, nets) for nets in zip(*counts, strict=True)), strict=True))

    @cached_property
    def played(self) -> Played:
        """The contest, played this way from the first hand to the last."""
        # A fold loses an ante in each situation: all is reckoned in what folding everything would lose.
        staked = [0] * len(self.multiples)
        value = 0
        for meeting in self.duel.meetings:
            for values in self.values(meeting):
                chosen = best_place(values)
                value += meeting.weight * values[chosen]
                staked[chosen] -= meeting.weight * values[0]
        total = sum(staked)
        wagered = sum(map(mul, staked, self.multiples))
        return Played(Fraction(-value, total), 1 + Fraction(wagered, total), Fraction(staked[0], total))


def _weighted(columns: Sequence[Sequence[int]], nets: Sequence[int]) -> list[int]:
    """Return the sum of all columns, each multiplied by its net."""
    total = [count * nets[0] for count in columns[0]]
    for column, net in zip(columns[1:], nets[1:], strict=True):
        total = [each + count * net for each, count in zip(total, column, strict=True)]
    return total


def best_place(values: Sequence[int]) -> int:
    """Return the place of the best value; of equal ones that with more wagered, as the Board reckons."""
    return len(values) - 1 - values[::-1].index(max(values))
