"""682a.12: every cell of every paytable, settled with a hand that makes its row."""

from __future__ import annotations

import pytest

from .printed_tables import SIX_CARD, SIX_CARDS_THAT_LOSE
from .table_talk import LOST, Case, Told, printed, returned, seat, settle, won

WEAK_DEALER, FOUR_KINGS = "4s 6s 7c 8h Td Jc", "Ks Kh Kd Kc 7c 4h"

# ---------------------------------------------------------------- 12(a), (b): Ante, Raise, Win Bonus


def test_682a_12a_ante_and_raise_pay_1_to_1() -> None:
    told = settle("pa682a", seat(1, "As Ad 9c 7h 2s", ante=1000, play=3000), dealer=WEAK_DEALER)
    assert told[1, "ante"] == won(1000, back=1000)
    assert told[1, "raise"] == won(3000, back=3000)
    assert told.cite(1, "ante") == told.cite(1, "raise") == "682a.11(d)(2)(i), 682a.12(a)"


WIN_BONUS = """
hand            | row             | cards          | only
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 9c 2c | 25 for 1
Straight flush  | straight_flush  | 5d 6d 7d Ks 8d | 20 for 1
Three-of-a-kind | three_of_a_kind | Ts Th 4d Tc 4h | 2 for 1
"""


@printed(WIN_BONUS)
def test_682a_12b_win_bonus_on_the_ante(case: Case) -> None:
    """P4, P14: so many times the Ante in full, whatever the Raise."""
    told = settle("pa682a", seat(1, case.first(5), ante=700, play=2100), dealer="Jd Qc 3c 7s 8h 4s")
    case.is_bonus(told, "win_bonus", "682a.11(d)(2)(i), 682a.12(b)", case.times(700))
    assert told[1, "ante"] == won(700, back=700)
    assert told[1, "raise"] == won(2100, back=2100)


@pytest.mark.parametrize("cards", ["2s 5s 9s Ks Ad", "9c Ts 2d Jh Qd", "As 9c 7h Ad 2s"])
def test_682a_12b_no_win_bonus_under_three_of_a_kind(cards: str) -> None:
    told = settle("pa682a", seat(1, cards, ante=700, play=700), dealer=WEAK_DEALER)
    assert told.wagers(1) == ["ante", "raise"]


# ---------------------------------------------------------------- 12(c): Bad Beat Bonus

BAD_BEAT = """
hand            | row             | cards          | A       | B       | C        | D
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 9c 2c | 25 to 1 | 50 to 1 | 100 to 1 | 100 to 1
Straight flush  | straight_flush  | 5d 6d 7d Js 8d | 20 to 1 | 40 to 1 | 50 to 1  | 50 to 1
Three-of-a-kind | three_of_a_kind | Ts Th 4d Tc 4c | 2 to 1  | 5 to 1  | 5 to 1   | 10 to 1
"""


@printed(BAD_BEAT)
def test_682a_12c_bad_beat_bonus_on_the_ante(case: Case) -> None:
    """P15: Raise lost, Ante back, bonus on the Ante."""
    loser = seat(1, case.first(5), ante=700, play=2100)
    told = settle("pa682a", loser, dealer=FOUR_KINGS, letters=f"bad_beat={case.letter}")
    cite = "682a.11(d)(2)(ii)(B)"
    case.is_bonus(told, "bad_beat", f"{cite}, 682a.12(c)", case.times(700))
    assert (told[1, "ante"], told.cite(1, "ante")) == (returned(700), cite)
    assert (told[1, "raise"], told.cite(1, "raise")) == (LOST, cite)


@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize("cards", ["2s 5s 9s Qs Ad", "9c Ts 2d Jh Qd", "3s 3d 5d 5h 9c"])
def test_682a_12c_lower_hands_lose_ante_and_raise(cards: str, letter: str) -> None:
    loser = seat(1, cards, ante=700, play=700)
    told = settle("pa682a", loser, dealer=FOUR_KINGS, letters=f"bad_beat={letter}")
    assert told.wagers(1) == ["ante", "raise"]
    for wager in ("ante", "raise"):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "682a.11(d)(2)(ii)(A)")


# ---------------------------------------------------------------- 12(d): Prime

PRIME = """
hand                    | row             | cards          | A      | B
All five the same color | five_same_color | 2h 9d 6h Kd 4d | 6 to 1 | 5 to 1
All five the same color | five_same_color | 2s 9c 6s Kc 4c | 6 to 1 | 5 to 1
Four of the same color  | four_same_color | 2h 9d 6h Kd 4c | 1 to 1 | 1 to 1
Four of the same color  | four_same_color | 2h 9c 6s Kc 4s | 1 to 1 | 1 to 1
"""


def prime(cards: str, letter: str) -> Told:
    return settle("pa682a", seat(1, cards, ante=100, prime=700, fold=True), letters=f"prime={letter}")


@printed(PRIME)
def test_682a_12d_prime(case: Case) -> None:
    case.is_paid(prime(case.first(5), case.letter), "prime", "682a.11(e)(1), 682a.12(d)", 700)


@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize("cards", ["2h 9d 6h Ks 4c", "2s 9c 6s Kd 4h"])
def test_682a_12d_prime_loses_with_three_of_a_color(cards: str, letter: str) -> None:
    assert prime(cards, letter)[1, "prime"] == LOST


