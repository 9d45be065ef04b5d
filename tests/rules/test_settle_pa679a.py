"""679a.11(b) to (d) and 679a.12(h), settled paragraph by paragraph."""

from __future__ import annotations

import pytest

from sabot.rules.settlement.round_settlement import MissingError

from .table_talk import FORFEIT, LOST, Json, Told, returned, seat, settle, won

QUEEN_HIGH, JACK_HIGH, MINI_ROYAL = "Qs 7d 2c", "Js 7d 2c", "As Ks Qs"

# ---------------------------------------------------------------- 11(b): folds


def test_679a_11b_a_fold_forfeits_the_ante_and_no_optional_wager() -> None:
    folder = seat(1, "9h 9d 4h", fourth="2s", ante=1000, prime=100, pair_bonus=200, all_six=300, fold=True)
    told = settle("pa679a", folder, dealer="9s 4c 6d")
    assert (told[1, "ante"], told.cite(1, "ante")) == (FORFEIT, "679a.11(b)")
    assert told[1, "prime"] == won(300, "same_color_player", back=100)
    assert told[1, "pair_bonus"] == won(200, "pair", back=200)
    assert told[1, "all_six"] == won(300 * 25, "full_house", back=300)


# ---------------------------------------------------------------- 11(c)(3): Ante and Play


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("Js Td 8c", False),
        ("Js 4d 2c", False),
        ("Qs 3d 2c", True),
        ("Ks 3d 2c", True),
        ("2s 2d 3c", True),
        ("2s 4s 5s", True),
        ("2s 3d 4c", True),
    ],
)
def test_679a_1_the_dealer_qualifies_with_a_queen_or_better(dealer: str, qualifies: bool) -> None:
    """R17."""
    told = settle("pa679a", seat(1, "Ah Kd 9h", ante=100, play=100), dealer=dealer)
    assert (told[1, "ante"] != returned(100)) is qualifies
    assert told.hands["dealer"].endswith("(does not qualify)") is not qualifies


def test_679a_11c3i_the_ante_goes_back_and_the_play_is_paid_also_to_a_lower_hand() -> None:
    """P6."""
    told = settle("pa679a", seat(1, "Th 7c 2h", ante=100, play=100), dealer=JACK_HIGH)
    assert (told[1, "ante"], told[1, "play"]) == (returned(100), won(100, back=100))


@pytest.mark.parametrize("cards", ["Qh 7c 2d", "Qh 7c 3d", "Ah 7c 3d"])
def test_679a_11c3ii_a_higher_hand_and_a_tie_win(cards: str) -> None:
    """P7."""
    told = settle("pa679a", seat(1, cards, ante=100, play=100), dealer=QUEEN_HIGH)
    assert (told[1, "ante"], told[1, "play"]) == (won(100, back=100), won(100, "flush_or_lower", back=100))


@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize("cards", ["Qh 6c 3d", "2s 2h Ad"])
def test_679a_11c3iii_a_pair_or_lower_loses_both(cards: str, letter: str) -> None:
    told = settle(
        "pa679a", seat(1, cards, ante=100, play=100), dealer="4h 5h 6h", letters=f"bad_beat={letter}"
    )
    for wager in ("ante", "play"):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "679a.11(c)(3)(iii)")


@pytest.mark.parametrize(("reading", "back"), [("returned", 100), ("kept", 0)])
def test_679a_11c3iv_what_becomes_of_the_play_wager_beside_its_bad_beat_bonus(
    reading: str, back: int
) -> None:
    """P2."""
    loser = seat(1, "5s 5h 5d", ante=100, play=100)
    told = settle("pa679a", loser, dealer=MINI_ROYAL, readings={"bad_beat_play": reading})
    assert (told[1, "ante"], told[1, "play"]) == (LOST, won(1000, "bad_beat:three_of_a_kind", back=back))
    assert told.readings == {"bad_beat_play": reading}


def test_679a_11c3iv_no_bad_beat_against_a_dealer_who_does_not_qualify() -> None:
    told = settle("pa679a", seat(1, "Th 7c 2h", ante=100, play=100), dealer=JACK_HIGH)
    assert told.readings == {}


@pytest.mark.parametrize(("reading", "result"), [("poker", "lose"), ("highest_card", "win")])
def test_679a_6c_a_pair_of_threes_with_an_ace(reading: str, result: str) -> None:
    """R3."""
    threes = seat(1, "3s 3h Ad", ante=100, play=100)
    told = settle("pa679a", threes, dealer="9s 9h Kd", readings={"tiebreak": reading})
    assert told[1, "ante"][0] == result
    assert told.readings == {"tiebreak": reading}


def test_679a_6c_is_not_read_against_a_dealer_who_does_not_qualify() -> None:
    told = settle("pa679a", seat(1, "Ah 3c 2d", ante=100, play=100), dealer="Js 9d 8c")
    assert told.readings == {}


# ---------------------------------------------------------------- 11(d): optional wagers


def test_679a_11c_and_d_the_order() -> None:
    told = settle(
        "pa679a",
        seat(2, "9h 9d 4h", fourth="3s", ante=100, prime=100, pair_bonus=100, all_six=100, play=100),
        seat(5, "Ah Kc 2d", ante=100, play=100),
        dealer="Qs 4c 6d",
    )
    assert told.outcome["settle_order"] == [5, 2]
    assert told.wagers(2) == ["ante", "play", "prime", "pair_bonus", "all_six"]


def test_679a_11d1_prime_needs_the_dealers_cards_also_for_a_folder() -> None:
    """P10."""
    with pytest.raises(MissingError, match="dealer is not given, and seat 1 needs it"):
        settle("pa679a", seat(1, "9h 9d 4h", ante=100, prime=100, fold=True))


