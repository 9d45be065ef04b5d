"""The naive model reproduces each worked round, and irregularities paragraph by paragraph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .builders import FOLD, line, outcome, paid, seat
from .naive import settle

if TYPE_CHECKING:
    from .game import Json

CASES = Path(__file__).parents[1] / "data" / "cases"
BAD_DEALER_4 = "2c 3s 6c 8s Td 7d"


def worked_rounds() -> list[Json]:
    files = sorted(CASES.glob("*.jsonl"))
    return [json.loads(text) for file in files for text in file.read_text().splitlines()]


def in_comparable_order(record: Json, result: Json) -> list[Json]:
    """Lines as booked, but by wager where the contract leaves the order within a seat open."""
    left = {seat["seat"] for seat in record["seats"] if seat.get("abandoned")}
    lines: list[Json] = []
    for number in result["settle_order"]:
        own = [row for row in result["lines"] if row["seat"] == number]
        is_open = result["void"] is not None or number in left
        lines += sorted(own, key=lambda row: str(row["wager"])) if is_open else own
    return lines


def test_all_five_chapters_have_worked_rounds() -> None:
    chapters = {case["round"]["chapter"] for case in worked_rounds()}
    assert chapters == {"pa641a", "md4cp", "pa679a", "pa682a", "pa683a"}


@pytest.mark.parametrize("case", worked_rounds(), ids=lambda case: str(case["id"]))
def test_worked_round(case: Json) -> None:
    got, want = settle(case["round"]), case["outcome"]
    for key in ("settle_order", "void", "meters", "hands"):
        assert got[key] == want[key]
    assert len(got["lines"]) == len(want["lines"])
    assert in_comparable_order(case["round"], got) == in_comparable_order(case["round"], want)


@pytest.mark.parametrize(
    ("chapter", "kind", "cite"),
    [
        ("pa641a", "several_face_up", "641a.13(a)"),
        ("pa641a", "wrong_count", "641a.13(c)"),
        ("pa641a", "dealer_exposed", "641a.13(d)"),
        ("pa641a", "shoe_jam", "641a.13(f)"),
        ("pa641a", "stub_misdealt", "641a.8(h), 641a.9(f), 641a.10(f)"),
        ("pa641a", "stub_short", "641a.8(h), 641a.9(f), 641a.10(f)"),
        ("md4cp", "several_face_up", "ch.13.B"),
        ("md4cp", "wrong_count", "ch.13.D"),
        ("md4cp", "dealer_exposed", "ch.13.E"),
        ("md4cp", "shoe_jam", "ch.13.G"),
        ("md4cp", "stub_misdealt", "ch.8.H, 9.F-G, 10.F-G"),
    ],
)
def test_x_13_everything_goes_back(chapter: str, kind: str, cite: str) -> None:
    seats = [seat(1, "As Ad 9c 7h 2s", {"ante": 1000, "aces_up": 500}, {"play": 2000})]
    result = outcome(chapter, seats, dealer=BAD_DEALER_4, irregularity={"kind": kind})
    assert (result["void"], result["hands"]) == (cite, {})
    assert [row["result"] for row in result["lines"]] == ["returned"] * 3
    assert {row["cite"] for row in result["lines"]} == {cite}
    assert {row["net"] for row in result["lines"]} == {0}


@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_8g_stub_count(chapter: str) -> None:
    number = chapter.removeprefix("pa")
    seats = [seat(1, "", {"ante": 1000, "all_six": 500})]
    result = outcome(chapter, seats, irregularity={"kind": "stub_short"})
    assert result["void"] == f"{number}.8(g), {number}.9(f), {number}.10(f)"
    assert result["hands"] == {}


@pytest.mark.parametrize("kind", ["one_face_up", "drawn_in_error", "shuffler_jam"])
def test_x_13_the_round_goes_on(kind: str) -> None:
    seats = [seat(1, "As Ad 9c 7h 2s", {"ante": 1000}, {"play": 2000})]
    result = outcome("pa641a", seats, dealer=BAD_DEALER_4, irregularity={"kind": kind})
    assert result["void"] is None
    assert paid(result, 1, "play") == ("win", "win", 2000)


def test_641a_13d_holds_after_the_play_wagers_too() -> None:
    seats = [seat(1, "As Ad 9c 7h 2s", {"ante": 1000}, {"play": 2000})]
    exposed = {"kind": "dealer_exposed", "when": "after_raise"}
    assert outcome("pa641a", seats, dealer=BAD_DEALER_4, irregularity=exposed)["void"]


def test_679a_13d_settles_the_optional_wagers() -> None:
    seats = [seat(1, "9h 9d 4h", {"ante": 1000, "prime": 500, "all_six": 500}, {"play": 1000})]
    exposed = {"kind": "dealer_exposed", "when": "after_raise"}
    result = outcome("pa679a", seats, dealer="9s 4c 2d", irregularity=exposed)
    assert paid(result, 1, "ante") == ("returned", None, 0)
    assert line(result, 1, "play")["cite"] == "679a.13(d)"
    assert paid(result, 1, "prime") == ("win", "same_color_player", 1500)
    assert paid(result, 1, "all_six") == ("win", "full_house", 12_500)
    assert result["hands"] == {"dealer": "high (does not qualify)", "seat1": "pair"}


def test_679a_13d_with_no_optional_wager_settles_nothing() -> None:
    seats = [seat(1, "9h 9d 4h", {"ante": 1000}, {"play": 1000})]
    exposed = {"kind": "dealer_exposed"}
    result = outcome("pa679a", seats, dealer="9s 4c 2d", irregularity=exposed)
    assert (result["void"], result["hands"]) == ("679a.13(d)", {})


@pytest.mark.parametrize(
    ("when", "void"),
    [("before_raise", "682a.13(d)"), (None, "682a.13(d)"), ("after_raise", None)],
)
def test_682a_13d_only_before_the_raises(when: str | None, void: str | None) -> None:
    seats = [seat(1, "As Ad 9c 7h 2s", {"ante": 1000, "prime": 500}, {"play": 1000})]
    exposed = {"kind": "dealer_exposed"} | ({"when": when} if when else {})
    result = outcome("pa682a", seats, dealer=BAD_DEALER_4, irregularity=exposed)
    assert result["void"] == void
    assert paid(result, 1, "raise") == (("win", "win", 1000) if void is None else RETURNED)
    assert paid(result, 1, "prime") == ("lose", None, -500)


RETURNED = ("returned", None, 0)


def test_683a_13d_ante_and_raises_back_the_four_others_settled() -> None:
    made = {"ante": 1000, "pocket": 500, "board": 500, "lo_ball": 500, "all_six": 500}
    seats = [seat(1, "Ah Kh", made, {"raises": [1000, 2000, 3000]})]
    result = outcome(
        "pa683a",
        seats,
        community="9c 9d 2s",
        all_six=["Ad", "Ks", "3c", "4c"],
        irregularity={"kind": "community_exposed"},
    )
    assert result["void"] == "683a.13(d)"
    assert [paid(result, 1, f"raise{number}") for number in (1, 2, 3)] == [RETURNED] * 3
    assert paid(result, 1, "pocket") == ("win", "ace_face_suited", 10_000)
    assert paid(result, 1, "board") == ("win", "pair", 500)
    assert paid(result, 1, "lo_ball") == ("lose", None, -500)
    assert paid(result, 1, "all_six") == ("lose", None, -500)
    assert result["hands"] == {"seat1": "pair"}


def test_v1_forfeits_go_back_in_a_void_round_or_stay() -> None:
    made = {"ante": 1000, "aces_up": 500, "prog4": 100}
    seats = [seat(1, "As Ad 9c 7h 2s", made, FOLD)]
    jam = {"kind": "shoe_jam"}
    keep = {"void_forfeits": "kept"}
    back = outcome("pa641a", seats, dealer=BAD_DEALER_4, irregularity=jam)
    kept = outcome("pa641a", seats, dealer=BAD_DEALER_4, irregularity=jam, readings=keep)
    assert [row["result"] for row in back["lines"]] == ["returned"] * 3
    assert paid(kept, 1, "ante") == ("forfeit", None, -1000)
    assert paid(kept, 1, "prog4") == ("forfeit", None, -100)
    assert paid(kept, 1, "aces_up") == RETURNED


def test_f10_an_abandoned_seat_of_a_void_round_is_like_any_other() -> None:
    seats = [seat(1, "As Ad 9c 7h 2s", {"ante": 1000}, {"play": 1000}, abandoned=True)]
    result = outcome("pa641a", seats, dealer=BAD_DEALER_4, irregularity={"kind": "wrong_count"})
    assert [row["result"] for row in result["lines"]] == ["returned"] * 2
