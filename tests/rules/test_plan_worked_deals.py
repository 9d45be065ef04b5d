"""Every worked deal of `tests/data/deals.jsonl`: each chapter and method that has an order of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sabot.rules.plan import Bets, plan

from .table_talk import Json, law

DEALS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "deals.jsonl").read_text().splitlines()
]


def bets(options: Json) -> Bets:
    return Bets(
        placed=frozenset(name for name in ("six_card", "all_six") if options.get(name)),
        bonus_seats=frozenset(options.get("pair_bonus", ())),
        bonus_card=options.get("pair_bonus_card", "own"),
    )


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal['chapter']}-{deal['method']}")
def test_worked_deal(deal: Json) -> None:
    chapter = law(deal["chapter"])
    placed = plan(chapter, deal["method"], deal["seats"], bets(deal["options"]))
    assert [str(placement) for placement in placed] == deal["order"]
    assert chapter.plans[deal["method"]].cite == deal["cite"]


def test_the_worked_deals_know_every_method_but_two() -> None:
    """682a and 683a have no order of their own for a reshuffling shoe (D15)."""
    known = {(deal["chapter"], deal["method"]) for deal in DEALS}
    every = {
        (id_, method)
        for id_ in ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
        for method in law(id_).plans
    }
    assert every - known == {("pa682a", "auto_shoe_reshuffle"), ("pa683a", "auto_shoe_reshuffle")}
