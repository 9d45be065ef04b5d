"""679a.12: every cell of every paytable, settled with a hand that makes its row."""

from __future__ import annotations

import pytest

from .printed_tables import SIX_CARD, SIX_CARDS_THAT_LOSE
from .table_talk import LOST, Case, Told, printed, returned, seat, settle, won

QUEEN_HIGH, MINI_ROYAL = "Qs 7d 2c", "As Ks Qs"

# ---------------------------------------------------------------- 12(a), (b): Ante and Play


def test_679a_12a_ante_pays_1_to_1() -> None:
    told = settle("pa679a", seat(1, "Ah 9c 4h", ante=1000, play=1000), dealer=QUEEN_HIGH)
    assert told[1, "ante"] == won(1000, back=1000)
    assert told.cite(1, "ante") == "679a.11(c)(3)(ii), 679a.12(a)"


@pytest.mark.parametrize("cards", ["Ah Kh Qh", "5s 5h 5d", "Ah 9c 4h", "Th 7c 4h"])
def test_679a_12a_play_pays_1_to_1_when_the_dealer_does_not_qualify(cards: str) -> None:
    """P6: for every hand, the highest and one that is lower than the dealer's."""
    told = settle("pa679a", seat(1, cards, ante=1000, play=1000), dealer="Js 7d 2c")
    assert told[1, "ante"] == returned(1000)
    assert told[1, "play"] == won(1000, back=1000)
    assert told.cite(1, "ante") == "679a.11(c)(3)(i)"
    assert told.cite(1, "play") == "679a.11(c)(3)(i), 679a.12(a)"


PLAY = """
hand             | row             | cards    | only
Mini-royal flush | mini_royal      | Ah Kh Qh | 10 to 1
Straight flush   | straight_flush  | 9h 8h 7h | 6 to 1
Three-of-a-kind  | three_of_a_kind | 5s 5h 5d | 5 to 1
Straight         | straight        | 4c 5h 6s | 2 to 1
Flush or lower   | flush_or_lower  | 2h 9h 6h | 1 to 1
Flush or lower   | flush_or_lower  | 9s 9c 4h | 1 to 1
Flush or lower   | flush_or_lower  | As 9c 4h | 1 to 1
"""


@printed(PLAY)
def test_679a_12b_play_when_the_dealer_qualifies(case: Case) -> None:
    told = settle("pa679a", seat(1, case.first(3), ante=700, play=700), dealer=QUEEN_HIGH)
    case.is_paid(told, "play", "679a.11(c)(3)(ii), 679a.12(b)", 700)
    assert told[1, "ante"] == won(700, back=700)


# ---------------------------------------------------------------- 12(c): Bad Beat Bonus

BAD_BEAT = """
hand            | row             | cards    | A       | B       | C      | D
Straight flush  | straight_flush  | 9h 8h 7h | 12 to 1 | 12 to 1 | 6 to 1 | 6 to 1
Three-of-a-kind | three_of_a_kind | 5s 5h 5d | 10 to 1 | 10 to 1 | 5 to 1 | 5 to 1
Straight        | straight        | 4c 5h 6s | 4 to 1  | 4 to 1  | 2 to 1 | 2 to 1
Flush           | flush           | 2h 9h 6h | -       | 1 to 1  | -      | 1 to 1
Pair            | pair            | 9s 9c 4h | -       | -       | -      | -
"""


def beaten(case: Case) -> Told:
    player = seat(1, case.first(3), ante=700, play=700)
    return settle("pa679a", player, dealer=MINI_ROYAL, letters=f"bad_beat={case.letter}")


@printed(BAD_BEAT)
def test_679a_12c_bad_beat_bonus_on_the_play_wager(case: Case) -> None:
    told = beaten(case)
    named = case._replace(row=f"bad_beat:{case.row}")
    named.is_paid(told, "play", "679a.11(c)(3)(iv), 679a.12(c)", 700)
    assert (told[1, "ante"], told.cite(1, "ante")) == (LOST, "679a.11(c)(3)(iv)")


@printed(BAD_BEAT, with_absent=True)
def test_679a_12c_lower_hands_lose_ante_and_play(case: Case) -> None:
    told = beaten(case)
    for wager in ("ante", "play"):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "679a.11(c)(3)(iii)")


# ---------------------------------------------------------------- 12(d): Prime

PRIME = """
hand                              | row                      | cards             | only
Same color player and dealer hand | same_color_player_dealer | 2h 9d 6h Kd 4d Jh | 4 to 1
Same color player and dealer hand | same_color_player_dealer | 2s 9c 6s Kc 4c Js | 4 to 1
Same color player hand            | same_color_player        | 2h 9d 6h Kd 4s Jh | 3 to 1
Same color player hand            | same_color_player        | 2s 9c 6s Kd 4h Jh | 3 to 1
"""


@printed(PRIME)
def test_679a_12d_prime(case: Case) -> None:
    player = seat(1, case.first(3), ante=100, prime=700, fold=True)
    told = settle("pa679a", player, dealer=case.rest(3))
    case.is_paid(told, "prime", "679a.11(d)(1), 679a.12(d)", 700)


