"""The two figures that are estimated, with their standard errors.

Chance comes in as an argument: dice that somebody else has seeded, so that the same seed gives the same
figures and nothing here draws at random. What can be counted for a drawn hand is counted, and only the rest
is left to the dice; that keeps the errors small with few hands.

One of them is what it is worth to heed the suit of the dealer's card and not its rank alone. ``duel`` chooses
for each rank the dealer may show. The suit tells a little more: a card of a suit of which the player holds
several is a smaller threat of a flush. That seldom turns a decision, and to count it for each of some six
million situations would take long; so situations are drawn outside, and each is counted exactly here. The
other is how much of a wager on the dealer's hand is lost to folds, where a fold forfeits it (reading F1).
"""

from collections.abc import Sequence
from itertools import accumulate
from math import comb, sqrt
from typing import NamedTuple, Protocol

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Wager
from sabot.rules.odds.posted_paytable import Posted, kinds_seen, posted_step
from sabot.rules.odds.progress import Tick
from sabot.rules.odds.strategy import ANTE, FOLD, Strategy, best_place
from sabot.rules.odds.suit_masks import SUIT_COUNT, masks_of_cards
from sabot.rules.odds.trial import Trial


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
        """The number of antes by which the player's choice is better than the next best."""
        second, best = sorted(self._by_rank)[-2:]
        # The first value is that of a fold, which loses one ante in each hand: it is the unit.
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


# A choice clearer than this, in antes, hardly turns on a suit: of such hands one in ten is looked at, and
# counts for ten.
CLEAR, LOOK_AT_ONE_IN = 0.2, 10

Hand = tuple[int, ...]


class Dice(Protocol):
    """The part of the standard library's ``random.Random`` that is used here."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""

    def sample(self, population: Sequence[int], k: int) -> list[int]:
        """Return ``k`` different members of a population."""

    def choices(self, population: Sequence[Hand], *, cum_weights: Sequence[float], k: int) -> list[Hand]:
        """Return ``k`` members of a population by their weights, with repetition."""


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


class SuitWorth(NamedTuple):
    """The worth of heeding the suit of the dealer's card, and how much more is wagered, in antes."""

    gain: Estimate
    more_wagered: float


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values (at least two), and how far it may be off."""
    count = len(values)
    mean = sum(values) / count
    # Over one less than their number: the mean was taken from the same values.
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Estimate(mean, sqrt(spread / count))


def suit_worth(strategy: Strategy, dice: Dice, rounds: int, tick: Tick) -> SuitWorth:
    """Return a player's gain from heeding the suit of the dealer's card as well as its rank."""
    gains, more = [], 0.0
    for _ in range(rounds):
        *own, shown = dice.sample(range(PACK_SIZE), strategy.duel.own + 1)
        situation = Situation(strategy, own, shown)
        is_clear = situation.clear_by > CLEAR
        gain = 0.0
        if not is_clear or dice.random() * LOOK_AT_ONE_IN < 1:
            worth = situation.worth_of_suit()
            # A hand that is looked at one time in ten counts
            # tenfold: the mean stays right, only its error grows.
            weight = LOOK_AT_ONE_IN if is_clear else 1
            gain = weight * worth.gain
            more += weight * worth.more_wagered
        gains.append(gain)
        tick(1)
    return SuitWorth(estimate(gains), more / rounds)


def folded_share(
    strategy: Strategy, trial: Trial, wager: Wager, posted: Posted, dice: Dice, rounds: int, tick: Tick
) -> Estimate:
    """Return the share of a wager's returns on the dealer's hand that falls to players who have folded.

    The dealer's hand is drawn from those that are paid, each as often as its payment counts.
    """
    column = posted_step(trial, wager).column
    returned = {row.row: row.net + 1 for row in posted.rows}
    hits = ((kind, column.find(kind.score)) for kind in kinds_seen(trial, wager))
    paid = [(kind.cards, float(kind.weight * returned[hit.row])) for kind, hit in hits if hit]
    hands = [cards for cards, _ in paid]
    weights = list(accumulate(weight for _, weight in paid))
    folds = []
    for first in dice.choices(hands, cum_weights=weights, k=rounds):
        # The hand stands for its class: with its own suits
        # always the same few cards would be out of the deck.
        dealer = _with_other_suits(first, dice)
        others = [card for card in range(PACK_SIZE) if card not in dealer]
        *own, shown = dice.sample(others, strategy.duel.own + 1)
        folds.append(float(Situation(strategy, own, shown).folds))
        tick(1)
    return estimate(folds)


def _with_other_suits(cards: Hand, dice: Dice) -> Hand:
    """Return a hand of the same ranks, its suits drawn anew; a flush stays as it is, for suits are alike."""
    if _is_flush(cards):
        return cards
    ranks = [card >> 2 for card in cards]
    # Drawn again where a flush comes out, so that all other spreads of the suits are equally likely.
    while True:
        drawn: list[int] = []
        for rank in sorted(set(ranks)):
            suits = dice.sample(range(SUIT_COUNT), ranks.count(rank))
            drawn += [rank * SUIT_COUNT + suit for suit in suits]
        if not _is_flush(drawn):
            return tuple(drawn)


def _is_flush(cards: Sequence[int]) -> bool:
    return len({card & 3 for card in cards}) == 1
