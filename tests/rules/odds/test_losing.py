"""641a.12(f) on the small game: the losing hand's row, whichever side holds it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

from sabot.rules.odds.losing_hand import LosingHands
from sabot.rules.odds.suit_masks import cards_of_masks, suit_classes

from .tiny import RANKING, tiny, tiny_duel, tiny_trial


def test_641a_12f_the_chance_of_each_row_is_that_of_dealing_every_hand() -> None:
    """P7: a tie loses."""
    dealer = [(sum(1 << card for card in hand), RANKING.score(hand)) for hand in combinations(range(52), 3)]
    rows: Counter[str] = Counter()
    for masks, weight in suit_classes(2):
        own = cards_of_masks(masks)
        score, held = RANKING.score(own), sum(1 << card for card in own)
        scores = Counter(other for hand, other in dealer if not hand & held)
        for other, times in scores.items():
            if other != score:
                rows[RANKING.name(min(score, other))] += weight * times
    found = LosingHands(tiny_duel()).odds(tiny_trial(), tiny().wagers["bad_beat"])
    total = comb(52, 2) * comb(50, 3)
    assert [(row.row, row.chance) for row in found.rows] == [
        (row, Fraction(rows[row], total)) for row in ("pair", "flush")
    ]
    assert [int(row.net) for row in found.rows] == [10, 4]
    assert found.hold == 1 - Fraction(11 * rows["pair"] + 5 * rows["flush"], total)


def test_losing_hands_are_counted_once_for_all_letters() -> None:
    losing = LosingHands(tiny_duel())
    one = losing.odds(tiny_trial(), tiny().wagers["bad_beat"])
    (known,) = losing._known.values()
    assert losing.odds(tiny_trial(), tiny().wagers["bad_beat"]) == one
    assert list(losing._known.values()) == [known]
