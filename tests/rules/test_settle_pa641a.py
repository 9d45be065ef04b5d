"""641a.11(b) and (c), settled paragraph by paragraph."""

from __future__ import annotations

import pytest

from sabot.rules.form import RoundError
from sabot.rules.settlement.desk import MissingError

from .table_talk import FORFEIT, LOST, Json, Told, returned, seat, settle, won

NOTHING = "2d 4h 6s 8c Jd 3c"  # a dealer with a jack high
PAIR_OF_TENS = "2c 3d Th Tc 5s 6c"
ACES, KINGS, ACE_HIGH = "As Ad 9c 7h 2s", "Ks Kd 9h 7c 3s", "As Kd 9c 7h 2s"
FOUR_ACES, FOUR_KINGS = "As Ah Ad Ac 9d", "Ks Kh Kd Kc 9h"
DEALERS_KINGS = "Ks Kh Kd Kc 7h 8c"
ROYAL, STRAIGHT_FLUSH = "Ah Kh Qh Jh Th", "9s 8s 7s 6s 5s"


def readings(told: Told) -> set[str]:
    return set(told.readings)


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


# ---------------------------------------------------------------- 11(c)(5): progressives and envy


def test_641a_12d4_the_first_to_be_paid_takes_the_meter_the_next_what_was_reseeded() -> None:
    """T1: the seat on the dealer's right comes first."""
    told = settle(
        "pa641a",
        seat(2, "As Ah Ad Ac 9d", aces_up=500, prog4=100),
        seat(5, "Ks Kh Kd Kc 9h", aces_up=500, prog4=100),
        meters={"prog4": {"main": 1_000_000}},
    )
    assert told[2, "prog4"] == won(1_000_000, "four_aces")
    assert told[5, "prog4"] == won(30_000, "four_of_a_kind")
    assert told.meters == {"prog4": {"main": 500_000}}


def test_641a_12e4_two_royals_in_one_round() -> None:
    told = settle(
        "pa641a",
        seat(2, "Ah Kh Qh Jh Th", aces_up=500, prog5=500),
        seat(5, "As Ks Qs Js Ts", aces_up=500, prog5=500),
        meters={"prog5": {"main": 9_999_999}},
        progressive_unit=500,
    )
    assert told[5, "prog5"] == won(9_999_999, "royal_flush")
    assert told[2, "prog5"] == won(5_000_000, "royal_flush")
    assert told.meters == {"prog5": {"main": 5_000_000}}


def test_641a_12e4_ten_percent_twice_is_ten_percent_of_what_is_left() -> None:
    """T8, P13: what is cut off stays on the meter."""
    told = settle(
        "pa641a",
        seat(2, "9h 8h 7h 6h 5h", aces_up=500, prog5=100),
        seat(5, "9s 8s 7s 6s 5s", aces_up=500, prog5=100),
        meters={"prog5": {"main": 10_009}},
    )
    assert (told[5, "prog5"], told[2, "prog5"]) == (won(1_000, "straight_flush"), won(900, "straight_flush"))
    assert told.meters == {"prog5": {"main": 10_009 - 1_900}}


def test_641a_12e4_levels_are_meters_of_their_own() -> None:
    """T10: a hand takes one level, though a lower one may hold more."""
    meters = {"prog5": {"mega": 100, "major": 900_000, "minor": 5_000}}
    told = settle("pa641a", seat(2, ROYAL, aces_up=500, prog5=100), letters="prog5=C", meters=meters)
    assert told[2, "prog5"] == won(100, "royal_flush")
    assert told.meters == {"prog5": {"mega": 1_000_000, "major": 900_000, "minor": 5_000}}


@pytest.mark.parametrize(("wager", "row"), [("prog4", "three_of_a_kind"), ("prog5", "full_house")])
def test_641a_12d2_and_e2_only_the_highest_hand_is_paid(wager: str, row: str) -> None:
    told = settle("pa641a", seat(1, "Ts Th Tc 2h 2s", aces_up=500, **{wager: 100}))
    assert told[1, wager][3] == row
    assert told.wagers(1) == ["aces_up", wager]


