"""The odds of a wager on the hand that loses, whichever side holds it (641a's Bad Beat Bonus).

The player's losing hands are counted by the duel: so many hands of the dealer's above each of his. The
dealer's are counted in stretches of the order that make one row: so many hands below the player's in each.
Folding does not come into it: who folds holds less than any row, and so does a dealer who would lose to him.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from math import comb
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Wager
from sabot.rules.odds.duel import DEALER, Duel, Meeting
from sabot.rules.odds.posted_paytable import ROUND_STAKE, Posted, RowOdds, in_printed_order, posted_step
from sabot.rules.odds.suit_masks import cards_of_masks
from sabot.rules.odds.trial import Trial
from sabot.rules.paytables import Column


class _Loss(NamedTuple):
    """Cards of both sides, the lower of which make a row, and how many such pairs of hands there are."""

    own: tuple[int, ...]
    dealer: tuple[int, ...]
    times: int


class _Stretch(NamedTuple):
    """Keys of the dealer's, from the first up to the last, that all make one row."""

    row: str
    first: int
    last: int


Losses = dict[str, _Loss]


class LosingHands:
    """The losing hands of a duel, counted once for all letters that have the same rows."""

    def __init__(self, duel: Duel) -> None:
        self.duel = duel
        self._known: dict[tuple[_Stretch, ...], Losses] = {}

    def odds(self, trial: Trial, wager: Wager) -> Posted:
        """Return the house's hold on a wager on the losing hand."""
        step = posted_step(trial, wager)
        column = step.column
        duel = self.duel
        total = comb(PACK_SIZE, duel.own) * comb(PACK_SIZE - duel.own, duel.dealer)
        rows = []
        for row, loss in self._losses(column).items():
            net = trial.net({wager.name: ROUND_STAKE}, loss.own, {DEALER: loss.dealer})
            hit = column.hits[row]
            chance = Fraction(loss.times, total)
            rows.append(RowOdds(column.name, row, hit.text, hit.payout, chance, Fraction(net, ROUND_STAKE)))
        hold = 1 - sum((row.chance * (row.net + 1) for row in rows), Fraction(0))
        return Posted(ROUND_STAKE, in_printed_order(rows, step), hold)

    def _losses(self, column: Column) -> Losses:
        stretches = self._stretches(column)
        if stretches not in self._known:
            counts: Counter[str] = Counter()
            cards: dict[str, _Loss] = {}
            for row, loss in self._every_loss(column, stretches):
                counts[row] += loss.times
                cards.setdefault(row, loss)
            self._known[stretches] = {row: cards[row]._replace(times=counts[row]) for row in counts}
        return self._known[stretches]

    def _stretches(self, column: Column) -> tuple[_Stretch, ...]:
        found = []
        score = self.duel.order.score
        for hit, group in groupby(self.duel.showdown.keys, lambda key: column.find(score(key))):
            keys = list(group)
            if hit:
                found.append(_Stretch(hit.row, keys[0], keys[-1] + 1))
        return tuple(found)

    def _every_loss(self, column: Column, stretches: tuple[_Stretch, ...]) -> Iterator[tuple[str, _Loss]]:
        duel = self.duel
        highest = duel.dealer_cards(duel.showdown.keys[-1])
        for meeting in duel.meetings:
            own = cards_of_masks(meeting.masks)
            hit = column.find(duel.order.score(meeting.key))
            if hit and meeting.ends.lose:
                yield hit.row, _Loss(own, highest, meeting.weight * duel.hands(meeting.ends.lose))
            yield from self._dealer_losses(meeting, own, stretches)

    def _dealer_losses(
        self, meeting: Meeting, own: tuple[int, ...], every: tuple[_Stretch, ...]
    ) -> Iterator[tuple[str, _Loss]]:
        duel = self.duel
        floor = duel.order.level(meeting.key).floor
        # A dealer's hand in a row above the player's hand does not lose.
        stretches = [stretch for stretch in every if stretch.first < floor]
        if not stretches:
            return
        firsts = [stretch.first for stretch in stretches]
        # In the row of the player's own hand only what is below that hand loses.
        lasts = [min(stretch.last, floor) for stretch in stretches]
        counted = duel.showdown.count(meeting.masks, firsts + lasts)
        for stretch, first, last in zip(stretches, counted, counted[len(stretches) :], strict=False):
            lowest = duel.dealer_cards(stretch.first)
            yield stretch.row, _Loss(own, lowest, meeting.weight * duel.hands(last - first))