# ---------------------------------------------------------------- 12(e): Aces Bonus

ACES_BONUS = """
hand            | row             | cards          | A        | B        | C        | D        | E        | F       | G       | H
Four aces       | four_aces       | As Ah Ad Ac 9d | 500 to 1 | 500 to 1 | 500 to 1 | 500 to 1 | 500 to 1 | 50 to 1 | 50 to 1 | 50 to 1
Four-of-a-kind  | four_of_a_kind  | Ks Kh Kd Kc As | 100 to 1 | 100 to 1 | 100 to 1 | 100 to 1 | 100 to 1 | 50 to 1 | 50 to 1 | 50 to 1
Royal flush     | royal_flush     | As Ks Qs Js Ts | 50 to 1  | 40 to 1  | 50 to 1  | 50 to 1  | 50 to 1  | 30 to 1 | 30 to 1 | 40 to 1
Straight flush  | straight_flush  | Ks Qs Js Ts 9s | 30 to 1  | 30 to 1  | 40 to 1  | 30 to 1  | 20 to 1  | 30 to 1 | 30 to 1 | 40 to 1
Three aces      | three_aces      | As Ah Ad 9c 2d | 20 to 1  | 15 to 1  | 25 to 1  | 20 to 1  | 15 to 1  | 7 to 1  | 9 to 1  | 8 to 1
Three-of-a-kind | three_of_a_kind | Ks Kh Kd As Ad | 10 to 1  | 10 to 1  | 10 to 1  | 10 to 1  | 10 to 1  | 7 to 1  | 9 to 1  | 8 to 1
Flush           | flush           | As 9s 7s 4s 2s | 5 to 1   | 5 to 1   | 5 to 1   | 5 to 1   | 5 to 1   | 6 to 1  | 6 to 1  | 5 to 1
Straight        | straight        | 5s 6d 7s 8c 9h | 4 to 1   | 4 to 1   | 3 to 1   | 3 to 1   | 3 to 1   | 5 to 1  | 4 to 1  | 4 to 1
Two pair        | two_pair        | As Ad 3s 3c 9h | 2 to 1   | 2 to 1   | 2 to 1   | 2 to 1   | 2 to 1   | 2 to 1  | 2 to 1  | 3 to 1
Two aces        | two_aces        | As Ad 9c 7h 2s | 1 to 1   | 1 to 1   | 1 to 1   | 1 to 1   | 1 to 1   | 1 to 1  | 1 to 1  | 1 to 1
"""
# The same rows of four cards (reading R1), where the text of 6(d) would have lower ones or none.
WITH_FOUR_CARDS = {
    "royal_flush": "As Ks Qs Js 2d",
    "straight_flush": "As 2s 3s 4s Kd",
    "flush": "As 9s 7s 4s Ad",
    "straight": "As Kd Qs Jc Ah",
}


def aces_bonus(cards: str, letter: str, reading: str = "five") -> Told:
    player = seat(1, cards, ante=100, aces_bonus=700, fold=True)
    return settle("pa682a", player, letters=f"aces_bonus={letter}", readings={"aces_bonus": reading})


@printed(ACES_BONUS)
def test_682a_12e_aces_bonus(case: Case) -> None:
    told = aces_bonus(case.first(5), case.letter)
    case.is_paid(told, "aces_bonus", "682a.11(e)(2), 682a.12(e)", 700)


@printed(ACES_BONUS)
def test_682a_12e_aces_bonus_of_four_cards(case: Case) -> None:
    """R1."""
    cards = WITH_FOUR_CARDS.get(case.row, case.first(5))
    told = aces_bonus(cards, case.letter, "four")
    case.is_paid(told, "aces_bonus", "682a.11(e)(2), 682a.12(e)", 700)


@pytest.mark.parametrize("letter", "ABCDEFGH")
@pytest.mark.parametrize("reading", ["five", "four"])
@pytest.mark.parametrize("cards", ["Ks Kd 9c 7h 2s", "As Kd 9c 7h 2s"])
def test_682a_12e_aces_bonus_loses_under_a_pair_of_aces(cards: str, reading: str, letter: str) -> None:
    assert aces_bonus(cards, letter, reading)[1, "aces_bonus"] == LOST


# ---------------------------------------------------------------- 12(f): All-Six Bonus


def all_six(cards: str, letter: str) -> Told:
    player = seat(1, cards[:14], ante=100, all_six=700, fold=True)
    return settle("pa682a", player, all_six=cards[15:], letters=f"all_six={letter}")


@printed(SIX_CARD)
def test_682a_12f_all_six_bonus(case: Case) -> None:
    case.is_paid(all_six(case.first(6), case.letter), "all_six", "682a.11(e)(3), 682a.12(f)", 700)


@printed(SIX_CARD, with_absent=True)
def test_682a_12f_a_six_card_royal_without_a_row_pays_as_a_royal_flush(case: Case) -> None:
    """R7."""
    paid = case._replace(text="Royal flush", row="royal_flush", cell="1,000 to 1")
    paid.is_paid(all_six(case.first(6), case.letter), "all_six", "682a.11(e)(3), 682a.12(f)", 700)


@pytest.mark.parametrize("letter", "ABCDE")
@pytest.mark.parametrize("cards", SIX_CARDS_THAT_LOSE)
def test_682a_12f_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    assert all_six(cards, letter)[1, "all_six"] == LOST
