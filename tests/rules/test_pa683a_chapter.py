"""Chapter 683a (as proposed) beside its file: every list, order and option that no payout shows."""

from __future__ import annotations

import pytest

from sabot.rules.json_fields import RoundError
from sabot.rules.paytables import Under

from . import on_file
from .table_talk import law, seat, settle

FIVE_CARDS = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"


def test_683a_6_rankings_highest_first() -> None:
    assert on_file.rankings("pa683a") == {
        "five_card": ("683a.6(b)", 5, True, f"{FIVE_CARDS} two_pair pair"),
        "pocket": ("683a.6(c)", 2, False, "pair flush"),
        "board": ("683a.6(d)", 3, True, "mini_royal straight_flush three_of_a_kind straight flush pair"),
        "six_card": ("683a.6(e)", 5, True, f"six_card_royal {FIVE_CARDS}"),
    }


def test_683a_7d_the_wagers_and_what_each_needs() -> None:
    assert on_file.wagers("pa683a") == {
        "ante": ("Ante", "683a.7(d)(1)", "always", ""),
        "raise1": ("First Raise", "683a.7(d)(1), 683a.11(b)", "always", ""),
        "raise2": ("Second Raise", "683a.7(d)(1), 683a.11(d)", "always", ""),
        "raise3": ("Third Raise", "683a.7(d)(1), 683a.11(f)", "always", ""),
        "pocket": ("Pocket Bonus", "683a.7(d)(2)", "submission", "ante"),
        "board": ("Board Bonus", "683a.7(d)(3)", "submission", "ante"),
        "lo_ball": ("Lo Ball", "683a.7(d)(4)", "submission", "ante"),
        "all_six": ("All-Six Bonus", "683a.7(d)(5)", "submission", "ante"),
    }
    assert on_file.devices("pa683a") == {}


def test_683a_7c_all_but_the_raises_are_placed_before_the_deal() -> None:
    assert on_file.before_the_deal("pa683a") == ["ante", "pocket", "board", "lo_ball", "all_six"]


def test_683a_7d1_each_raise_is_one_two_or_three_times_the_ante() -> None:
    each = ("ante", 1, 3, "whole")
    assert on_file.second_wagers("pa683a") == {"raise1": each, "raise2": each, "raise3": each}


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("raised", [999, 1001, 1500, 4000])
def test_683a_7d1_and_nothing_else(place: int, raised: int) -> None:
    raises = [1000, 2000, 3000]
    raises[place] = raised
    bound = (
        rf"decision raise{place + 1}: is {raised}, expected 1 to 3 times the Ante of 1000 in whole multiples"
    )
    with pytest.raises(RoundError, match=bound):
        settle("pa683a", seat(1, "As Ad", ante=1000, raises=raises), community="9c 7h 2s")


@pytest.mark.parametrize("wager", ["pocket", "board", "lo_ball", "all_six"])
def test_683a_7d2_to_5_beside_an_ante(wager: str) -> None:
    with pytest.raises(RoundError, match="without Ante"):
        settle("pa683a", seat(1, "As Ad", **{wager: 500}))


def test_683a_8c_cards_at_each_place() -> None:
    assert on_file.hand_sizes("pa683a") == {"player": 2, "community": 3, "all_six": 4}
    assert law("pa683a").hands.cite == "683a.8(c)"


def test_683a_11bdf_a_fold_keeps_every_optional_wager() -> None:
    kept = ("kept", "683a.11(b), (d), (f)")
    assert on_file.folds("pa683a") == dict.fromkeys(("pocket", "board", "lo_ball", "all_six"), kept)


def test_683a_11h_and_i_the_order_of_settlement() -> None:
    chapter = law("pa683a")
    assert chapter.order == ("ante", "raise1", "raise2", "raise3", "pocket", "board", "lo_ball", "all_six")
    assert (chapter.order_cite, chapter.abandoned_cite) == ("683a.11(h)-(i)", "683a.7(b)")
    assert chapter.swap is None


def test_683a_11h_the_contest_with_the_paytable() -> None:
    assert on_file.contest("pa683a") == {
        "cite": "683a.11(h)",
        "against": "paytable",
        "ranking": "five_card",
        "cards": "own community",
        "wagers": "ante raise1 raise2 raise3",
        "forfeit": ("683a.11(b)", "683a.11(d)", "683a.11(f)"),
    }
    every = ("ante", "raise1", "raise2", "raise3")
    assert on_file.results("pa683a") == {
        "win": dict.fromkeys(every, "main by 683a.11(h)(1), 683a.12(a)"),
        "lose": dict.fromkeys(every, "loss by 683a.11(h)(2), 683a.12(a)"),
    }


def test_683a_11i_what_each_wager_goes_by() -> None:
    assert on_file.settled("pa683a") == {
        "pocket": ("683a.11(i)(1), 683a.12(b)", "own", "pocket"),
        "board": ("683a.11(i)(2), 683a.12(c)", "community", "board"),
        "lo_ball": ("683a.11(i)(3), 683a.12(d)", "own community", "lo_ball"),
        "all_six": ("683a.11(i)(4), 683a.12(e)", "own all_six", "all_six"),
    }


def test_683a_12_paytable_letters() -> None:
    assert on_file.letters("pa683a") == {
        "main": "A B C",
        "pocket": "A B C",
        "board": "A B C D",
        "lo_ball": "A B",
        "all_six": "A B C D E",
    }
    (board,) = law("pa683a").paytables["board"].sheets
    assert board.rows[-1].lead_under == Under("board_pair", "aces", (14, 14))


def test_683a_12d_each_row_of_lo_ball_is_one_top_card() -> None:
    """R13: a hand under seven high would be a straight, so that no payout could show its row."""
    (lo_ball,) = law("pa683a").paytables["lo_ball"].sheets
    rows = {row.name: row.lead for row in lo_ball.rows}
    names = ("high_7", "high_8", "high_9", "high_10", "high_jack", "high_queen")
    assert rows == {name: (rank, rank) for name, rank in zip(names, range(7, 13), strict=True)}


def test_683a_12f_the_payout_limit_covers_ante_and_raises() -> None:
    covered = {"ante", "raise1", "raise2", "raise3"}
    assert on_file.limit(law("pa683a")) == ("683a.12(f)", 50_000, covered, set(), set())


def test_683a_13_irregularities() -> None:
    stub = "683a.8(g), 683a.9(f), 683a.10(f)"
    assert on_file.irregularities("pa683a") == {
        "several_face_up": ("683a.13(a)", "void"),
        "one_face_up": ("683a.13(a)", "goes_on"),
        "drawn_in_error": ("683a.13(b)", "goes_on"),
        "wrong_count": ("683a.13(c)", "void"),
        "community_exposed": ("683a.13(d)", "void_contest"),
        "shuffler_jam": ("683a.13(e)", "goes_on"),
        "shoe_jam": ("683a.13(f)", "void"),
        "stub_misdealt": (stub, "void"),
        "stub_short": (stub, "void", "deck removed"),
    }
