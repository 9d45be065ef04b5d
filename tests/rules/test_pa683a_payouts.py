"""683a.12: every cell of every paytable, settled with a hand that makes its row."""

from __future__ import annotations

import pytest

from .printed_tables import SIX_CARD, SIX_CARDS_THAT_LOSE
from .table_talk import LOST, Case, Told, meaning, printed, seat, settle

RAISES = ("raise1", "raise2", "raise3")

# ---------------------------------------------------------------- 12(a): Ante and Raises

MAIN = """
hand                    | row                  | cards          | A        | B        | C
Royal flush             | royal_flush          | Ah Kh Qh Jh Th | 500 to 1 | 500 to 1 | 500 to 1
Straight flush          | straight_flush       | Kh 9h Qh Jh Th | 100 to 1 | 100 to 1 | 100 to 1
Four-of-a-kind          | four_of_a_kind       | 2s 2h 2d 9c 2c | 40 to 1  | 40 to 1  | 40 to 1
Full house              | full_house           | 2s 2h 2d 9c 9d | 10 to 1  | 11 to 1  | 11 to 1
Flush                   | flush                | 2h 9h 6h Kh Jh | 6 to 1   | 7 to 1   | 7 to 1
Straight                | straight             | 4c 8d 5h 6s 7d | 4 to 1   | 4 to 1   | 5 to 1
Three-of-a-kind         | three_of_a_kind      | Qs 2h Qd 7c Qc | 3 to 1   | 3 to 1   | 3 to 1
Two pair                | two_pair             | 3s 5c 3d Ah 5d | 2 to 1   | 3 to 2   | 3 to 2
Pair of jacks or better | pair_jacks_or_better | Js 9c 7h Jd 2s | 1 to 1   | 1 to 1   | 1 to 1
Pair of jacks or better | pair_jacks_or_better | As 9c 7h Ad 2s | 1 to 1   | 1 to 1   | 1 to 1
Pair of 6s to 10s       | pair_6s_to_10s       | 6s 9c 7h 6d 2s | push     | push     | push
Pair of 6s to 10s       | pair_6s_to_10s       | Ts 9c 7h Td As | push     | push     | push
"""


def main(cards: str, letter: str) -> Told:
    player = seat(1, cards[:5], ante=701, raises=[701, 1402, 2103])
    return settle("pa683a", player, community=cards[6:], letters=f"main={letter}")


@printed(MAIN)
def test_683a_12a_ante_and_raises(case: Case) -> None:
    """P13: a fraction of a cent is cut off wager by wager."""
    told = main(case.first(5), case.letter)
    case.is_paid(told, "ante", "683a.11(h)(1), 683a.12(a)", 701)
    for number, wager in enumerate(RAISES, 1):
        assert told[1, wager] == meaning(case.cell, 701 * number, case.row)
        assert told.cite(1, wager) == "683a.11(h)(1), 683a.12(a)"


@pytest.mark.parametrize("letter", "ABC")
@pytest.mark.parametrize("cards", ["5s 9c 7h 5d As", "2s 9c 7h 2d As", "As Kd 9c 7h 2s"])
def test_683a_12a_under_a_pair_of_6s_all_four_wagers_lose(cards: str, letter: str) -> None:
    told = main(cards, letter)
    for wager in ("ante", *RAISES):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "683a.11(h)(2), 683a.12(a)")


# ---------------------------------------------------------------- 12(b): Pocket Bonus

POCKET = """
hand                                            | row               | cards | A       | B       | C
Pair of aces                                    | pair_of_aces      | As Ad | 30 to 1 | 25 to 1 | 30 to 1
Ace and a king, queen or jack of the same suit  | ace_face_suited   | Ks As | 20 to 1 | 20 to 1 | 20 to 1
Ace and a king, queen or jack of the same suit  | ace_face_suited   | Ad Qd | 20 to 1 | 20 to 1 | 20 to 1
Ace and a king, queen or jack of the same suit  | ace_face_suited   | Ac Jc | 20 to 1 | 20 to 1 | 20 to 1
Ace and a king, queen or jack of different suits | ace_face_unsuited | Ks Ah | 10 to 1 | 10 to 1 | 10 to 1
Ace and a king, queen or jack of different suits | ace_face_unsuited | Ad Qc | 10 to 1 | 10 to 1 | 10 to 1
Ace and a king, queen or jack of different suits | ace_face_unsuited | Ac Js | 10 to 1 | 10 to 1 | 10 to 1
Pair of 2s to kings                             | pair_2s_to_kings  | 2s 2d | 5 to 1  | 5 to 1  | 4 to 1
Pair of 2s to kings                             | pair_2s_to_kings  | Kc Kd | 5 to 1  | 5 to 1  | 4 to 1
"""


def pocket(cards: str, letter: str) -> Told:
    player = seat(1, cards, ante=100, pocket=700, fold=True)
    return settle("pa683a", player, letters=f"pocket={letter}")


@printed(POCKET)
def test_683a_12b_pocket_bonus(case: Case) -> None:
    case.is_paid(pocket(case.first(2), case.letter), "pocket", "683a.11(i)(1), 683a.12(b)", 700)


@pytest.mark.parametrize("letter", "ABC")
@pytest.mark.parametrize("cards", ["As Ts", "As Th", "Ks Qs", "As 2s"])
def test_683a_12b_an_ace_with_a_10_or_less_and_no_ace_lose(cards: str, letter: str) -> None:
    """R14."""
    assert pocket(cards, letter)[1, "pocket"] == LOST


