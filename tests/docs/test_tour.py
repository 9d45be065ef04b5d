"""The tour of the code goes the ways that the program goes: each row is called, in the order of the page."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from tests.drivers.lines.linehost import LinesHost, with_lines

from count_ways import count
from sabot import cli
from sabot.statemachine.vocabulary.effects import LockWagers
from sabot.statemachine.vocabulary.events import KeyPressed

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `([^`]+\.py)` \| `([^`]+)` \|", re.MULTILINE)
PRODUCT = "/src/sabot/"
Call = tuple[str, str]


def page(title: str) -> list[Call]:
    """Return the rows of one part of the page."""
    text = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    part = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return [(file, function) for file, function in ROW.findall(part)]


def first_wrong(rows: list[Call], calls: list[Call]) -> Call | None:
    """Return the first row that does not come behind the one before it, None where all do."""
    rest = iter(calls)
    return next((row for row in rows if row not in rest), None)


@contextmanager
def heard(calls: list[Call]) -> Iterator[None]:
    """Hear the calls of all threads meanwhile."""

    def hear(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and PRODUCT in frame.f_code.co_filename:
            calls.append((frame.f_code.co_filename.partition(PRODUCT)[2], frame.f_code.co_qualname))

    before = sys.getprofile()
    threading.setprofile(hear)
    sys.setprofile(hear)
    try:
        yield
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def edge_and_relay() -> tuple[list[Call], list[Call]]:
    """Press LOCK at the lines, and hand the lock to them."""
    edge: list[Call] = []
    relay: list[Call] = []

    async def test(host: LinesHost) -> None:
        with heard(edge):
            host.press("key_lock")
            await host.first(KeyPressed)
        with heard(relay):
            host.driver.perform(LockWagers(cite="7(c)"))

    with_lines(test)
    return edge, relay


def a_card() -> list[Call]:
    return asyncio.run(count())["card"].steps


def a_lock() -> list[Call]:
    edge, relay = edge_and_relay()
    return [*edge, *asyncio.run(count())["LOCK"].steps, *relay]


def a_settlement(tmp_path: Path) -> list[Call]:
    """Settle a round in an interpreter of its own, where no chapter has been read before."""
    first = (ROOT / "desk" / "demo" / "rounds.jsonl").read_text(encoding="utf-8").splitlines()[0]
    round_file, steps = tmp_path / "round.json", tmp_path / "steps.json"
    round_file.write_text(json.dumps(json.loads(first)["round"]), encoding="utf-8")
    program = "from tests.docs.test_tour import settle_heard; import sys; settle_heard(*sys.argv[1:])"
    path = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
    order = [sys.executable, "-c", program, str(round_file), str(steps)]
    subprocess.run(order, check=True, capture_output=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": path})
    return [(file, function) for file, function in json.loads(steps.read_text())]


def settle_heard(round_file: str, steps: str) -> None:
    calls: list[Call] = []
    with heard(calls):
        assert cli.main(["settle", round_file]) == 0
    Path(steps).write_text(json.dumps(calls), encoding="utf-8")


def test_a_card_goes_the_way_of_the_page() -> None:
    rows = page("A card")
    assert len(rows) > 15
    assert first_wrong(rows, a_card()) is None


def test_lock_goes_the_way_of_the_page_and_is_performed_before_the_round_is_made() -> None:
    rows = page("LOCK")
    calls = a_lock()
    assert first_wrong(rows, calls) is None
    performed = calls.index(("firmware/run/runner.py", "Runner._perform"))
    assert performed < calls.index(("statemachine/lockout.py", "Lockout.lock"))


def test_a_settlement_goes_the_way_of_the_page(tmp_path: Path) -> None:
    rows = page("A settlement")
    assert len(rows) > 10
    assert first_wrong(rows, a_settlement(tmp_path)) is None


@pytest.mark.parametrize(
    "spoil", [lambda rows: rows[::-1], lambda rows: [*rows, ("rules/cards.py", "nothing")]]
)
def test_a_page_that_is_wrong_is_found_out(spoil: Callable[[list[Call]], list[Call]], tmp_path: Path) -> None:
    assert first_wrong(spoil(page("A settlement")), a_settlement(tmp_path)) is not None
