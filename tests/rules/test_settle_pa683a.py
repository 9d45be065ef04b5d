"""683a.11(b) to (i) and 683a.12(f), settled paragraph by paragraph."""

from __future__ import annotations

import pytest

from sabot.rules.settlement.round_settlement import MissingError

from .table_talk import FORFEIT, LOST, Json, Told, returned, seat, settle, won

BOARD = "9c 7h 2s"  # nothing on the board
RAISES = ("raise1", "raise2", "raise3")

# ---------------------------------------------------------------- 11(b), (d), (f): folds


@pytest.mark.parametrize(
    ("raises", "cite"), [([], "683a.11(b)"), ([1000], "683a.11(d)"), ([1000, 3000], "683a.11(f)")]
)
def test_683a_11b_d_and_f_a_fold_forfeits_what_was_placed_so_far(raises: list[int], cite: str) -> None:
    told = settle("pa683a", seat(1, "As Ad", ante=1000, raises=raises, fold=True), community=BOARD)
    assert told.wagers(1) == ["ante", *RAISES[: len(raises)]]
    for wager in told.wagers(1):
        assert (told[1, wager], told.cite(1, wager)) == (FORFEIT, cite)


def test_683a_11b_but_no_optional_wager() -> None:
    """F9: folded players are settled in the same pass."""
    folder = seat(1, "As Ad", ante=100, pocket=100, board=100, lo_ball=100, all_six=100, fold=True)
    told = settle("pa683a", folder, community="9c 9h 2s", all_six="Ac Ah 3c 4d")
    assert told[1, "pocket"] == won(3000, "pair_of_aces", back=100)
    assert told[1, "board"] == won(100, "pair", back=100)
    assert told[1, "lo_ball"] == LOST
    assert told[1, "all_six"] == won(5000, "four_of_a_kind", back=100)


def test_683a_1_fold_without_any_raise() -> None:
    told = settle("pa683a", seat(1, "As Ad", ante=100, fold=True))
    assert told[1, "ante"] == FORFEIT


# ---------------------------------------------------------------- 11(h): Ante and Raises


def test_683a_11h_and_i_from_the_dealers_right_in_the_chapters_order() -> None:
    told = settle(
        "pa683a",
        seat(2, "Ks Kd", ante=100, pocket=100, board=100, lo_ball=100, all_six=100, raises=[100, 200, 300]),
        seat(5, "Ah 4d", ante=100, raises=[100, 100, 100]),
        community=BOARD,
        all_six="3c 4h 5h 8d",
    )
    assert told.outcome["settle_order"] == [5, 2]
    assert told.wagers(2) == ["ante", *RAISES, "pocket", "board", "lo_ball", "all_six"]
    assert told.hands == {"seat5": "high", "seat2": "pair"}


def test_683a_11h1_each_wager_is_paid_by_the_table_on_its_own_amount() -> None:
    told = settle("pa683a", seat(1, "7s 7d", ante=100, raises=[100, 200, 300]), community=BOARD)
    assert [told[1, wager] for wager in ("ante", *RAISES)] == [
        won(300, "three_of_a_kind", back=100),
        won(300, "three_of_a_kind", back=100),
        won(600, "three_of_a_kind", back=200),
        won(900, "three_of_a_kind", back=300),
    ]


def test_683a_11h1_a_pair_of_sixes_pushes() -> None:
    """P12."""
    told = settle("pa683a", seat(1, "6s 6d", ante=100, raises=[100, 100, 100]), community=BOARD)
    assert [told[1, wager][0] for wager in ("ante", *RAISES)] == ["push"] * 4


def test_683a_11h2_a_pair_of_fives_loses() -> None:
    told = settle("pa683a", seat(1, "5s 5d", ante=100, raises=[100, 100, 100]), community=BOARD)
    assert [told[1, wager] for wager in ("ante", *RAISES)] == [LOST] * 4


def test_683a_12a_three_to_two_on_odd_cents_is_cut_off_wager_by_wager() -> None:
    """P13."""
    told = settle(
        "pa683a", seat(1, "9s 7d", ante=101, raises=[101, 202, 303]), community=BOARD, letters="main=B"
    )
    assert [told[1, wager][1] for wager in ("ante", *RAISES)] == [151, 151, 303, 454]


def test_683a_12a_stakes_of_unknown_value() -> None:
    player = seat(1, "6s 6d", ante=None, raises=[None, 500, None])
    told = settle("pa683a", player, community=BOARD)
    assert [told.line(1, wager).get("odds") for wager in ("ante", *RAISES)] == ["push", "push", None, "push"]
    assert told[1, "raise2"] == ("push", 0, 500, "pair_6s_to_10s")


# ---------------------------------------------------------------- 11(i): optional wagers


def test_683a_11i1_the_pocket_is_the_players_two_cards() -> None:
    told = settle("pa683a", seat(1, "As Kd", ante=100, pocket=100, fold=True))
    assert told[1, "pocket"] == won(1000, "ace_face_unsuited", back=100)


def test_683a_11i2_the_board_is_the_three_community_cards() -> None:
    with pytest.raises(MissingError, match="community is not given, and seat 1 needs it"):
        settle("pa683a", seat(1, "As Kd", ante=100, board=100, fold=True))


