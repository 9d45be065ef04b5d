"""MLGCA Four Card Poker, chapter 12: every cell of every paytable, settled with a hand that makes its row."""

from __future__ import annotations

import pytest

from .printed_tables import (
    ACES_UP,
    ACES_UP_THAT_LOSE,
    ANTE_BONUS,
    FOUR_CARD_ENVY_1,
    FOUR_CARD_ENVY_5,
    FOUR_CARD_PROGRESSIVE,
    SIX_CARDS_THAT_LOSE,
    UNDER_THREE_OF_A_KIND,
)
from .table_talk import LOST, Case, Levels, Told, dollars, law, printed, seat, settle, won

# ---------------------------------------------------------------- 12.A, 12.B: Ante, Play, Ante Bonus


def test_md_12a_ante_and_play_pay_1_to_1() -> None:
    told = settle("md4cp", seat(1, "As Ad 9c 7h 2s", ante=1000, play=2500), dealer="2d 4h 6s 8c Jd 3c")
    assert told[1, "ante"] == won(1000, back=1000)
    assert told[1, "play"] == won(2500, back=2500)
    assert told.cite(1, "ante") == told.cite(1, "play") == "ch.11.D(4)(c)(ii), 12.A"


@printed(ANTE_BONUS)
def test_md_12b_ante_bonus(case: Case) -> None:
    told = settle("md4cp", seat(1, case.first(5), ante=700, play=2100), dealer="Jd Qc 3c 7s 8h 4s")
    case.is_bonus(told, "ante_bonus", "ch.12.B", case.times(700))


@pytest.mark.parametrize("cards", UNDER_THREE_OF_A_KIND)
def test_md_12b_no_ante_bonus_under_three_of_a_kind(cards: str) -> None:
    told = settle("md4cp", seat(1, cards, ante=700, play=700), dealer="4s 6s 7c 8h Td Jc")
    assert told.wagers(1) == ["ante", "play"]


# ---------------------------------------------------------------- 12.C: Aces Up


@printed(ACES_UP)
def test_md_12c_aces_up(case: Case) -> None:
    told = settle("md4cp", seat(1, case.first(5), aces_up=700), letters=f"aces_up={case.letter}")
    case.is_paid(told, "aces_up", "ch.11.D(5), 12.C", 700)


@pytest.mark.parametrize("letter", "ABCDEF")
@pytest.mark.parametrize("cards", ACES_UP_THAT_LOSE)
def test_md_12c_aces_up_loses_under_a_pair_of_aces(cards: str, letter: str) -> None:
    told = settle("md4cp", seat(1, cards, aces_up=700), letters=f"aces_up={letter}")
    assert told[1, "aces_up"] == LOST


# ---------------------------------------------------------------- 12.D: Progressive

FIVE_CARD_PROGRESSIVE = """
hand            | row             | cards          | C             | D             | E             | F
Royal flush     | royal_flush     | Ah Kh Qh Jh Th | 100% of meter | 100% of major | 100% of mega  | 100% of mega
Straight flush  | straight_flush  | 9h 8h 7h 6h 5h | 10% of meter  | 100% of minor | 100% of major | 100% of major
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 2c 9c | 300 for 1     | 300 for 1     | 100% of minor | 100% of minor
Full house      | full_house      | 2s 2h 2d 9s 9c | 50 for 1      | 50 for 1      | 50 for 1      | 50 for 1
Flush           | flush           | 2h 9h 6h Kh Jh | 40 for 1      | 40 for 1      | 40 for 1      | 40 for 1
Straight        | straight        | 4c 8d 5h 6s 7d | 30 for 1      | 30 for 1      | 30 for 1      | 30 for 1
Three-of-a-kind | three_of_a_kind | Qs Qd 2h 7c Qc | 9 for 1       | 9 for 1       | 10 for 1      | 9 for 1
"""
# 12.D(3)(b): the least initial and reset amounts
LEAST = {
    "A": {"main": "$5,000"},
    "B": {"main": "$1,000"},
    "C": {"main": "$10,000"},
    "D": {"major": "$1,000", "minor": "$250"},
    "E": {"mega": "$10,000", "major": "$1,000", "minor": "$250"},
    "F": {"mega": "$10,000", "major": "$1,000", "minor": "$250"},
}
METER: Levels = {"main": 7_654_321, "mega": 6_543_219, "major": 1_234_567, "minor": 98_765}
RESET: Levels = {"main": 2_000_001, "mega": 3_000_002, "major": 400_003, "minor": 50_004}


def progressive(cards: str, letter: str, unit: int = 100) -> Told:
    levels = LEAST[letter]
    return settle(
        "md4cp",
        seat(1, cards, aces_up=500, progressive=unit),
        letters=f"progressive={letter}",
        meters={"progressive": {level: METER[level] for level in levels}},
        meter_reset={level: RESET[level] for level in levels},
        progressive_unit=unit,
    )


