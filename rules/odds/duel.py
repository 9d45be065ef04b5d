"""The contest against the dealer's hand, played as well as the player's own cards allow.

Once a ``Duel`` has counted, for every hand of the player, how often the dealer does not qualify, is beaten,
ties or wins, each set of payments is a matter of sums: for every hand the best of a fold and the second
wagers allowed. What is won or lost is linear in the second wager, so that its least and its greatest amount
are the only ones to weigh. Where the dealer shows a card the choice is made for each rank of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from operator import mul
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Chapter
from sabot.rules.odds.masks import SUIT_COUNT, Masks, cards_of_masks, held, key_of, suit_classes
from sabot.rules.odds.order import Cuts, LiteralOrder, PokerOrder, joined
from sabot.rules.odds.showdown import FIELD_BITS, Showdown, fields
from sabot.rules.odds.trial import Trial
from sabot.rules.odds.watch import Stage, unwatched
from sabot.rules.rankings import PokerRanking
from sabot.rules.round import Round
from sabot.rules.settlement.desk import Desk

ANTE = 10_000
FOLD = 0
DEALER = "dealer"
ENDS = ("unqualified", "win", "level", "lose")


class Meeting(NamedTuple):
    """A class of the player's hands: its key, and how many of the dealer's hands end each way."""

    masks: Masks
    weight: int
    key: int
    unqualified: int
    win: int
    level: int
    lose: int


@dataclass(frozen=True, slots=True)
class Played:
    """A contest played well: what the house holds of an ante, what is wagered in all, how often folded."""

    hold: Fraction
    wagered: Fraction
    folds: Fraction


def shows_dealer_card(chapter: Chapter) -> bool:
    """Whether the chapter deals the dealer a card face up."""
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
        self.ties_matter = any(each.bonus.tie_reading for each in results if each.bonus)
        self.showdown = Showdown(self.order, self.own, self.dealer, shown=self.shown, stage=stage)
        self.peers = self.showdown.peers()
        self.first_qualified = self._first_qualified()
        self._stage = stage

    def _first_qualified(self) -> int | None:
        """The lowest key with which the dealer qualifies (None where every hand does)."""
        if self.chapter.contest.qualifies is None:
            return None
        return next(key for key in self.showdown.keys if self._qualifies(self.dealer_cards(key)))

    def _qualifies(self, cards: Sequence[int]) -> bool:
        settlement = self.trial.settlement
        places = {DEALER: tuple(cards)}
        round_ = Round(self.chapter.id, settlement.house.options, (), places)
        return settlement.contest.dealer_qualifies(Desk(settlement.house, round_))

    def dealer_cards(self, key: int) -> tuple[int, ...]:
        """A hand of the dealer's with this key."""
        return self.showdown.cards_by_key[key]

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
        """How one hand of the player meets every hand of the dealer."""
        key = self.order.key(cards_of_masks(masks))
        ends = self.ends(self.showdown.count(masks, self.cuts(key)), self.everything(masks))
        return Meeting(masks, weight, key, *ends)

    def cuts(self, key: int) -> tuple[Cuts, Cuts, Cuts]:
        """What to count for a player's key: hands that do not qualify, that are not above it, that are level.

        Level hands are told apart only where the chapter does; elsewhere they are hands that the player beats.
        """
        floor = self.first_qualified
        unqualified = () if floor is None else ((floor, 1),)
        if floor is not None and key < floor:
            return unqualified, unqualified, ()
        below, level = self.order.bounds(key, self.peers)
        return unqualified, joined(below, level), level if self.ties_matter else ()

    def ends(self, counted: Sequence[int], everything: int) -> tuple[int, int, int, int]:
        """Unqualified, win, level and lose, from what was counted."""
        unqualified, not_above, level = counted
        return unqualified, not_above - unqualified - level, level, everything - not_above

    def everything(self, masks: Masks) -> int:
        """How many hands of the dealer there are at all."""
        left = PACK_SIZE - self.own
        if not self.shown:
            return comb(left, self.dealer)
        each = comb(left - 1, self.dealer - 1)
        free = (SUIT_COUNT - count for count in held(key_of(masks)))
        return sum(count * each << FIELD_BITS * rank for rank, count in enumerate(free))

    def hands(self, packed: int) -> int:
        """How many hands of the dealer a count stands for, whatever card they show."""
        return sum(fields(packed)) // self.dealer if self.shown else packed

    def split(self, packed: int) -> tuple[int, ...]:
        """A count for each rank that the dealer may show (one count where none is shown)."""
        return fields(packed) if self.shown else (packed,)


class Strategy:
    """The best play of a duel under the payments of one trial."""

    def __init__(self, duel: Duel, trial: Trial) -> None:
        self.duel = duel
        self.trial = trial
        self.columns = trial.contest_columns()
        self.second = duel.chapter.contest.wagers[1]
        times = duel.chapter.wagers[self.second].times
        assert times is not None  # a second wager is a multiple of the ante
        self.multiples = tuple(sorted({FOLD, times.least, times.most}))
        self._nets: dict[tuple[str | None, ...], tuple[int, ...]] = {}
        # What can lose at all loses to the highest hand, what can win at all beats the lowest that qualifies.
        keys = duel.showdown.keys
        floor = keys[0] if duel.first_qualified is None else duel.first_qualified
        self._foes = {"unqualified": keys[0], "win": floor, "lose": keys[-1]}

    def nets(self, end: str, meeting: Meeting) -> tuple[int, ...]:
        """What an ante and its second wager gain at one end of the contest, for each multiple."""
        score = self.duel.order.score(meeting.key)
        hits = (column.find(score) for column in self.columns)
        rows = (end, *(hit.row if hit else None for hit in hits))
        known = self._nets.get(rows)
        if known is None:
            foe = self.duel.peers[score][0] if end == "level" else self._foes[end]
            known = self._nets[rows] = self._settle(cards_of_masks(meeting.masks), foe)
        return known

    def _settle(self, own: tuple[int, ...], foe: int) -> tuple[int, ...]:
        places = {DEALER: self.duel.dealer_cards(foe)}
        return tuple(
            self.trial.net({"ante": ANTE, self.second: ANTE * multiple}, own, places)
            for multiple in self.multiples
            if multiple != FOLD
        )

    def values(self, meeting: Meeting, *, packed: bool = True) -> list[list[int]]:
        """What a fold and each multiple are worth, for each rank the dealer may show (else once)."""
        counts: dict[tuple[int, ...], int] = {}
        for end, count in zip(ENDS, meeting.ends(), strict=True):
            if count:
                nets = self.nets(end, meeting)
                counts[nets] = counts.get(nets, 0) + count
        by_multiple = list(zip(*counts, strict=True))
        columns = map(self.duel.split, counts.values()) if packed else ((each,) for each in counts.values())
        return [
            [-ANTE * sum(situation), *(sum(map(mul, situation, nets)) for nets in by_multiple)]
            for situation in zip(*columns, strict=True)
        ]

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


def best_place(values: Sequence[int]) -> int:
    """Where the best value stands; of equally good choices that with more wagered, as the Board reckons."""
    return len(values) - 1 - values[::-1].index(max(values))