def test_679a_11d2ii_the_fourth_card_only_picks_the_table() -> None:
    """P11: a third nine as fourth card makes no three of a kind."""
    told = settle("pa679a", seat(1, "9h 9d 4h", fourth="9s", ante=100, pair_bonus=100, fold=True))
    assert told[1, "pair_bonus"] == won(100, "pair", back=100)


def test_679a_11d2ii_one_community_card_for_folded_and_live_hands() -> None:
    """P11."""
    told = settle(
        "pa679a",
        seat(1, "9h 9d 4h", ante=100, pair_bonus=100, fold=True),
        seat(2, "8h 8d 4s", ante=100, pair_bonus=100, play=100),
        dealer=QUEEN_HIGH,
        pair_bonus_card="community",
        pair_card="2s",
        letters="pair_bonus_two=B",
    )
    for number in (1, 2):
        assert told[number, "pair_bonus"] == won(200, "pair", back=100)
        assert told.cite(number, "pair_bonus") == "679a.11(d)(2), 679a.12(f)"


def test_679a_11d2i_under_a_pair_the_fourth_card_is_not_revealed() -> None:
    told = settle("pa679a", seat(1, "Ah 9d 4h", ante=100, pair_bonus=100, fold=True))
    assert told[1, "pair_bonus"] == LOST


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, "seat 1 fourth is not given, and Pair Bonus needs it"),
        ({"pair_bonus_card": "community"}, "pair_bonus_card is not given, and seat 1 needs it"),
    ],
)
def test_679a_11d2ii_a_winning_pair_bonus_needs_its_card(options: Json, what: str) -> None:
    with pytest.raises(MissingError, match=what):
        settle("pa679a", seat(1, "9h 9d 4h", ante=100, pair_bonus=100, fold=True), **options)


@pytest.mark.parametrize(("reading", "row"), [("yes", "straight"), ("no", None)])
def test_679a_6d_a_straight_of_six_cards_with_a_low_ace(reading: str, row: str | None) -> None:
    """R2."""
    player = seat(1, "Ah 2d 3c", ante=100, all_six=100, fold=True)
    told = settle("pa679a", player, dealer="4h 5d Kc", readings={"wheel5": reading})
    assert told[1, "all_six"][3] == row
    assert told.readings == {"wheel5": reading}


def test_679a_6d_is_not_read_where_the_low_ace_does_not_count() -> None:
    player = seat(1, "5h 5d 5c", ante=100, all_six=100, fold=True)
    assert settle("pa679a", player, dealer="As 4d Kc").readings == {}


# ---------------------------------------------------------------- 12(h): payout limit

STRAIGHT_FLUSH = "9h 8h 7h"


def limited(limit: int, *seats: Json, **given: object) -> Told:
    return settle("pa679a", *seats, payout_limit=limit, **{"dealer": QUEEN_HIGH, **given})


def test_679a_12h_ante_and_play_together_are_cut_at_the_limit() -> None:
    """L2, L3: in settlement order, winnings without the stakes."""
    told = limited(6_000, seat(1, STRAIGHT_FLUSH, ante=1000, play=1000))
    assert told[1, "ante"] == won(1000, back=1000)
    assert told[1, "play"] == won(5000, "straight_flush", back=1000)
    assert told.line(1, "play")["before_limit"] == 6000
    assert "before_limit" not in told.line(1, "ante")


def test_679a_12h_a_limit_that_is_not_reached_cuts_nothing() -> None:
    told = limited(7_000, seat(1, STRAIGHT_FLUSH, ante=1000, play=1000))
    assert told[1, "play"] == won(6000, "straight_flush", back=1000)
    assert "before_limit" not in told.line(1, "play")


def test_679a_12h_each_player_has_a_limit_and_two_boxes_of_one_share_it() -> None:
    """L4."""
    told = limited(
        7_500,
        seat(1, STRAIGHT_FLUSH, player="p", ante=1000, play=1000),
        seat(2, "6s 5s 4s", player="p", ante=1000, play=1000),
        seat(3, "9d 8d 7d", ante=1000, play=1000),
        dealer="Qs 2d 2c",
    )
    assert (told[3, "ante"][1], told[3, "play"][1]) == (1000, 6000)
    assert (told[2, "ante"][1], told[2, "play"][1]) == (1000, 6000)
    assert (told[1, "ante"][1], told[1, "play"][1]) == (500, 0)


def test_679a_12h_not_of_the_bad_beat_bonus_and_the_optional_wagers() -> None:
    player = seat(1, "5s 5h 5d", fourth="3s", ante=1000, prime=100, pair_bonus=100, all_six=100, play=1000)
    told = limited(0, player, dealer="Ah Kh Qh")
    assert told[1, "play"] == won(10_000, "bad_beat:three_of_a_kind", back=1000)
    assert told[1, "pair_bonus"] == won(3_000, "three_of_a_kind", back=100)
    assert told[1, "all_six"] == won(500, "three_of_a_kind", back=100)


def test_679a_12h_the_play_against_an_unqualified_dealer_is_covered() -> None:
    told = limited(300, seat(1, "5s 5h 5d", ante=1000, play=1000), dealer=JACK_HIGH)
    assert told[1, "play"] == won(300, back=1000)


def test_679a_12h_a_stake_of_unknown_value_uses_nothing_up() -> None:
    told = limited(500, seat(1, STRAIGHT_FLUSH, ante=None, play=1000))
    assert told.line(1, "ante")["odds"] == "1 to 1"
    assert told[1, "play"][1] == 500
