"""641a.11(c)(5), 641a.12(d) and (e): the progressives, their meters and the Envy Bonuses."""

from __future__ import annotations

import pytest

from sabot.rules.json_fields import RoundError
from sabot.rules.settlement.round_settlement import MissingError

from .table_talk import LOST, Json, Told, seat, settle, won

NOTHING = "2d 4h 6s 8c Jd 3c"  # a dealer with a jack high
ACES = "As Ad 9c 7h 2s"
FOUR_ACES, FOUR_KINGS = "As Ah Ad Ac 9d", "Ks Kh Kd Kc 9h"
DEALERS_KINGS = "Ks Kh Kd Kc 7h 8c"
ROYAL = "Ah Kh Qh Jh Th"


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
    assert set(told.readings) == {"fold_unlisted", "envy_folded_holder"}


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


@pytest.mark.parametrize(("wager", "cards"), [("prog4", FOUR_ACES), ("prog5", ROYAL)])
def test_641a_11c5v_none_for_ones_own_hand_whatever_becomes_of_ones_other_boxes(
    wager: str, cards: str
) -> None:
    """E2: a player may be envied for his other box by reading, and never for the hand he holds himself."""
    told = settle(
        "pa641a",
        seat(1, cards, aces_up=500, **{wager: 100}),
        dealer=NOTHING,
        readings={"envy_two_boxes": "yes"},
        meters={"prog4": {"main": 100_000}, "prog5": {"main": 1_000_000}},
    )
    assert envies(told, 1) == []


def test_641a_11c5vb_a_five_card_envy_bonus_for_each_other_players_hand() -> None:
    receiver = seat(4, "Qs Qd 8h 4c 2h", aces_up=500, prog5=100)
    others = (seat(1, ROYAL, aces_up=500), seat(6, "9s 8s 7s 6s 5s", aces_up=500))
    told = settle("pa641a", receiver, *others, dealer="2d 3h 6d 8c Jd 3c")
    assert envies(told, 4) == [("envy:seat6", 300_00), ("envy:seat1", 1_000_00)]
