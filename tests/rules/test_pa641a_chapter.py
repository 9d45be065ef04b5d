"""Chapter 641a beside its file: every list, order and option that no payout shows."""

from __future__ import annotations

import pytest

from sabot.rules.json_fields import RoundError
from sabot.rules.paytables import Under

from . import on_file
from .table_talk import FOLD, Json, law, round_of, seat, settle, settle_json

FOUR_CARDS = "four_of_a_kind straight_flush three_of_a_kind flush straight two_pair pair"
FIVE_CARDS = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"


def test_641a_6_rankings_highest_first() -> None:
    assert on_file.rankings("pa641a") == {
        "four_card": ("641a.6(b)", 4, True, FOUR_CARDS),
        "five_card": ("641a.6(d)", 5, "wheel5", FIVE_CARDS),
        "six_card": ("641a.6(e)", 5, "wheel5", f"six_card_royal {FIVE_CARDS}"),
    }


def test_641a_7d_the_wagers_and_what_each_needs() -> None:
    assert on_file.wagers("pa641a") == {
        "ante": ("Ante", "641a.7(d)(1)", "always", ""),
        "play": ("Play", "641a.7(d)(1)", "always", ""),
        "aces_up": ("Aces Up", "641a.7(d)(2)-(3)", "always", ""),
        "prog4": ("Four-Card Progressive", "641a.7(d)(4)", "submission", "ante or aces_up"),
        "prog5": ("Five-Card Progressive", "641a.7(d)(5)", "submission", "ante or aces_up"),
        "bad_beat": ("Bad Beat Bonus", "641a.7(d)(6)", "submission", "ante or aces_up"),
        "hand_bonus_player": ("Five Card Hand Bonus, player's hand", "641a.7(d)(7)", "submission", "ante"),
        "hand_bonus_dealer": ("Five Card Hand Bonus, dealer's hand", "641a.7(d)(7)", "submission", "ante"),
        "six_card": ("Six Card Bonus", "641a.7(d)(8)", "submission", "ante"),
    }


def test_641a_7c_all_but_the_play_wager_are_placed_before_the_deal() -> None:
    before = "ante aces_up prog4 prog5 bad_beat hand_bonus_player hand_bonus_dealer six_card"
    assert on_file.before_the_deal("pa641a") == before.split()


def test_641a_7d1_the_play_wager_is_one_to_three_times_the_ante() -> None:
    assert on_file.second_wagers("pa641a") == {"play": ("ante", 1, 3, "any")}


@pytest.mark.parametrize("play", [1000, 1001, 1999, 3000])
def test_641a_7d1_any_amount_between(play: int) -> None:
    dealer = "2d 4h 6s 8c Jd 3c"
    assert (
        settle("pa641a", seat(1, "As Ad 9c 7h 2s", ante=1000, play=play), dealer=dealer)[1, "play"][1] == play
    )


@pytest.mark.parametrize("play", [999, 3001])
def test_641a_7d1_neither_less_nor_more(play: int) -> None:
    with pytest.raises(
        RoundError, match=rf"is {play}, expected 1 to 3 times the Ante of 1000 \(641a.7\(d\)\(1\)\)"
    ):
        settle("pa641a", seat(1, "As Ad 9c 7h 2s", ante=1000, play=play))


@pytest.mark.parametrize("beside", [{"ante": 1000}, {"aces_up": 1000}, {"ante": 1000, "aces_up": 500}])
def test_641a_7d2_and_3_ante_aces_up_or_both(beside: Json) -> None:
    fold = {"decision": FOLD} if "ante" in beside else {}
    told = settle("pa641a", seat(1, "As Ad 9c 7h 2s", **beside, **fold))
    assert told.wagers(1) == list(beside)


@pytest.mark.parametrize("wager", ["prog4", "prog5", "bad_beat"])
@pytest.mark.parametrize("beside", ["ante", "aces_up"])
def test_641a_7d4_to_6_beside_an_ante_or_an_aces_up(wager: str, beside: str) -> None:
    fold = {"decision": FOLD} if beside == "ante" else {}
    record = round_of(
        "pa641a", seat(1, "As Ad 9c 7h 2s", **{beside: 500, wager: 100}, **fold), dealer="Ks Kd Kh 3c 4d 5s"
    )
    assert settle_json(record).wagers(1)[:2] == [beside, wager]


@pytest.mark.parametrize("wager", ["prog4", "prog5", "bad_beat"])
def test_641a_7d4_to_6_not_alone(wager: str) -> None:
    with pytest.raises(RoundError, match="without Ante or Aces Up"):
        settle("pa641a", seat(1, "As Ad 9c 7h 2s", **{wager: 100}))


@pytest.mark.parametrize("wager", ["hand_bonus_player", "hand_bonus_dealer", "six_card"])
def test_641a_7d7_and_8_beside_an_ante_alone(wager: str) -> None:
    with pytest.raises(RoundError, match="without Ante"):
        settle("pa641a", seat(1, "As Ad 9c 7h 2s", **{"aces_up": 500, wager: 100}))