@pytest.mark.parametrize("unit", [100, 500])
@printed(FOUR_CARD_PROGRESSIVE)
def test_md_12d1a_and_b_four_card_progressive(case: Case, unit: int) -> None:
    told = progressive(case.first(5), case.letter, unit)
    case.is_paid(told, "progressive", "ch.11.D(8)-(10), 12.D", unit, METER)


@pytest.mark.parametrize("unit", [100, 500])
@printed(FIVE_CARD_PROGRESSIVE)
def test_md_12d1c_to_f_five_card_progressive(case: Case, unit: int) -> None:
    told = progressive(case.first(5), case.letter, unit)
    case.is_paid(told, "progressive", "ch.11.D(8)-(10), 12.D", unit, METER)


@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize("cards", UNDER_THREE_OF_A_KIND)
def test_md_12d1a_and_b_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    assert progressive(cards, letter)[1, "progressive"] == LOST


@pytest.mark.parametrize("letter", "CDEF")
@pytest.mark.parametrize("cards", ["3s 3d Ah 5c 5d", "As 9c 7h Ad 2s", "As Kd 9c 7h 2s"])
def test_md_12d1c_to_f_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    assert progressive(cards, letter)[1, "progressive"] == LOST


@pytest.mark.parametrize("letter", LEAST)
def test_md_12d3b_least_initial_and_reset_amounts(letter: str) -> None:
    levels = law("md4cp").meters["progressive"].levels
    assert list(levels) == list(LEAST)
    assert list(levels[letter]) == list(LEAST[letter])
    for level, least in LEAST[letter].items():
        terms = levels[letter][level]
        assert terms.minimum_dollars == dollars(least) // 100
        assert (terms.seed_for_1, terms.primary_percent, terms.reserve_percent) == (None, None, None)


@pytest.mark.parametrize(
    ("letter", "cards", "level"),
    [
        *((letter, "As Ah Ad Ac 9d", "main") for letter in "AB"),
        *(
            (letter, "Ah Kh Qh Jh Th", level)
            for letter, level in zip("CDEF", ["main", "major", "mega", "mega"], strict=True)
        ),
        *(
            (letter, "9h 8h 7h 6h 5h", level)
            for letter, level in zip("DEF", ["minor", "major", "major"], strict=True)
        ),
        *((letter, "2s 2h 2d 2c 9c", "minor") for letter in "EF"),
    ],
)
def test_md_12d3b_a_hit_leaves_the_operators_reset_on_its_level_alone(
    letter: str, cards: str, level: str
) -> None:
    before = {each: METER[each] for each in LEAST[letter]}
    assert progressive(cards, letter).meters == {"progressive": before | {level: RESET[level]}}


def test_md_12d1c_10_percent_leaves_the_rest_on_the_meter() -> None:
    assert progressive("9h 8h 7h 6h 5h", "C").meters == {"progressive": {"main": 7_654_321 - 765_432}}


# ---------------------------------------------------------------- 12.E to 12.G: Envy Bonus

# 12.F(3) as the document prints it (reading M1)
ENVY_C_1 = """
$1             | row            | cards          | C
Four aces      | four_aces      | As Ah Ad Ac 9d | $1,000
Four-of-a-kind | four_of_a_kind | Ks Kh Kd Kc As | $300
Straight flush | straight_flush | 9h 8h 7h 6h 5h | -
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | -
"""
ENVY_C_5 = """
$5             | row            | cards          | C
Four aces      | four_aces      | As Ah Ad Ac 9d | $5,000
Four-of-a-kind | four_of_a_kind | Ks Kh Kd Kc As | $1,500
Straight flush | straight_flush | 9h 8h 7h 6h 5h | -
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | -
"""
ENVY_DEF_1 = """
$1             | row            | cards          | D      | E      | F
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | $1,000 | $1,000 | $1,000
Straight flush | straight_flush | 9h 8h 7h 6h 5h | $300   | $300   | $300
Four-of-a-kind | four_of_a_kind | As Ah Ad Ac 9d | -      | -      | -
"""
ENVY_DEF_5 = """
$5             | row            | cards          | D      | E      | F
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | $5,000 | $5,000 | $5,000
Straight flush | straight_flush | 9h 8h 7h 6h 5h | $1,500 | $1,500 | $1,500
Four-of-a-kind | four_of_a_kind | As Ah Ad Ac 9d | -      | -      | -
"""


def told_of_envy(case: Case, unit: int, letters: str) -> Told:
    receiver = seat(1, "Qs 9c 7d 3d 4s", aces_up=500, progressive=unit)
    return settle("md4cp", receiver, seat(2, case.first(5), aces_up=500), letters=letters)


