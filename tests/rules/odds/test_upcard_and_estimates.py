"""What is left to chance: the suit of the dealer's card, and what a fold costs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.estimate import Situation, _with_other_suits, estimate, folded_share, suit_worth
from sabot.rules.odds.posted_paytable import posted_odds
from sabot.rules.odds.strategy import ANTE, Strategy
from sabot.rules.odds.trial import Trial
from tests.dealt import parse_all

from .tiny import dealer_hands, tiny, tiny_duel, tiny_trial


def strategy() -> Strategy:
    return Strategy(tiny_duel(), tiny_trial())


def no_tick(_: int) -> None:
    return None


@pytest.mark.parametrize("seed", range(6))
def test_a_suit_is_worth_what_the_better_choice_gains(seed: int) -> None:
    *own, shown = random.Random(seed).sample(range(52), 3)
    hold_worth(own, shown)


def test_a_suit_that_changes_the_choice_is_worth_something() -> None:
    for telling in telling_situations()[:3]:
        assert hold_worth(telling.own, telling.shown) > 0


def hold_worth(own: Sequence[int], shown: int) -> float:
    """The gain of the suit, the same as by dealing out every hand of the dealer."""
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
    return found.gain


class LoadedDice(random.Random):
    """Dice that deal given cards, and show one given number."""

    def __init__(self, deals: list[list[int]], number: float) -> None:
        super().__init__(0)
        self.deals = deals
        self.number = number

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        assert (len(population), k) == (52, 3)
        return self.deals.pop()

    def random(self) -> float:
        return self.number


def telling_situations() -> list[Situation]:
    """Situations in which the suit turns the choice, the closest first."""
    dice, play = random.Random(3), strategy()
    drawn = [
        Situation(play, cards[:2], cards[2]) for cards in (dice.sample(range(52), 3) for _ in range(800))
    ]
    telling = [each for each in drawn if each.worth_of_suit().gain > 0]
    return sorted(telling, key=lambda each: each.clear_by)


@pytest.mark.parametrize(("number", "weight"), [(0.05, 10), (0.5, 0)])
def test_close_situations_are_all_looked_at_and_clear_ones_one_in_ten(
    number: float, weight: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is looked at once in ten times counts tenfold: so the estimate is right on the average."""
    close, *_, clear = telling_situations()
    monkeypatch.setattr("sabot.rules.odds.estimate.CLEAR", (close.clear_by + clear.clear_by) / 2)
    worths = [situation.worth_of_suit() for situation in (close, clear)]
    dice = LoadedDice([[*situation.own, situation.shown] for situation in (close, clear)], number)
    found = suit_worth(strategy(), dice, 2, no_tick)
    assert found.gain.mean == pytest.approx((worths[0].gain + weight * worths[1].gain) / 2)
    assert found.more_wagered == (worths[0].more_wagered + weight * worths[1].more_wagered) / 2


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
    while returned < 8_000:
        *first, one, two, shown = dice.sample(range(52), 5)
        hit = hits.find(hits.ranking.score(first))
        if hit:
            returned += weights[hit.row]
            folded += weights[hit.row] * Situation(play, (one, two), shown).folds
    found = folded_share(play, trial, wager, posted, random.Random(3), 1500, no_tick)
    assert found.mean == pytest.approx(folded / returned, abs=0.06)
    assert 0 < found.error < 0.015


def test_suits_are_drawn_anew_but_a_flush_stays_a_flush() -> None:
    dice = random.Random(4)
    assert _with_other_suits((0, 4, 8), dice) == (0, 4, 8)
    drawn = {_with_other_suits((0, 5), dice) for _ in range(400)}
    assert drawn == {(one, 4 + other) for one in range(4) for other in range(4) if one != other}


@pytest.mark.parametrize("own", ["2s 2h 2d 3c 4s", "As 2h 3d 4c 6s", "2s 3s 4s 5d 7s", "Ks Kh 4d 4c 2s"])
@pytest.mark.parametrize("shown", ["Ac", "Kd", "Qc", "8h"])
def test_641a_11b_a_hand_that_wins_a_wager_on_it_is_not_folded(own: str, shown: str) -> None:
    """F1, F2: folding is right only for a hand that beats the dealer less than once in four times."""
    cards, card = parse_all(own), parse_all(shown)[0]
    ranking = Trial(load_chapter("pa641a"), {}, {}).house.contest_ranking
    others = [other for other in range(52) if other not in (*cards, card)]
    dice = random.Random(1)
    beaten = sum(ranking.score([card, *dice.sample(others, 5)]) <= ranking.score(cards) for _ in range(1000))
    assert beaten > 500
