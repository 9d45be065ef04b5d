"""641a.11(b) and (c), settled paragraph by paragraph."""

from __future__ import annotations

import pytest

from sabot.rules.settlement.round_settlement import MissingError

from .table_talk import FORFEIT, LOST, Told, returned, seat, settle, won

NOTHING = "2d 4h 6s 8c Jd 3c"  # a dealer with a jack high
PAIR_OF_TENS = "2c 3d Th Tc 5s 6c"
ACES, KINGS, ACE_HIGH = "As Ad 9c 7h 2s", "Ks Kd 9h 7c 3s", "As Kd 9c 7h 2s"
FOUR_ACES, FOUR_KINGS = "As Ah Ad Ac 9d", "Ks Kh Kd Kc 9h"
DEALERS_KINGS = "Ks Kh Kd Kc 7h 8c"
ROYAL, STRAIGHT_FLUSH = "Ah Kh Qh Jh Th", "9s 8s 7s 6s 5s"


# ---------------------------------------------------------------- 11(b): folds


def test_641a_11b_a_fold_forfeits_the_ante() -> None:
    told = settle("pa641a", seat(1, ACES, ante=1000, fold=True), dealer=NOTHING)
    assert told.wagers(1) == ["ante"]
    assert (told[1, "ante"], told.cite(1, "ante")) == (FORFEIT, "641a.11(b)")


def test_641a_11b1_but_neither_aces_up_nor_six_card_bonus() -> None:
    folder = seat(1, "As Ad Ac 7h 2s", ante=1000, aces_up=500, six_card=200, fold=True)
    told = settle("pa641a", folder, dealer=NOTHING, six_card="7d")
    assert told[1, "aces_up"] == won(9 * 500, "three_of_a_kind", back=500)
    assert told[1, "six_card"] == won(25 * 200, "full_house", back=200)
    assert told.readings == {}


@pytest.mark.parametrize("wager", ["prog4", "prog5"])
def test_641a_11b2_and_the_progressive_even_beside_an_aces_up(wager: str) -> None:
    """F2: the Aces Up alone would have allowed it, and still it is forfeited."""
    folder = seat(1, FOUR_ACES, aces_up=500, ante=1000, fold=True, **{wager: 100})
    told = settle("pa641a", folder, dealer=NOTHING, meters={wager: {"main": 100_000}})
    assert (told[1, wager], told.cite(1, wager)) == (FORFEIT, "641a.11(b)(2)")
    assert told.meters == {wager: {"main": 100_000}}


def test_641a_11b2_without_an_ante_there_is_no_decision_and_the_progressive_is_settled() -> None:
    told = settle("pa641a", seat(1, FOUR_KINGS, aces_up=500, prog4=100), dealer=NOTHING)
    assert told[1, "prog4"] == won(300 * 100, "four_of_a_kind")


def test_641a_11b2_and_not_the_eligibility_for_an_envy_bonus() -> None:
    folder = seat(2, KINGS, ante=1000, prog4=100, prog5=500, fold=True)
    told = settle("pa641a", folder, seat(1, STRAIGHT_FLUSH, aces_up=500))
    envies = [(line["paid"], line["row"]) for line in told.lines if line["wager"] == "envy:seat1"]
    assert envies == [(5_00, "straight_flush"), (1_500_00, "straight_flush")]


@pytest.mark.parametrize("wager", ["bad_beat", "hand_bonus_player", "hand_bonus_dealer"])
@pytest.mark.parametrize(("reading", "result"), [("alive", "lose"), ("forfeit", "forfeit")])
def test_641a_11b_what_it_does_not_name_stays_alive(wager: str, reading: str, result: str) -> None:
    """F1."""
    folder = seat(1, ACE_HIGH, ante=1000, fold=True, **{wager: 100})
    told = settle("pa641a", folder, dealer=NOTHING, readings={"fold_unlisted": reading})
    assert told[1, wager][0] == result
    assert told.readings == {"fold_unlisted": reading}
    assert told.cite(1, wager) != "641a.11(b)" or reading == "forfeit"


def test_641a_11b_nothing_unlisted_nothing_read() -> None:
    """F1 matters only where a folder has such a wager."""
    stays = seat(1, ACE_HIGH, ante=1000, bad_beat=100, play=1000)
    assert settle("pa641a", stays, dealer=NOTHING).readings == {}


# ---------------------------------------------------------------- 11(c): the order


def test_641a_11c_from_the_dealers_right_seat_by_seat() -> None:
    told = settle(
        "pa641a",
        seat(3, KINGS, ante=100, play=100),
        seat(7, ACES, ante=100, play=100),
        seat(1, "Qs Qd 8h 4c 2h", aces_up=100),
        dealer=NOTHING,
    )
    assert told.outcome["settle_order"] == [7, 3, 1]
    assert [line["seat"] for line in told.lines] == [7, 7, 3, 3, 1]


