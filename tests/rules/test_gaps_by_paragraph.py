"""Paragraphs that the other files settle by the way and no test of theirs names.

Found by reading the ledger of the law (`tests/law/coverage`) against the tests, one paragraph at a time.
"""

from __future__ import annotations

import pytest

from .printed_tables import ANTE_BONUS
from .table_talk import LOST, Case, Json, law, printed, seat, settle, won

SIX_CARD_DEALERS = ("pa641a", "md4cp", "pa682a")
NOTHING = "2d 4h 6s 8c Jd 3c"
FIVE_CARD_ROYAL, FIVE_CARD_STRAIGHT_FLUSH = "Ah Kh Qh Jh Th", "9s 8s 7s 6s 5s"


# ---------------------------------------------------------------- 641a


def test_641a_7d8_a_six_card_bonus_has_no_bearing_on_the_other_wagers() -> None:
    others = {"ante": 100, "aces_up": 500, "prog4": 100, "prog5": 100, "bad_beat": 100, "play": 300}
    meters = {"prog4": {"main": 100_000}, "prog5": {"main": 200_000}}
    layout: Json = {"dealer": NOTHING, "six_card": "9h", "meters": meters}
    without = settle("pa641a", seat(1, "9s 9d 4c 4d Ks", **others), **layout)
    beside = settle("pa641a", seat(1, "9s 9d 4c 4d Ks", six_card=100, **others), **layout)
    assert beside[1, "six_card"] == won(25 * 100, "full_house", back=100)
    assert [line for line in beside.lines if line["wager"] != "six_card"] == without.lines
    assert beside.meters == without.meters


def test_641a_11c5vb_one_for_each_other_players_five_card_hand_none_for_ones_own_nor_the_dealers() -> None:
    """E7: the dealer's first five are a straight flush too."""
    told = settle(
        "pa641a",
        seat(3, "9d 8d 7d 6d 5d", ante=100, prog5=100, play=100),
        seat(1, FIVE_CARD_ROYAL, aces_up=500),
        seat(6, FIVE_CARD_STRAIGHT_FLUSH, aces_up=500),
        dealer="7c 6c 5c 4c 3c Kd",
        meters={"prog5": {"main": 100_000}},
    )
    envies = [(line["wager"], line["paid"]) for line in told.lines if line["wager"].startswith("envy")]
    assert envies == [("envy:seat6", 300_00), ("envy:seat1", 1_000_00)]


@pytest.mark.parametrize(("chapter", "cite"), [("pa641a", "641a.12(b)"), ("md4cp", "ch.12.B")])
@printed(ANTE_BONUS)
def test_641a_12b_and_md_12b_a_losing_hand_is_paid_by_the_same_table(
    case: Case, chapter: str, cite: str
) -> None:
    """P1: four aces beat every row."""
    told = settle(chapter, seat(1, case.first(5), ante=700, play=2100), dealer="As Ah Ac Ad 3s 6h")
    assert told[1, "ante"] == told[1, "play"] == LOST
    case.is_bonus(told, "ante_bonus", cite, case.times(700))


# ---------------------------------------------------------------- the dealer's six cards


@pytest.mark.parametrize("chapter", SIX_CARD_DEALERS)
@pytest.mark.parametrize("place", range(6))
def test_641a_11c_md_11d3_and_682a_11d_the_dealers_best_four_of_all_six(chapter: str, place: int) -> None:
    """A pair of tens beats the nines wherever the second ten lies; without it the nines win."""
    base = law(chapter).contest.wagers
    rest = ["Th", "2c", "3d", "5s", "7c"]
    for card, expected in (("Tc", LOST), ("8s", won(100, back=100))):
        dealer = " ".join([*rest[:place], card, *rest[place:]])
        told = settle(chapter, seat(1, "9s 9d 6c 3h Ks", ante=100, play=100), dealer=dealer)
        assert [told[1, wager] for wager in base] == [expected, expected]


@pytest.mark.parametrize("chapter", SIX_CARD_DEALERS)
@pytest.mark.parametrize("place", range(5))
def test_641a_11c2_md_11d4b_and_682a_11d2_the_players_best_four_of_all_five(chapter: str, place: int) -> None:
    """A pair of tens beats the nines wherever the second ten lies; without it the nines win."""
    base = law(chapter).contest.wagers
    rest = ["Ts", "2d", "6c", "Ks"]
    for card, expected in (("Td", won(100, back=100)), ("4d", LOST)):
        cards = " ".join([*rest[:place], card, *rest[place:]])
        told = settle(chapter, seat(1, cards, ante=100, play=100), dealer="9h 9c 3d 5s 7c Jd")
        assert [told[1, wager] for wager in base] == [expected, expected]
