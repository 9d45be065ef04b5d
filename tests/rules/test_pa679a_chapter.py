"""Chapter 679a beside its file: every list, order and option that no payout shows."""

from __future__ import annotations

import pytest

from sabot.rules.chapter import Phrase, Qualifies
from sabot.rules.json_fields import RoundError

from . import on_file
from .table_talk import law, seat, settle

THREE_CARDS = "mini_royal straight_flush three_of_a_kind straight flush pair"
FIVE_CARDS = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"


def test_679a_6_rankings_highest_first() -> None:
    assert on_file.rankings("pa679a") == {
        "three_card": ("679a.6(b)", 3, True, THREE_CARDS),
        "six_card": ("679a.6(d)", 5, "wheel5", f"six_card_royal {FIVE_CARDS}"),
        "prime": ("679a.7(d)(2), 679a.11(d)(1)", 3, "color"),
    }


def test_679a_7d_the_wagers_and_what_each_needs() -> None:
    assert on_file.wagers("pa679a") == {
        "ante": ("Ante", "679a.7(d)(1)", "always", ""),
        "play": ("Play", "679a.7(d)(1)", "always", ""),
        "prime": ("Prime", "679a.7(d)(2)", "submission", "ante"),
        "pair_bonus": ("Pair Bonus", "679a.7(d)(3)", "submission", "ante"),
        "all_six": ("All-Six Bonus", "679a.7(d)(4)", "submission", "ante"),
    }
    assert on_file.devices("pa679a") == {}


def test_679a_7c_all_but_the_play_wager_are_placed_before_the_deal() -> None:
    assert on_file.before_the_deal("pa679a") == ["ante", "prime", "pair_bonus", "all_six"]


def test_679a_7d1_the_play_wager_equals_the_ante() -> None:
    assert on_file.second_wagers("pa679a") == {"play": ("ante", 1, 1, "whole")}


@pytest.mark.parametrize("play", [999, 1001, 2000])
def test_679a_7d1_neither_less_nor_more(play: int) -> None:
    with pytest.raises(
        RoundError, match=rf"is {play}, expected exactly the Ante of 1000 \(679a.7\(d\)\(1\)\)"
    ):
        settle("pa679a", seat(1, "As Ad 9c", ante=1000, play=play))


@pytest.mark.parametrize("wager", ["prime", "pair_bonus", "all_six"])
def test_679a_7d2_to_4_beside_an_ante(wager: str) -> None:
    with pytest.raises(RoundError, match="without Ante"):
        settle("pa679a", seat(1, "As Ad 9c", **{wager: 500}))


def test_679a_8c_and_h_cards_at_each_place() -> None:
    sizes = {"player": 3, "dealer": 3, "fourth": 1, "pair_bonus_card": 1}
    assert on_file.hand_sizes("pa679a") == sizes
    assert law("pa679a").hands.cite == "679a.8(c)"


def test_679a_11b_a_fold_keeps_every_optional_wager() -> None:
    kept = ("kept", "679a.11(b)")
    assert on_file.folds("pa679a") == {"prime": kept, "pair_bonus": kept, "all_six": kept}


def test_679a_11c_and_d_the_order_of_settlement() -> None:
    chapter = law("pa679a")
    assert chapter.order == ("ante", "play", "prime", "pair_bonus", "all_six")
    assert (chapter.order_cite, chapter.abandoned_cite) == ("679a.11(c)-(d)", "679a.7(b)")
    assert chapter.swap is None


def test_679a_11c3_the_contest() -> None:
    assert on_file.contest("pa679a") == {
        "cite": "679a.11(c)(3)",
        "against": "dealer",
        "ranking": "three_card",
        "cards": "own",
        "wagers": "ante play",
        "forfeit": ("679a.11(b)",),
    }
    lost = "loss by 679a.11(c)(3)(iii)"
    assert on_file.results("pa679a") == {
        "unqualified": {
            "ante": "returned by 679a.11(c)(3)(i)",
            "play": "1 to 1 by 679a.11(c)(3)(i), 679a.12(a)",
        },
        "win": {
            "ante": "1 to 1 by 679a.11(c)(3)(ii), 679a.12(a)",
            "play": "play by 679a.11(c)(3)(ii), 679a.12(b)",
        },
        "lose": {"ante": lost, "play": lost},
        "bad_beat": {
            "ante": "loss by 679a.11(c)(3)(iv)",
            "play": "bad_beat by 679a.11(c)(3)(iv), 679a.12(c)",
        },
    }


def test_679a_1_and_2b4_the_dealer_qualifies_with_a_queen() -> None:
    contest = law("pa679a").contest
    phrase = "Dealer Qualifies with a Queen or Ante Pushes and Play Wins"
    assert contest.qualifies == Qualifies("679a.1, 679a.2(b)(4)", "high", 12, phrase)
    assert contest.ties == Phrase("679a.2(b)(4)", "Player wins ties.")


def test_679a_11d_what_each_wager_goes_by() -> None:
    assert on_file.settled("pa679a") == {
        "prime": ("679a.11(d)(1), 679a.12(d)", "own dealer", "prime"),
        "pair_bonus": ("679a.11(d)(2), 679a.12(e)", "own", "pair_bonus"),
        "all_six": ("679a.11(d)(3), 679a.12(g)", "own dealer", "all_six"),
    }
    card = law("pa679a").wagers["pair_bonus"].bonus_card
    assert card is not None
    assert (card.rank, card.paytable, card.cite) == (2, "pair_bonus_two", "679a.11(d)(2), 679a.12(f)")


def test_679a_12_paytable_letters() -> None:
    assert on_file.letters("pa679a") == {
        "play": "only",
        "bad_beat": "A B C D",
        "prime": "only",
        "pair_bonus": "only",
        "pair_bonus_two": "A B C D",
        "all_six": "A B C D E",
    }
    assert (law("pa679a").meters, law("pa679a").envy, law("pa679a").extras) == ({}, {}, {})


def test_679a_12h_the_payout_limit_covers_ante_and_play_but_no_bad_beat() -> None:
    covered, outside = {"ante", "play"}, {"bad_beat"}
    assert on_file.limit(law("pa679a")) == ("679a.12(h)", 50_000, covered, outside, set())


def test_679a_13_irregularities() -> None:
    stub = "679a.8(g), 679a.9(f), 679a.10(f)"
    assert on_file.irregularities("pa679a") == {
        "several_face_up": ("679a.13(a)", "void"),
        "one_face_up": ("679a.13(a)", "goes_on"),
        "drawn_in_error": ("679a.13(b)", "goes_on"),
        "wrong_count": ("679a.13(c)", "void"),
        "dealer_exposed": ("679a.13(d)", "void_contest"),
        "shuffler_jam": ("679a.13(e)", "goes_on"),
        "shoe_jam": ("679a.13(f)", "void"),
        "stub_misdealt": (stub, "void"),
        "stub_short": (stub, "void", "deck removed"),
    }
