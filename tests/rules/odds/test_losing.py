"""641a.12(f) on the small game: the losing hand's row, whichever side holds it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from sabot.rules.odds.losing import LosingHands
from sabot.rules.odds.masks import cards_of_masks, suit_classes

from .tiny import LITERAL, RANKING, tiny, tiny_duel, tiny_trial


def losing_rows(*, literal: bool) -> Counter[str]:
    """How often each row is a losing hand's, by dealing every hand to both sides."""
    order = LITERAL if literal else RANKING
    dealer = [(set(hand), order.score(hand)) for hand in combinations(range(52), 3)]
    rows: Counter[str] = Counter()
    for masks, weight in suit_classes(2):
        own = cards_of_masks(masks)
        score = order.score(own)
        for hand, other in dealer:
            if other != score and hand.isdisjoint(own):
                rows[RANKING.name(min(score, other))] += weight
    return rows


@pytest.mark.parametrize("literal", [False, True])
def test_641a_12f_the_chance_of_each_row_is_that_of_dealing_every_hand(literal: bool) -> None:
    """P7: a tie loses; R3 for the literal order."""
    readings = {"tiebreak": "highest_card"} if literal else {}
    found = LosingHands(tiny_duel(literal=literal)).odds(tiny_trial(**readings), tiny().wagers["bad_beat"])
    rows, total = losing_rows(literal=literal), comb(52, 2) * comb(50, 3)
    assert [(row.row, row.chance, row.net) for row in found.rows] == [
        ("pair", Fraction(rows["pair"], total), 10),
        ("flush", Fraction(rows["flush"], total), 4),
    ]
    assert found.hold == 1 - Fraction(11 * rows["pair"] + 5 * rows["flush"], total)


def test_losing_hands_are_counted_once_for_all_letters() -> None:
    losing = LosingHands(tiny_duel())
    one = losing.odds(tiny_trial(), tiny().wagers["bad_beat"])
    (known,) = losing._known.values()
    assert losing.odds(tiny_trial(), tiny().wagers["bad_beat"]) == one
    assert list(losing._known.values()) == [known]
