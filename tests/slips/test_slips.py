"""A short form of the slips; and that a program without the lane, or without the stop, is found out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.statemachine.walk.setups import WAYS

from .campaign import slips_of
from .elsewhere import WIRES, slips_at
from .run import Kept, main

THIN, PLACES = 61, 10


@pytest.mark.parametrize("name", ["pa641a-manual_shoe-each_card", "pa683a-auto_shoe-stack"])
def test_a_slip_at_any_call_locks_is_told_and_loses_nothing(name: str) -> None:
    way = next(way for way in WAYS if str(way) == name)

    count = slips_of(way, 3, None, thin=THIN, most=PLACES)

    assert count.slips > 20
    assert count.given_again > 5
    assert count.told == []


@pytest.mark.parametrize("name", WIRES)
def test_a_slip_of_a_driver_costs_its_device_and_locks(name: str) -> None:
    count = slips_at(name, thin=2000)

    assert count.lost_devices >= 1
    assert count.told == []


@pytest.mark.parametrize("name", ["lines", "console", "key desk"])
def test_a_slip_elsewhere_ends_the_program_locked(name: str) -> None:
    count = slips_at(name, thin=4000)

    assert count.slips >= 1
    assert count.told == []


@pytest.mark.parametrize(
    ("control", "kind", "thin", "words"),
    [
        ("no-lane", "LOCK while bets open", "9", "no lock after 40 calls"),
        ("no-stop", "WagerSensed while bets open", "61", "the lock output is open"),
    ],
)
def test_a_control_is_found_out(control: str, kind: str, thin: str, words: str) -> None:
    order = [
        sys.executable,
        "-m",
        "tests.slips.run",
        "--part",
        "pa641a-hand-none",
        "--kind",
        kind,
    ]

    done = subprocess.run(
        [*order, "--sample", "--thin", thin, "--control", control],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert words in done.stdout


def test_a_run_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "slips.json"
    order = ["--part", "meter sign", "--thin", "4000", "--state", str(state)]

    assert main(order) == 0
    first = capsys.readouterr()
    assert main(order) == 0
    again = capsys.readouterr()

    assert "[1/1] meter sign" in first.err
    assert again.err == ""
    assert first.out == again.out
    assert list(json.loads(state.read_text())["done"]) == ["meter sign"]
    assert Kept.read(state).total.slips >= 1


def test_a_part_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--part", "roulette"]) == 2
    assert "no part 'roulette'; there are" in capsys.readouterr().err
