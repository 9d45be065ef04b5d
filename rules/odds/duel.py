"""The contest against the dealer's hand: how every hand of the player's meets every hand of the dealer's.

What a chapter makes of it (a dealer who must qualify, a card of his that is shown, ties that are told apart)
is taken from the chapter; money does not come into it, so that one count serves every letter.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Chapter
from sabot.rules.odds.hand_order import LiteralOrder, PokerOrder
from sabot.rules.odds.progress import Stage, unwatched
from sabot.rules.odds.showdown import FIELD_BITS, Showdown, fields
from sabot.rules.odds.suit_masks import SUIT_COUNT, Masks, cards_of_masks, held, key_of, suit_classes
from sabot.rules.odds.trial import Trial
from sabot.rules.rankings import PokerRanking
from sabot.rules.round import Round
from sabot.rules.settlement.round_settlement import RoundSettlement

DEALER = "dealer"


class Ends(NamedTuple):
    """Counts of the dealer's hands that do not qualify, are beaten, are level, and win."""

    unqualified: int
    win: int
    level: int
    lose: int


class Meeting(NamedTuple):
    """A class of the player's hands, its weight and its key, and how it meets the dealer's."""

    masks: Masks
    weight: int
    key: int
    ends: Ends


def shows_dealer_card(chapter: Chapter) -> bool:
    """Return whether the chapter deals the dealer a card face up."""
    steps = [step for plan in chapter.plans.values() for step in plan.steps]
    around = any(DEALER in step.around and step.face_up for step in steps)
    return around or any(part.to == DEALER and part.face_up for step in steps for part in step.parts)


class Duel:
    """All meetings of a chapter's contest, under one way to compare hands."""

    def __init__(self, chapter: Chapter, *, literal: bool = False, stage: Stage = unwatched) -> None:
        self.chapter = chapter
        self.trial = Trial(chapter, {}, {})
        ranking = self.trial.house.contest_ranking
        assert isinstance(ranking, PokerRanking)  # the loader admits nothing else for a contest
        self.order = LiteralOrder(ranking) if literal else PokerOrder(ranking)
        self.own, self.dealer = chapter.hands.places["player"], chapter.hands.places[DEALER]
        self.shown = shows_dealer_card(chapter)
        results = chapter.contest.results.values()
        is_asked = any(each.bonus.tie_reading for each in results if each.bonus)
        self.ties_matter = is_asked or "tie" in chapter.contest.results
        self.showdown = Showdown(self.order, self.own, self.dealer, shown=self.shown, stage=stage)
        self.first_qualified = self._first_qualified()
        self._stage = stage
        self._everything: dict[int, int] = {}

    def _first_qualified(self) -> int:
        """Return the lowest key with which the dealer qualifies, 0 where every hand does."""
        if self.chapter.contest.qualifies is None:
            return 0
        return next(key for key in self.showdown.keys if self._qualifies(self.dealer_cards(key)))

    def _qualifies(self, cards: Sequence[int]) -> bool:
        settlement = self.trial.settlement
        places = {DEALER: tuple(cards)}
        round_ = Round(self.chapter.id, settlement.house.options, (), places)
        return settlement.contest.dealer_qualifies(RoundSettlement(settlement.house, round_))

    def dealer_cards(self, key: int) -> tuple[int, ...]:
        """Return a hand of the dealer's with this key."""
        return self.showdown.cards_by_key[key]

    def level_with(self, key: int) -> int:
        """Return a key of the dealer's that is level with a player's."""
        return self.showdown.keys[bisect_left(self.showdown.keys, self.order.level(key).floor)]

    @cached_property
    def meetings(self) -> list[Meeting]:
        """A meeting for each class of the player's hands."""
        found = []
        classes = list(suit_classes(self.own))
        tick = self._stage("the player's hands", len(classes))
        for masks, weight in classes:
            found.append(self.meeting(masks, weight))
            tick(1)
        return found

    def meeting(self, masks: Masks, weight: int) -> Meeting:
        """Return how one hand of the player meets every hand of the dealer."""
        key = self.order.key(cards_of_masks(masks))
        ends = self.ends(self.showdown.count(masks, self.limits(key)), self.everything(masks))
        return Meeting(masks, weight, key, ends)

    def limits(self, key: int) -> tuple[int, int, int]:
        """Return the keys below which hands do not qualify, are lower than a player's, are lower or level.

        Level hands are told apart only where the chapter does; elsewhere the player beats them.
        """
        if key < self.first_qualified:  # none that qualifies is as low
            return (self.first_qualified,) * 3
        floor, ceiling = self.order.level(key)
        return self.first_qualified, floor if self.ties_matter else ceiling, ceiling

    def ends(self, counted: Sequence[int], everything: int) -> Ends:
        """Return the ends, from the counts below the limits and the number of hands."""
        unqualified, lower, not_higher = counted
        return Ends(unqualified, lower - unqualified, not_higher - lower, everything - not_higher)

    def everything(self, masks: Masks) -> int:
        """Return how many hands of the dealer there are beside a hand of the player."""
        ranks = key_of(masks)
        known = self._everything.get(ranks)
        if known is None:
            known = self._everything[ranks] = self._count_everything(ranks)
        return known

    def _count_everything(self, ranks: int) -> int:
        left = PACK_SIZE - self.own
        if not self.shown:
            return comb(left, self.dealer)
        # One card is shown: hands are counted once for each card they may show.
        each = comb(left - 1, self.dealer - 1)
        free = (SUIT_COUNT - count for count in held(ranks))
        return sum(count * each << FIELD_BITS * rank for rank, count in enumerate(free))

    def hands(self, packed: int) -> int:
        """Return how many hands of the dealer a count stands for, whatever card they show."""
        return sum(fields(packed)) // self.dealer if self.shown else packed

    def split(self, packed: int) -> tuple[int, ...]:
        """Return a count for each rank that the dealer may show (one count where none is shown)."""
        return fields(packed) if self.shown else (packed,)
