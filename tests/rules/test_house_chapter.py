"""A chapter that does not travel with the program, settled by the same kinds: here a tie pushes.

Three Card Poker as a house would write it (``tests/config/ours``); the holds are the published ones of the game.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from sabot.config import ChapterLaw
from sabot.rules.chapter import OUR_POLICY
from sabot.rules.odds.engine import Method
from sabot.rules.odds.par_sheet import ParSheet
from sabot.rules.payouts import dollars_or
from sabot.rules.plan import Bets, bets_of, bonus_wager, deals_for
from sabot.rules.round_json import read_round
from sabot.rules.settlement import KeptSettlements

LAW = ChapterLaw(Path(__file__).resolve().parents[1] / "config" / "ours")
TCP = LAW.chapter("tcp")


def settled(own: str, dealer: str, **decision: object) -> dict[str, tuple[str, int | None]]:
    seat = {"seat": 1, "wagers": {"ante": 1000, "pair_plus": 500}, "cards": own.split(), "decision": decision}
    options = {"paytables": {"pair_plus": "A"}}
    value = {"chapter": "tcp", "options": options, "seats": [seat], "dealer": dealer.split()}
    round_, settlement = read_round(json.loads(json.dumps(value)), TCP, KeptSettlements(), {})
    return {line.wager: (line.result, line.paid) for line in settlement.settle(round_).lines}


@pytest.mark.parametrize(
    ("own", "dealer", "lines"),
    [
        ("Qc Qd 7h", "Qh Qs 7d", {"ante": ("push", 0), "play": ("push", 0), "pair_plus": ("win", 500)}),
        ("Qc Qd 8h", "Qh Qs 7d", {"ante": ("win", 1000), "play": ("win", 1000), "pair_plus": ("win", 500)}),
        ("Qc Qd 6h", "Qh Qs 7d", {"ante": ("lose", 0), "play": ("lose", 0), "pair_plus": ("win", 500)}),
        (
            "4c 5d 6h",
            "Jh 9s 7d",
            {
                "ante": ("win", 1000),
                "play": ("returned", 0),
                "ante_bonus": ("win", 1000),
                "pair_plus": ("win", 3000),
            },
        ),
        (
            "4c 5d 6h",
            "4h 5s 6d",
            {
                "ante": ("push", 0),
                "play": ("push", 0),
                "ante_bonus": ("win", 1000),
                "pair_plus": ("win", 3000),
            },
        ),
    ],
)
def test_tcp_11c_it_is_settled_and_a_tie_pushes(
    own: str, dealer: str, lines: dict[str, tuple[str, int]]
) -> None:
    assert settled(own, dealer, play=1000) == lines


def test_tcp_11b_a_fold_loses_ante_and_pair_plus() -> None:
    assert settled("Qc 4d 7h", "Qh Qs 7d", fold=True) == {"ante": ("forfeit", 0), "pair_plus": ("forfeit", 0)}


def test_tcp_12_ante_and_pair_plus_hold_what_is_published() -> None:
    sheet = ParSheet(TCP, LAW.stated("tcp"), Method(random.Random))
    (ante,) = sheet.rows(("ante",), None)
    (pair_plus,) = sheet.rows(("pair_plus",), None)

    assert float(ante[0].figures.hold) * 100 == pytest.approx(3.373, abs=0.0005)
    assert float(pair_plus[0].figures.hold) == pytest.approx(512 / 22_100)


def test_x_8_what_a_plan_depends_on_is_the_chapters() -> None:
    four, prime = LAW.chapter("pa641a"), LAW.chapter("pa679a")

    assert (bonus_wager(TCP), bonus_wager(prime)) == ("", "pair_bonus")
    assert [deals_for(four, name) for name in ("six_card", "aces_up")] == [True, False]
    assert deals_for(prime, "pair_bonus")
    assert bets_of(TCP, {1: ["ante", "pair_plus"]}, "community") == Bets()
    assert bets_of(four, {1: ["ante", "six_card"], 2: ["ante"]}, "own") == Bets(frozenset({"six_card"}))
    bonus = bets_of(prime, {1: ["ante"], 3: ["ante", "pair_bonus"]}, "community")
    assert bonus == Bets(bonus_seats=frozenset({3}), bonus_card="community")


def test_a_document_numbers_procedures_by_its_own_head() -> None:
    assert TCP.section("8(e), 11(c)") == "TCP.8(e), TCP.11(c)"
    assert TCP.section(OUR_POLICY) == OUR_POLICY


def test_an_amount_that_nobody_sensed_has_its_own_words() -> None:
    assert (dollars_or(250), dollars_or(None), dollars_or(None, "its value")) == ("$2.50", "?", "its value")
