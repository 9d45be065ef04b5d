"""The program beside the naive model of `tests/model`: thousands of random rounds, line by line.

The model was written from the texts by another hand and shares nothing with the program. Where both agree on
rounds that neither was written for, a misread paragraph would have to be misread twice in the same way. The
readings that an outcome names are proved by settling the round again under each other answer.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sabot.config import load_chapter
from sabot.config.errors import ConfigError
from sabot.rules.errors import SabotError
from sabot.rules.round import outcome_json
from sabot.rules.round_json import chapter_id, read_round
from sabot.rules.settlement import KeptSettlements, Settlement
from tests.model.naive import settle as model_settle
from tests.model.rounds import READINGS, corrupt, random_round

from .table_talk import ALL, Json, law, settle_json

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = 400
CASES = Path(__file__).parents[1] / "data" / "cases"
CONTRACT = ("seat", "wager", "stake", "result", "paid", "back", "net", "row", "cite")
every_chapter = pytest.mark.parametrize("chapter", ALL)


def some_rounds(chapter: str, number: int = ROUNDS, seed: int = 11) -> Iterator[Json]:
    rng = random.Random(seed)
    return (random_round(rng, chapter) for _ in range(number))


def by_program(record: Json, kept: KeptSettlements | None = None) -> Json:
    round_, settlement = read_round(record, law(record["chapter"]), kept or Settlement, {})
    return outcome_json(settlement.settle(round_))


def lines(record: Json, outcome: Json) -> list[Json]:
    """The contract's fields of every line; by wager where the contract leaves the order open."""
    left = {seat["seat"] for seat in record["seats"] if seat.get("abandoned")}
    made: list[Json] = []
    for number in outcome["settle_order"]:
        own = [_line(line) for line in outcome["lines"] if line["seat"] == number]
        is_open = outcome["void"] is not None or number in left
        made += sorted(own, key=lambda line: str(line["wager"])) if is_open else own
    return made


def _line(line: Json) -> Json:
    return {name: line[name] for name in CONTRACT} | ({"odds": line["odds"]} if line["stake"] is None else {})


# ---------------------------------------------------------------- the same outcomes


@every_chapter
def test_every_worked_round(chapter: str) -> None:
    for case in map(json.loads, (CASES / f"{chapter}.jsonl").read_text().splitlines()):
        told, expected = by_program(case["round"]), case["outcome"]
        assert lines(case["round"], told) == lines(case["round"], expected), case["id"]
        for name in ("settle_order", "void", "meters", "hands"):
            assert told[name] == expected[name], case["id"]


@every_chapter
def test_random_rounds_as_the_model_settles_them(chapter: str) -> None:
    kept = KeptSettlements()
    for record in some_rounds(chapter):
        told, expected = by_program(record, kept), model_settle(record)
        assert lines(record, told) == lines(record, expected), json.dumps(record)
        for name in ("settle_order", "void", "meters", "hands"):
            assert told[name] == expected[name], json.dumps(record)


@every_chapter
def test_a_corrupt_round_is_refused_with_its_place(chapter: str) -> None:
    rng = random.Random(12)
    refusals = Counter[str]()
    for record in some_rounds(chapter, 400, seed=13):
        if any("abandoned" in seat for seat in record["seats"]):
            continue  # one who left owes no decision, and nobody needs a dealer's hand for him
        spoilt, what = corrupt(rng, record)
        with pytest.raises(SabotError) as caught:
            by_program(spoilt) if chapter_id(spoilt) in ALL else load_chapter(chapter_id(spoilt))
        assert caught.value.place, what
        assert str(caught.value).startswith(f"{caught.value.kind.code} {caught.value.place}: "), what
        refusals[type(caught.value).__name__] += 1
    assert set(refusals) >= {"RoundError", "HouseError", "CardError", ConfigError.__name__}


# ---------------------------------------------------------------- what holds in every outcome


@every_chapter
def test_each_stake_has_one_line_and_every_line_adds_up(chapter: str) -> None:
    for record in some_rounds(chapter, seed=21):
        outcome = by_program(record)
        own = [(line["seat"], line["wager"]) for line in outcome["lines"] if is_of_a_stake(chapter, line)]
        assert sorted(own) == sorted(placed(record))
        for line in outcome["lines"]:
            assert adds_up(line), line


# 641a's Bad Beat is a wager of its own, 682a's a bonus on the Ante.
BONUSES = {"pa641a": {"ante_bonus"}, "md4cp": {"ante_bonus"}, "pa682a": {"win_bonus", "bad_beat"}}


def is_of_a_stake(chapter: str, line: Json) -> bool:
    return ":" not in line["wager"] and line["wager"] not in BONUSES.get(chapter, ())


def placed(record: Json) -> Iterator[tuple[int, str]]:
    second = load_chapter(record["chapter"]).contest.wagers[1:]
    for seat in record["seats"]:
        decision = seat.get("decision", {})
        made = len(decision.get("raises", [1] if "play" in decision else []))
        yield from ((seat["seat"], wager) for wager in (*seat["wagers"], *second[:made]))


