"""The Maryland document beside its file: every list, order and option that no payout shows."""

from __future__ import annotations

import pytest

from sabot.rules.json_fields import RoundError
from sabot.rules.paytables import Under

from . import on_file
from .table_talk import FOLD, Json, law, seat, settle

FOUR_CARDS = "four_of_a_kind straight_flush three_of_a_kind flush straight two_pair pair"
FIVE_CARDS = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"


def test_md_6_rankings_highest_first() -> None:
    assert on_file.rankings("md4cp") == {
        "four_card": ("ch.6.C", 4, True, FOUR_CARDS),
        "five_card": ("ch.6.F", 5, "wheel5", FIVE_CARDS),
        "six_card": ("ch.6.F", 5, "wheel5", f"six_card_royal {FIVE_CARDS}"),
    }


def test_md_7e_the_wagers_and_what_each_needs() -> None:
    assert on_file.wagers("md4cp") == {
        "ante": ("Ante", "ch.7.E(1)", "always", ""),
        "play": ("Play", "ch.7.E(1)", "always", ""),
        "aces_up": ("Aces Up", "ch.7.E(2)-(3)", "always", ""),
        "six_card": ("Six Card Bonus", "ch.7.E(5)", "submission", "ante and aces_up"),
        "progressive": ("Progressive", "ch.7.E(4)", "submission", "ante or aces_up"),
    }


def test_md_7c_all_but_the_play_wager_are_placed_before_the_deal() -> None:
    assert on_file.before_the_deal("md4cp") == ["ante", "aces_up", "six_card", "progressive"]


def test_md_7e1_the_play_wager_is_one_to_three_times_the_ante() -> None:
    assert on_file.second_wagers("md4cp") == {"play": ("ante", 1, 3, "any")}


@pytest.mark.parametrize("play", [999, 3001])
def test_md_7e1_neither_less_nor_more(play: int) -> None:
    with pytest.raises(
        RoundError, match=rf"is {play}, expected 1 to 3 times the Ante of 1000 \(ch.7.E\(1\)\)"
    ):
        settle("md4cp", seat(1, "As Ad 9c 7h 2s", ante=1000, play=play))


@pytest.mark.parametrize("play", [1000, 1001, 2999, 3000])
def test_md_7e1_any_amount_between(play: int) -> None:
    dealer = "2d 4h 6s 8c Jd 3c"
    assert (
        settle("md4cp", seat(1, "As Ad 9c 7h 2s", ante=1000, play=play), dealer=dealer)[1, "play"][1] == play
    )


@pytest.mark.parametrize("beside", [{"ante": 1000}, {"aces_up": 1000}, {"ante": 1000, "aces_up": 500}])
def test_md_7e2_and_3_ante_aces_up_or_both(beside: Json) -> None:
    fold = {"decision": FOLD} if "ante" in beside else {}
    assert settle("md4cp", seat(1, "As Ad 9c 7h 2s", **beside, **fold)).wagers(1) == list(beside)


def test_md_7e4a_a_progressive_beside_an_ante_or_an_aces_up() -> None:
    told = settle(
        "md4cp",
        seat(1, "As Ad 9c 7h 2s", ante=100, progressive=100, fold=True),
        seat(2, "Ks Kd 9h 7c 2c", aces_up=500, progressive=100),
    )
    assert told.wagers(1) == ["ante", "progressive"]
    assert told.wagers(2) == ["aces_up", "progressive"]
    with pytest.raises(RoundError, match="Progressive without Ante or Aces Up"):
        settle("md4cp", seat(1, "As Ad 9c 7h 2s", progressive=100))


@pytest.mark.parametrize(("beside", "lacks"), [({"ante": 100}, "Aces Up"), ({"aces_up": 100}, "Ante")])
def test_md_7e5a_a_six_card_bonus_needs_an_ante_and_an_aces_up(beside: Json, lacks: str) -> None:
    fold = {"decision": FOLD} if "ante" in beside else {}
    with pytest.raises(RoundError, match=f"Six Card Bonus without {lacks}"):
        settle("md4cp", seat(1, "As Ad 9c 7h 2s", **beside, six_card=500, **fold), six_card="3c")


