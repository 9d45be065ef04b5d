"""Holds of the wagers against posted paytables, paragraph by paragraph.

The stated ranges of 125-204 hold the ends of most tables. Where hands are few enough, every one is settled and the
sum compared, so that the census, the column and the payment are each held by something that does not use them.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.posted_paytable import Posted, posted_odds
from sabot.rules.odds.progressive import drawn_odds, envy_value, meter_odds
from sabot.rules.odds.suit_masks import cards_of_masks, suit_classes
from sabot.rules.odds.trial import Trial

ALL_SIX = {"A": 10.22479, "B": 15.278989, "C": 6.741335, "D": 8.561408, "E": 18.098054}
ACES_UP = {"A": 2.77588, "B": 3.372426, "C": 3.891711, "D": 4.23554, "E": 5.032782, "F": 6.148613}


def odds(
    chapter: str, wager: str, paytable: str = "", letter: str = "", stake: int = 500, **readings: str
) -> Posted:
    letters = {paytable or wager: letter} if letter else {}
    trial = Trial(load_chapter(chapter), letters, readings)
    return posted_odds(trial, load_chapter(chapter).wagers[wager], stake)


def pct(odds: Posted) -> float:
    return float(odds.hold * 100)


# ---------------------------------------------------------------- 641a and Maryland


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
@pytest.mark.parametrize("letter", "ABCDEF")
def test_641a_12c_aces_up(chapter: str, letter: str) -> None:
    assert pct(odds(chapter, "aces_up", letter=letter)) == pytest.approx(ACES_UP[letter], abs=1e-6)


def test_641a_12c_a_row_says_how_often_it_is_made_and_what_it_wins() -> None:
    """R15: 81,096 pairs of aces."""
    rows = {row.row: row for row in odds("pa641a", "aces_up", letter="A").rows}
    assert list(rows) == [
        "four_of_a_kind",
        "straight_flush",
        "three_of_a_kind",
        "flush",
        "straight",
        "two_pair",
        "pair_of_aces",
    ]
    assert rows["pair_of_aces"].chance == Fraction(81_096, 2_598_960)
    assert (int(rows["flush"].net), rows["flush"].payout.text) == (6, "6 to 1")


@pytest.mark.parametrize("letter", "ABCDE")
def test_641a_12h_six_card_bonus(letter: str) -> None:
    assert pct(odds("pa641a", "six_card", letter=letter)) == pytest.approx(ALL_SIX[letter], abs=1e-6)


def test_641a_6d_without_the_lowest_straight_the_six_card_bonus_holds_more() -> None:
    """R2."""
    assert pct(odds("pa641a", "six_card", letter="A", wheel5="no")) == pytest.approx(12.319638, abs=1e-6)


@pytest.mark.parametrize(("stake", "hold"), [(500, 18.098), (100, 12.990), (2500, 19.120)])
def test_md_12h_the_super_royal_is_a_fixed_sum_so_the_hold_depends_on_the_stake(
    stake: int, hold: float
) -> None:
    """M2."""
    found = odds("md4cp", "six_card", letter="A", stake=stake)
    assert found.stake == stake
    assert pct(found) == pytest.approx(hold, abs=0.001)


def test_md_12h_a_kept_stake_is_a_hair_dearer() -> None:
    """M2: four hands in twenty million lose their stake."""
    kept = odds("md4cp", "six_card", letter="A", md_super_royal_stake="kept").hold
    assert kept - odds("md4cp", "six_card", letter="A").hold == Fraction(4, 20_358_520)


def test_a_stake_without_fixed_sums_is_a_round_one() -> None:
    assert odds("pa641a", "six_card", letter="A", stake=100).stake == 10_000


# ---------------------------------------------------------------- 679a


def test_679a_12d_prime_over_the_players_and_the_dealers_cards() -> None:
    found = odds("pa679a", "prime")
    assert pct(found) == pytest.approx(3.620597, abs=1e-6)
    six = Fraction(2 * 230_230, 20_358_520)  # six cards of one color: two colors, 26 over 6
    three = Fraction(2 * 2_600, 22_100)
    assert [row.chance for row in found.rows] == [six, three - six]


@pytest.mark.parametrize("letter", "ABCD")
def test_679a_12e_f_pair_bonus_with_a_fourth_card(letter: str) -> None:
    """Every class of three cards settled with a 2 beside it and without one."""
    chapter = load_chapter("pa679a")
    trial = Trial(chapter, {"pair_bonus_two": letter}, {})
    gained = 0
    for masks, weight in suit_classes(3):
        cards = cards_of_masks(masks)
        twos = 4 - sum(card < 4 for card in cards)
        two = next(card for card in range(52) if card < 4 and card not in cards)
        other = next(card for card in range(4, 52) if card not in cards)
        for fourth, ways in ((two, twos), (other, 49 - twos)):
            gained += weight * ways * trial.net({"pair_bonus": 100}, cards, {}, fourth)
    found = odds("pa679a", "pair_bonus", "pair_bonus_two", letter)
    assert found.hold == Fraction(-gained, 100 * 22_100 * 49)


def test_679a_12e_f_the_rows_of_both_tables_are_told_apart() -> None:
    rows = odds("pa679a", "pair_bonus", "pair_bonus_two", "B").rows
    assert [row.table for row in rows] == ["pair_bonus"] * 6 + ["pair_bonus_two"] * 6
    assert [row.row for row in rows[:6]] == [row.row for row in rows[6:]]
    assert sum(row.chance for row in rows if row.row == "pair") == Fraction(3_744, 22_100)


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
@pytest.mark.parametrize("letter", "ABCDE")
def test_679a_12g_682a_12f_683a_12e_all_six(chapter: str, letter: str) -> None:
    assert pct(odds(chapter, "all_six", letter=letter)) == pytest.approx(ALL_SIX[letter], abs=1e-6)


# ---------------------------------------------------------------- 682a


@pytest.mark.parametrize(("letter", "hold"), [("A", 4.741897), ("B", 9.803922)])
def test_682a_12d_prime(letter: str, hold: float) -> None:
    """R16: all five of a color pay their own row alone."""
    assert pct(odds("pa682a", "prime", letter=letter)) == pytest.approx(hold, abs=1e-6)


def test_682a_12e_aces_bonus_to_the_letter_of_the_text_holds_about_half() -> None:
    """R1."""
    holds = [pct(odds("pa682a", "aces_bonus", letter=letter)) for letter in "ABCDEFGH"]
    assert 45.8 < min(holds) < max(holds) < 56.2


def test_682a_12e_aces_bonus_by_four_cards_holds_what_the_board_states() -> None:
    """R1: and F, G, H are 641a's Aces Up B, A, C."""
    holds = {
        letter: pct(odds("pa682a", "aces_bonus", letter=letter, aces_bonus="four")) for letter in "ABCDEFGH"
    }
    assert (round(min(holds.values()), 2), round(max(holds.values()), 1)) == (1.11, 6.6)
    assert [holds[letter] for letter in "FGH"] == pytest.approx(
        [ACES_UP[letter] for letter in "BAC"], abs=1e-6
    )


