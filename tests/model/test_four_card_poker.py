"""641a and Maryland by paragraph, where the worked rounds are silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .builders import FOLD, line, outcome, paid, seat, wagers

if TYPE_CHECKING:
    from .game import Json

LOW_DEALER = "2c 3s 6c 8s Td 7d"  # nothing, ten high
FOUR_ACES, FOUR_KINGS = "As Ah Ad Ac 9d", "Ks Kh Kd Kc 9h"
ROYAL_H, ROYAL_S = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts"


@pytest.mark.parametrize(
    ("player", "dealer", "row", "net"),
    [
        ("9h 9d 9c 2s 4d", "5s 6s 7s 8s Kd 2c", "three_of_a_kind", 10_000),
        ("5s 6s 7s 8s Kd", "9h 9d 9c 2s 4d 3c", "three_of_a_kind", 10_000),
        ("5s 6d 7s 8c Kd", "9h 9d 4c 4s Jd 2c", "two_pair", 400),
        ("9h 9d 4c 4s Jd", "Kh Kd 2s 7d 8c 3c", None, -100),  # a winning two pair
        ("9h 9d 4c 5s Jd", "Kh Kd 2s 2d 8c 3c", None, -100),  # a losing pair
        ("As Kd 9c 7h 2s", "Ad Kc 9h 7s 2d 3c", None, -100),  # a tie
    ],
)
def test_641a_11c6_bad_beat(player: str, dealer: str, row: str | None, net: int) -> None:
    seats = [seat(1, player, {"ante": 100, "bad_beat": 100}, {"play": 100})]
    result = outcome("pa641a", seats, dealer=dealer)
    assert paid(result, 1, "bad_beat") == ("win" if row else "lose", row, net)


@pytest.mark.parametrize(("reading", "bonus"), [({}, 200), ({"ante_bonus_losing": "no"}, None)])
def test_641a_12b_ante_bonus_on_a_losing_hand(reading: Json, bonus: int | None) -> None:
    """P1."""
    seats = [seat(1, "9h 9d 9c 2s 4d", {"ante": 100}, {"play": 300})]
    result = outcome("pa641a", seats, dealer="5s 6s 7s 8s Kd 2c", readings=reading)
    got = [row["paid"] for row in result["lines"] if row["wager"] == "ante_bonus"]
    assert got == ([] if bonus is None else [bonus])


@pytest.mark.parametrize(
    ("reading", "kept_wagers", "envied"),
    [
        ({}, {"ante": 100}, False),
        ({}, {"ante": 100, "prog4": 100}, False),
        ({}, {"ante": 100, "aces_up": 100}, True),
        ({}, {"ante": 100, "bad_beat": 100}, True),
        ({"fold_unlisted": "forfeit"}, {"ante": 100, "bad_beat": 100}, False),
        ({"envy_folded_holder": "never"}, {"ante": 100, "aces_up": 100}, False),
        ({"envy_folded_holder": "always"}, {"ante": 100}, True),
    ],
)
def test_641a_11c5v_envy_of_a_folded_holder(reading: Json, kept_wagers: Json, envied: bool) -> None:
    """E1: while its cards lie on the table."""
    seats = [
        seat(1, FOUR_ACES, kept_wagers, FOLD),
        seat(2, "2s 4d 7h 9c Jd", {"ante": 100, "prog4": 500}, FOLD),
    ]
    result = outcome("pa641a", seats, dealer=LOW_DEALER, readings=reading)
    assert ("envy:seat1" in wagers(result, 2)) == envied
    if envied:
        assert paid(result, 2, "envy:seat1") == ("win", "four_aces", 50_000)


@pytest.mark.parametrize(("reading", "envied"), [({}, False), ({"envy_two_boxes": "yes"}, True)])
def test_641a_11c5v_own_other_box(reading: Json, envied: bool) -> None:
    """E2."""
    seats = [
        seat(1, FOUR_KINGS, {"aces_up": 100}, player="p"),
        seat(2, "2s 4d 7h 9c Jd", {"aces_up": 100, "prog4": 100}, player="p"),
    ]
    result = outcome("pa641a", seats, dealer=LOW_DEALER, readings=reading)
    assert ("envy:seat1" in wagers(result, 2)) == envied


def test_641a_12d5_envy_paytable_of_its_own() -> None:
    """E5: paytable B has no row for a straight flush."""
    seats = [
        seat(1, "5h 6h 7h 8h Kd", {"aces_up": 100}),
        seat(2, FOUR_KINGS, {"aces_up": 100, "prog4": 100}),
        seat(3, "2s 4d 7c 9c Jd", {"aces_up": 100, "prog4": 100}),
    ]
    result = outcome("pa641a", seats, {"envy4": "B"}, dealer="2c 3s 6c 8s Td 7d")
    assert paid(result, 3, "envy:seat2") == ("win", "four_of_a_kind", 2_500)
    assert "envy:seat1" not in wagers(result, 3)


def test_7b_an_abandoned_hand_is_envied_by_nobody() -> None:
    """F10."""
    seats = [
        seat(1, FOUR_ACES, {"aces_up": 100}, abandoned=True),
        seat(2, "2s 4d 7h 9c Jd", {"aces_up": 100, "prog4": 100}),
    ]
    assert "envy:seat1" not in wagers(outcome("pa641a", seats, dealer=LOW_DEALER), 2)


def test_641a_12e1_ten_percent_of_a_meter_drops_the_fraction() -> None:
    """P13, T8: what is not paid stays on the meter."""
    seats = [seat(1, "5h 6h 7h 8h 9h", {"aces_up": 100, "prog5": 100})]
    meters = {"prog5": {"main": 1_234_567}}
    result = outcome("pa641a", seats, dealer=LOW_DEALER, meters=meters)
    assert paid(result, 1, "prog5") == ("win", "straight_flush", 123_456 - 100)
    assert result["meters"] == {"prog5": {"main": 1_234_567 - 123_456}}


def test_641a_12e4_the_second_royal_finds_the_reset_meter() -> None:
    """T1, T2: $10,000 for 1 at a $5 table."""
    seats = [
        seat(1, ROYAL_H, {"aces_up": 100, "prog5": 500}),
        seat(4, ROYAL_S, {"aces_up": 100, "prog5": 500}),
    ]
    meters = {"prog5": {"mega": 7_000_001, "major": 9_000_000}}
    letters = {"prog5": "B"}
    result = outcome("pa641a", seats, letters, dealer=LOW_DEALER, unit=500, meters=meters)
    assert line(result, 4, "prog5")["paid"] == 7_000_001
    assert line(result, 1, "prog5")["paid"] == 5_000_000
    assert result["meters"] == {"prog5": {"mega": 5_000_000, "major": 9_000_000}}


def three_on_the_dealer(*, abandoned: bool = False) -> list[Json]:
    return [
        seat(1, "2s 4d 7h 9c Jd", {"ante": 100, "hand_bonus_dealer": 300}, {"play": 100}),
        seat(3, "3s 4c 7c 9d Js", {"ante": 100, "hand_bonus_dealer": 100}, FOLD),
        seat(5, "2d 3d 8c Tc Qs", {"ante": 100, "hand_bonus_dealer": 100}, {"play": 100})
        | ({"abandoned": True} if abandoned else {}),
    ]


@pytest.mark.parametrize(
    ("dealer", "share", "left"),
    [(ROYAL_H + " 2c", 333_333, 2), ("5h 6h 7h 8h 9h Th", 33_333, 900_002)],
)
def test_641a_12g2_jackpot_of_the_dealer_is_shared(dealer: str, share: int, left: int) -> None:
    """T7: the folder shares too; the undivided cents stay on the meter."""
    meters = {"hand_bonus": {"main": 1_000_001}}
    result = outcome("pa641a", three_on_the_dealer(), dealer=dealer, meters=meters)
    shares = [line(result, number, "hand_bonus_dealer")["paid"] for number in (5, 3, 1)]
    assert shares == [share] * 3
    assert result["meters"]["hand_bonus"]["main"] == left


def test_641a_12g2_who_does_not_share() -> None:
    """T7 with F10, and with folds that forfeit (F1)."""
    meters = {"hand_bonus": {"main": 1_000_001}}
    seats = three_on_the_dealer(abandoned=True)
    two = outcome("pa641a", seats, dealer=ROYAL_H + " 2c", meters=meters)
    assert line(two, 1, "hand_bonus_dealer")["paid"] == 500_000
    reading = {"fold_unlisted": "forfeit"}
    one = outcome("pa641a", seats, dealer=ROYAL_H + " 2c", meters=meters, readings=reading)
    assert line(one, 1, "hand_bonus_dealer")["paid"] == 1_000_001
    assert paid(one, 3, "hand_bonus_dealer") == ("forfeit", None, -100)
    assert one["meters"]["hand_bonus"]["main"] == 0


@pytest.mark.parametrize(
    ("reading", "player_paid", "dealer_paid", "order"),
    [
        ({}, 100_000, 900_000, ["hand_bonus_player", "hand_bonus_dealer"]),
        ({"hand_bonus_first": "dealer"}, 0, 1_000_000, ["hand_bonus_dealer", "hand_bonus_player"]),
    ],
)
def test_641a_11c7_two_hits_on_one_meter(
    reading: Json, player_paid: int, dealer_paid: int, order: list[str]
) -> None:
    """G1."""
    made = {"ante": 100, "hand_bonus_player": 100, "hand_bonus_dealer": 100}
    seats = [seat(2, "5s 6s 7s 8s 9s", made, {"play": 100})]
    meters = {"hand_bonus": {"main": 1_000_000}}
    result = outcome("pa641a", seats, dealer=ROYAL_H + " 2c", meters=meters, readings=reading)
    assert line(result, 2, "hand_bonus_player")["paid"] == player_paid
    assert line(result, 2, "hand_bonus_dealer")["paid"] == dealer_paid
    assert wagers(result, 2)[-2:] == order


def test_641a_11b_unlisted_wagers_of_a_folder() -> None:
    """F1: settled, or forfeited by the other reading."""
    made = {"ante": 100, "bad_beat": 100, "hand_bonus_player": 100}
    seats = [seat(1, "2h 5h 9h Jh Kh", made, FOLD)]
    alive = outcome("pa641a", seats, dealer="5s 6s 7s 8s Kd 2c")
    assert paid(alive, 1, "bad_beat") == ("win", "flush", 2_500)
    assert paid(alive, 1, "hand_bonus_player") == ("win", "flush", 4_900)
    reading = {"fold_unlisted": "forfeit"}
    lost = outcome("pa641a", seats, dealer="5s 6s 7s 8s Kd 2c", readings=reading)
    assert [row["result"] for row in lost["lines"]] == ["forfeit"] * 3


def test_641a_unknown_stakes_are_settled_as_odds() -> None:
    made = {"ante": None, "aces_up": None, "prog4": None, "hand_bonus_player": None}
    seats = [
        seat(1, FOUR_ACES, made, {"play": None}),
        seat(2, FOUR_KINGS, {"aces_up": None, "prog4": None}),
    ]
    meters = {"prog4": {"main": 777_777}}
    draws = {"magic_card": "As", "lucky": 2}
    result = outcome("pa641a", seats, dealer=LOW_DEALER, meters=meters, draws=draws, unit=500)
    texts = {wager: line(result, 1, wager).get("odds") for wager in wagers(result, 1)}
    assert texts == {
        "ante": "1 to 1",
        "play": "1 to 1",
        "ante_bonus": "25 to 1",
        "aces_up": "50 to 1",
        "prog4": "100% of meter",
        "envy:seat2": None,
        "hand_bonus_player": "500 for 1",
        "hand_bonus_player:magic_card": "20 for 1",
    }
    assert line(result, 1, "prog4")["paid"] is None
    assert line(result, 2, "prog4")["odds"] == "300 for 1"
    assert result["meters"] == {"prog4": {"main": 5_000 * 500}}
    assert paid(result, 1, "envy:seat2") == ("win", "four_of_a_kind", 5_000)


@pytest.mark.parametrize(("reading", "row"), [({}, "straight_flush"), ({"wheel5": "no"}, "flush")])
def test_641a_6d_ace_to_five(reading: Json, row: str) -> None:
    """R2."""
    seats = [seat(1, "Ah 2h 3h 4h 5h", {"aces_up": 100, "prog5": 100})]
    meters = {"prog5": {"main": 1_000_000}}
    result = outcome("pa641a", seats, dealer=LOW_DEALER, meters=meters, readings=reading)
    assert line(result, 1, "prog5")["row"] == row
    assert line(result, 1, "aces_up")["row"] == "straight_flush"


@pytest.mark.parametrize(
    ("player", "dealer"),
    [("3s 3d Ac 8h 7d", "9h 9d Kc 8c 2s 4s"), ("Ah 2d 3s 4c 9h", "5h 6d 7s 8c Jd Kd")],
)
def test_641a_6c_literal_tiebreak(player: str, dealer: str) -> None:
    """R3: a pair of 3s with an ace, and ace to four, win only to the letter of the text."""
    seats = [seat(1, player, {"ante": 100}, {"play": 100})]
    poker = outcome("pa641a", seats, dealer=dealer)
    assert line(poker, 1, "ante")["result"] == "lose"
    literal = outcome("pa641a", seats, dealer=dealer, readings={"tiebreak": "highest_card"})
    assert line(literal, 1, "ante")["result"] == "win"


def test_641a_6e1_six_card_royal_without_a_row_is_a_royal() -> None:
    """R7."""
    seats = [seat(1, "Ad Kd Qd Jd Td", {"ante": 100, "six_card": 100}, {"play": 100})]
    for letter, row in (("D", "royal_flush"), ("E", "six_card_royal_diamonds")):
        result = outcome("pa641a", seats, {"six_card": letter}, dealer=LOW_DEALER, six_card="9d")
        assert line(result, 1, "six_card")["row"] == row


@pytest.mark.parametrize(
    ("letter", "suit", "reading", "row", "net"),
    [
        ("A", "d", {}, "super_royal_diamonds", 100_000_000),
        ("A", "s", {}, "super_royal_other", 10_000_000),
        ("B", "d", {}, "super_royal_diamonds", 10_000_000),
        ("B", "s", {"md_super_royal_stake": "kept"}, "super_royal_other", 10_000_000 - 300),
    ],
)
def test_md_12h_super_royal(letter: str, suit: str, reading: Json, row: str, net: int) -> None:
    """M2."""
    cards = " ".join(rank + suit for rank in "AKQJT")
    made = {"ante": 100, "aces_up": 100, "six_card": 300}
    result = outcome(
        "md4cp",
        [seat(1, cards, made, FOLD)],
        {"six_card": letter},
        dealer="2c 3h 6c 8h Tc 7c",
        six_card=f"9{suit}",
        readings=reading,
    )
    assert paid(result, 1, "six_card") == ("win", row, net)


@pytest.mark.parametrize(
    ("reading", "envied"),
    [
        ({}, {"envy:seat1": 100_000, "envy:seat2": 30_000}),
        ({"md_envy_c": "royal"}, {"envy:seat3": 100_000, "envy:seat5": 30_000}),
    ],
)
def test_md_12f3_envy_of_paytable_c(reading: Json, envied: dict[str, int]) -> None:
    """M1: four aces and four of a kind as printed, royal and straight flush as meant."""
    seats = [
        seat(1, FOUR_ACES, {"aces_up": 100}),
        seat(2, "8s 8h 8d 8c 2d", {"aces_up": 100}),
        seat(3, "Ks Qs Js Ts 9s", {"aces_up": 100}),
        seat(4, "2s 4d 7h Jc Qd", {"aces_up": 100, "progressive": 100}),
        seat(5, "2h 3h 4h 5h 6h", {"aces_up": 100}),
    ]
    if reading:
        seats[0]["cards"], seats[2]["cards"] = ["Ah", "Ad", "3s", "5d", "9d"], ROYAL_S.split()
    letters, dealer = {"progressive": "C"}, "3c 5s 6c 7s Td 6d"
    result = outcome("md4cp", seats, letters, dealer=dealer, readings=reading)
    got = {row["wager"]: row["paid"] for row in result["lines"] if "envy" in row["wager"]}
    assert got == envied


def test_md_12d_letters_c_to_f_pay_five_card_hands() -> None:
    """M3: a four-card straight flush is nothing to paytable F, four of a kind takes the minor."""
    seats = [
        seat(1, "5h 6h 7h 8h Kd", {"aces_up": 100, "progressive": 100}),
        seat(2, FOUR_ACES, {"aces_up": 100, "progressive": 100}),
    ]
    meters = {"progressive": {"mega": 9, "major": 8, "minor": 70_007}}
    result = outcome(
        "md4cp",
        seats,
        {"progressive": "F"},
        dealer=LOW_DEALER,
        meters=meters,
        reset={"mega": 1_000_000, "major": 100_000, "minor": 25_003},
    )
    assert paid(result, 1, "progressive") == ("lose", None, -100)
    assert paid(result, 2, "progressive") == ("win", "four_of_a_kind", 70_007 - 100)
    assert result["meters"] == {"progressive": {"mega": 9, "major": 8, "minor": 25_003}}