def test_641a_11c3_to_8_each_seats_wagers_in_their_order() -> None:
    everything = seat(
        1,
        "Ts Th Tc 2h 2s",
        six_card=100,
        hand_bonus_dealer=100,
        hand_bonus_player=100,
        bad_beat=100,
        prog5=100,
        prog4=100,
        aces_up=100,
        ante=100,
        play=100,
    )
    told = settle("pa641a", everything, dealer=NOTHING, six_card="3s")
    assert told.wagers(1) == [
        "ante",
        "play",
        "ante_bonus",
        "aces_up",
        "prog4",
        "prog5",
        "bad_beat",
        "hand_bonus_player",
        "hand_bonus_dealer",
        "six_card",
    ]


# ---------------------------------------------------------------- 11(c)(3): Ante and Play


def test_641a_11c3i_a_lower_hand_loses_both() -> None:
    told = settle("pa641a", seat(1, "9s 9d 4c 3h Ks", ante=1000, play=2000), dealer=PAIR_OF_TENS)
    for wager in ("ante", "play"):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "641a.11(c)(3)(i)")
    assert told.hands == {"dealer": "pair", "seat1": "pair"}


@pytest.mark.parametrize("cards", ["Ts Td Kc 4h 2s", "Ts Td 5c 6h 2s"])
def test_641a_11c3ii_a_higher_hand_and_a_tie_win_both(cards: str) -> None:
    """P7: the tie is the pair of tens with a six and a five beside it."""
    told = settle("pa641a", seat(1, cards, ante=1000, play=2000), dealer=PAIR_OF_TENS)
    assert (told[1, "ante"], told[1, "play"]) == (won(1000, back=1000), won(2000, back=2000))


def test_641a_11c2_the_dealers_best_four_of_six_against_the_players_best_four_of_five() -> None:
    told = settle("pa641a", seat(1, "As Ah 9s 7s 2s", ante=1000, play=1000), dealer="2c 3s 4c 5d 6s 9h")
    assert told.hands == {"dealer": "straight", "seat1": "flush"}
    assert told[1, "ante"][0] == "win"


@pytest.mark.parametrize(("reading", "bonus"), [("yes", True), ("no", False)])
def test_641a_12b_ante_bonus_also_on_a_hand_that_loses(reading: str, bonus: bool) -> None:
    """P1."""
    loser = seat(1, "9s 9d 9c 3h 8s", ante=1000, play=1000)
    told = settle("pa641a", loser, dealer="Ts Th Tc 2h 2s 4d", readings={"ante_bonus_losing": reading})
    assert told[1, "ante"] == LOST
    assert told.has(1, "ante_bonus") is bonus
    assert told.readings == {"ante_bonus_losing": reading}


def test_641a_12b_ante_bonus_on_a_tie_and_not_on_a_fold() -> None:
    trips = "9s 9d 9c 3h Kh"
    fold = settle("pa641a", seat(1, trips, ante=1000, fold=True), dealer=NOTHING)
    assert not fold.has(1, "ante_bonus")
    tie = settle("pa641a", seat(1, "5d 6d 7d 8d 2s", ante=1000, play=1000), dealer="5c 6c 7c 8c 2h Kd")
    assert tie[1, "ante_bonus"] == won(20_000, "straight_flush")


@pytest.mark.parametrize(("reading", "result"), [("poker", "lose"), ("highest_card", "win")])
def test_641a_6c_a_pair_of_threes_with_an_ace(reading: str, result: str) -> None:
    """R3: named exactly where it decides."""
    threes = seat(1, "3s 3h Ad 7c 2d", ante=1000, play=1000)
    told = settle("pa641a", threes, dealer="9s 9h Kd 6s 4c 2h", readings={"tiebreak": reading})
    assert told[1, "ante"][0] == result
    assert told.readings == {"tiebreak": reading}
    aces = settle("pa641a", seat(1, ACES, ante=1000, play=1000), dealer="9s 9h Kd 6s 4c 2h")
    assert aces.readings == {}


# ---------------------------------------------------------------- 11(c)(4): Aces Up


def test_641a_11c4_aces_up_wins_though_the_hand_loses() -> None:
    told = settle("pa641a", seat(1, ACES, ante=1000, aces_up=500, play=1000), dealer="Ts Th Tc 2h 2c 4d")
    assert (told[1, "ante"], told[1, "aces_up"]) == (LOST, won(500, "pair_of_aces", back=500))


def test_641a_11c4_aces_up_without_an_ante() -> None:
    """P17."""
    told = settle("pa641a", seat(1, ACES, aces_up=500), dealer=NOTHING)
    assert told.wagers(1) == ["aces_up"]


# ---------------------------------------------------------------- 11(c)(6): Bad Beat Bonus


def bad_beat(cards: str, dealer: str, **more: object) -> Told:
    return settle("pa641a", seat(1, cards, ante=100, bad_beat=100, play=100), dealer=dealer, **more)


def test_641a_11c6i_the_players_two_pair_or_better_beaten() -> None:
    assert bad_beat("3s 3d 5c 5d 9h", DEALERS_KINGS)[1, "bad_beat"] == won(400, "two_pair", back=100)
    assert bad_beat("9s 9d 9c 3h Qs", DEALERS_KINGS)[1, "bad_beat"] == won(
        10_000, "three_of_a_kind", back=100
    )


