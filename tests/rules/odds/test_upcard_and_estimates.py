"""What is left to chance: the suit of the dealer's card, and what a fold costs."""

from __future__ import annotations

import random
from statistics import fmean, stdev

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.estimate import _with_other_suits, estimate, folded_share, suit_worth
from sabot.rules.odds.masks import cards_of_masks, suit_classes
from sabot.rules.odds.posted import posted_odds
from sabot.rules.odds.strategy import ANTE, Strategy
from sabot.rules.odds.trial import Trial
from sabot.rules.odds.upcard import Situation

from .tiny import dealer_hands, tiny, tiny_duel, tiny_trial


def strategy() -> Strategy:
    return Strategy(tiny_duel(), tiny_trial())


def no_tick(_: int) -> None:
    return None


@pytest.mark.parametrize("seed", range(6))
def test_a_suit_is_worth_what_the_better_choice_gains(seed: int) -> None:
    *own, shown = random.Random(seed).sample(range(52), 3)
    trial = tiny_trial()
    hands = [hand for hand in dealer_hands(own) if shown in hand]
    worth = {0: -1.0}
    for times in (1, 3):
        stakes = {"ante": ANTE, "play": ANTE * times}
        worth[times] = sum(trial.net(stakes, own, {"dealer": hand}) for hand in hands) / (ANTE * len(hands))
    situation = Situation(strategy(), own, shown)
    by_rank = situation.strategy.multiples[situation._chosen]
    best = max(worth, key=lambda times: worth[times])
    found = situation.worth_of_suit()
    assert found.gain == pytest.approx(worth[best] - worth[by_rank])
    assert found.more_wagered == best - by_rank
    assert situation.folds == (by_rank == 0)
    assert situation.clear_by >= 0


def test_the_worth_of_suits_is_estimated_without_bias() -> None:
    """Against every situation of the small game."""
    every = strategy()
    gains: list[float] = []
    for masks, weight in suit_classes(2):
        own = cards_of_masks(masks)
        shown = (card for card in range(52) if card not in own)
        gains += [Situation(every, own, card).worth_of_suit().gain for card in shown for _ in range(weight)]
    exact = fmean(gains)
    assert exact > 0
    found = suit_worth(every, random.Random(1), 4000, no_tick)
    assert found.gain.mean == pytest.approx(exact, abs=4 * found.gain.error)
    assert 0 < found.gain.error < exact


def test_the_same_dice_give_the_same_figures() -> None:
    ticks: list[int] = []
    one, other = (suit_worth(strategy(), random.Random(9), 50, ticks.append) for _ in range(2))
    assert one == other
    assert len(ticks) == 100


def test_an_estimate_is_a_mean_and_its_standard_error() -> None:
    values = [1.0, 2.0, 4.0, 4.5]
    found = estimate(values)
    assert found.mean == pytest.approx(fmean(values))
    assert found.error == pytest.approx(stdev(values) / 2)


def test_641a_11b_what_falls_to_folded_players_of_the_wager_on_the_dealers_hand() -> None:
    """F1: against dealing out every pair and flush of the small game's first two cards of the dealer."""
    trial = tiny_trial()
    wager = tiny().wagers["hand_bonus_dealer"]
    posted = posted_odds(trial, wager)
    play = strategy()
    dice = random.Random(2)
    returned = folded = 0.0
    weights = {row.row: float(row.net + 1) for row in posted.rows}
    hits = trial.house.column("hand_bonus")
    while returned < 20_000:
        *first, one, two, shown = dice.sample(range(52), 5)
        hit = hits.find(hits.ranking.score(first))
        if hit:
            returned += weights[hit.row]
            folded += weights[hit.row] * Situation(play, (one, two), shown).folds
    found = folded_share(play, trial, wager, posted, random.Random(3), 3000, no_tick)
    assert found.mean == pytest.approx(folded / returned, abs=0.05)
    assert 0 < found.error < 0.01


def test_suits_are_drawn_anew_but_a_flush_stays_a_flush() -> None:
    dice = random.Random(4)
    assert _with_other_suits((0, 4, 8), dice) == (0, 4, 8)
    drawn = {_with_other_suits((0, 5), dice) for _ in range(400)}
    assert drawn == {(one, 4 + other) for one in range(4) for other in range(4) if one != other}


def test_a_wager_is_not_on_a_hand_that_would_be_folded() -> None:
    """F2: the progressives are forfeited by a fold, and three of a kind or a straight is never folded.

    Told by the order of 641a's hands: the least row of each is a hand that has at least a pair, and a pair of aces
    or better is not folded against any card (it wins more than half of the time: see docs/odds.md).
    """
    chapter = load_chapter("pa641a")
    for name in ("prog4", "prog5", "hand_bonus_player"):
        wager = chapter.wagers[name]
        rows = posted_odds(Trial(chapter, {}, {}), wager).rows
        assert rows[-1].row in {"three_of_a_kind", "flush"}
