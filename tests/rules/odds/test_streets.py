"""683a: raises one after the other, each with a card more to see."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.strategy import ANTE
from sabot.rules.odds.streets import StreetPlay, Streets
from sabot.rules.odds.suit_masks import masks_of_cards
from sabot.rules.odds.trial import Trial
from tests.dealt import parse_all

from .tiny import tiny_streets

Sums = tuple[int, int, int]


@cache
def small() -> StreetPlay:
    return StreetPlay(Streets(tiny_streets()), Trial(tiny_streets(), {}, {}))


@cache
def net(cards: frozenset[int]) -> int:
    """What one ante wins with these three cards, by settling it alone."""
    own, *community = sorted(cards)
    return Trial(tiny_streets(), {}, {}).net({"ante": ANTE}, (own,), {"community": community})


def dealt_out(seen: Sequence[int], staked: int) -> Sums:
    """The best that can be made of these cards, card by card: its value, what is wagered in all, folds."""
    others = [card for card in range(52) if card not in seen]
    ways = len(others) * (50 if len(seen) == 1 else 1)
    choices: list[Sums] = [(-staked * ANTE * ways, staked * ways, ways)]
    for total in (staked + times for times in (1, 2, 3)):
        if len(seen) == 2:
            choices.append((sum(total * net(frozenset((*seen, card))) for card in others), total * ways, 0))
        else:
            ends = [dealt_out((*seen, card), total) for card in others]
            choices.append(tuple(map(sum, zip(*ends, strict=True))))  # type: ignore[arg-type]
    return max(choices, key=lambda choice: choice[:2])


@pytest.mark.parametrize("own", [0, 27, 51])
def test_683a_11b_to_f_every_raise_is_the_best_there_is(own: int) -> None:
    worth = small().worth(masks_of_cards([own]), 1)
    settled = len(tiny_streets().contest.wagers)  # the program settles ante and raises together
    value, wagered, folds = dealt_out((own,), 1)
    assert worth == (value * settled, wagered, folds)


def test_the_whole_game_is_the_sum_of_its_best_choices() -> None:
    ranks = [dealt_out((rank * 4,), 1) for rank in range(13)]
    played = small().played
    assert played.hold == Fraction(-sum(value for value, _, _ in ranks), 13 * 51 * 50 * ANTE)
    assert played.wagered == Fraction(sum(wagered for _, wagered, _ in ranks), 13 * 51 * 50)
    assert played.folds == Fraction(sum(folds for _, _, folds in ranks), 13 * 51 * 50)


def test_683a_11f_the_last_raise_is_weighed_against_the_fold_by_settling_every_last_card() -> None:
    chapter = load_chapter("pa683a")
    own, board = parse_all("Jh 9h"), parse_all("Th 2s")
    trial = Trial(chapter, {"main": "A"}, {})
    play = StreetPlay(Streets(chapter), trial)
    stakes = dict.fromkeys(chapter.contest.wagers, ANTE)
    last = [card for card in range(52) if card not in (*own, *board)]
    each = sum(trial.net(stakes, own, {"community": (*board, card)}) for card in last)
    for staked in (3, 7):
        worth = play.worth(masks_of_cards((*own, *board)), staked)
        fold = -staked * len(stakes) * ANTE * 48
        choices = [(fold, staked)] + [((staked + times) * each, staked + times) for times in (1, 2, 3)]
        value, wagered = max(choices)
        assert (worth.value, worth.wagered) == (value, wagered * 48)


def test_683a_11d_what_is_at_stake_already_decides_whether_to_go_on() -> None:
    """With little at stake a fold is cheap, with much it is dear."""
    worths = [small().worth(masks_of_cards(parse_all("Kh 8d")), staked) for staked in (1, 9)]
    assert (worths[0].folds, worths[1].folds) == (50, 0)
