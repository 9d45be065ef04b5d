"""Counts of instructions: reading what callgrind wrote, and the limits that are kept."""

import json
import subprocess
from pathlib import Path

import pytest
from counting import (
    COUNTED_ROUNDS,
    STEPS,
    WAYS,
    Counted,
    NoValgrindError,
    by_row,
    counted,
    kept_events,
    order,
    total,
)
from instructions import ROWS, figures
from limits import Limits, goals, kept, most, read, this_interpreter, written

COUNTS = {
    "manual_shoe": dict.fromkeys(ROWS, 1000),
    "auto_shoe": {**dict.fromkeys(ROWS, 9), "mean": 2000},
}
DUMP = "events: Ir\nfn=(12) getppid\n3 7\n\ntotals: {}\n"


def test_the_sum_of_a_file_is_its_totals_line() -> None:
    assert total(DUMP.format(178_312)) == 178_312


def test_of_an_event_the_first_file_is_the_rest_before_it_but_for_the_start(tmp_path: Path) -> None:
    for number, instructions in enumerate((5, 100, 6, 300, 7, 500), 1):
        (tmp_path / f"counted.{number}").write_text(DUMP.format(instructions), encoding="utf-8")
    (tmp_path / "counted").write_text(DUMP.format(9), encoding="utf-8")

    assert counted([["a"], ["b", "c"]], tmp_path / "counted") == [
        [Counted("a", 100, 0)],
        [Counted("b", 300, 0), Counted("c", 500, 7)],
    ]


def test_a_mark_that_callgrind_did_not_see_is_no_count(tmp_path: Path) -> None:
    (tmp_path / "counted").write_text(DUMP.format(9), encoding="utf-8")

    with pytest.raises(NoValgrindError, match="0 marks for 2 events"):
        counted([["a"], ["b"]], tmp_path / "counted")


def test_the_rows_are_the_mean_and_the_dear_steps() -> None:
    events = [Counted(step, 100 * place, 8) for place, step in enumerate(STEPS.values(), 1)]

    assert by_row([*events, Counted("WagerSensed", 0, 2)]) == {
        "mean": 150,
        "lock": 100,
        "reveal": 200,
        "record": 300,
        "rest": 26 // COUNTED_ROUNDS,
    }


# ---------------------------------------------------------------- limits


def test_what_is_kept_is_read_back() -> None:
    assert read(written(COUNTS, "CPython 3.11.7")) == Limits("CPython 3.11.7", COUNTS)


def test_a_count_may_be_three_percent_above() -> None:
    limits = Limits("CPython 3.11.7", COUNTS)

    assert most(1000) == 1030
    assert goals(limits, "CPython 3.11.7")["auto_shoe", "mean"] == 2060
    assert goals(limits, "CPython 3.11.8") == {}


@pytest.mark.parametrize(("instructions", "verdict"), [(1030, "met"), (1031, "MISSED"), (10, "met")])
def test_a_row_above_its_limit_is_missed(instructions: int, verdict: str) -> None:
    found = {way: {**rows, "lock": instructions} for way, rows in COUNTS.items()}
    limits = goals(Limits("this", {way: dict.fromkeys(rows, 1000) for way, rows in COUNTS.items()}), "this")
    every = figures(found, limits)

    assert [each.verdict for each in every if each.name.endswith("the lock")] == [verdict] * len(WAYS)


def test_without_a_limit_nothing_is_judged() -> None:
    assert {each.verdict for each in figures(COUNTS, {})} == {""}


def test_the_kept_limits_are_of_every_row_and_some_interpreter() -> None:
    found = kept()

    assert {way: set(rows) for way, rows in found.counts.items()} == {way: set(ROWS) for way in WAYS}
    assert found.interpreter.split()[0] == this_interpreter().split()[0] == "CPython"


@pytest.mark.parametrize("way", WAYS)
def test_the_kept_events_play_whole_rounds_with_every_dear_step(way: str) -> None:
    played = subprocess.run(order([kept_events(way)]), check=True, capture_output=True, text=True).stdout
    (names,) = json.loads(played)

    assert len(names) > 100 * COUNTED_ROUNDS
    assert {step: names.count(step) for step in STEPS.values()} == dict.fromkeys(
        STEPS.values(), COUNTED_ROUNDS
    )
