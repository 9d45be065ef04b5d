"""The generator is legal, repeatable and goes where the money is; a corruption is refused."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter

import pytest

from .contract import refusal
from .corruptions import CORRUPTIONS
from .game import Json
from .naive import settle
from .rounds import CHAPTERS, corrupt, random_round

ROUNDS = 250
Lines = list[Json]


def some_rounds(chapter: str, seed: int = 1) -> list[Json]:
    rng = random.Random(seed)
    return [random_round(rng, chapter) for _ in range(ROUNDS)]


def stakes_of(record: Json) -> Counter[tuple[int, int | None]]:
    """Every stake on the table as (seat, cents)."""
    stakes: Counter[tuple[int, int | None]] = Counter()
    for seat in record["seats"]:
        decision = seat.get("decision", {})
        second = [decision["play"]] if "play" in decision else decision.get("raises", [])
        stakes.update((seat["seat"], cents) for cents in [*seat["wagers"].values(), *second])
    return stakes


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_random_rounds_are_legal(chapter: str) -> None:
    for record in some_rounds(chapter):
        assert refusal(record) == ""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_seed_names_its_rounds(chapter: str) -> None:
    assert some_rounds(chapter, 7) == some_rounds(chapter, 7)
    assert some_rounds(chapter, 7) != some_rounds(chapter, 8)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_stake_has_one_line_and_every_line_adds_up(chapter: str) -> None:
    for record in some_rounds(chapter):
        lines: Lines = settle(record)["lines"]
        own = [line for line in lines if line["stake"] is not None and line["stake"] > 0]
        known = stakes_of(record)
        unknown = sum(times for (_, cents), times in known.items() if cents is None)
        assert Counter((line["seat"], line["stake"]) for line in own) == Counter(
            {stake: times for stake, times in known.items() if stake[1] is not None}
        )
        assert sum(line["stake"] is None for line in lines) >= unknown
        for line in lines:
            assert_adds_up(line)


def assert_adds_up(line: Json) -> None:
    if line["stake"] is None:
        assert (line["paid"], line["back"], line["net"]) == (None, None, None)
        assert (line["odds"] is not None) == (line["result"] in ("win", "push"))
        return
    assert line["net"] == line["paid"] + line["back"] - line["stake"]
    assert line["back"] in (0, line["stake"])
    assert line["paid"] >= 0
    assert line["paid"] == 0 or line["result"] == "win"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_settlement_changes_nothing_of_its_round(chapter: str) -> None:
    for record in some_rounds(chapter):
        before = copy.deepcopy(record)
        outcome = settle(record)
        assert record == before
        assert json.loads(json.dumps(outcome)) == outcome


@pytest.mark.parametrize("chapter", ["pa679a", "pa683a"])
def test_limited_payouts_stay_within_the_limit(chapter: str) -> None:
    """679a.12(h), 683a.12(f): per player, over all boxes."""
    for record in some_rounds(chapter):
        limit = record["options"].get("payout_limit")
        players = {seat["seat"]: seat.get("player", seat["seat"]) for seat in record["seats"]}
        paid: Counter[object] = Counter()
        for line in settle(record)["lines"]:
            if line["wager"] in ("ante", "play", "raise1", "raise2", "raise3"):
                bad_beat = str(line["row"]).startswith("bad_beat")
                paid[players[line["seat"]]] += 0 if bad_beat else line["paid"] or 0
        assert limit is None or all(cents <= limit for cents in paid.values())


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_a_void_round_leaves_the_meters_alone(chapter: str) -> None:
    """T9."""
    voids = 0
    for record in some_rounds(chapter):
        outcome = settle(record)
        if outcome["void"] is not None:
            voids += 1
            assert outcome["meters"] == record["meters"]
    assert voids > ROUNDS / 10


def rows_seen(chapter: str) -> Counter[tuple[str, str | None]]:
    outcomes = [settle(record) for record in some_rounds(chapter)]
    return Counter((line["wager"], line["row"]) for out in outcomes for line in out["lines"])


@pytest.mark.parametrize(
    ("chapter", "wanted"),
    [
        ("pa641a", [("bad_beat", "straight_flush"), ("six_card", "six_card_royal_diamonds")]),
        ("md4cp", [("six_card", "super_royal_diamonds"), ("six_card", "super_royal_other")]),
        ("pa679a", [("play", "bad_beat:three_of_a_kind"), ("play", "mini_royal")]),
        ("pa682a", [("bad_beat", "straight_flush"), ("win_bonus", "four_of_a_kind")]),
        ("pa683a", [("ante", "royal_flush"), ("lo_ball", "high_queen")]),
    ],
)
def test_rare_hands_are_frequent(chapter: str, wanted: list[tuple[str, str]]) -> None:
    seen = rows_seen(chapter)
    assert [row for row in wanted if row not in seen] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_corrupt_round_is_refused(chapter: str) -> None:
    rng = random.Random(2)
    for record in some_rounds(chapter):
        before = copy.deepcopy(record)
        spoilt, word = corrupt(rng, record)
        assert record == before
        assert refusal(spoilt) != "", word


def test_every_corruption_happens() -> None:
    rng = random.Random(3)
    words = {corrupt(rng, record)[1] for chapter in CHAPTERS for record in some_rounds(chapter)}
    assert words == set(CORRUPTIONS)