# ---------------------------------------------------------------- 683a


@pytest.mark.parametrize("letter", "ABC")
def test_683a_12b_pocket_is_what_settling_every_pair_of_cards_gives(letter: str) -> None:
    trial = Trial(load_chapter("pa683a"), {"pocket": letter}, {})
    gained = sum(trial.net({"pocket": 100}, own, {}) for own in combinations(range(52), 2))
    assert odds("pa683a", "pocket", letter=letter).hold == Fraction(-gained, 100 * 1_326)


@pytest.mark.parametrize(
    ("reading", "holds"), [("any", (2.316742, 7.095023)), ("aces", (33.59276, 38.371041))]
)
def test_683a_12c_board(reading: str, holds: tuple[float, float]) -> None:
    """P5."""
    found = [pct(odds("pa683a", "board", letter=letter, board_pair=reading)) for letter in "ABCD"]
    assert (min(found), max(found)) == pytest.approx(holds, abs=1e-6)


def test_683a_12c_board_is_what_settling_every_three_cards_gives() -> None:
    trial = Trial(load_chapter("pa683a"), {"board": "B"}, {})
    boards = ((cards_of_masks(masks), weight) for masks, weight in suit_classes(3))
    gained = sum(weight * trial.net({"board": 100}, None, {"community": cards}) for cards, weight in boards)
    assert odds("pa683a", "board", letter="B").hold == Fraction(-gained, 100 * 22_100)


@pytest.mark.parametrize(("letter", "hold"), [("A", 8.712716), ("B", 7.182104)])
def test_683a_12d_lo_ball(letter: str, hold: float) -> None:
    """R13."""
    assert pct(odds("pa683a", "lo_ball", letter=letter)) == pytest.approx(hold, abs=1e-6)


# ---------------------------------------------------------------- progressives


def meter(chapter: str, wager: str, letter: str, **readings: str) -> tuple[Trial, Posted]:
    trial = Trial(load_chapter(chapter), {wager: letter}, readings)
    return trial, posted_odds(trial, load_chapter(chapter).wagers[wager])


