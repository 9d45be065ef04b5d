"""Chapter 682a beside its file: every list, order and option that no payout shows."""

from __future__ import annotations

import pytest

from sabot.rules.json_fields import RoundError
from sabot.rules.paytables import Under

from . import on_file
from .table_talk import law, seat, settle

FOUR_CARDS = "four_of_a_kind straight_flush three_of_a_kind flush straight two_pair pair"
ACES = "four_of_a_kind royal_flush straight_flush three_of_a_kind flush straight two_pair pair"
FIVE_CARDS = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"


def test_682a_6_rankings_highest_first() -> None:
    assert on_file.rankings("pa682a") == {
        "four_card": ("682a.6(b)", 4, True, FOUR_CARDS),
        "aces_bonus": ("682a.6(d)", 5, "wheel5", ACES),
        "six_card": ("682a.6(e)", 5, "wheel5", f"six_card_royal {FIVE_CARDS}"),
        "prime": ("682a.7(d)(2), 682a.11(e)(1)", 5, "color"),
    }


def test_682a_7d_the_wagers_and_what_each_needs() -> None:
    assert on_file.wagers("pa682a") == {
        "ante": ("Ante", "682a.7(d)(1)", "always", ""),
        "raise": ("Raise", "682a.7(d)(1)", "always", ""),
        "prime": ("Prime", "682a.7(d)(2)", "submission", "ante"),
        "aces_bonus": ("Aces Bonus", "682a.7(d)(3)", "submission", "ante"),
        "all_six": ("All-Six Bonus", "682a.7(d)(4)", "submission", "ante"),
    }
    assert on_file.devices("pa682a") == {}


def test_682a_7c_all_but_the_raise_wager_are_placed_before_the_deal() -> None:
    assert on_file.before_the_deal("pa682a") == ["ante", "prime", "aces_bonus", "all_six"]


def test_682a_7d1_the_raise_is_one_two_or_three_times_the_ante() -> None:
    assert on_file.second_wagers("pa682a") == {"raise": ("ante", 1, 3, "whole")}


@pytest.mark.parametrize("raised", [1000, 2000, 3000])
def test_682a_7d1_a_whole_multiple(raised: int) -> None:
    told = settle("pa682a", seat(1, "As Ad 9c 7h 2s", ante=1000, play=raised), dealer="4s 6s 7c 8h Td Jc")
    assert told[1, "raise"][1] == raised


@pytest.mark.parametrize("raised", [999, 1001, 1500, 3001, 4000])
def test_682a_7d1_and_nothing_else(raised: int) -> None:
    bound = rf"is {raised}, expected 1 to 3 times the Ante of 1000 in whole multiples \(682a.7\(d\)\(1\)\)"
    with pytest.raises(RoundError, match=bound):
        settle("pa682a", seat(1, "As Ad 9c 7h 2s", ante=1000, play=raised))


@pytest.mark.parametrize("wager", ["prime", "aces_bonus", "all_six"])
def test_682a_7d2_to_4_beside_an_ante(wager: str) -> None:
    with pytest.raises(RoundError, match="without Ante"):
        settle("pa682a", seat(1, "As Ad 9c 7h 2s", **{wager: 500}))


def test_682a_8c_cards_at_each_place() -> None:
    assert on_file.hand_sizes("pa682a") == {"player": 5, "dealer": 6, "all_six": 1}
    assert law("pa682a").hands.cite == "682a.8(c)"


def test_682a_11b_a_fold_keeps_every_optional_wager() -> None:
    kept = ("kept", "682a.11(b)")
    assert on_file.folds("pa682a") == {"prime": kept, "aces_bonus": kept, "all_six": kept}


def test_682a_11d_and_e_the_order_of_settlement() -> None:
    chapter = law("pa682a")
    assert chapter.order == ("ante", "raise", "prime", "aces_bonus", "all_six")
    assert (chapter.order_cite, chapter.abandoned_cite) == ("682a.11(d)-(e)", "682a.7(b)")
    assert chapter.swap is None


def test_682a_11d2_the_contest() -> None:
    assert on_file.contest("pa682a") == {
        "cite": "682a.11(d)(2)",
        "against": "dealer",
        "ranking": "four_card",
        "cards": "own",
        "wagers": "ante raise",
        "forfeit": ("682a.11(b)",),
    }
    paid = "1 to 1 by 682a.11(d)(2)(i), 682a.12(a)"
    lost = "loss by 682a.11(d)(2)(ii)(A)"
    assert on_file.results("pa682a") == {
        "win": {"ante": paid, "raise": paid},
        "lose": {"ante": lost, "raise": lost},
        "bad_beat": {"ante": "returned by 682a.11(d)(2)(ii)(B)", "raise": "loss by 682a.11(d)(2)(ii)(B)"},
    }


def test_682a_11e_what_each_wager_goes_by() -> None:
    assert on_file.settled("pa682a") == {
        "prime": ("682a.11(e)(1), 682a.12(d)", "own", "prime"),
        "aces_bonus": ("682a.11(e)(2), 682a.12(e)", "own", "aces_bonus"),
        "all_six": ("682a.11(e)(3), 682a.12(f)", "own all_six", "all_six"),
    }


def test_682a_12_paytable_letters() -> None:
    assert on_file.letters("pa682a") == {
        "win_bonus": "only",
        "bad_beat": "A B C D",
        "prime": "A B",
        "aces_bonus": "A B C D E F G H",
        "all_six": "A B C D E",
    }
    (aces,) = law("pa682a").paytables["aces_bonus"].sheets
    assert aces.ranks_as == Under("aces_bonus", "four", "four_card")
    royal = next(row for row in aces.rows if row.name == "royal_flush")
    assert (royal.hands, royal.lead) == (("royal_flush", "straight_flush"), (14, 14))


def test_682a_12g_the_payout_limit_covers_aces_bonus_and_all_six_but_not_e_s_royals() -> None:
    royals = {"six_card_royal_diamonds", "six_card_royal_other"}
    covered = {"aces_bonus", "all_six"}
    assert on_file.limit(law("pa682a")) == ("682a.12(g)", 50_000, covered, set(), royals)
    every = frozenset({"ante", "raise", "win_bonus", "bad_beat", "prime", *covered})
    limit = law("pa682a").limit
    assert limit is not None
    assert limit.covers_under == Under("limit_682", "all", every)


def test_682a_13_irregularities() -> None:
    stub = "682a.8(g), 682a.9(f), 682a.10(f)"
    assert on_file.irregularities("pa682a") == {
        "several_face_up": ("682a.13(a)", "void"),
        "one_face_up": ("682a.13(a)", "goes_on"),
        "drawn_in_error": ("682a.13(b)", "goes_on"),
        "wrong_count": ("682a.13(c)", "void"),
        "dealer_exposed": ("682a.13(d)", "void_contest", "before_raise"),
        "shuffler_jam": ("682a.13(e)", "goes_on"),
        "shoe_jam": ("682a.13(f)", "void"),
        "stub_misdealt": (stub, "void"),
        "stub_short": (stub, "void", "deck removed"),
    }
