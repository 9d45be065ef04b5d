"""A process of the floor is killed in the middle of its work, and another takes over: the money is the same."""

import subprocess
import sys
from pathlib import Path

from sabot.floor.money import DOLLAR, UNITS
from sabot.floor.open_store import open_store
from sabot.floor.verify import verify

from .keeping import Kept

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("T1", "T2")
TURNS = 3
LINES = 15


def hammer(where: str, table: str) -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "tests.floor.hammer", where, table]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def read(process: "subprocess.Popen[str]", lines: int) -> list[int]:
    assert process.stdout is not None
    return [int(process.stdout.readline()) for _ in range(lines)]


def left(process: "subprocess.Popen[str]") -> list[int]:
    """Return the numbers said before it died; a line that was cut is none."""
    rest, _ = process.communicate()
    return [int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]


def test_prog_6_a_floor_that_is_killed_loses_and_doubles_nothing(where: str) -> None:
    with Kept.linked(where, "T1", "T2"):
        pass
    acknowledged: dict[str, list[int]] = {"T1": [], "T2": []}
    leading = hammer(where, "T1")
    for turn in range(TURNS):
        acknowledged[TABLES[turn % 2]] += read(leading, LINES)
        waiting = hammer(where, TABLES[(turn + 1) % 2])
        leading.kill()
        acknowledged[TABLES[turn % 2]] += left(leading)
        leading = waiting
    leading.kill()
    acknowledged[TABLES[TURNS % 2]] += left(leading)

    store = open_store(where)
    rows = [(each.table, each.message) for each in store.entries() if each.table]
    assert verify(store).verified.entries == store.load().last.number
    assert store.load().balances["pit.mega"] == 10_000 * DOLLAR + 30 * UNITS * len(rows)
    for table, numbers in acknowledged.items():
        applied = [message for name, message in rows if name == table]
        assert applied == list(range(1, len(applied) + 1))
        assert set(numbers) <= set(applied)
        assert len(set(numbers)) == len(numbers) >= LINES
    store.close()