def test_641a_11c6ii_the_dealers_two_pair_or_better_beaten() -> None:
    told = bad_beat("9s 9d 9c 3h Qs", "3s 3d 5c 5d 8h Kh")
    assert told[1, "bad_beat"] == won(400, "two_pair", back=100)


@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        ("As Kd 9c 7h 2s", "Ad Kc 9h 7s 2d 3c"),  # nothing, a tie
        ("3s 3d 5c 5d 9h", "3h 3c 5s 5h 9d 9c"),  # two pair beaten: but see below
        ("9h 9d 4c 4s Jd", "Kh Kd 2s 7d 8c 3c"),  # the player's two pair win, the dealer's pair loses
        ("9h 9d 4c 5s Jd", "Kh Kd 2s 2d 8c 3c"),  # the dealer's two pair win, the player's pair loses
    ],
)
def test_641a_11c6iii_a_tie_and_a_losing_hand_under_two_pair_lose(player: str, dealer: str) -> None:
    """P16: it is the losing hand that must be two pair or better."""
    told = bad_beat(player, dealer)
    expected = won(400, "two_pair", back=100) if dealer.startswith("3h") else LOST
    assert told[1, "bad_beat"] == expected


def test_641a_11c6iii_two_pair_that_tie_lose() -> None:
    assert bad_beat("3s 3d 5c 5d 9h", "3h 3c 5s 5h 8d 7c")[1, "bad_beat"] == LOST


def test_641a_11c6_without_an_ante_the_hands_are_compared_all_the_same() -> None:
    player = seat(1, "3s 3d 5c 5d 9h", aces_up=100, bad_beat=100)
    told = settle("pa641a", player, dealer=DEALERS_KINGS)
    assert told[1, "bad_beat"] == won(400, "two_pair", back=100)


# ---------------------------------------------------------------- 11(c)(8): Six Card Bonus


def test_641a_11c8_the_card_joins_the_players_five() -> None:
    told = settle("pa641a", seat(1, "9s 9d 4c 3h Ks", ante=100, six_card=100, fold=True), six_card="9h")
    assert told[1, "six_card"] == won(500, "three_of_a_kind", back=100)


def test_641a_11c8i_and_ii_one_card_for_all_players() -> None:
    """D17."""
    told = settle(
        "pa641a",
        seat(1, "9s 9d 4c 3h Ks", ante=100, six_card=100, fold=True),
        seat(2, "As Ad 8c 7h 2s", ante=100, six_card=100, fold=True),
        six_card="9h",
    )
    assert told[1, "six_card"][0] == "win"
    assert told[2, "six_card"] == LOST


def test_641a_11c8_without_the_card_it_cannot_be_settled() -> None:
    with pytest.raises(MissingError, match="six_card is not given, and seat 1 needs it"):
        settle("pa641a", seat(1, ACES, ante=100, six_card=100, fold=True))


# ---------------------------------------------------------------- stakes of unknown value


def test_stakes_that_the_pad_cannot_value_are_settled_as_odds() -> None:
    player = seat(1, "Ts Th Tc 2h 2s", ante=None, play=None, aces_up=None, prog4=None, bad_beat=None)
    told = settle("pa641a", player, dealer=NOTHING)
    odds = {line["wager"]: line.get("odds") for line in told.lines}
    assert odds == {
        "ante": "1 to 1",
        "play": "1 to 1",
        "ante_bonus": "2 to 1",
        "aces_up": "9 to 1",
        "prog4": "9 for 1",
        "bad_beat": None,
    }
    for line in told.lines:
        assert [line[name] for name in ("stake", "paid", "back", "net")] == [None] * 4


def test_odds_are_written_without_commas_and_shares_of_a_meter_as_printed() -> None:
    player = seat(1, ROYAL, ante=None, six_card=None, prog5=None, play=None)
    told = settle("pa641a", player, dealer=NOTHING, six_card="2c", meters={"prog5": {"main": 900}})
    assert told.line(1, "six_card")["odds"] == "1000 to 1"
    assert told.line(1, "prog5")["odds"] == "100% of meter"
    assert told.meters == {"prog5": {"main": 1_000_000}}


def test_an_envy_bonus_is_a_sum_also_beside_a_progressive_of_unknown_value() -> None:
    receiver = seat(1, "Qs Qd 8h 4c 2h", aces_up=None, prog4=None)
    told = settle("pa641a", receiver, seat(2, FOUR_KINGS, aces_up=100), progressive_unit=500)
    assert told[1, "envy:seat2"] == won(50_00, "four_of_a_kind")


def test_a_known_stake_beside_an_unknown_one() -> None:
    player = seat(1, "Ts Th Tc 2h 2s", ante=None, aces_up=300, play=500)
    told = settle("pa641a", player, dealer=NOTHING)
    assert told[1, "aces_up"] == won(2_700, "three_of_a_kind", back=300)
    assert (told[1, "play"], told.line(1, "play")["net"]) == (won(500, back=500), 500)
    assert returned(0) != told[1, "ante"]