@pytest.mark.parametrize(("reading", "result"), [("any", won(100, "pair", back=100)), ("aces", LOST)])
def test_683a_7d3_a_pair_on_the_board(reading: str, result: object) -> None:
    """P5: named where it decides."""
    player = seat(1, "As Kd", ante=100, board=100, fold=True)
    told = settle("pa683a", player, community="9c 9h 2s", readings={"board_pair": reading})
    assert told[1, "board"] == result
    assert told.readings == {"board_pair": reading}


@pytest.mark.parametrize("board", ["Ac Ah 2s", "9c 7h 2s", "9c 9h 9s", "9c 7c 2c"])
def test_683a_7d3_is_not_read_on_a_pair_of_aces_or_without_a_pair(board: str) -> None:
    told = settle("pa683a", seat(1, "5s Kd", ante=100, board=100, fold=True), community=board)
    assert told.readings == {}


def test_683a_11i3_lo_ball_is_all_five_cards() -> None:
    told = settle("pa683a", seat(1, "8s 3d", ante=100, lo_ball=100, fold=True), community="4c 7h 2s")
    assert told[1, "lo_ball"] == won(5000, "high_8", back=100)


@pytest.mark.parametrize(
    ("letter", "result"), [("A", ("lose", 0, 0, "high_queen")), ("B", ("push", 0, 100, "high_queen"))]
)
def test_683a_11i3_queen_high_by_paytable(letter: str, result: object) -> None:
    """R13."""
    player = seat(1, "Qs 3d", ante=100, lo_ball=100, fold=True)
    told = settle("pa683a", player, community="4c 7h 2s", letters=f"lo_ball={letter}")
    assert told[1, "lo_ball"] == result


def test_683a_11i4_four_cards_for_all_players() -> None:
    """D17."""
    told = settle(
        "pa683a",
        seat(1, "9s 9d", ante=100, all_six=100, fold=True),
        seat(2, "As 8d", ante=100, all_six=100, fold=True),
        all_six="9h 3c 4d 7s",
    )
    assert told[1, "all_six"] == won(500, "three_of_a_kind", back=100)
    assert told[2, "all_six"] == LOST


# ---------------------------------------------------------------- 12(f): payout limit


def limited(limit: int, *seats: Json, **given: object) -> Told:
    return settle("pa683a", *seats, payout_limit=limit, **{"community": BOARD, **given})


def test_683a_12f_ante_and_raises_are_cut_in_their_order() -> None:
    """L2, L3."""
    told = limited(700, seat(1, "7s 7d", ante=100, raises=[100, 100, 100]))
    assert [told[1, wager][1] for wager in ("ante", *RAISES)] == [300, 300, 100, 0]
    assert told.line(1, "raise3")["before_limit"] == 300
    assert told[1, "raise3"][2] == 100


def test_683a_12f_and_no_optional_wager() -> None:
    player = seat(1, "7s 7d", ante=100, pocket=100, board=100, lo_ball=100, all_six=100, raises=[100] * 3)
    told = limited(0, player, community="9c 9h 2s", all_six="7c 3c 4d 8s")
    assert told[1, "ante"][1] == 0
    assert told[1, "pocket"] == won(500, "pair_2s_to_kings", back=100)
    assert told[1, "board"] == won(100, "pair", back=100)
    assert told[1, "all_six"] == won(500, "three_of_a_kind", back=100)


def test_683a_12f_two_boxes_of_one_player_share_it() -> None:
    """L4."""
    told = limited(
        1300,
        seat(1, "7s 7d", player="p", ante=100, raises=[100, 100, 100]),
        seat(2, "9s 9d", player="p", ante=100, raises=[100, 100, 100]),
    )
    assert sum(told[number, wager][1] or 0 for number in (1, 2) for wager in ("ante", *RAISES)) == 1300
    assert told[1, "ante"][1] == 100


# ---------------------------------------------------------------- 13(d): an exposed community card


@pytest.mark.parametrize("when", [None, "before_raise", "after_raise"])
def test_683a_13d_ante_and_raises_go_back_and_the_four_others_are_settled(when: str | None) -> None:
    """V4."""
    player = seat(
        1, "Ah Kh", ante=100, pocket=100, board=100, lo_ball=100, all_six=100, raises=[100, 200, 300]
    )
    irregularity = {"kind": "community_exposed"} | ({"when": when} if when else {})
    told = settle("pa683a", player, community="9c 9d 2s", all_six="Ad Ks 3c 4c", irregularity=irregularity)
    assert told.void == "683a.13(d)"
    assert [told[1, wager] for wager in ("ante", *RAISES)] == [returned(n) for n in (100, 100, 200, 300)]
    assert told[1, "pocket"] == won(2000, "ace_face_suited", back=100)
    assert told[1, "board"] == won(100, "pair", back=100)
    assert (told[1, "lo_ball"], told[1, "all_six"]) == (LOST, LOST)
    assert told.hands == {"seat1": "pair"}


def test_683a_13d_before_any_decision() -> None:
    """V5: nobody was asked."""
    player = seat(1, "Ah Kh", ante=100, pocket=100)
    told = settle("pa683a", player, community="9c 9d 2s", irregularity={"kind": "community_exposed"})
    assert told.wagers(1) == ["ante", "pocket"]
    assert (told[1, "ante"], told[1, "pocket"][0]) == (returned(100), "win")
