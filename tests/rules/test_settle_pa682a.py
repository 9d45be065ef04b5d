"""682a.11(b) to (e) and 682a.12(g), settled paragraph by paragraph."""

from __future__ import annotations

import pytest

from sabot.rules.settlement.round_settlement import MissingError

from .table_talk import FORFEIT, LOST, Json, Told, returned, seat, settle, won

NOTHING, DEALERS_KINGS = "2d 4h 6s 8c Jd 3c", "Ks Kh Kd Kc 7h 8c"
ACES, TRIPS, FOUR_ACES = "As Ad 9c 7h 2s", "9s 9d 9c 3h 8s", "As Ah Ad Ac 9d"

# ---------------------------------------------------------------- 11(b): folds


def test_682a_11b_a_fold_forfeits_the_ante_and_no_optional_wager() -> None:
    folder = seat(1, "9h 9d 4h Kd 2c", ante=1000, prime=100, aces_bonus=200, all_six=300, fold=True)
    told = settle("pa682a", folder, all_six="9s")
    assert (told[1, "ante"], told.cite(1, "ante")) == (FORFEIT, "682a.11(b)")
    assert told[1, "prime"] == won(100, "four_same_color", back=100)
    assert told[1, "aces_bonus"] == LOST
    assert told[1, "all_six"] == won(1500, "three_of_a_kind", back=300)


# ---------------------------------------------------------------- 11(d): Ante and Raise


def test_682a_11d_from_the_dealers_right_in_the_chapters_order() -> None:
    told = settle(
        "pa682a",
        seat(2, TRIPS, ante=100, prime=100, aces_bonus=100, all_six=100, play=100),
        seat(5, "As Ad 7c 6h 2s", ante=100, play=100),
        dealer=NOTHING,
        all_six="5h",
    )
    assert told.outcome["settle_order"] == [5, 2]
    assert told.wagers(2) == ["ante", "raise", "win_bonus", "prime", "aces_bonus", "all_six"]


@pytest.mark.parametrize("cards", ["Ts Td Kc 4h 2s", "Ts Td 5c 6h 2s"])
def test_682a_11d2i_a_higher_hand_and_a_tie_win(cards: str) -> None:
    """P7."""
    told = settle("pa682a", seat(1, cards, ante=1000, play=2000), dealer="Th Tc 2c 3d 5s 6c")
    assert (told[1, "ante"], told[1, "raise"]) == (won(1000, back=1000), won(2000, back=2000))


def test_682a_11d2iia_a_lower_hand_under_three_of_a_kind_loses_both() -> None:
    told = settle("pa682a", seat(1, ACES, ante=1000, play=3000), dealer="Ts Th Tc 2h 2d 4d")
    for wager in ("ante", "raise"):
        assert (told[1, wager], told.cite(1, wager)) == (LOST, "682a.11(d)(2)(ii)(A)")


def test_682a_11d2iib_three_of_a_kind_beaten() -> None:
    """P15."""
    told = settle("pa682a", seat(1, TRIPS, ante=1000, play=3000), dealer=DEALERS_KINGS[:-3] + " 2c")
    assert told.wagers(1) == ["ante", "raise", "bad_beat"]
    assert (told[1, "ante"], told[1, "raise"]) == (returned(1000), LOST)
    assert told[1, "bad_beat"] == won(2000, "three_of_a_kind")


@pytest.mark.parametrize(("reading", "paid"), [("yes", True), ("no", False)])
def test_682a_11d2i_the_win_bonus_on_a_tie(reading: str, paid: bool) -> None:
    """P3: only equal straight flushes can tie."""
    told = settle(
        "pa682a",
        seat(1, "5d 6d 7d 8d 2s", ante=1000, play=1000),
        dealer="5c 6c 7c 8c 2h Kd",
        readings={"win_bonus_tie": reading},
    )
    assert told[1, "ante"] == won(1000, back=1000)
    assert told.has(1, "win_bonus") is paid
    assert told.readings["win_bonus_tie"] == reading
    assert ("win_bonus_for" in told.readings) is paid


def test_682a_1_the_tie_is_not_read_on_a_win() -> None:
    told = settle("pa682a", seat(1, TRIPS, ante=1000, play=1000), dealer=NOTHING)
    assert told.readings == {"win_bonus_for": "in_full"}


@pytest.mark.parametrize(
    ("reading", "cards", "paid"),
    [
        ("in_full", FOUR_ACES, 25_000),
        ("less_one", FOUR_ACES, 24_000),
        ("in_full", "5d 6d 7d 8d 2s", 20_000),
        ("less_one", "5d 6d 7d 8d 2s", 19_000),
        ("in_full", TRIPS, 2_000),
        ("less_one", TRIPS, 1_000),
    ],
)
def test_682a_12b_25_for_1_of_a_bonus_without_a_stake(reading: str, cards: str, paid: int) -> None:
    """P4."""
    told = settle(
        "pa682a",
        seat(1, cards, ante=1000, play=1000),
        dealer="2c 4h 6s 8c Jd 3c",
        readings={"win_bonus_for": reading},
    )
    assert told[1, "win_bonus"][1] == paid
    assert told.readings == {"win_bonus_for": reading}


