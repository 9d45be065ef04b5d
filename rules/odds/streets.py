"""A contest against a paytable in several raises, with a community card shown before each but the first.

Worked backwards. What four cards are worth is the sum over the last card; a raise there is weighed against
a fold, and so on down to the player's own two cards. All that was wagered wins or loses together, so what a
raise is worth depends on what is at stake already: each set of cards is valued for each total. Only which
cards are seen matters, not which of them are whose, so they are classes of hands by suit.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Chapter
from sabot.rules.odds.hand_classes import census
from sabot.rules.odds.strategy import ANTE, Played
from sabot.rules.odds.suit_masks import Masks, cards_of_masks, masks_of_cards, suit_classes
from sabot.rules.odds.trial import OWN, Trial, place_size, split


class Worth(NamedTuple):
    """The worth of a situation, the total wager and the folds: sums over cards to come."""

    value: int
    wagered: int
    folds: int


class Streets:
    """The cards of such a contest, dealt out once for all paytables."""

    def __init__(self, chapter: Chapter) -> None:
        contest = chapter.contest
        self.chapter = chapter
        self.raises = contest.wagers[1:]
        spans = {chapter.wagers[name].times for name in self.raises}
        # All raises of a contest have the same multiples, or this reckoning is not the one for it.
        (times,) = spans
        assert times is not None  # a raise is a multiple of the ante
        self.multiples = range(times.least, times.most + 1)
        self.own = place_size(chapter, OWN)
        self.last = self.own + len(self.raises) - 1
        assert sum(place_size(chapter, place) for place in contest.cards) == self.last + 1
        ranking = Trial(chapter, {}, {}).house.contest_ranking
        # For each class of cards the classes that one more card can make of it, and how often.
        self.next: dict[Masks, Counter[Masks]] = {}
        self.scores: dict[Masks, Counter[int]] = {}
        for count in range(self.own, self.last):
            for masks, _ in suit_classes(count):
                self.next[masks] = Counter(masks_of_cards(cards) for cards in _one_more(masks))
        for masks, _ in suit_classes(self.last):
            self.scores[masks] = Counter(ranking.score(cards) for cards in _one_more(masks))
        self.cards_by_score = {kind.score: kind.cards for kind in census(ranking, self.last + 1)}


class StreetPlay:
    """The best play of the streets under the payments of one trial."""

    def __init__(self, streets: Streets, trial: Trial) -> None:
        self.streets = streets
        # What an ante and raises of the same amount gain together; they are all paid alike.
        self._nets = {score: _net(trial, cards) for score, cards in streets.cards_by_score.items()}
        self._unit = ANTE * len(trial.chapter.contest.wagers)
        self._known: dict[tuple[Masks, int], Worth] = {}

    @cached_property
    def played(self) -> Played:
        """The contest, played this way from the first hand to the last."""
        value = wagered = folds = total = 0
        for masks, weight in suit_classes(self.streets.own):
            worth = self.worth(masks, 1)
            total += weight * self._situations(masks)
            value += weight * worth.value
            wagered += weight * worth.wagered
            folds += weight * worth.folds
        return Played(Fraction(-value, self._unit * total), Fraction(wagered, total), Fraction(folds, total))

    def worth(self, masks: Masks, staked: int) -> Worth:
        """Return the best of a fold and each raise, with ``staked`` antes at stake."""
        known = self._known.get((masks, staked))
        if known is None:
            situations = self._situations(masks)
            fold = Worth(-staked * self._unit * situations, staked * situations, situations)
            raises = (self._after(masks, staked + multiple) for multiple in self.streets.multiples)
            known = self._known[masks, staked] = max((fold, *raises), key=_preferred)
        return known

    def _situations(self, masks: Masks) -> int:
        """Return the number of orders in which the cards to come may follow."""
        seen = sum(mask.bit_count() for mask in masks)
        return perm(PACK_SIZE - seen, self.streets.last + 1 - seen)

    def _after(self, masks: Masks, staked: int) -> Worth:
        """Return the worth of these cards once a raise is made."""
        scores = self.streets.scores.get(masks)
        if scores is not None:
            value = sum(count * self._nets[score] for score, count in scores.items())
            return Worth(staked * value, staked * self._situations(masks), 0)
        value = wagered = folds = 0
        for each, count in self.streets.next[masks].items():
            worth = self.worth(each, staked)
            value += count * worth.value
            wagered += count * worth.wagered
            folds += count * worth.folds
        return Worth(value, wagered, folds)


def _net(trial: Trial, cards: tuple[int, ...]) -> int:
    contest = trial.chapter.contest
    own, places = split(trial.chapter, contest.cards, cards)
    return trial.net(dict.fromkeys(contest.wagers, ANTE), own, places)


def _preferred(worth: Worth) -> tuple[int, int]:
    """Return the order of choices: by value, then by what is wagered, as the Board reckons."""
    return worth.value, worth.wagered


def _one_more(masks: Masks) -> Iterator[tuple[int, ...]]:
    cards = cards_of_masks(masks)
    return ((*cards, card) for card in range(PACK_SIZE) if card not in cards)
