"""MLGCA Four Card Poker, chapter 11.C and 11.D, settled paragraph by paragraph where it differs from 641a."""

from __future__ import annotations

import pytest

from sabot.rules.settlement.round_settlement import MissingError

from .table_talk import FORFEIT, LOST, Json, Told, returned, seat, settle, won

NOTHING, DEALERS_KINGS = "2d 4h 6s 8c Jd 3c", "Ks Kh Kd Kc 7h 8c"
ACES, KINGS = "As Ad 9c 7h 2s", "Ks Kd 9h 7c 3s"
FOUR_ACES, FOUR_KINGS = "As Ah Ad Ac 9d", "Ks Kh Kd Kc 9h"
QUEENS = "Qs Qd 8h 4c 2h"

# ---------------------------------------------------------------- 11.C: folds


def test_md_11c_a_fold_forfeits_the_ante() -> None:
    told = settle("md4cp", seat(1, ACES, ante=1000, fold=True), dealer=NOTHING)
    assert (told[1, "ante"], told.cite(1, "ante")) == (FORFEIT, "ch.11.C")


def test_md_11c1_and_2_but_neither_aces_up_nor_six_card_bonus() -> None:
    folder = seat(1, ACES, ante=1000, aces_up=500, six_card=200, fold=True)
    told = settle("md4cp", folder, dealer=NOTHING, six_card="Ac")
    assert told[1, "aces_up"] == won(500, "pair_of_aces", back=500)
    assert told[1, "six_card"] == won(1000, "three_of_a_kind", back=200)


def test_md_11c3_and_the_progressive_but_not_the_envy_bonus() -> None:
    """F2, E6."""
    folder = seat(2, FOUR_ACES, ante=1000, aces_up=500, progressive=100, fold=True)
    told = settle(
        "md4cp", folder, seat(1, FOUR_KINGS, aces_up=500), dealer=NOTHING, meters={"progressive": {"main": 9}}
    )
    assert (told[2, "progressive"], told.cite(2, "progressive")) == (FORFEIT, "ch.11.C(3)")
    assert told[2, "envy:seat1"] == won(10_00, "four_of_a_kind")
    assert told.meters == {"progressive": {"main": 9}}


# ---------------------------------------------------------------- 11.D(4): Ante and Play


def test_md_11d4_from_the_dealers_right_aces_up_then_six_card_then_progressive() -> None:
    """M5."""
    told = settle(
        "md4cp",
        seat(2, "9s 9d 9c 3h 8s", ante=100, aces_up=100, six_card=100, progressive=100, play=100),
        seat(5, KINGS, aces_up=100),
        dealer=NOTHING,
        six_card="5h",
    )
    assert told.outcome["settle_order"] == [5, 2]
    assert told.wagers(2) == ["ante", "play", "ante_bonus", "aces_up", "six_card", "progressive"]


def test_md_11d4ci_a_lower_hand_loses_both() -> None:
    told = settle("md4cp", seat(1, "9s 9d 4c 3h 2s", ante=1000, play=2000), dealer="Th Tc 2c 3d 5s 6c")
    for wager in ("ante", "play"):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "ch.11.D(4)(c)(i)")


def test_md_11d4cii_a_tie_is_paid() -> None:
    """P7."""
    told = settle("md4cp", seat(1, "Ts Td 5c 6h 2s", ante=1000, play=2000), dealer="Th Tc 2c 3d 5s 6c")
    assert (told[1, "ante"], told[1, "play"]) == (won(1000, back=1000), won(2000, back=2000))


@pytest.mark.parametrize(("reading", "bonus"), [("yes", True), ("no", False)])
def test_md_12b_ante_bonus_also_on_a_hand_that_loses(reading: str, bonus: bool) -> None:
    """P1."""
    loser = seat(1, "9s 9d 9c 3h 8s", ante=1000, play=1000)
    told = settle("md4cp", loser, dealer="Ts Th Tc 2h 2s 4d", readings={"ante_bonus_losing": reading})
    assert (told[1, "ante"], told.has(1, "ante_bonus")) == (LOST, bonus)
    assert told.readings == {"ante_bonus_losing": reading}


@pytest.mark.parametrize(("reading", "result"), [("poker", "lose"), ("highest_card", "win")])
def test_md_6d_a_pair_of_threes_with_an_ace(reading: str, result: str) -> None:
    """R3, R4."""
    threes = seat(1, "3s 3h Ad 7c 2d", ante=1000, play=1000)
    told = settle("md4cp", threes, dealer="9s 9h Kd 6s 4c 2h", readings={"tiebreak": reading})
    assert told[1, "ante"][0] == result
    assert told.readings == {"tiebreak": reading}


# ---------------------------------------------------------------- 11.D(5)-(9)