def test_641a_11c5_a_progressive_wins_though_the_hand_loses() -> None:
    loser = seat(1, "Ts Th Tc 2h 2s", ante=100, prog4=100, play=100)
    told = settle("pa641a", loser, dealer=DEALERS_KINGS)
    assert (told[1, "ante"], told[1, "prog4"]) == (LOST, won(900, "three_of_a_kind"))


def test_641a_12d4_a_hit_on_a_meter_that_is_not_given_is_refused() -> None:
    with pytest.raises(
        MissingError,
        match=r"E-ROUND-020 meters.prog4.main: meters.prog4.main is not given, and seat 1 prog4 needs it",
    ):
        settle("pa641a", seat(1, FOUR_ACES, aces_up=500, prog4=100))


def envies(told: Told, number: int) -> list[tuple[str, int]]:
    return [
        (line["wager"], line["paid"])
        for line in told.lines
        if line["seat"] == number and ":" in line["wager"]
    ]


def test_641a_11c5va_an_envy_bonus_for_each_other_players_hand() -> None:
    """E3, E6, E7: the holders have no progressive, the receiver has lost his."""
    told = settle(
        "pa641a",
        seat(3, "Qs Qd 8h 4c 2h", aces_up=500, prog4=100),
        seat(1, FOUR_ACES, aces_up=500),
        seat(6, FOUR_KINGS, aces_up=500),
    )
    assert told[3, "prog4"] == LOST
    assert envies(told, 3) == [("envy:seat6", 10_00), ("envy:seat1", 100_00)]


def test_641a_11c5va_none_for_ones_own_hand_nor_the_dealers() -> None:
    holder = seat(1, "5d 6d 7d 8d 2s", ante=100, prog4=100, play=100)
    told = settle("pa641a", holder, dealer=DEALERS_KINGS)
    assert envies(told, 1) == []


def test_641a_11c5vb_five_card_envy_beside_the_four_card_one() -> None:
    receiver = seat(4, "Qs Qd 8h 4c 2h", aces_up=500, prog4=500, prog5=100)
    told = settle("pa641a", receiver, seat(1, ROYAL, aces_up=500), dealer=NOTHING)
    assert told.wagers(4) == ["aces_up", "prog4", "envy:seat1", "prog5", "envy:seat1"]
    assert envies(told, 4) == [("envy:seat1", 25_00), ("envy:seat1", 1_000_00)]


@pytest.mark.parametrize(
    ("reading", "alive", "paid"),
    [
        ("cards_on_table", {"aces_up": 100}, True),
        ("cards_on_table", {"six_card": 100}, True),
        ("cards_on_table", {"bad_beat": 100}, True),
        ("cards_on_table", {}, False),
        ("cards_on_table", {"prog5": 100}, False),
        ("never", {"aces_up": 100}, False),
        ("never", {}, False),
        ("always", {"aces_up": 100}, True),
        ("always", {}, True),
    ],
)
def test_641a_11c5v_the_hand_of_one_who_folded(reading: str, alive: Json, paid: bool) -> None:
    """E1: while its cards are on the table for another wager, never, or always."""
    told = settle(
        "pa641a",
        seat(4, "Qs Qd 8h 4c 2h", aces_up=500, prog4=100),
        seat(1, FOUR_KINGS, ante=100, fold=True, **alive),
        dealer=NOTHING,
        six_card="3s",
        readings={"envy_folded_holder": reading},
    )
    assert told.has(4, "envy:seat1") is paid
    assert told.readings["envy_folded_holder"] == reading


