"""641a.12: every cell of every paytable, settled with a hand that makes its row."""

from __future__ import annotations

import pytest

from .printed_tables import (
    ACES_UP,
    ACES_UP_THAT_LOSE,
    ANTE_BONUS,
    FOUR_CARD_ENVY_1,
    FOUR_CARD_ENVY_5,
    FOUR_CARD_PROGRESSIVE,
    SIX_CARD,
    SIX_CARDS_THAT_LOSE,
    UNDER_THREE_OF_A_KIND,
)
from .table_talk import LOST, Case, Levels, dollars, law, printed, seat, settle, won

WINNER = "Ks Kh Kd Kc As"
WEAK_DEALER = "2d 4h 6s 8c Jd 3c"

# ---------------------------------------------------------------- 12(a), (b): Ante, Play, Ante Bonus


def test_641a_12a_ante_and_play_pay_1_to_1() -> None:
    told = settle("pa641a", seat(1, "As Ad 9c 7h 2s", ante=1000, play=2500), dealer=WEAK_DEALER)
    assert told[1, "ante"] == won(1000, back=1000)
    assert told[1, "play"] == won(2500, back=2500)
    assert told.cite(1, "ante") == told.cite(1, "play") == "641a.11(c)(3)(ii), 641a.12(a)"
    assert told.line(1, "ante")["says"] == "Pays 1 to 1"


@printed(ANTE_BONUS)
def test_641a_12b_ante_bonus(case: Case) -> None:
    told = settle("pa641a", seat(1, case.first(5), ante=700, play=2100), dealer="Jd Qc 3c 7s 8h 4s")
    case.is_bonus(told, "ante_bonus", "641a.12(b)", case.times(700))


@pytest.mark.parametrize("cards", UNDER_THREE_OF_A_KIND)
def test_641a_12b_no_ante_bonus_under_three_of_a_kind(cards: str) -> None:
    told = settle("pa641a", seat(1, cards, ante=700, play=700), dealer="4s 6s 7c 8h Td Jc")
    assert told.wagers(1) == ["ante", "play"]


# ---------------------------------------------------------------- 12(c): Aces Up


@printed(ACES_UP)
def test_641a_12c_aces_up(case: Case) -> None:
    told = settle("pa641a", seat(1, case.first(5), aces_up=700), letters=f"aces_up={case.letter}")
    case.is_paid(told, "aces_up", "641a.11(c)(4), 641a.12(c)", 700)


@pytest.mark.parametrize("letter", "ABCDEF")
@pytest.mark.parametrize("cards", ACES_UP_THAT_LOSE)
def test_641a_12c_aces_up_loses_under_a_pair_of_aces(cards: str, letter: str) -> None:
    told = settle("pa641a", seat(1, cards, aces_up=700), letters=f"aces_up={letter}")
    assert told[1, "aces_up"] == LOST


# ---------------------------------------------------------------- 12(d): Four-Card Progressive

PROG4_METER: Levels = {"main": 1_234_567}


@pytest.mark.parametrize("unit", [100, 500])
@printed(FOUR_CARD_PROGRESSIVE)
def test_641a_12d1_four_card_progressive(case: Case, unit: int) -> None:
    told = settle(
        "pa641a",
        seat(1, case.first(5), aces_up=500, prog4=unit),
        letters=f"prog4={case.letter}",
        meters={"prog4": PROG4_METER},
        progressive_unit=unit,
    )
    case.is_paid(told, "prog4", "641a.11(c)(5), 641a.12(d)", unit, PROG4_METER)


@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize("cards", UNDER_THREE_OF_A_KIND)
def test_641a_12d1_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    told = settle("pa641a", seat(1, cards, aces_up=500, prog4=100), letters=f"prog4={letter}")
    assert told[1, "prog4"] == LOST


# letter: seed, reseed, primary rate, reserve rate
PROG4_TERMS = {"A": ("$5,000 for 1", "$5,000 for 1", 29, 0), "B": ("$1,000 for 1", "$1,000 for 1", 25, 5)}


