from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.hand_classes import census
from sabot.rules.odds.trial import Trial
from sabot.rules.rankings import ColorRanking, PokerRanking, Ranking

ACE = 12


def ranking(chapter: str, paytable: str) -> Ranking:
    return Trial(load_chapter(chapter), {}, {}).house.column(paytable).ranking


@pytest.mark.parametrize(
    ("chapter", "paytable", "count"),
    [("pa683a", "pocket", 2), ("pa683a", "board", 3), ("pa679a", "pair_bonus", 3)],
)
def test_a_census_finds_what_dealing_every_hand_finds(chapter: str, paytable: str, count: int) -> None:
    ranks = ranking(chapter, paytable)
    every = Counter(ranks.score(hand) for hand in combinations(range(52), count))
    assert Counter({kind.score: kind.weight for kind in census(ranks, count)}) == every


def test_a_census_can_count_the_cards_of_one_rank() -> None:
    ranks = ranking("pa679a", "pair_bonus")
    every = Counter(
        (ranks.score(hand), sum(card < 4 for card in hand)) for hand in combinations(range(52), 3)
    )
    found = {(kind.score, kind.counted): kind.weight for kind in census(ranks, 3, 0)}
    assert Counter(found) == every


def test_641a_6b_a_census_of_five_cards_has_the_known_numbers_of_four_card_hands() -> None:
    """R15: a pair of aces that also makes a flush or straight is the flush or straight."""
    ranks = ranking("pa641a", "aces_up")
    names: Counter[str] = Counter()
    for kind in census(ranks, 5):
        aces = ranks.name(kind.score) == "pair" and kind.score >> 16 & 15 == 14
        names["pair of aces" if aces else ranks.name(kind.score)] += kind.weight
    assert names["four_of_a_kind"] == 624
    assert names["pair of aces"] == 81_096
    assert sum(names.values()) == comb(52, 5)


def test_641a_6e_a_census_of_six_cards_tells_the_suit_of_a_six_card_royal() -> None:
    ranks = ranking("pa641a", "six_card")
    royals = [kind for kind in census(ranks, 6) if ranks.name(kind.score) == "six_card_royal"]
    assert sorted((kind.score >> 16 & 15, kind.weight) for kind in royals) == [(suit, 1) for suit in range(4)]


def test_the_hand_that_stands_for_a_kind_is_of_that_kind() -> None:
    ranks = ranking("pa641a", "prog5")
    for kind in census(ranks, 5, ACE):
        assert ranks.score(kind.cards) == kind.score
        assert sum(card >> 2 == ACE for card in kind.cards) == kind.counted


def test_colors_are_counted_over_own_and_other_cards() -> None:
    ranks = ColorRanking(2)
    every = Counter(
        ranks.score([*own, other])
        for own in combinations(range(52), 2)
        for other in range(52)
        if other not in own
    )
    kinds = census(ranks, 3)
    assert Counter({kind.score: kind.weight for kind in kinds}) == every
    assert all(ranks.score(kind.cards) == kind.score for kind in kinds)


def test_rankings_of_one_order_share_a_census() -> None:
    known = ranking("pa641a", "six_card")
    assert isinstance(known, PokerRanking)
    assert census(PokerRanking(known.order), 6) is census(known, 6)