@pytest.mark.parametrize(("reading", "paid"), [("alive", True), ("forfeit", False)])
def test_641a_11c5v_whether_a_folded_bad_beat_keeps_its_cards_on_the_table(reading: str, paid: bool) -> None:
    """E1 with F1."""
    told = settle(
        "pa641a",
        seat(4, "Qs Qd 8h 4c 2h", aces_up=500, prog4=100),
        seat(1, FOUR_KINGS, ante=100, bad_beat=100, fold=True),
        dealer=NOTHING,
        readings={"fold_unlisted": reading},
    )
    assert told.has(4, "envy:seat1") is paid
    assert readings(told) == {"fold_unlisted", "envy_folded_holder"}


@pytest.mark.parametrize(("reading", "paid"), [("no", False), ("yes", True)])
def test_641a_11c5v_a_player_on_two_boxes(reading: str, paid: bool) -> None:
    """E2."""
    told = settle(
        "pa641a",
        seat(4, "Qs Qd 8h 4c 2h", player="p", aces_up=500, prog4=100),
        seat(3, FOUR_KINGS, player="p", aces_up=500),
        readings={"envy_two_boxes": reading},
    )
    assert told.has(4, "envy:seat3") is paid
    assert told.readings == {"envy_two_boxes": reading}


def test_641a_12d5_a_progressive_of_another_amount_is_refused() -> None:
    """E4."""
    with pytest.raises(RoundError, match=r"seats\[0\].wagers.prog4: is 200, expected 100 or 500 cents"):
        settle("pa641a", seat(1, ACES, aces_up=500, prog4=200))
    with pytest.raises(RoundError, match=r"options.progressive_unit: is 200, expected 100 or 500 cents"):
        settle("pa641a", seat(1, ACES, aces_up=500), progressive_unit=200)


@pytest.mark.parametrize(("reading", "paid"), [("yes", True), ("no", False)])
def test_641a_12e5_envy_for_a_straight_flush_with_a_low_ace(reading: str, paid: bool) -> None:
    """R2, named though only the other's hand is touched by it."""
    told = settle(
        "pa641a",
        seat(4, "Qs Qd 8h 4c 2h", aces_up=500, prog5=100),
        seat(3, "Ad 2d 3d 4d 5d", aces_up=500),
        readings={"wheel5": reading},
    )
    assert told.has(4, "envy:seat3") is paid
    assert told.readings == {"wheel5": reading}


@pytest.mark.parametrize(("reading", "row"), [("yes", "straight_flush"), ("no", "flush")])
def test_641a_6d_a_five_card_straight_flush_with_a_low_ace(reading: str, row: str) -> None:
    """R2."""
    wheel = seat(4, "Ad 2d 3d 4d 5d", aces_up=500, prog5=100)
    told = settle("pa641a", wheel, meters={"prog5": {"main": 1_000}}, readings={"wheel5": reading})
    assert told[4, "prog5"][3] == row
    assert told.readings == {"wheel5": reading}


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


# ---------------------------------------------------------------- 11(c)(7): Five Card Hand Bonus

METER: Json = {"hand_bonus": {"main": 1_000_003}}
DEALER_ROYAL = f"{ROYAL} 2c"


def on_dealer(number: int, cards: str, **more: object) -> Json:
    return seat(number, cards, ante=100, hand_bonus_dealer=100, **{"play": 100, **more})


def test_641a_11c7_the_dealers_hand_is_the_first_five() -> None:
    """G6: a flush with the sixth card is none."""
    told = settle("pa641a", on_dealer(1, "As Ad 9c 7h 2s"), dealer="2h 9h 6h Kh Jd Jh")
    assert told[1, "hand_bonus_dealer"] == LOST


def test_641a_11c7_a_win_though_the_hand_loses() -> None:
    told = settle("pa641a", on_dealer(1, "Qs Td 9c 7h 2s"), dealer="2h 9h 6h Kh Jh Jd")
    assert (told[1, "ante"], told[1, "hand_bonus_dealer"]) == (LOST, won(5_000, "flush"))