@pytest.mark.parametrize("letter", PROG4_TERMS)
def test_641a_12d3_seed_reseed_and_rates(letter: str) -> None:
    seed, reseed, primary, reserve = PROG4_TERMS[letter]
    terms = law("pa641a").meters["prog4"].levels[letter]["main"]
    assert (terms.seed_for_1, terms.reseed_for_1) == (dollars(seed) // 100, dollars(reseed) // 100)
    assert (terms.primary_percent, terms.reserve_percent, terms.minimum_dollars) == (primary, reserve, None)
    assert list(law("pa641a").meters["prog4"].levels) == ["A", "B"]


@pytest.mark.parametrize("unit", [100, 500])
@pytest.mark.parametrize("letter", PROG4_TERMS)
def test_641a_12d3_a_hit_leaves_the_reseed_times_the_wager(letter: str, unit: int) -> None:
    told = settle(
        "pa641a",
        seat(1, "As Ah Ad Ac 9d", aces_up=500, prog4=unit),
        letters=f"prog4={letter}",
        meters={"prog4": PROG4_METER},
        progressive_unit=unit,
    )
    assert told.meters == {"prog4": {"main": dollars(PROG4_TERMS[letter][1]) * unit // 100}}


@printed(FOUR_CARD_ENVY_1)
def test_641a_12d5_envy_for_a_1_dollar_wager(case: Case) -> None:
    envies(case, 100)


@printed(FOUR_CARD_ENVY_5)
def test_641a_12d5_envy_for_a_5_dollar_wager(case: Case) -> None:
    envies(case, 500)


def envies(case: Case, unit: int) -> None:
    """By the receiver's own wager and by the letter of the envy paytable, whatever the progressive's is."""
    for letters in (f"prog4={case.letter}", f"prog4=A envy4={case.letter}", f"prog4=B envy4={case.letter}"):
        receiver = seat(1, "Qs 9c 7h 3d 4s", aces_up=500, prog4=unit)
        told = settle("pa641a", receiver, seat(2, case.first(5), aces_up=500), letters=letters)
        case.is_bonus(told, "envy:seat2", "641a.11(c)(5)(v)", dollars(case.cell))


@pytest.mark.parametrize("unit", [100, 500])
@printed(FOUR_CARD_ENVY_1, with_absent=True)
def test_641a_12d5_no_envy_for_lower_hands(case: Case, unit: int) -> None:
    receiver = seat(1, "Qs 9c 7h 3d 5s", aces_up=500, prog4=unit)
    told = settle(
        "pa641a", receiver, seat(2, case.first(5), aces_up=500), letters=f"prog4=A envy4={case.letter}"
    )
    assert not told.has(1, "envy:seat2")


# ---------------------------------------------------------------- 12(e): Five-Card Progressive

PROG5 = """
hand            | row             | cards          | A             | B             | C             | D
Royal flush     | royal_flush     | Ah Kh Qh Jh Th | 100% of meter | 100% of mega  | 100% of mega  | 100% of mega
Straight flush  | straight_flush  | 9h 8h 7h 6h 5h | 10% of meter  | 100% of major | 100% of major | 100% of major
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 2c 9c | 300 for 1     | 300 for 1     | 100% of minor | 100% of minor
Full house      | full_house      | 2s 2h 2d 9s 9c | 50 for 1      | 50 for 1      | 50 for 1      | 50 for 1
Flush           | flush           | 2h 9h 6h Kh Jh | 40 for 1      | 40 for 1      | 40 for 1      | 40 for 1
Straight        | straight        | 4c 8d 5h 6s 7d | 30 for 1      | 30 for 1      | 30 for 1      | 30 for 1
Three-of-a-kind | three_of_a_kind | Qs Qd 2h 7c Qc | 9 for 1       | 9 for 1       | 10 for 1      | 9 for 1
"""
# letter: level: seed and reseed, primary rate; no reserve
PROG5_TERMS = {
    "A": {"main": ("$10,000 for 1", 21)},
    "B": {"mega": ("$10,000 for 1", 11), "major": ("$1,000 for 1", 10)},
    "C": {"mega": ("$10,000 for 1", 9), "major": ("$1,000 for 1", 7), "minor": ("$250 for 1", 3)},
    "D": {"mega": ("$10,000 for 1", 10), "major": ("$1,000 for 1", 8), "minor": ("$250 for 1", 3)},
}
PROG5_METER: Levels = {"main": 7_654_321, "mega": 6_543_219, "major": 1_234_567, "minor": 98_765}


def prog5_meter(letter: str) -> Levels:
    return {level: PROG5_METER[level] for level in PROG5_TERMS[letter]}


@pytest.mark.parametrize("unit", [100, 500])
@printed(PROG5)
def test_641a_12e1_five_card_progressive(case: Case, unit: int) -> None:
    told = settle(
        "pa641a",
        seat(1, case.first(5), aces_up=500, prog5=unit),
        letters=f"prog5={case.letter}",
        meters={"prog5": prog5_meter(case.letter)},
        progressive_unit=unit,
    )
    case.is_paid(told, "prog5", "641a.11(c)(5), 641a.12(e)", unit, PROG5_METER)


@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize("cards", ["3s 3d Ah 5c 5d", "As 9c 7h Ad 2s", "As Kd 9c 7h 2s"])
def test_641a_12e1_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    told = settle("pa641a", seat(1, cards, aces_up=500, prog5=100), letters=f"prog5={letter}")
    assert told[1, "prog5"] == LOST


@pytest.mark.parametrize("letter", PROG5_TERMS)
def test_641a_12e3_seed_reseed_and_rates(letter: str) -> None:
    levels = law("pa641a").meters["prog5"].levels[letter]
    assert list(levels) == list(PROG5_TERMS[letter])
    for level, (seed, primary) in PROG5_TERMS[letter].items():
        assert levels[level].seed_for_1 == levels[level].reseed_for_1 == dollars(seed) // 100
        assert (levels[level].primary_percent, levels[level].reserve_percent) == (primary, 0)


@pytest.mark.parametrize("unit", [100, 500])
@pytest.mark.parametrize(
    ("letter", "cards", "level"),
    [
        *((letter, "Ah Kh Qh Jh Th", "main" if letter == "A" else "mega") for letter in "ABCD"),
        *((letter, "9h 8h 7h 6h 5h", "major") for letter in "BCD"),
        *((letter, "2s 2h 2d 2c 9c", "minor") for letter in "CD"),
    ],
)
def test_641a_12e3_a_hit_reseeds_its_level_alone(letter: str, cards: str, level: str, unit: int) -> None:
    meter = prog5_meter(letter)
    told = settle(
        "pa641a",
        seat(1, cards, aces_up=500, prog5=unit),
        letters=f"prog5={letter}",
        meters={"prog5": meter},
        progressive_unit=unit,
    )
    reseed = dollars(PROG5_TERMS[letter][level][0]) * unit // 100
    assert told.meters == {"prog5": meter | {level: reseed}}


def test_641a_12e1_10_percent_leaves_the_rest_on_the_meter() -> None:
    meter = {"main": 7_654_321}
    royal = seat(1, "9h 8h 7h 6h 5h", aces_up=500, prog5=100)
    told = settle("pa641a", royal, meters={"prog5": meter})
    assert told.meters == {"prog5": {"main": 7_654_321 - 765_432}}


ENVY5_1 = """
$1             | row            | cards          | only
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | $1,000
Straight flush | straight_flush | 9h 8h 7h 6h 5h | $300
Four-of-a-kind | four_of_a_kind | 2s 2h 2d 2c 9d | -
"""
ENVY5_5 = """
$5             | row            | cards          | only
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | $5,000
Straight flush | straight_flush | 9h 8h 7h 6h 5h | $1,500
Four-of-a-kind | four_of_a_kind | 2s 2h 2d 2c 9d | -
"""


@pytest.mark.parametrize("letter", "ABCD")
@printed(ENVY5_1)
def test_641a_12e5_envy_for_a_1_dollar_wager(case: Case, letter: str) -> None:
    envies5(case, letter, 100)


@pytest.mark.parametrize("letter", "ABCD")
@printed(ENVY5_5)
def test_641a_12e5_envy_for_a_5_dollar_wager(case: Case, letter: str) -> None:
    envies5(case, letter, 500)


def envies5(case: Case, letter: str, unit: int) -> None:
    receiver = seat(1, "Qs 9c 7d 3d 4s", aces_up=500, prog5=unit)
    told = settle("pa641a", receiver, seat(2, case.first(5), aces_up=500), letters=f"prog5={letter}")
    case.is_bonus(told, "envy:seat2", "641a.11(c)(5)(v)", dollars(case.cell))


@pytest.mark.parametrize("unit", [100, 500])
@printed(ENVY5_1, with_absent=True)
def test_641a_12e5_no_envy_for_four_of_a_kind(case: Case, unit: int) -> None:
    receiver = seat(1, "Qs 9c 7d 3d 4s", aces_up=500, prog5=unit)
    told = settle("pa641a", receiver, seat(2, case.first(5), aces_up=500))
    assert not told.has(1, "envy:seat2")


# ---------------------------------------------------------------- 12(f): Bad Beat Bonus

BAD_BEAT = """
hand            | row             | cards             | A           | B
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 2c 9c 3h | 25,000 to 1 | 10,000 to 1
Straight flush  | straight_flush  | 5d 6d 7d 8d Js 3h | 10,000 to 1 | 5,000 to 1
Three-of-a-kind | three_of_a_kind | Ts Th Tc 4d 9h 3c | 100 to 1    | 100 to 1
Flush           | flush           | 3s 8s Qs 5s 9h 2d | 25 to 1     | 25 to 1
Straight        | straight        | 9c Ts Jh Qd 2d 3c | 15 to 1     | 15 to 1
Two pair        | two_pair        | 3s 3d 5c 5d 9h Qh | 4 to 1      | 4 to 1
"""


@printed(BAD_BEAT)
def test_641a_12f_bad_beat_on_the_players_losing_hand(case: Case) -> None:
    loser = seat(1, case.first(5), ante=100, bad_beat=700, play=100)
    told = settle("pa641a", loser, dealer=f"{WINNER} 7c", letters=f"bad_beat={case.letter}")
    case.is_paid(told, "bad_beat", "641a.11(c)(6), 641a.12(f)", 700)


@printed(BAD_BEAT)
def test_641a_12f_bad_beat_on_the_dealers_losing_hand(case: Case) -> None:
    winner = seat(1, WINNER, ante=100, bad_beat=700, play=100)
    told = settle("pa641a", winner, dealer=case.first(6), letters=f"bad_beat={case.letter}")
    case.is_paid(told, "bad_beat", "641a.11(c)(6), 641a.12(f)", 700)


@pytest.mark.parametrize("letter", "AB")
def test_641a_12f_a_losing_pair_pays_nothing(letter: str) -> None:
    loser = seat(1, "As Ad 9c 7h 2s", ante=100, bad_beat=700, play=100)
    told = settle("pa641a", loser, dealer="3s 3d 5c 5d 9h Qh", letters=f"bad_beat={letter}")
    assert told[1, "bad_beat"] == LOST


# ---------------------------------------------------------------- 12(g): Five Card Hand Bonus

HAND_BONUS = """
hand           | row            | cards          | only
Royal flush    | royal_flush    | Ah Kh Qh Jh Th | 100% of meter
Straight flush | straight_flush | 9h 8h 7h 6h 5h | 10% of meter
Four-of-a-kind | four_of_a_kind | 2s 2h 2d 2c 9c | 500 for 1
Full house     | full_house     | 2s 2h 2d 9s 9c | 100 for 1
Flush          | flush          | 2h 9h 6h Kh Jh | 50 for 1
"""
HAND_METER: Levels = {"main": 1_234_567}
CITE_12G = "641a.11(c)(7), 641a.12(g)"


@printed(HAND_BONUS)
def test_641a_12g1_on_the_players_hand(case: Case) -> None:
    player = seat(1, case.first(5), ante=100, hand_bonus_player=700, fold=True)
    told = settle("pa641a", player, meters={"hand_bonus": HAND_METER})
    case.is_paid(told, "hand_bonus_player", CITE_12G, 700, HAND_METER)


@printed(HAND_BONUS)
def test_641a_12g1_on_the_dealers_hand(case: Case) -> None:
    player = seat(1, "3s 4d 7c 8s Jc", ante=100, hand_bonus_dealer=700, fold=True)
    told = settle("pa641a", player, dealer=f"{case.first(5)} Qd", meters={"hand_bonus": HAND_METER})
    case.is_paid(told, "hand_bonus_dealer", CITE_12G, 700, HAND_METER)


@pytest.mark.parametrize("cards", ["4c 8d 5h 6s 7d", "Qs Qd 2h 7c Qc"])
def test_641a_12g1_less_than_a_flush_loses(cards: str) -> None:
    told = settle("pa641a", seat(1, cards, ante=100, hand_bonus_player=700, fold=True))
    assert told[1, "hand_bonus_player"] == LOST


@pytest.mark.parametrize(("extra", "paid"), [("magic_card", 20 * 700), ("lucky_bonus", 5 * 700)])
def test_641a_12g3_magic_card_20_for_1_and_lucky_bonus_5_for_1(extra: str, paid: int) -> None:
    player = seat(1, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=700, hand_bonus_dealer=700, fold=True)
    for whose, draw in (
        ("player", {"magic_card": "4d", "lucky": 1}),
        ("dealer", {"magic_card": "9s", "lucky": "dealer"}),
    ):
        told = settle("pa641a", player, dealer="2s 9s Jd Kd 5c 6h", draws=draw)
        line = f"hand_bonus_{whose}:{extra}"
        assert told[1, line] == won(paid, extra)
        assert (told.cite(1, line), told.line(1, line)["stake"]) == ("641a.12(g)(3)", 0)
    title, odds = {"magic_card": ("Magic Card", "20 for 1"), "lucky_bonus": ("Lucky Bonus", "5 for 1")}[extra]
    assert told.line(1, f"hand_bonus_dealer:{extra}")["says"] == f"{title} pays {odds}"


def test_641a_12g4_seed_reseed_and_rates() -> None:
    levels = law("pa641a").meters["hand_bonus"].levels
    assert list(levels) == ["only"]
    terms = levels["only"]["main"]
    assert (terms.seed_for_1, terms.reseed_for_1) == (10_000, 0)
    assert (terms.primary_percent, terms.reserve_percent) == (13, 8)


def test_641a_12g4_a_hit_leaves_nothing_on_the_meter() -> None:
    royal = seat(1, "Ah Kh Qh Jh Th", ante=100, hand_bonus_player=700, fold=True)
    told = settle("pa641a", royal, meters={"hand_bonus": HAND_METER})
    assert told.meters == {"hand_bonus": {"main": 0}}


# ---------------------------------------------------------------- 12(h): Six Card Bonus


@printed(SIX_CARD)
def test_641a_12h_six_card_bonus(case: Case) -> None:
    six_card_bonus(case.first(5), case.rest(5), case)


def six_card_bonus(own: str, shared: str, case: Case) -> None:
    player = seat(1, own, ante=100, six_card=700, fold=True)
    told = settle("pa641a", player, six_card=shared, letters=f"six_card={case.letter}")
    case.is_paid(told, "six_card", "641a.11(c)(8), 641a.12(h)", 700)


@printed(SIX_CARD, with_absent=True)
def test_641a_12h_a_six_card_royal_without_a_row_pays_as_a_royal_flush(case: Case) -> None:
    six_card_bonus(
        case.first(5), case.rest(5), case._replace(text="Royal flush", row="royal_flush", cell="1,000 to 1")
    )


@pytest.mark.parametrize("letter", "ABCDE")
@pytest.mark.parametrize("cards", SIX_CARDS_THAT_LOSE)
def test_641a_12h_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    player = seat(1, cards[:14], ante=100, six_card=700, fold=True)
    told = settle("pa641a", player, six_card=cards[15:], letters=f"six_card={letter}")
    assert told[1, "six_card"] == LOST