def envies(case: Case, unit: int) -> None:
    """By the receiver's own wager and by the letter of the envy paytable, whatever the progressive's is."""
    for letters in (f"progressive={case.letter}", *(f"progressive={p} envy={case.letter}" for p in "AD")):
        told = told_of_envy(case, unit, letters)
        case.is_bonus(told, "envy:seat2", "ch.11.D(10)(e), 12.E-G", dollars(case.cell))


@printed(FOUR_CARD_ENVY_1)
def test_md_12f1_and_2_envy_for_a_1_dollar_wager(case: Case) -> None:
    envies(case, 100)


@printed(ENVY_C_1)
def test_md_12f3_envy_for_a_1_dollar_wager(case: Case) -> None:
    envies(case, 100)


@printed(ENVY_DEF_1)
def test_md_12f4_to_6_envy_for_a_1_dollar_wager(case: Case) -> None:
    envies(case, 100)


@printed(FOUR_CARD_ENVY_5)
def test_md_12g1_and_2_envy_for_a_5_dollar_wager(case: Case) -> None:
    envies(case, 500)


@printed(ENVY_C_5)
def test_md_12g3_envy_for_a_5_dollar_wager(case: Case) -> None:
    envies(case, 500)


@printed(ENVY_DEF_5)
def test_md_12g4_to_6_envy_for_a_5_dollar_wager(case: Case) -> None:
    envies(case, 500)


@pytest.mark.parametrize("unit", [100, 500])
@printed(FOUR_CARD_ENVY_1, with_absent=True)
def test_md_12f_and_g_no_envy_for_lower_hands_of_a_and_b(case: Case, unit: int) -> None:
    assert not told_of_envy(case, unit, f"envy={case.letter}").has(1, "envy:seat2")


@pytest.mark.parametrize("unit", [100, 500])
@printed(ENVY_C_1, with_absent=True)
def test_md_12f3_and_g3_no_envy_for_the_flushes_of_c(case: Case, unit: int) -> None:
    assert not told_of_envy(case, unit, "progressive=C").has(1, "envy:seat2")


@pytest.mark.parametrize("unit", [100, 500])
@printed(ENVY_DEF_1, with_absent=True)
def test_md_12f_and_g_no_envy_for_four_of_a_kind_of_d_to_f(case: Case, unit: int) -> None:
    assert not told_of_envy(case, unit, f"envy={case.letter}").has(1, "envy:seat2")


# ---------------------------------------------------------------- 12.H: Six Card Bonus

SIX_CARD = """
hand                                | row                  | cards             | A          | B
Super Royal, diamonds               | super_royal_diamonds | Ad Kd Qd Jd Td 9d | $1,000,000 | $100,000
Super Royal, hearts, spades or clubs | super_royal_other   | Th 9h Ah Kh Qh Jh | $100,000   | $100,000
Super Royal, hearts, spades or clubs | super_royal_other   | 9s Ks Qs Js Ts As | $100,000   | $100,000
Super Royal, hearts, spades or clubs | super_royal_other   | Ac Kc 9c Jc Tc Qc | $100,000   | $100,000
Royal flush                         | royal_flush          | Ad Kd 2s Jd Td Qd | 1,000 to 1 | 1,000 to 1
Straight flush                      | straight_flush       | Kd 9d Qd Jd Td 8d | 200 to 1   | 200 to 1
Four-of-a-kind                      | four_of_a_kind       | 5s 5h 2d 5d 5c 2h | 50 to 1    | 50 to 1
Full house                          | full_house           | 7s 7d 7c Jd Js 2h | 20 to 1    | 20 to 1
Flush                               | flush                | 2h 9h 3s 6h Kh Jh | 15 to 1    | 15 to 1
Straight                            | straight             | 4c 8d 5h 6s 7d Ks | 10 to 1    | 10 to 1
Three-of-a-kind                     | three_of_a_kind      | Qs Qd 2h 7c Qc 9s | 5 to 1     | 5 to 1
"""


def six_card_bonus(cards: str, letter: str) -> Told:
    player = seat(1, cards[:14], ante=100, aces_up=500, six_card=700, fold=True)
    return settle("md4cp", player, six_card=cards[15:], letters=f"six_card={letter}")


@printed(SIX_CARD)
def test_md_12h_six_card_bonus(case: Case) -> None:
    case.is_paid(six_card_bonus(case.first(6), case.letter), "six_card", "ch.11.D(7), 12.H", 700)


@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize("cards", SIX_CARDS_THAT_LOSE)
def test_md_12h_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    assert six_card_bonus(cards, letter)[1, "six_card"] == LOST
