"""Counts against dealing every hand out."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.duel import Duel, shows_dealer_card
from sabot.rules.odds.hand_order import LiteralOrder, PokerOrder
from sabot.rules.odds.showdown import Showdown, fields
from sabot.rules.odds.suit_masks import cards_of_masks, masks_of_cards, suit_classes
from sabot.rules.rankings import PokerRanking, RankOrder
from tests.dealt import parse_all

from .tiny import RANKING, dealer_hands, poker_margin, tiny_duel

HANDS = [(48, 49), (0, 5), (48, 44), (4, 20), (12, 16)]


def by_rank(hands: list[tuple[int, ...]]) -> tuple[int, ...]:
    """How often each rank lies in these hands."""
    ranks = [card >> 2 for hand in hands for card in hand]
    return tuple(ranks.count(rank) for rank in range(13))


@pytest.mark.parametrize("own", HANDS)
def test_each_end_is_counted_for_each_rank_the_dealer_may_show(own: tuple[int, ...]) -> None:
    ends = tiny_duel(ties=True).meeting(masks_of_cards(own), 1).ends
    hands = list(dealer_hands(own))
    margins = [poker_margin(own, hand) for hand in hands]
    for packed, wanted in ((ends.win, 1), (ends.level, 0), (ends.lose, -1)):
        found = [
            hand for hand, margin in zip(hands, margins, strict=True) if (margin > 0) - (margin < 0) == wanted
        ]
        assert fields(packed) == by_rank(found)


@pytest.mark.parametrize("cards", ["3s 3h Ad", "Ks Qh 7d", "As 2h 3d"])
def test_hands_below_and_level_by_the_literal_order(cards: str) -> None:
    """R3: three cards against four, the best three by the highest card of one name."""
    ranking = PokerRanking(RankOrder(3, ("three_of_a_kind", "straight", "flush", "pair")))
    literal = ranking.breaking_ties_by_highest_card()
    showdown = Showdown(LiteralOrder(ranking), 3, 4, shown=False)
    own = parse_all(cards)
    counted = showdown.count(masks_of_cards(own), showdown.order.level(showdown.order.key(own)))
    others = combinations([card for card in range(52) if card not in own], 4)
    margins = Counter(literal.score(hand) - literal.score(own) for hand in others)
    below = sum(times for margin, times in margins.items() if margin < 0)
    assert counted == [below, below + margins[0]]


def test_hands_that_hold_the_card_shown() -> None:
    duel = tiny_duel(ties=True)
    dice = random.Random(5)
    for _ in range(20):
        *own, shown = dice.sample(range(52), 3)
        key = duel.order.key(own)
        counted = duel.showdown.count_with(own, shown, duel.limits(key))
        margins = [poker_margin(own, hand) for hand in dealer_hands(own) if shown in hand]
        ends = duel.ends(counted, comb(49, 2))
        assert ends.win == sum(margin > 0 for margin in margins)
        assert ends.level == sum(margin == 0 for margin in margins)
        assert ends.lose == sum(margin < 0 for margin in margins)


def test_without_a_card_shown_a_count_is_a_plain_number() -> None:
    showdown = Showdown(PokerOrder(RANKING), 2, 3, shown=False)
    own = (48, 0)
    counted = showdown.count_with(own, 20, showdown.order.level(RANKING.score(own)))
    margins = [poker_margin(own, hand) for hand in dealer_hands(own) if 20 in hand]
    assert counted == [sum(margin > 0 for margin in margins), sum(margin >= 0 for margin in margins)]


def test_679a_11c_what_does_not_qualify_is_counted_apart() -> None:
    duel = Duel(load_chapter("pa679a"))
    ranking = duel.trial.house.contest_ranking
    dice = random.Random(3)
    for own in ((48, 49, 50), (0, 5, 10), tuple(dice.sample(range(52), 3))):
        ends = duel.meeting(masks_of_cards(own), 1).ends
        score = ranking.score(own)
        scores = [ranking.score(hand) for hand in dealer_hands(own)]
        qualified = [each for each in scores if each >= ranking.score((40, 1, 6))]  # queen high or better
        assert ends.unqualified == len(scores) - len(qualified)
        assert ends.win == sum(each <= score for each in qualified)
        assert ends.lose == sum(each > score for each in qualified)


def test_641a_6b_flushes_and_straights_of_four_cards() -> None:
    ranking = PokerRanking(RankOrder(4, load_chapter("pa641a").rankings["four_card"].order))
    showdown = Showdown(PokerOrder(ranking), 1, 4, shown=True)
    limits = [ranking.score(parse_all(cards)) for cards in ("Jh 9d 4c 2s", "9d 8d 4d 2d", "5c 5d 5h 2s")]
    counted = showdown.count(masks_of_cards((48,)), limits)
    scores = Counter(ranking.score(hand) for hand in combinations(range(52), 4) if 48 not in hand)
    for packed, limit in zip(counted, limits, strict=True):
        assert sum(fields(packed)) == 4 * sum(times for score, times in scores.items() if score < limit)


def test_every_class_of_the_player_is_met() -> None:
    duel = tiny_duel()
    assert [meeting.masks for meeting in duel.meetings] == [masks for masks, _ in suit_classes(2)]
    for meeting in duel.meetings:
        assert sum(meeting.ends) == duel.everything(meeting.masks)
        assert duel.hands(sum(meeting.ends)) == comb(50, 3)
        assert duel.order.key(cards_of_masks(meeting.masks)) == meeting.key


@pytest.mark.parametrize(
    ("chapter", "shown"), [("pa641a", True), ("md4cp", True), ("pa679a", False), ("pa682a", False)]
)
def test_where_the_dealer_shows_a_card(chapter: str, shown: bool) -> None:
    assert shows_dealer_card(load_chapter(chapter)) is shown


def test_a_card_shown_out_of_a_stack_is_seen_too() -> None:
    chapter = load_chapter("pa641a")
    assert shows_dealer_card(replace(chapter, plans={"auto_shoe": chapter.plans["auto_shoe"]}))


@pytest.mark.parametrize("shown", [False, True])
def test_a_count_below_no_limit_is_every_hand_there_is(shown: bool) -> None:
    """Also those that draw all cards left of a rank."""
    ranking = PokerRanking(RankOrder(4, load_chapter("pa641a").rankings["four_card"].order))
    showdown = Showdown(PokerOrder(ranking), 1, 5, shown=shown)
    (counted,) = showdown.count(masks_of_cards((48,)), [showdown.keys[-1] + 1])
    if shown:
        others = comb(50, 4)  # beside any one card
        assert fields(counted) == (*[4 * others] * 12, 3 * others)
    else:
        assert counted == comb(51, 5)


def test_641a_6_to_a_hand_of_the_player_the_level_one_of_the_dealers_is_found() -> None:
    duel, own = tiny_duel(ties=True, shown=False), (48, 49)
    level = duel.level_with(duel.order.key(own))
    assert poker_margin(own, duel.dealer_cards(level)) == 0