def test_641a_12d_four_card_progressive() -> None:
    trial, posted = meter("pa641a", "prog4", "A")
    found = meter_odds(trial, trial.chapter.wagers["prog4"], posted)
    assert found is not None
    four_aces = Fraction(48, 2_598_960)
    assert [(row.row, row.chance) for row in found.draws] == [("four_aces", four_aces)]
    assert found.reseed_cost == four_aces * 5000
    assert (found.primary, found.reserve) == (Fraction(29, 100), Fraction(0))
    assert found.long_run_hold == posted.hold - Fraction(29, 100) - found.reseed_cost
    assert found.break_even is not None
    assert posted.hold == four_aces * found.break_even  # there the fixed part and the meter give all back
    assert pct(posted) == pytest.approx(65.066642, abs=1e-6)


def test_641a_12e_five_card_progressive_of_three_levels() -> None:
    trial, posted = meter("pa641a", "prog5", "C")
    found = meter_odds(trial, trial.chapter.wagers["prog5"], posted)
    assert found is not None
    levels = [(row.payout.level, int(row.chance * 2_598_960)) for row in found.draws]
    assert levels == [("mega", 4), ("major", 36), ("minor", 624)]
    assert found.reseed_cost * 2_598_960 == 4 * 10_000 + 36 * 1_000 + 624 * 250
    assert found.primary == Fraction(19, 100)
    assert found.break_even is None  # three meters have no one amount


def test_641a_12e_a_tenth_of_a_meter_is_not_reseeded() -> None:
    trial, posted = meter("pa641a", "prog5", "A")
    found = meter_odds(trial, trial.chapter.wagers["prog5"], posted)
    assert found is not None
    assert found.reseed_cost == Fraction(4 * 10_000, 2_598_960)
    assert found.break_even == posted.hold / Fraction(40 + 36, 25_989_600)


def test_641a_12g_hand_bonus_reseeds_with_nothing() -> None:
    """T6."""
    chapter = load_chapter("pa641a")
    trial = Trial(chapter, {}, {})
    for name in ("hand_bonus_player", "hand_bonus_dealer"):
        posted = posted_odds(trial, chapter.wagers[name])
        found = meter_odds(trial, chapter.wagers[name], posted)
        assert found is not None
        assert (found.reseed_cost, found.reserve) == (Fraction(0), Fraction(8, 100))
        assert pct(posted) == pytest.approx(63.762428, abs=1e-6)


def test_641a_12g3_a_magic_card_drawn_every_round_would_return_almost_twice_the_stake() -> None:
    """G3."""
    chapter = load_chapter("pa641a")
    magic, lucky = drawn_odds(Trial(chapter, {}, {}), chapter.wagers["hand_bonus_player"])
    assert magic.chance * magic.rate == Fraction(5 * 20, 52)
    assert (lucky.name, lucky.chance, lucky.rate) == ("lucky_bonus", Fraction(1, 8), Fraction(5))


def test_md_12d_paytable_c_holds_46_9_percent_of_its_fixed_part() -> None:
    _, posted = meter("md4cp", "progressive", "C")
    assert pct(posted) == pytest.approx(46.943085, abs=1e-6)


def test_md_12d3_the_operator_names_the_rates_and_the_minima_are_what_is_known() -> None:
    """T2."""
    trial, posted = meter("md4cp", "progressive", "D")
    found = meter_odds(trial, trial.chapter.wagers["progressive"], posted)
    assert found is not None
    assert found.operator_chooses
    assert (found.primary, found.reserve, found.long_run_hold) == (None, None, None)
    assert found.reseed_cost == Fraction(4 * 1_000 + 36 * 250, 2_598_960)


@pytest.mark.parametrize(("reading", "share"), [("text", 8.495706), ("royal", 0.569459)])
def test_md_12f3_envy_of_paytable_c(reading: str, share: float) -> None:
    """M1: as printed each other player is worth 8.5 % of the wager."""
    trial, _ = meter("md4cp", "progressive", "C", md_envy_c=reading)
    envy = envy_value(trial, trial.chapter.wagers["progressive"])
    assert envy is not None
    assert float(envy * 100) == pytest.approx(share, abs=1e-6)


def test_a_wager_without_meter_or_envy_has_none() -> None:
    chapter = load_chapter("pa641a")
    trial = Trial(chapter, {"aces_up": "A"}, {})
    wager = chapter.wagers["aces_up"]
    assert meter_odds(trial, wager, posted_odds(trial, wager)) is None
    assert envy_value(trial, wager) is None
    assert drawn_odds(trial, wager) == ()
