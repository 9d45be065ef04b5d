"""683a: three raises, each with a card more to see."""

from __future__ import annotations

from functools import cache
from math import perm

import pytest

from sabot.config import load_chapter
from sabot.rules.cards import parse_all
from sabot.rules.odds.masks import masks_of_cards
from sabot.rules.odds.strategy import ANTE
from sabot.rules.odds.streets import StreetPlay, Streets
from sabot.rules.odds.trial import Trial

UNIT = 4 * ANTE  # ante and three raises


@cache
def play(letter: str) -> StreetPlay:
    return StreetPlay(streets(), Trial(load_chapter("pa683a"), {"main": letter}, {}))


@cache
def streets() -> Streets:
    return Streets(load_chapter("pa683a"))


@pytest.mark.parametrize(
    ("letter", "of_ante", "of_total"),
    [("A", 4.914858, 1.369128), ("B", 15.232863, 4.283975), ("C", 14.105658, 3.922774)],
)
def test_683a_12a_what_the_house_holds(letter: str, of_ante: float, of_total: float) -> None:
    """125-204 states 1.37 to 4.28 % of all that is wagered."""
    played = play(letter).played
    assert float(played.hold * 100) == pytest.approx(of_ante, abs=1e-6)
    assert float(played.hold / played.wagered * 100) == pytest.approx(of_total, abs=1e-6)
    assert 0.43 < played.folds < 0.45


def test_683a_11f_the_last_raise_is_weighed_against_the_fold_by_settling_every_last_card() -> None:
    own, board = parse_all("Jh 9h"), parse_all("Th 2s")
    trial, chapter = Trial(load_chapter("pa683a"), {"main": "A"}, {}), load_chapter("pa683a")
    stakes = dict.fromkeys(chapter.contest.wagers, ANTE)
    last = [card for card in range(52) if card not in (*own, *board)]
    each = sum(trial.net(stakes, own, {"community": (*board, card)}) for card in last)
    for staked in (3, 7):
        worth = play("A").worth(masks_of_cards((*own, *board)), staked)
        fold = -staked * UNIT * 48
        choices = [(fold, staked)] + [((staked + times) * each, staked + times) for times in (1, 2, 3)]
        value, wagered = max(choices)
        assert (worth.value, worth.wagered) == (value, wagered * 48)


def test_683a_11b_a_pair_of_aces_raises_all_the_way_and_rags_fold() -> None:
    aces = play("A").worth(masks_of_cards(parse_all("As Ad")), 1)
    rags = play("A").worth(masks_of_cards(parse_all("3s 2d")), 1)
    ways = perm(50, 3)
    assert (aces.wagered, aces.folds) == (10 * ways, 0)
    assert rags == (-UNIT * ways, ways, ways)


def test_683a_11d_what_is_at_stake_already_decides_whether_to_go_on() -> None:
    """With little at stake a fold is cheap, with much it is dear."""
    cards = masks_of_cards(parse_all("Kh 8d 3c 2s"))
    worths = [play("A").worth(cards, staked) for staked in (1, 7)]
    assert worths[0].folds == 48
    assert worths[1].folds == 0