def adds_up(line: Json) -> bool:
    if line["stake"] is None:
        unknown = line["paid"] is line["back"] is line["net"] is None
        return unknown and (line["odds"] is not None) == (line["result"] in ("win", "push"))
    return bool(
        line["net"] == line["paid"] + line["back"] - line["stake"]
        and line["back"] in (0, line["stake"])
        and line["paid"] >= 0
        and (line["paid"] == 0 or line["result"] == "win")
    )


EVERYTHING_BACK = ("several_face_up", "wrong_count", "shoe_jam", "stub_misdealt", "stub_short")


@every_chapter
def test_a_void_round_returns_exactly_the_stakes(chapter: str) -> None:
    voids = 0
    for record in some_rounds(chapter, seed=22):
        kept = record["options"].get("readings", {}).get("void_forfeits") == "kept"
        if record.get("irregularity", {}).get("kind") not in EVERYTHING_BACK or kept:
            continue
        voids += 1
        outcome = by_program(record)
        assert {line["result"] for line in outcome["lines"]} == {"returned"}
        assert [line["back"] for line in outcome["lines"]] == [line["stake"] for line in outcome["lines"]]
        assert outcome["meters"] == record.get("meters", {})
    assert voids > ROUNDS / 20


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_meters_never_go_below_nothing_and_go_down_only_for_a_hit(chapter: str) -> None:
    for record in some_rounds(chapter, seed=23):
        outcome = by_program(record)
        shares = any("%" in (line.get("says") or "") for line in outcome["lines"])
        for name, levels in outcome["meters"].items():
            assert all(cents >= 0 for cents in levels.values())
            assert shares or levels == record["meters"][name]


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_no_player_is_paid_more_than_the_limit_of_what_it_covers(chapter: str) -> None:
    cut = 0
    for record in some_rounds(chapter, seed=24):
        most = record["options"].get("payout_limit")
        if most is None:
            continue
        outcome = by_program(record)
        players = {seat["seat"]: seat.get("player", seat["seat"]) for seat in record["seats"]}
        paid = Counter[object]()
        for line in outcome["lines"]:
            if is_covered(record, line):
                paid[players[line["seat"]]] += line["paid"] or 0
            cut += "before_limit" in line
        assert all(cents <= most for cents in paid.values())
    assert cut > 10


def is_covered(record: Json, line: Json) -> bool:
    limit = load_chapter(record["chapter"]).limit
    assert limit is not None
    covers = limit.covers
    if limit.covers_under and limit.covers_under.holds(limit_readings(record)):
        covers = limit.covers_under.instead
    row = str(line["row"])
    return (
        line["wager"] in covers
        and row not in limit.not_rows
        and row.split(":", maxsplit=1)[0] not in limit.not_outcomes
    )


def limit_readings(record: Json) -> dict[str, str]:
    chosen: dict[str, str] = record["options"].get("readings", {})
    return load_chapter(record["chapter"]).default_readings() | chosen


@every_chapter
def test_the_same_round_twice_and_on_kept_settlements(chapter: str) -> None:
    kept = KeptSettlements()
    for record in some_rounds(chapter, 60, seed=25):
        first = by_program(record, kept)
        assert first == by_program(record, kept) == by_program(record)


# ---------------------------------------------------------------- readings that mattered


def money(outcome: Json) -> tuple[list[str], Json]:
    """Everything of an outcome but the order of lines and the readings named."""
    fields = (*CONTRACT[:6], "back", "row", "odds")
    return sorted(json.dumps([line.get(name) for name in fields]) for line in outcome["lines"]), outcome[
        "meters"
    ]


def other_outcomes(record: Json, reading: str, kept: KeptSettlements) -> Iterator[Json]:
    answers = load_chapter(record["chapter"]).readings[reading].values
    now = record["options"].get("readings", {}).get(reading, answers[0])
    for answer in answers:
        if answer != now:
            other = copy.deepcopy(record)
            other["options"].setdefault("readings", {})[reading] = answer
            try:
                yield by_program(other, kept)
            except SabotError:  # under the other answer a card or a meter that was left out is needed
                yield {"lines": [], "meters": {"needs": {"more": 1}}}


@every_chapter
def test_every_reading_that_changes_the_outcome_is_named_and_few_others(chapter: str) -> None:
    """Named beyond need are readings that decided something which made no difference to the money in the end."""
    kept = KeptSettlements()
    names = [name for name, (_, chapters) in READINGS.items() if chapter in chapters]
    needed, beyond = Counter[str](), Counter[str]()
    for record in some_rounds(chapter, 250, seed=26):
        outcome = by_program(record, kept)
        assert set(outcome["readings"]) <= set(names)
        for name in names:
            matters = any(money(other) != money(outcome) for other in other_outcomes(record, name, kept))
            assert name in outcome["readings"] or not matters, (name, json.dumps(record))
            needed[name] += matters
            beyond[name] += name in outcome["readings"] and not matters
    assert sum(beyond.values()) * 20 <= sum(needed.values()), beyond


@every_chapter
def test_a_named_reading_comes_with_the_answer_that_held(chapter: str) -> None:
    for record in some_rounds(chapter, 200, seed=27):
        chosen = record["options"].get("readings", {})
        defaults = load_chapter(chapter).default_readings()
        for name, answer in settle_json(record).readings.items():
            assert answer == chosen.get(name, defaults[name])