def test_641a_12g2_both_hands_are_paid_if_both_were_bet() -> None:
    both = seat(1, "2s 9s 6s Ks Js", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, play=100)
    told = settle("pa641a", both, dealer="3c 3d 3h 7c 7d 2h")
    assert told[1, "hand_bonus_player"] == won(5_000, "flush")
    assert told[1, "hand_bonus_dealer"] == won(10_000, "full_house")


def test_641a_12g2_a_jackpot_on_the_dealers_hand_is_divided_equally() -> None:
    """T7: among all who wagered on it, folders too; the odd cent stays on the meter, the reseed is nothing."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        seat(2, "Qs Qd 8d 4c 2d", ante=100, hand_bonus_dealer=500, fold=True),
        on_dealer(6, "Ks Kd 9s 7c 3s"),
        seat(7, "Js Jd 8s 4d 3d", ante=100, hand_bonus_player=100, play=100),
        dealer=DEALER_ROYAL,
        meters=METER,
    )
    for number in (1, 2, 6):
        assert told[number, "hand_bonus_dealer"] == won(333_334, "royal_flush")
    assert told.meters == {"hand_bonus": {"main": 1}}


def test_641a_12g2_ten_percent_is_divided_too_and_fixed_at_the_first() -> None:
    """T7, T8: what another draws between the shares does not change them."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        seat(3, ROYAL, ante=100, hand_bonus_player=100, fold=True),
        on_dealer(6, "Ks Kd 9d 7c 3s"),
        dealer=f"{STRAIGHT_FLUSH} 2c",
        meters=METER,
    )
    assert told[6, "hand_bonus_dealer"] == told[1, "hand_bonus_dealer"] == won(50_000, "straight_flush")
    assert told[3, "hand_bonus_player"] == won(900_003, "royal_flush")
    assert told.meters == {"hand_bonus": {"main": 0}}


@pytest.mark.parametrize(("reading", "share"), [("alive", 333_334), ("forfeit", 500_001)])
def test_641a_12g2_whether_a_folder_still_shares(reading: str, share: int) -> None:
    """F1."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        seat(2, "Qs Qd 8d 4c 2d", ante=100, hand_bonus_dealer=500, fold=True),
        on_dealer(6, "Ks Kd 9s 7c 3s"),
        dealer=DEALER_ROYAL,
        meters=METER,
        readings={"fold_unlisted": reading},
    )
    assert told[1, "hand_bonus_dealer"][1] == told[6, "hand_bonus_dealer"][1] == share
    assert told.readings == {"fold_unlisted": reading}


def test_641a_12g2_one_who_left_the_table_does_not_share() -> None:
    """F10."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        on_dealer(6, "Ks Kd 9s 7c 3s", abandoned=True),
        dealer=DEALER_ROYAL,
        meters=METER,
    )
    assert told[1, "hand_bonus_dealer"] == won(1_000_003, "royal_flush")


@pytest.mark.parametrize(
    ("reading", "player", "dealer"), [("player", 100_000, 90_000), ("dealer", 90_000, 100_000)]
)
def test_641a_11c7_which_hand_draws_first(reading: str, player: int, dealer: int) -> None:
    """G1."""
    both = seat(1, "9h 8h 7h 6h 5h", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, fold=True)
    told = settle(
        "pa641a",
        both,
        dealer=f"{STRAIGHT_FLUSH} 2c",
        meters={"hand_bonus": {"main": 1_000_000}},
        readings={"hand_bonus_first": reading},
    )
    assert (told[1, "hand_bonus_player"][1], told[1, "hand_bonus_dealer"][1]) == (player, dealer)
    assert told.readings["hand_bonus_first"] == reading
    lines = told.wagers(1)[1:]
    assert lines == [
        f"hand_bonus_{each}" for each in (reading, {"player": "dealer", "dealer": "player"}[reading])
    ]