def test_md_11d6_7_and_9_win_though_the_hand_loses() -> None:
    loser = seat(1, "9s 9d 9c 3h 8s", ante=100, aces_up=100, six_card=100, progressive=100, play=100)
    told = settle("md4cp", loser, dealer=DEALERS_KINGS, six_card="5h")
    assert told[1, "ante"] == LOST
    assert told[1, "aces_up"] == won(900, "three_of_a_kind", back=100)
    assert told[1, "six_card"] == won(500, "three_of_a_kind", back=100)
    assert told[1, "progressive"] == won(900, "three_of_a_kind")


def test_md_11d7_a_losing_six_card_bonus_is_collected() -> None:
    """V12."""
    player = seat(1, ACES, ante=100, aces_up=100, six_card=100, fold=True)
    assert settle("md4cp", player, six_card="3c")[1, "six_card"] == LOST


@pytest.mark.parametrize(("reading", "back"), [("returned", 100), ("kept", 0)])
def test_md_12h_the_stake_beside_a_super_royal(reading: str, back: int) -> None:
    """M2."""
    player = seat(1, "Ad Kd Qd Jd Td", ante=100, aces_up=100, six_card=100, fold=True)
    told = settle("md4cp", player, six_card="9d", readings={"md_super_royal_stake": reading})
    assert told[1, "six_card"] == won(1_000_000_00, "super_royal_diamonds", back=back)
    assert told.readings == {"md_super_royal_stake": reading}


def test_md_12h_a_super_royal_of_unknown_stake() -> None:
    player = seat(1, "Ad Kd Qd Jd Td", ante=100, aces_up=100, six_card=None, fold=True)
    line = settle("md4cp", player, six_card="9d").line(1, "six_card")
    assert (line["paid"], line["odds"]) == (None, "$1000000")


# ---------------------------------------------------------------- 11.D(10), 12.D to 12.G: progressive and envy


def test_md_12d4_the_first_takes_the_meter_the_next_the_operators_reset() -> None:
    """T1, T2."""
    told = settle(
        "md4cp",
        seat(2, "Ah Kh Qh Jh Th", aces_up=500, progressive=100),
        seat(5, "As Ks Qs Js Ts", aces_up=500, progressive=100),
        letters="progressive=E",
        meters={"progressive": {"mega": 1_234_500, "major": 700, "minor": 30}},
        meter_reset={"mega": 1_000_001},
    )
    assert told[5, "progressive"] == won(1_234_500, "royal_flush")
    assert told[2, "progressive"] == won(1_000_001, "royal_flush")
    assert told.meters == {"progressive": {"mega": 1_000_001, "major": 700, "minor": 30}}


def test_md_12d3b_without_a_reset_amount_a_hit_cannot_be_settled() -> None:
    with pytest.raises(
        MissingError, match=r"options.meter_reset.main: .* is not given, and the hit on progressive needs it"
    ):
        settle("md4cp", seat(1, FOUR_ACES, aces_up=500, progressive=100), meters={"progressive": {"main": 9}})


def test_md_12d1_ten_percent_needs_no_reset() -> None:
    hit = seat(1, "9h 8h 7h 6h 5h", aces_up=500, progressive=100)
    told = settle("md4cp", hit, letters="progressive=C", meters={"progressive": {"main": 1009}})
    assert told[1, "progressive"] == won(100, "straight_flush")
    assert told.meters == {"progressive": {"main": 909}}


@pytest.mark.parametrize(
    ("letter", "row"),
    [("A", "three_of_a_kind"), ("B", "three_of_a_kind"), *((each, "full_house") for each in "CDEF")],
)
def test_md_12d2_four_card_hands_under_a_and_b_five_card_hands_under_the_others(
    letter: str, row: str
) -> None:
    """M3."""
    hit = seat(1, "Ts Th Tc 2h 2s", aces_up=500, progressive=100)
    assert settle("md4cp", hit, letters=f"progressive={letter}")[1, "progressive"][3] == row


def envies(told: Told, number: int) -> list[str]:
    return [wager for wager in told.wagers(number) if ":" in wager]


def test_md_11d10e_one_for_each_other_players_hand_none_for_ones_own_nor_the_dealers() -> None:
    told = settle(
        "md4cp",
        seat(3, "5d 6d 7d 8d 2s", ante=100, progressive=100, play=100),
        seat(1, FOUR_ACES, aces_up=500),
        seat(6, "Ts Th Tc Td 2h", aces_up=500),
        dealer=DEALERS_KINGS,
    )
    assert envies(told, 3) == ["envy:seat6", "envy:seat1"]