# ---------------------------------------------------------------- 12(c): Board Bonus

BOARD = """
hand            | row             | cards    | A       | B       | C       | D
Mini-royal      | mini_royal      | Ah Kh Qh | 40 to 1 | 40 to 1 | 50 to 1 | 50 to 1
Straight flush  | straight_flush  | 9h 8h 7h | 40 to 1 | 40 to 1 | 40 to 1 | 40 to 1
Three-of-a-kind | three_of_a_kind | 5s 5h 5d | 30 to 1 | 30 to 1 | 30 to 1 | 30 to 1
Straight        | straight        | 4c 5h 6s | 6 to 1  | 5 to 1  | 5 to 1  | 6 to 1
Flush           | flush           | 3h 9h 6h | 4 to 1  | 4 to 1  | 4 to 1  | 3 to 1
Pair            | pair            | 2s 2c 4h | 1 to 1  | 1 to 1  | 1 to 1  | 1 to 1
Pair            | pair            | As Ac 4h | 1 to 1  | 1 to 1  | 1 to 1  | 1 to 1
"""


def board(cards: str, letter: str, reading: str = "any") -> Told:
    player = seat(1, "Jc Td", ante=100, board=700, fold=True)
    return settle(
        "pa683a", player, community=cards, letters=f"board={letter}", readings={"board_pair": reading}
    )


@printed(BOARD)
def test_683a_12c_board_bonus(case: Case) -> None:
    case.is_paid(board(case.first(3), case.letter), "board", "683a.11(i)(2), 683a.12(c)", 700)


@pytest.mark.parametrize("letter", "ABCD")
def test_683a_12c_board_bonus_loses_under_a_pair(letter: str) -> None:
    assert board("As 9c 4h", letter)[1, "board"] == LOST


@pytest.mark.parametrize("letter", "ABCD")
def test_683a_12c_a_pair_of_aces_or_better_in_the_other_reading(letter: str) -> None:
    """P5."""
    assert board("Ks Kc 4h", letter, "aces")[1, "board"] == LOST
    assert board("As Ac 4h", letter, "aces")[1, "board"] == meaning("1 to 1", 700, "pair")
    assert board("3h 9h 6h", letter, "aces")[1, "board"][0] == "win"


# ---------------------------------------------------------------- 12(d): Lo Ball

LO_BALL = """
hand       | row        | cards          | A        | B
7 high     | high_7     | 2s 3h 4d 5c 7c | 100 to 1 | 100 to 1
8 high     | high_8     | 2s 8h 4d 5c 7c | 50 to 1  | 50 to 1
9 high     | high_9     | 2s 8h 9d 5c 7c | 15 to 1  | 10 to 1
10 high    | high_10    | Ts 8h 9d 5c 7c | 5 to 1   | 5 to 1
Jack high  | high_jack  | Ts Jh 9d 5c 7c | 1 to 1   | 1 to 1
Queen high | high_queen | Qs Jh 9d 5c 7c | loss     | push
"""


def lo_ball(cards: str, letter: str) -> Told:
    player = seat(1, cards[:5], ante=100, lo_ball=700, fold=True)
    return settle("pa683a", player, community=cards[6:], letters=f"lo_ball={letter}")


@printed(LO_BALL)
def test_683a_12d_lo_ball(case: Case) -> None:
    case.is_paid(lo_ball(case.first(5), case.letter), "lo_ball", "683a.11(i)(3), 683a.12(d)", 700)


@pytest.mark.parametrize("letter", "AB")
@pytest.mark.parametrize(
    "cards",
    [
        "Ks 3h 4d 5c 7c",
        "As 3h 4d 6c 7c",
        "As 2h 3d 4c 5c",
        "2s 3h 4d 5c 6c",
        "2s 3s 4s 5s 7s",
        "2s 2h 4d 5c 7c",
    ],
)
def test_683a_12d_king_and_ace_high_and_every_poker_hand_lose(cards: str, letter: str) -> None:
    """R13: the ace is high, straights and flushes lose."""
    assert lo_ball(cards, letter)[1, "lo_ball"] == LOST


# ---------------------------------------------------------------- 12(e): All-Six Bonus


def all_six(cards: str, letter: str) -> Told:
    player = seat(1, cards[:5], ante=100, all_six=700, fold=True)
    return settle("pa683a", player, all_six=cards[6:], letters=f"all_six={letter}")


@printed(SIX_CARD)
def test_683a_12e_all_six_bonus(case: Case) -> None:
    case.is_paid(all_six(case.first(6), case.letter), "all_six", "683a.11(i)(4), 683a.12(e)", 700)


@printed(SIX_CARD, with_absent=True)
def test_683a_12e_a_six_card_royal_without_a_row_pays_as_a_royal_flush(case: Case) -> None:
    """R7."""
    paid = case._replace(text="Royal flush", row="royal_flush", cell="1,000 to 1")
    paid.is_paid(all_six(case.first(6), case.letter), "all_six", "683a.11(i)(4), 683a.12(e)", 700)


@pytest.mark.parametrize("letter", "ABCDE")
@pytest.mark.parametrize("cards", SIX_CARDS_THAT_LOSE)
def test_683a_12e_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    assert all_six(cards, letter)[1, "all_six"] == LOST