@pytest.mark.parametrize("cards", ["2h 9d 6s", "2s 9d 6c", "2s 9h 6d"])
def test_679a_12d_prime_loses_with_two_colors(cards: str) -> None:
    told = settle("pa679a", seat(1, cards, ante=100, prime=700, fold=True), dealer="Kd 4d Jh")
    assert told[1, "prime"] == LOST


# ---------------------------------------------------------------- 12(e), (f): Pair Bonus

PAIR_BONUS = """
hand             | row             | cards    | only
Mini-royal flush | mini_royal      | Ah Kh Qh | 50 to 1
Straight flush   | straight_flush  | 9h 8h 7h | 40 to 1
Three-of-a-kind  | three_of_a_kind | 5s 5h 5d | 30 to 1
Straight         | straight        | 4c 5h 6s | 6 to 1
Flush            | flush           | 3h 9h 6h | 3 to 1
Pair             | pair            | 9s 9c 4h | 1 to 1
"""
PAIR_BONUS_WITH_A_TWO = """
hand             | row             | cards    | A        | B       | C       | D
Mini-royal flush | mini_royal      | Ah Kh Qh | 100 to 1 | 75 to 1 | 75 to 1 | 75 to 1
Straight flush   | straight_flush  | 9h 8h 7h | 80 to 1  | 60 to 1 | 50 to 1 | 50 to 1
Three-of-a-kind  | three_of_a_kind | 5s 5h 5d | 60 to 1  | 45 to 1 | 40 to 1 | 40 to 1
Straight         | straight        | 4c 5h 6s | 12 to 1  | 10 to 1 | 8 to 1  | 8 to 1
Flush            | flush           | 3h 9h 6h | 6 to 1   | 5 to 1  | 4 to 1  | 4 to 1
Pair             | pair            | 9s 9c 4h | 1 to 1   | 2 to 1  | 2 to 1  | 1 to 1
"""


def with_bonus_card(cards: str, card: str, letter: str, whose: str) -> Told:
    letters = f"pair_bonus_two={letter}"
    if whose == "community":
        player = seat(1, cards, ante=100, pair_bonus=700, fold=True)
        return settle("pa679a", player, pair_card=card, pair_bonus_card="community", letters=letters)
    return settle("pa679a", seat(1, cards, fourth=card, ante=100, pair_bonus=700, fold=True), letters=letters)


@pytest.mark.parametrize("whose", ["own", "community"])
@pytest.mark.parametrize("card", ["3d", "Ac", "Td"])
@printed(PAIR_BONUS)
def test_679a_12e_pair_bonus_when_the_card_is_not_a_2(case: Case, card: str, whose: str) -> None:
    told = with_bonus_card(case.first(3), card, "B", whose)
    case.is_paid(told, "pair_bonus", "679a.11(d)(2), 679a.12(e)", 700)


@pytest.mark.parametrize("whose", ["own", "community"])
@pytest.mark.parametrize("card", ["2c", "2d", "2h", "2s"])
@printed(PAIR_BONUS_WITH_A_TWO)
def test_679a_12f_pair_bonus_when_the_card_is_a_2(case: Case, card: str, whose: str) -> None:
    told = with_bonus_card(case.first(3), card, case.letter, whose)
    case.is_paid(told, "pair_bonus", "679a.11(d)(2), 679a.12(f)", 700)


@pytest.mark.parametrize("card", ["2c", "3d"])
def test_679a_12e_and_f_less_than_a_pair_loses(card: str) -> None:
    assert with_bonus_card("As 9c 4h", card, "A", "own")[1, "pair_bonus"] == LOST


# ---------------------------------------------------------------- 12(g): All-Six Bonus


def all_six(cards: str, letter: str) -> Told:
    player = seat(1, cards[:8], ante=100, all_six=700, fold=True)
    return settle("pa679a", player, dealer=cards[9:], letters=f"all_six={letter}")


@printed(SIX_CARD)
def test_679a_12g_all_six_bonus(case: Case) -> None:
    case.is_paid(all_six(case.first(6), case.letter), "all_six", "679a.11(d)(3), 679a.12(g)", 700)


@printed(SIX_CARD, with_absent=True)
def test_679a_12g_a_six_card_royal_without_a_row_pays_as_a_royal_flush(case: Case) -> None:
    """R7."""
    paid = case._replace(text="Royal flush", row="royal_flush", cell="1,000 to 1")
    paid.is_paid(all_six(case.first(6), case.letter), "all_six", "679a.11(d)(3), 679a.12(g)", 700)


@pytest.mark.parametrize("letter", "ABCDE")
@pytest.mark.parametrize("cards", SIX_CARDS_THAT_LOSE)
def test_679a_12g_less_than_three_of_a_kind_loses(cards: str, letter: str) -> None:
    assert all_six(cards, letter)[1, "all_six"] == LOST