def test_682a_12b_a_win_bonus_on_an_ante_of_unknown_value() -> None:
    player = seat(1, TRIPS, ante=None, play=None)
    full = settle("pa682a", player, dealer=NOTHING).line(1, "win_bonus")
    less = settle("pa682a", player, dealer=NOTHING, readings={"win_bonus_for": "less_one"}).line(
        1, "win_bonus"
    )
    assert (full["odds"], less["odds"]) == ("2 for 1", "1 to 1")


@pytest.mark.parametrize(("reading", "result"), [("poker", "lose"), ("highest_card", "win")])
def test_682a_6c_a_pair_of_threes_with_an_ace(reading: str, result: str) -> None:
    """R3."""
    threes = seat(1, "3s 3h Ad 7c 2d", ante=1000, play=1000)
    told = settle("pa682a", threes, dealer="9s 9h Kd 6s 4c 2h", readings={"tiebreak": reading})
    assert told[1, "ante"][0] == result
    assert told.readings == {"tiebreak": reading}


# ---------------------------------------------------------------- 11(e): optional wagers


def test_682a_11e1_all_five_of_a_color_pay_their_own_row_only() -> None:
    """R16."""
    told = settle("pa682a", seat(1, "9h 9d 4h Kd 2d", ante=100, prime=100, fold=True))
    assert told.wagers(1) == ["ante", "prime"]
    assert told[1, "prime"] == won(600, "five_same_color", back=100)


@pytest.mark.parametrize(
    ("reading", "result"), [("five", LOST), ("four", won(50_00, "royal_flush", back=100))]
)
def test_682a_11e2_the_aces_bonus_of_four_cards(reading: str, result: object) -> None:
    """R1: named where it decides."""
    player = seat(1, "As Ks Qs Js 2d", ante=100, aces_bonus=100, fold=True)
    told = settle("pa682a", player, readings={"aces_bonus": reading})
    assert told[1, "aces_bonus"] == result
    assert told.readings == {"aces_bonus": reading}


def test_682a_11e2_the_aces_bonus_is_not_read_where_both_answers_agree() -> None:
    for cards in (ACES, FOUR_ACES, "2c 4h 6s 8c Jd"):
        assert settle("pa682a", seat(1, cards, ante=100, aces_bonus=100, fold=True)).readings == {}


@pytest.mark.parametrize(("reading", "row"), [("yes", "straight"), ("no", None)])
def test_682a_6d8_a_straight_with_a_low_ace(reading: str, row: str | None) -> None:
    """R2 (and R1: of four cards it is one in any case)."""
    player = seat(1, "As 2h 3d 4c 5s", ante=100, aces_bonus=100, fold=True)
    told = settle("pa682a", player, readings={"wheel5": reading})
    assert told[1, "aces_bonus"][3] == row
    assert told.readings["wheel5"] == reading
    four = settle("pa682a", player, readings={"wheel5": reading, "aces_bonus": "four"})
    assert four[1, "aces_bonus"][3] == "straight"
    assert "wheel5" not in four.readings


def test_682a_11e3_one_all_six_card_for_all_players() -> None:
    """D17."""
    told = settle(
        "pa682a",
        seat(1, "9s 9d 4c 3h Ks", ante=100, all_six=100, fold=True),
        seat(2, ACES, ante=100, all_six=100, fold=True),
        all_six="9h",
    )
    assert (told[1, "all_six"][0], told[2, "all_six"]) == ("win", LOST)


def test_682a_11e3_without_the_card_it_cannot_be_settled() -> None:
    with pytest.raises(MissingError, match="all_six is not given, and seat 1 needs it"):
        settle("pa682a", seat(1, ACES, ante=100, all_six=100, fold=True))


# ---------------------------------------------------------------- 12(g): payout limit


def limited(limit: int, *seats: Json, reading: str = "bonuses", **given: object) -> Told:
    return settle("pa682a", *seats, payout_limit=limit, readings={"limit_682": reading}, **given)


ALL_BONUSES = seat(1, FOUR_ACES, ante=1000, prime=100, aces_bonus=100, all_six=100, play=3000)


def test_682a_12g_aces_bonus_and_all_six_are_cut_and_nothing_else() -> None:
    """L1, L2."""
    told = limited(52_000, ALL_BONUSES, dealer="2d 4h 6s 8c Jd 3c", all_six="2c")
    assert told[1, "ante"] == won(1000, back=1000)
    assert told[1, "raise"] == won(3000, back=3000)
    assert told[1, "win_bonus"] == won(25_000, "four_of_a_kind")
    assert told[1, "aces_bonus"] == won(50_000, "four_aces", back=100)
    assert told[1, "all_six"] == won(2_000, "four_of_a_kind", back=100)
    assert told.line(1, "all_six")["before_limit"] == 5_000
    assert told.readings == {"win_bonus_for": "in_full", "limit_682": "bonuses"}