def test_md_7e4a_the_progressive_goes_on_its_device() -> None:
    assert on_file.devices("md4cp") == {"progressive": "progressive"}


def test_md_8e_cards_at_each_place() -> None:
    assert on_file.hand_sizes("md4cp") == {"player": 5, "dealer": 6, "six_card": 1, "dealer_first": 5}
    assert law("md4cp").hands.cite == "ch.8.E"


def test_md_11c_what_a_fold_keeps_and_loses() -> None:
    assert on_file.folds("md4cp") == {
        "aces_up": ("kept", "ch.11.C(1)"),
        "six_card": ("kept", "ch.11.C(2)"),
        "progressive": ("lost", "ch.11.C(3)"),
    }


def test_md_11d_the_order_of_settlement() -> None:
    chapter = law("md4cp")
    assert chapter.order == ("ante", "play", "aces_up", "six_card", "progressive")
    assert (chapter.order_cite, chapter.abandoned_cite, chapter.swap) == ("ch.11.D(4)", "ch.7.B(2)", None)


def test_md_11d4c_the_contest() -> None:
    assert on_file.contest("md4cp") == {
        "cite": "ch.11.D(4)(c)",
        "against": "dealer",
        "ranking": "four_card",
        "cards": "own",
        "wagers": "ante play",
        "forfeit": ("ch.11.C",),
    }
    paid, lost = "1 to 1 by ch.11.D(4)(c)(ii), 12.A", "loss by ch.11.D(4)(c)(i)"
    assert on_file.results("md4cp") == {
        "win": {"ante": paid, "play": paid},
        "lose": {"ante": lost, "play": lost},
    }


def test_md_11d5_to_10_what_each_wager_goes_by() -> None:
    assert on_file.settled("md4cp") == {
        "aces_up": ("ch.11.D(5), 12.C", "own", "aces_up"),
        "six_card": ("ch.11.D(7), 12.H", "own six_card", "six_card", "md_super_royal_stake"),
        "progressive": ("ch.11.D(8)-(10), 12.D", "own", "progressive"),
    }


def test_md_12_paytable_letters() -> None:
    assert on_file.letters("md4cp") == {
        "ante_bonus": "only",
        "aces_up": "A B C D E F",
        "progressive": "A B C D E F",
        "six_card": "A B",
        "envy": "A B C D E F",
    }


def test_md_12d_to_g_meter_and_envy() -> None:
    assert on_file.meters("md4cp") == {"progressive": ("ch.12.D(3)", "progressive", "progressive")}
    assert on_file.envy("md4cp") == {"envy": ("progressive", 100, 500)}
    assert law("md4cp").envy["envy"].reads_as == Under("md_envy_c", "royal", "D", "C")


def test_md_12_knows_no_payout_limit() -> None:
    with pytest.raises(RoundError, match=r"options.payout_limit: md4cp knows no payout limit"):
        settle("md4cp", seat(1, "As Ad 9c 7h 2s", aces_up=500), payout_limit=5_000_000)


def test_md_13_irregularities() -> None:
    stub = "ch.8.H, 9.F-G, 10.F-G"
    assert on_file.irregularities("md4cp") == {
        "several_face_up": ("ch.13.B", "void"),
        "one_face_up": ("ch.13.A", "goes_on"),
        "drawn_in_error": ("ch.13.C", "goes_on"),
        "wrong_count": ("ch.13.D", "void"),
        "dealer_exposed": ("ch.13.E", "void"),
        "shuffler_jam": ("ch.13.F", "goes_on"),
        "shoe_jam": ("ch.13.G", "void"),
        "stub_misdealt": (stub, "void"),
        "stub_short": (stub, "void", "deck removed"),
    }
