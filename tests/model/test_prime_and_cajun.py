"""679a, 682a and 683a by paragraph, where the worked rounds are silent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .builders import FOLD, line, outcome, paid, seat, wagers

if TYPE_CHECKING:
    from .game import Json

LOW_DEALER = "2c 3s 6c 8s Td 7d"  # nothing, ten high
FOUR_TWOS = "2s 2h 2d 2c 9c Jd"
ROYAL_SIX = "9d"


@pytest.mark.parametrize(
    ("letter", "player", "dealer", "row", "net"),
    [
        ("A", "5h 6h 7h", "8s 9s Ts", "bad_beat:straight_flush", 1_200),
        ("B", "5h 5s 5c", "8s 9s Ts", "bad_beat:three_of_a_kind", 1_000),
        ("C", "5h 6s 7c", "8s 9d Ts", "bad_beat:straight", 200),
        ("D", "Ah Jh 4h", "8s 9d Ts", "bad_beat:flush", 100),
        ("C", "Ah Jh 4h", "8s 9d Ts", None, -100),
        ("B", "Ah As 4h", "8s 9d Ts", None, -100),
    ],
)
def test_679a_12c_bad_beat(
    letter: str,
    player: str,
    dealer: str,
    row: str | None,
    net: int,
) -> None:
    """P2: the ante is lost, the play wager stays with the player."""
    seats = [seat(1, player, {"ante": 100}, {"play": 100})]
    result = outcome("pa679a", seats, {"bad_beat": letter}, dealer=dealer)
    assert paid(result, 1, "ante") == ("lose", None, -100)
    assert paid(result, 1, "play") == ("win" if row else "lose", row, net)
    paragraph = "(iv)" if row else "(iii)"
    assert line(result, 1, "ante")["cite"] == f"679a.11(c)(3){paragraph}"


def test_679a_12c_bad_beat_with_the_play_wager_kept() -> None:
    """P2: "Flush 1 to 1" is then an even result."""
    seats = [seat(1, "Ah Jh 4h", {"ante": 100}, {"play": 100})]
    reading = {"bad_beat_play": "kept"}
    result = outcome("pa679a", seats, {"bad_beat": "D"}, dealer="8s 9d Ts", readings=reading)
    assert paid(result, 1, "play") == ("win", "bad_beat:flush", 0)
    assert line(result, 1, "play")["back"] == 0


@pytest.mark.parametrize(
    ("how", "card", "row_net", "table"),
    [
        ("own", "2h", 10_000, "679a.12(f)"),
        ("own", "3h", 5_000, "679a.12(e)"),
        ("community", "2h", 10_000, "679a.12(f)"),
        ("community", "Kh", 5_000, "679a.12(e)"),
    ],
)
def test_679a_11d2_the_extra_card_picks_the_table(
    how: str,
    card: str,
    row_net: int,
    table: str,
) -> None:
    own: Json = {"fourth": card} if how == "own" else {}
    shared: Json = {"pair_bonus_card": card} if how == "community" else {}
    seats = [seat(1, "As Ks Qs", {"ante": 100, "pair_bonus": 100}, FOLD, **own)]
    result = outcome("pa679a", seats, dealer="8s 9d Ts", pair_card_is=how, **shared)
    assert paid(result, 1, "pair_bonus") == ("win", "mini_royal", row_net)
    assert line(result, 1, "pair_bonus")["cite"] == f"679a.11(d)(2), {table}"


def test_679a_12h_limit_leaves_the_bad_beat_alone() -> None:
    """L1: subsections (a) and (b) only, over both boxes of a player (L4)."""
    seats = [
        seat(1, "5h 5s 5c", {"ante": 100}, {"play": 100}, player="p"),
        seat(2, "As Ks Qs", {"ante": 100, "prime": 100}, {"play": 100}, player="p"),
        seat(3, "Ah Kh Qh", {"ante": 100}, {"play": 100}),
    ]
    result = outcome("pa679a", seats, dealer="8s 9s Ts", limit=650)
    assert [paid(result, 2, wager)[2] for wager in ("ante", "play", "prime")] == [100, 550, 400]
    assert [paid(result, 3, wager)[2] for wager in ("ante", "play")] == [100, 550]
    assert paid(result, 1, "play") == ("win", "bad_beat:three_of_a_kind", 1_000)


@pytest.mark.parametrize(
    ("letter", "player", "dealer", "row", "paid_on_ante"),
    [
        ("D", "9h 9d 9s 4h Kd", FOUR_TWOS, "three_of_a_kind", 1_000),
        ("B", "5h 6h 7h 8h Kd", FOUR_TWOS, "straight_flush", 4_000),
        ("A", "2s 2h 2d 2c 9c", "3s 3h 3d 3c 9d Jd", "four_of_a_kind", 2_500),
    ],
)
def test_682a_11d2ii_bad_beat(
    letter: str,
    player: str,
    dealer: str,
    row: str,
    paid_on_ante: int,
) -> None:
    """P15: raise lost, ante back, bonus on the ante."""
    seats = [seat(1, player, {"ante": 100}, {"play": 300})]
    result = outcome("pa682a", seats, {"bad_beat": letter}, dealer=dealer)
    assert paid(result, 1, "ante") == ("returned", None, 0)
    assert paid(result, 1, "raise") == ("lose", None, -300)
    assert paid(result, 1, "bad_beat") == ("win", row, paid_on_ante)
    assert wagers(result, 1) == ["ante", "raise", "bad_beat"]


@pytest.mark.parametrize(
    ("reading", "dealer", "bonus"),
    [
        ({}, LOW_DEALER, 2_000),
        ({"win_bonus_for": "less_one"}, LOW_DEALER, 1_900),
        ({}, "5s 6s 7s 8s Kc 2d", 2_000),
        ({"win_bonus_tie": "no"}, "5s 6s 7s 8s Kc 2d", None),
        ({"win_bonus_tie": "no"}, LOW_DEALER, 2_000),
    ],
)
def test_682a_12b_win_bonus(reading: Json, dealer: str, bonus: int | None) -> None:
    """P3, P4: a tie of two straight flushes, and "20 for 1"."""
    seats = [seat(1, "5h 6h 7h 8h Kd", {"ante": 100}, {"play": 300})]
    result = outcome("pa682a", seats, dealer=dealer, readings=reading)
    assert paid(result, 1, "raise") == ("win", "win", 300)
    got = [row["paid"] for row in result["lines"] if row["wager"] == "win_bonus"]
    assert got == ([] if bonus is None else [bonus])


@pytest.mark.parametrize(
    ("cards", "five", "four"),
    [
        ("Ah Kh Qh Jh 2c", None, "royal_flush"),
        ("Ah 2h 3h 4h 9c", None, "straight_flush"),
        ("2h 5h 9h Jh Kc", None, "flush"),
        ("4h 5c 6d 7s Kc", None, "straight"),
        ("Ah As 2d 3c 4h", "two_aces", "straight"),
        ("Ah Kh Qh Jh Th", "royal_flush", "royal_flush"),
        ("Ah 2h 3d 4h 5h", "straight", "flush"),
        ("Ah As Ad Kc Kd", "three_aces", "three_aces"),
        ("Ah As 9d 9c Kd", "two_pair", "two_pair"),
        ("Kh Ks 9d 4c 2d", None, None),
    ],
)
def test_682a_6d_aces_bonus_with_five_or_four_cards(
    cards: str,
    five: str | None,
    four: str | None,
) -> None:
    """R1, R6."""
    seats = [seat(1, cards, {"ante": 100, "aces_bonus": 100}, FOLD)]
    by_text = outcome("pa682a", seats, dealer="2c 3s 6c 8s Td 7d")
    by_four = outcome("pa682a", seats, dealer=LOW_DEALER, readings={"aces_bonus": "four"})
    assert line(by_text, 1, "aces_bonus")["row"] == five
    assert line(by_four, 1, "aces_bonus")["row"] == four


def test_682a_6d_ace_to_five_under_the_other_reading() -> None:
    """R2 concerns five cards only: A-2-3-4 is named by 682a.6(a)."""
    seats = [seat(1, "Ah 2h 3d 4h 5h", {"ante": 100, "aces_bonus": 100}, FOLD)]
    for more, row in (({}, None), ({"aces_bonus": "four"}, "flush")):
        reading = {"wheel5": "no"} | more
        result = outcome("pa682a", seats, dealer=LOW_DEALER, readings=reading)
        assert line(result, 1, "aces_bonus")["row"] == row


def royal_of_diamonds_at_682a(**more: Any) -> Json:
    made = {"ante": 100, "prime": 100, "aces_bonus": 100, "all_six": 100}
    seats = [
        seat(1, "Ad Kd Qd Jd Td", made, {"play": 300}, player="p"),
        seat(2, "7s 7h 7c 7d 4s", {"ante": 100, "aces_bonus": 100}, {"play": 100}, player="p"),
    ]
    dealer = "2c 3s 6c 8s Tc 3c"
    return outcome("pa682a", seats, dealer=dealer, all_six=ROYAL_SIX, limit=12_000, **more)


def test_682a_12g_limit_leaves_out_the_six_card_royal_of_e() -> None:
    """L1: Aces Bonus and All-Six share the limit, the E royal neither uses it nor is cut."""
    result = royal_of_diamonds_at_682a(letters={"all_six": "E"})
    assert paid(result, 2, "aces_bonus")[2] == 10_000
    assert paid(result, 1, "aces_bonus") == ("win", "royal_flush", 2_000)
    assert paid(result, 1, "all_six") == ("win", "six_card_royal_diamonds", 20_000_000)
    assert paid(result, 1, "prime") == ("win", "five_same_color", 600)
    assert paid(result, 1, "win_bonus") == ("win", "straight_flush", 2_000)


def test_682a_12g_a_royal_by_another_paytable_is_cut() -> None:
    result = royal_of_diamonds_at_682a()
    assert paid(result, 1, "all_six") == ("win", "royal_flush", 0)
    assert line(result, 1, "all_six")["back"] == 100


def test_682a_12g_aggregate_of_everything() -> None:
    """L1, `limit_682=all`: 100 + 100 + 2,500 + 9,300 at seat 2 leave nothing for seat 1."""
    result = royal_of_diamonds_at_682a(letters={"all_six": "E"}, readings={"limit_682": "all"})
    assert paid(result, 2, "win_bonus") == ("win", "four_of_a_kind", 2_500)
    assert paid(result, 2, "aces_bonus")[2] == 12_000 - 2_700
    assert [paid(result, 1, wager)[2] for wager in ("ante", "raise", "prime")] == [0, 0, 0]
    assert paid(result, 1, "all_six") == ("win", "six_card_royal_diamonds", 20_000_000)


def test_682a_unknown_stakes() -> None:
    seats = [
        seat(1, "5h 6h 7h 8h Kd", {"ante": None, "prime": 100}, {"play": None}),
        seat(2, "9h 9d 9s 4h Ks", {"ante": None}, {"play": None}),
    ]
    result = outcome("pa682a", seats, dealer="Ts Th Td 4c 5c Jd", limit=1)
    assert line(result, 1, "win_bonus")["odds"] == "20 for 1"
    assert line(result, 2, "bad_beat")["odds"] == "2 to 1"
    assert line(result, 2, "ante")["odds"] is None
    assert line(result, 2, "raise")["odds"] is None
    assert paid(result, 1, "prime") == ("win", "five_same_color", 600)


@pytest.mark.parametrize(
    ("cards", "row", "net"),
    [
        ("Jh Jd", "pair_jacks_or_better", 200),
        ("Th Td", "pair_6s_to_10s", 0),
        ("6h 6d", "pair_6s_to_10s", 0),
        ("5h 5d", None, -200),
        ("Ah Qd", None, -200),
    ],
)
def test_683a_12a_pairs(cards: str, row: str | None, net: int) -> None:
    seats = [seat(1, cards, {"ante": 100}, {"raises": [100, 200, 300]})]
    result = outcome("pa683a", seats, community="2s 4c 9h")
    assert (line(result, 1, "raise2")["row"], line(result, 1, "raise2")["net"]) == (row, net)


def test_683a_12f_limit_on_ante_and_raises_in_turn() -> None:
    """L2: wager by wager; optional wagers are outside."""
    made = {"ante": 100, "pocket": 100}
    seats = [seat(1, "Ah As", made, {"raises": [100, 200, 300]})]
    result = outcome("pa683a", seats, community="2s 2c 9h", limit=450)
    nets = [line(result, 1, name)["net"] for name in ("ante", "raise1", "raise2", "raise3")]
    assert nets == [200, 200, 50, 0]
    assert paid(result, 1, "pocket") == ("win", "pair_of_aces", 3_000)


@pytest.mark.parametrize(
    ("reading", "community", "row"),
    [
        ({}, "2s 2c 9h", "pair"),
        ({"board_pair": "aces"}, "2s 2c 9h", None),
        ({"board_pair": "aces"}, "As Ac 9h", "pair"),
        ({"board_pair": "aces"}, "2s 7s 9s", "flush"),
    ],
)
def test_683a_11i2_board_pair(reading: Json, community: str, row: str | None) -> None:
    """P5."""
    seats = [seat(1, "Jh Td", {"ante": 100, "board": 100}, {"raises": [], "fold": True})]
    result = outcome("pa683a", seats, community=community, readings=reading)
    assert line(result, 1, "board")["row"] == row


@pytest.mark.parametrize(
    ("letter", "community", "expected"),
    [
        ("A", "4h 6c Qd", ("lose", "high_queen", -100)),
        ("B", "4h 6c Qd", ("push", "high_queen", 0)),
        ("B", "4h 6c Kd", ("lose", None, -100)),
        ("B", "4h 6c Ad", ("lose", None, -100)),
        ("A", "4h 5c 7d", ("win", "high_7", 10_000)),
        ("A", "4h 5c 6d", ("lose", None, -100)),  # 2-3-4-5-6 is a straight
        ("A", "4h 5c Ad", ("lose", None, -100)),  # A-2-3-4-5 too
    ],
)
def test_683a_12d_lo_ball(letter: str, community: str, expected: tuple[str, str, int]) -> None:
    """R13: paytable A names the loss of a queen high."""
    seats = [seat(1, "2s 3d", {"ante": 100, "lo_ball": 100}, {"raises": [], "fold": True})]
    result = outcome("pa683a", seats, {"lo_ball": letter}, community=community)
    assert paid(result, 1, "lo_ball") == expected


def test_683a_unknown_stakes() -> None:
    seats = [
        seat(1, "9s Kd", {"ante": None, "pocket": 100}, {"raises": [None, None, None]}),
        seat(2, "7s 7d", {"ante": None}, {"raises": [None, None, None]}),
    ]
    result = outcome("pa683a", seats, {"main": "B"}, community="9h Kc 4d")
    assert line(result, 1, "raise3") == {
        "seat": 1,
        "wager": "raise3",
        "stake": None,
        "result": "win",
        "paid": None,
        "back": None,
        "net": None,
        "odds": "3 to 2",
        "row": "two_pair",
        "cite": "683a.11(h)(1), 683a.12(a)",
    }
    assert line(result, 2, "ante")["odds"] == "push"
    assert paid(result, 1, "pocket") == ("lose", None, -100)