def test_682a_12g_or_everything() -> None:
    """L1."""
    told = limited(52_000, ALL_BONUSES, reading="all", dealer="2d 4h 6s 8c Jd 3c", all_six="2c")
    assert told[1, "win_bonus"] == won(25_000, "four_of_a_kind")
    assert told[1, "aces_bonus"] == won(23_000, "four_aces", back=100)
    assert told[1, "all_six"] == won(0, "four_of_a_kind", back=100)
    assert told.readings["limit_682"] == "all"


def test_682a_12g_everything_is_each_of_seven_lines() -> None:
    """L1: with nothing left, nothing is paid but what the limit may not include."""
    every = seat(1, "Ah Ad Ac 3h 2d", ante=100, prime=100, aces_bonus=100, all_six=100, play=100)
    winner = limited(0, every, reading="all", dealer="2c 4h 6s 8c Jd 3c", all_six="As")
    assert {line["wager"]: line["paid"] for line in winner.lines} == dict.fromkeys(winner.wagers(1), 0)
    assert winner.wagers(1) == ["ante", "raise", "win_bonus", "prime", "aces_bonus", "all_six"]
    loser = limited(0, seat(1, TRIPS, ante=100, play=100), reading="all", dealer="Ks Kh Kd Kc 7h 8c")
    assert loser[1, "bad_beat"] == won(0, "three_of_a_kind")


def test_682a_12g_the_reading_is_not_named_where_the_limit_is_not_reached() -> None:
    told = limited(100_000, ALL_BONUSES, dealer="2d 4h 6s 8c Jd 3c", all_six="2c")
    assert "limit_682" not in told.readings


@pytest.mark.parametrize("suit", "dhsc")
@pytest.mark.parametrize("reading", ["bonuses", "all"])
def test_682a_12g_never_of_the_six_card_royal_of_paytable_e(reading: str, suit: str) -> None:
    """L6: both rows."""
    royal = seat(1, " ".join(f"{rank}{suit}" for rank in "AKQJT"), ante=100, all_six=100, fold=True)
    told = limited(50, royal, reading=reading, all_six=f"9{suit}", letters="all_six=E")
    assert told[1, "all_six"][1] == (200_000 if suit == "d" else 20_000) * 100
    assert told.readings == {}


@pytest.mark.parametrize("letter", "ABCD")
def test_682a_12g_but_of_one_that_pays_as_a_royal_flush(letter: str) -> None:
    royal = seat(1, "Ad Kd Qd Jd Td", ante=100, all_six=100, fold=True)
    told = limited(50, royal, all_six="9d", letters=f"all_six={letter}")
    assert told[1, "all_six"] == won(50, "royal_flush", back=100)


def test_682a_12g_two_boxes_of_one_player_share_it() -> None:
    """L4."""
    told = limited(
        600,
        seat(1, "9s 9d 4c 3h Ks", player="p", ante=100, all_six=100, fold=True),
        seat(2, "9c 8d 4h 3s Ad", player="p", ante=100, all_six=100, fold=True),
        seat(3, "7s 7d 4d 3c Kd", ante=100, all_six=100, fold=True),
        all_six="9h",
    )
    assert (told[1, "all_six"][1], told[2, "all_six"][0], told[3, "all_six"][0]) == (500, "lose", "lose")
    both = limited(
        600,
        seat(1, "9s 9d 4c 3h Ks", player="p", ante=100, all_six=100, fold=True),
        seat(2, "8c 8d 8h 3s Ad", player="p", ante=100, all_six=100, fold=True),
        all_six="9h",
    )
    assert (both[2, "all_six"][1], both[1, "all_six"][1]) == (500, 100)


# ---------------------------------------------------------------- 13(d): an exposed dealer's card

EXPOSED = seat(1, FOUR_ACES, ante=1000, prime=100, aces_bonus=100, play=1000)


@pytest.mark.parametrize("when", [None, "before_raise"])
def test_682a_13d_before_the_raises_ante_and_raise_go_back_and_the_rest_is_settled(when: str | None) -> None:
    """V2, V3."""
    irregularity = {"kind": "dealer_exposed"} | ({"when": when} if when else {})
    told = settle("pa682a", EXPOSED, dealer=NOTHING, irregularity=irregularity)
    assert told.void == "682a.13(d)"
    assert (told[1, "ante"], told[1, "raise"]) == (returned(1000), returned(1000))
    assert told[1, "aces_bonus"] == won(50_000, "four_aces", back=100)
    assert told[1, "prime"] == LOST
    assert told.hands == {"dealer": "high", "seat1": "four_of_a_kind"}


def test_682a_13d_after_the_raises_the_round_goes_on() -> None:
    """V3."""
    irregularity = {"kind": "dealer_exposed", "when": "after_raise"}
    told = settle("pa682a", EXPOSED, dealer=NOTHING, irregularity=irregularity)
    assert told.void is None
    assert told[1, "ante"] == won(1000, back=1000)