@pytest.mark.parametrize(
    ("reading", "alive", "paid"),
    [
        ("cards_on_table", {"aces_up": 100}, True),
        ("cards_on_table", {}, False),
        ("cards_on_table", {"progressive": 100}, False),
        ("never", {"aces_up": 100}, False),
        ("always", {}, True),
    ],
)
def test_md_11d10e_the_hand_of_one_who_folded(reading: str, alive: Json, paid: bool) -> None:
    """E1."""
    told = settle(
        "md4cp",
        seat(4, QUEENS, aces_up=500, progressive=100),
        seat(1, FOUR_KINGS, ante=100, fold=True, **alive),
        readings={"envy_folded_holder": reading},
    )
    assert told.has(4, "envy:seat1") is paid
    assert told.readings == {"envy_folded_holder": reading}


@pytest.mark.parametrize(("reading", "paid"), [("no", False), ("yes", True)])
def test_md_11d10e_a_player_on_two_boxes(reading: str, paid: bool) -> None:
    """E2."""
    told = settle(
        "md4cp",
        seat(4, QUEENS, player="p", aces_up=500, progressive=100),
        seat(3, FOUR_KINGS, player="p", aces_up=500),
        readings={"envy_two_boxes": reading},
    )
    assert told.has(4, "envy:seat3") is paid
    assert told.readings == {"envy_two_boxes": reading}


@pytest.mark.parametrize(
    ("cards", "by_text", "by_royal"),
    [
        ("As Ah Ad Ac 9d", ("four_aces", 1_000_00), None),
        ("Ks Kh Kd Kc 9h", ("four_of_a_kind", 300_00), None),
        ("Ah Kh Qh Jh Th", None, ("royal_flush", 1_000_00)),
        ("9h 8h 7h 6h 5h", None, ("straight_flush", 300_00)),
        ("9h 8h 7h 6h 2s", None, None),
    ],
)
def test_md_12f3_the_hands_of_paytable_c(cards: str, by_text: object, by_royal: object) -> None:
    """M1: as printed, or as D has them; named where it decides."""
    for reading, expected in (("text", by_text), ("royal", by_royal)):
        told = settle(
            "md4cp",
            seat(4, "Qs Qd 8c 4c 2h", aces_up=500, progressive=100),
            seat(3, cards, aces_up=500),
            letters="progressive=C",
            readings={"md_envy_c": reading},
        )
        paid = [(line["row"], line["paid"]) for line in told.lines if line["wager"] == "envy:seat3"]
        assert paid == ([expected] if expected else [])
        assert told.readings == ({"md_envy_c": reading} if by_text or by_royal else {})


@pytest.mark.parametrize(("reading", "paid"), [("yes", True), ("no", False)])
def test_md_12f_envy_for_a_straight_flush_with_a_low_ace(reading: str, paid: bool) -> None:
    """R2."""
    told = settle(
        "md4cp",
        seat(4, QUEENS, aces_up=500, progressive=100),
        seat(3, "Ad 2d 3d 4d 5d", aces_up=500),
        letters="progressive=D",
        readings={"wheel5": reading},
    )
    assert told.has(4, "envy:seat3") is paid
    assert told.readings == {"wheel5": reading}


def test_md_12f3_the_reading_of_c_is_not_named_under_another_letter() -> None:
    told = settle("md4cp", seat(4, QUEENS, aces_up=500, progressive=100), seat(3, FOUR_KINGS, aces_up=500))
    assert told.readings == {}


def test_md_11d10e_a_hand_that_nobody_is_envied_for_names_no_reading() -> None:
    """M1, E2: the other box of one player, whatever its row would be."""
    told = settle(
        "md4cp",
        seat(4, QUEENS, player="p", aces_up=500, progressive=100),
        seat(3, "Ah Kh Qh Jh Th", player="p", aces_up=500),
        letters="progressive=C",
    )
    assert told.readings == {}


def test_md_13e_an_exposed_dealers_card_returns_side_wagers_and_progressives_too() -> None:
    """V2."""
    player = seat(4, QUEENS, ante=100, aces_up=500, progressive=100, play=100)
    told = settle("md4cp", player, dealer=NOTHING, irregularity={"kind": "dealer_exposed"})
    assert told.void == "ch.13.E"
    assert told[4, "progressive"] == returned(100)
    assert told[4, "aces_up"] == returned(500)


def test_md_11d10eii_and_iii_an_envy_bonus_for_each_other_hand_and_none_for_ones_own() -> None:
    """E2: whatever the reading of two boxes, one's own hand is no other player's."""
    told = settle(
        "md4cp",
        seat(2, FOUR_KINGS, aces_up=500, progressive=100),
        seat(1, FOUR_ACES, aces_up=500),
        seat(6, "8s 8h 8d 8c 2h", aces_up=500),
        dealer="2d 3h 6d 7c Jd 3c",
        meters={"progressive": {"main": 1000}},
        readings={"envy_two_boxes": "yes"},
    )
    assert [line["wager"] for line in told.lines if line["seat"] == 2 and ":" in line["wager"]] == [
        "envy:seat6",
        "envy:seat1",
    ]