def test_641a_11c7_the_order_is_not_read_where_only_one_hand_draws() -> None:
    both = seat(1, "9h 8h 7h 6h 5h", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, fold=True)
    told = settle("pa641a", both, dealer=NOTHING, meters=METER)
    assert readings(told) == {"fold_unlisted"}


def test_641a_11c7_nor_where_the_dealers_share_was_fixed_at_another_seat() -> None:
    """T7: seat 6 fixed it before seat 1's own hand drew."""
    told = settle(
        "pa641a",
        on_dealer(6, "Ks Kd 9d 7c 3s"),
        seat(1, "9h 8h 7h 6h 5h", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, play=100),
        dealer=f"{STRAIGHT_FLUSH} 2c",
        meters=METER,
    )
    assert told.readings == {}


def test_641a_1_magic_card_in_the_players_hand_and_in_the_dealers_first_five() -> None:
    """G2, G4: rank and suit; the dealer's sixth card does not count."""
    both = seat(1, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=100, hand_bonus_dealer=300, fold=True)
    dealer = "2s 9s Jd Kd 5c 6h"
    mine = settle("pa641a", both, dealer=dealer, draws={"magic_card": "7c"})
    assert mine[1, "hand_bonus_player:magic_card"] == won(2_000, "magic_card")
    assert not mine.has(1, "hand_bonus_dealer:magic_card")
    his = settle("pa641a", both, dealer=dealer, draws={"magic_card": "9s"})
    assert his[1, "hand_bonus_dealer:magic_card"] == won(6_000, "magic_card")
    for card in ("6h", "7d", "As"):
        nobody = settle("pa641a", both, dealer=dealer, draws={"magic_card": card})
        assert nobody.wagers(1) == ["ante", "hand_bonus_player", "hand_bonus_dealer"]


def test_641a_1_lucky_bonus_by_position_win_or_lose() -> None:
    """G5: beside the row of the hand, and beside a wager that lost."""
    both = seat(4, "2h 9h 6h Kh Jh", ante=100, hand_bonus_player=100, hand_bonus_dealer=300, fold=True)
    dealer = "2s 9s Jd Kd 5c 6d"
    mine = settle("pa641a", both, dealer=dealer, draws={"lucky": 4})
    assert mine.wagers(4) == [
        "ante",
        "hand_bonus_player",
        "hand_bonus_player:lucky_bonus",
        "hand_bonus_dealer",
    ]
    assert mine[4, "hand_bonus_player"] == won(5_000, "flush")
    assert mine[4, "hand_bonus_player:lucky_bonus"] == won(500, "lucky_bonus")
    his = settle("pa641a", both, dealer=dealer, draws={"lucky": "dealer"})
    assert (his[4, "hand_bonus_dealer"], his[4, "hand_bonus_dealer:lucky_bonus"]) == (
        LOST,
        won(1_500, "lucky_bonus"),
    )
    nobody = settle("pa641a", both, dealer=dealer, draws={"lucky": 5})
    assert nobody.wagers(4) == ["ante", "hand_bonus_player", "hand_bonus_dealer"]


def test_641a_12g3_magic_card_and_lucky_bonus_both_if_both_were_drawn() -> None:
    """G2."""
    player = seat(4, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=100, fold=True)
    told = settle("pa641a", player, draws={"lucky": 4, "magic_card": "4d"})
    assert told.wagers(4)[2:] == ["hand_bonus_player:magic_card", "hand_bonus_player:lucky_bonus"]


def test_641a_12g3_no_draw_no_bonus() -> None:
    player = seat(4, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=100, fold=True)
    assert settle("pa641a", player).wagers(4) == ["ante", "hand_bonus_player"]


def test_641a_1_no_magic_card_for_one_who_did_not_bet_the_hand_bonus() -> None:
    told = settle(
        "pa641a", seat(4, "3s 4d 7c 8s Jc", ante=100, fold=True), draws={"lucky": 4, "magic_card": "4d"}
    )
    assert told.wagers(4) == ["ante"]


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