def test_641a_7d4_to_7_wagers_that_are_not_on_the_felt() -> None:
    assert on_file.devices("pa641a") == {
        "prog4": "progressive",
        "prog5": "progressive",
        "hand_bonus_player": "account",
        "hand_bonus_dealer": "account",
    }


def test_641a_8d_cards_at_each_place() -> None:
    assert on_file.hand_sizes("pa641a") == {"player": 5, "dealer": 6, "six_card": 1, "dealer_first": 5}
    assert law("pa641a").hands.cite == "641a.8(d)"


def test_641a_11b_what_a_fold_keeps_and_loses() -> None:
    assert on_file.folds("pa641a") == {
        "aces_up": ("kept", "641a.11(b)(1)"),
        "prog4": ("lost", "641a.11(b)(2)"),
        "prog5": ("lost", "641a.11(b)(2)"),
        "bad_beat": ("fold_unlisted", "641a.11(b)"),
        "hand_bonus_player": ("fold_unlisted", "641a.11(b)"),
        "hand_bonus_dealer": ("fold_unlisted", "641a.11(b)"),
        "six_card": ("kept", "641a.11(b)(1)"),
    }


def test_641a_11c_the_order_of_settlement() -> None:
    chapter = law("pa641a")
    first, then = "ante play aces_up prog4 prog5 bad_beat", "hand_bonus_player hand_bonus_dealer six_card"
    assert chapter.order == (*first.split(), *then.split())
    assert (chapter.order_cite, chapter.abandoned_cite) == ("641a.11(c)", "641a.7(b)")
    both_hands = ("hand_bonus_player", "hand_bonus_dealer")
    assert chapter.swap == Under("hand_bonus_first", "dealer", both_hands)


def test_641a_11c3_the_contest() -> None:
    assert on_file.contest("pa641a") == {
        "cite": "641a.11(c)(3)",
        "against": "dealer",
        "ranking": "four_card",
        "cards": "own",
        "wagers": "ante play",
        "forfeit": ("641a.11(b)",),
    }
    paid, lost = "1 to 1 by 641a.11(c)(3)(ii), 641a.12(a)", "loss by 641a.11(c)(3)(i)"
    assert on_file.results("pa641a") == {
        "win": {"ante": paid, "play": paid},
        "lose": {"ante": lost, "play": lost},
    }


def test_641a_11c4_to_8_what_each_wager_goes_by() -> None:
    bonus, draws = "641a.11(c)(7), 641a.12(g)", ("magic_card", "lucky_bonus")
    assert on_file.settled("pa641a") == {
        "aces_up": ("641a.11(c)(4), 641a.12(c)", "own", "aces_up"),
        "prog4": ("641a.11(c)(5), 641a.12(d)", "own", "prog4"),
        "prog5": ("641a.11(c)(5), 641a.12(e)", "own", "prog5"),
        "bad_beat": ("641a.11(c)(6), 641a.12(f)", "own", "bad_beat", "losing hand"),
        "hand_bonus_player": (bonus, "own", "hand_bonus", *draws),
        "hand_bonus_dealer": (bonus, "dealer_first", "hand_bonus", "shared", *draws),
        "six_card": ("641a.11(c)(8), 641a.12(h)", "own six_card", "six_card"),
    }


def test_641a_12_paytable_letters() -> None:
    assert on_file.letters("pa641a") == {
        "ante_bonus": "only",
        "aces_up": "A B C D E F",
        "prog4": "A B",
        "prog5": "A B C D",
        "bad_beat": "A B",
        "hand_bonus": "only",
        "six_card": "A B C D E",
        "envy4": "A B",
        "envy5": "only",
    }


def test_641a_12d_and_e_meters_and_envy() -> None:
    assert on_file.meters("pa641a") == {
        "prog4": ("641a.12(d)(3)", "prog4", "prog4"),
        "prog5": ("641a.12(e)(3)", "prog5", "prog5"),
        "hand_bonus": ("641a.12(g)(4)", "hand_bonus_player hand_bonus_dealer", "hand_bonus"),
    }
    assert on_file.envy("pa641a") == {"envy4": ("prog4", 100, 500), "envy5": ("prog5", 100, 500)}


def test_641a_12_knows_no_payout_limit() -> None:
    assert law("pa641a").limit is None
    with pytest.raises(RoundError, match=r"options.payout_limit: pa641a knows no payout limit"):
        settle("pa641a", seat(1, "As Ad 9c 7h 2s", aces_up=500), payout_limit=5_000_000)


def test_641a_13_irregularities() -> None:
    stub = "641a.8(h), 641a.9(f), 641a.10(f)"
    assert on_file.irregularities("pa641a") == {
        "several_face_up": ("641a.13(a)", "void"),
        "one_face_up": ("641a.13(a)", "goes_on"),
        "drawn_in_error": ("641a.13(b)", "goes_on"),
        "wrong_count": ("641a.13(c)", "void"),
        "dealer_exposed": ("641a.13(d)", "void"),
        "shuffler_jam": ("641a.13(e)", "goes_on"),
        "shoe_jam": ("641a.13(f)", "void"),
        "stub_misdealt": (stub, "void"),
        "stub_short": (stub, "void", "deck removed"),
    }
