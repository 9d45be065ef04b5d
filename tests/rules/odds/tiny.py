"""Games small enough to be counted hand by hand, with all that the engines take from a chapter.

One is 641a with fewer cards: two against three, the best two of each count. One of the dealer's is face up, the second
wager is one to three times the ante, a pair has an Ante Bonus, and a losing pair or flush a Bad Beat Bonus. The other
is 683a with fewer: a card of his own, two raises of one to three times the ante, a community card shown after each.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from sabot.config import load_chapter
from sabot.rules.odds.duel import Duel
from sabot.rules.odds.trial import Trial
from sabot.rules.payouts import PayKind, Payout
from sabot.rules.paytables import PayRow, Paytable, Sheet
from sabot.rules.rankings import PokerRanking, RankOrder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sabot.rules.chapter import Chapter

NAMES = ("pair", "flush")
RANKING = PokerRanking(RankOrder(2, NAMES))


@cache
def tiny(*, shown: bool = True, ties: bool = False) -> Chapter:
    """The game; ``ties`` makes its Ante Bonus depend on a tie, as 682a's Win Bonus does."""
    chapter = load_chapter("pa641a")
    four_card = replace(chapter.rankings["four_card"], size=2, order=NAMES)
    places = dict(chapter.hands.places) | {"player": 2, "dealer": 3}
    tables = {
        "ante_bonus": table("ante_bonus", "four_card", pair=2),
        "bad_beat": table("bad_beat", "four_card", pair=10, flush=4),
        "hand_bonus": table("hand_bonus", "five_card", pair=9, flush=1),
    }
    results = dict(chapter.contest.results)
    if ties:
        bonus = results["win"].bonus
        assert bonus is not None
        results["win"] = replace(results["win"], bonus=replace(bonus, tie_reading="ante_bonus_losing"))
    plans = dict(chapter.plans) if shown else {}
    rankings = dict(chapter.rankings) | {
        "four_card": four_card,
        "five_card": replace(chapter.rankings["five_card"], size=2, order=NAMES, ace_low=True),
    }
    return replace(
        chapter,
        hands=replace(chapter.hands, places=places, dealer_first=2),
        rankings=rankings,
        paytables=dict(chapter.paytables) | tables,
        contest=replace(chapter.contest, results=results),
        meters={},
        plans=plans,
    )


def table(name: str, ranking: str, **pays: int) -> Paytable:
    """A paytable of rows that pay so much to 1."""
    rows = tuple(
        PayRow(row, row, (Payout(PayKind.TO, Fraction(odds)),), hands=(row,)) for row, odds in pays.items()
    )
    return Paytable(name, (Sheet("641a", ranking, ("only",), rows),))


@cache
def tiny_streets() -> Chapter:
    """The game with raises."""
    chapter = load_chapter("pa683a")
    contest = replace(chapter.contest, wagers=("ante", "raise1", "raise2"), ranking="board")
    main = table("main", "board", straight=5, flush=3, pair=1)
    return replace(
        chapter,
        hands=replace(chapter.hands, places=dict(chapter.hands.places) | {"player": 1, "community": 2}),
        paytables=dict(chapter.paytables) | {"main": main},
        contest=contest,
    )


@cache
def tiny_duel(*, literal: bool = False, shown: bool = True, ties: bool = False) -> Duel:
    """All its meetings, counted once for all tests."""
    return Duel(tiny(shown=shown, ties=ties), literal=literal)


def tiny_trial(*, ties: bool = False, **readings: str) -> Trial:
    return Trial(tiny(ties=ties), {}, readings)


def dealer_hands(own: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every hand the dealer may hold beside these cards."""
    return combinations([card for card in range(52) if card not in own], 3)


def poker_margin(own: Sequence[int], dealer: Sequence[int]) -> int:
    return RANKING.score(own) - RANKING.score(dealer)
