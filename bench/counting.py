"""Instructions that a table spends on each event, counted by callgrind over kept events.

Time tells little on a machine that others use; the count of instructions is the same each time, to the
last one. The job marks where each event begins and ends by entering ``getppid``, and callgrind writes a
file at each mark with what it counted since the one before: no start, no import and no reading has to be
taken off.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from fresh import HERE, JOBS, JobError

FIXED = HERE / "fixed"
WAYS = {"manual_shoe": "a card read at a time", "auto_shoe": "a stack read at a time"}
COUNTED_ROUNDS = 2
MARK = "getppid"
INSTALL = "valgrind is missing: sudo apt-get install valgrind"
# The three dear events that every round has, by the step from phase to phase that they make.
STEPS = {
    "lock": "bets_open > counting_chips",
    "reveal": "turning > settling",
    "record": "clearing > shuffling",
}


class NoValgrindError(Exception):
    """Nothing can be counted here."""


@dataclass(frozen=True, slots=True)
class Counted:
    """An event by its name, the instructions that it took, and those of the rest before it."""

    name: str
    instructions: int
    rested: int


def kept_events(method: str) -> Path:
    """The file of recorded rounds for a way of dealing."""
    return FIXED / f"pa641a-{method}.jsonl"


def order(paths: Sequence[Path]) -> list[str]:
    """The job that plays the last kept rounds of some files."""
    return [sys.executable, str(JOBS / "fixed_events.py"), str(COUNTED_ROUNDS), *map(str, paths)]


def count() -> dict[str, list[Counted]]:
    """Every event of the last kept rounds, by way of dealing."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise NoValgrindError(INSTALL)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counted"
        options = ["--tool=callgrind", f"--callgrind-out-file={out}", f"--dump-before={MARK}"]
        done = subprocess.run(
            [valgrind, *options, *order([kept_events(way) for way in WAYS])],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        if done.returncode:
            raise JobError("fixed_events under valgrind", done.stderr)
        return dict(zip(WAYS, counted(json.loads(done.stdout), out), strict=True))


def counted(names: Sequence[Sequence[str]], out: Path) -> list[list[Counted]]:
    """What the files of the marks say: of two for each event one holds the rest before it, one the event."""
    marks, events = len(list(out.parent.glob(f"{out.name}.*"))), sum(map(len, names))
    if marks != 2 * events:
        raise NoValgrindError(
            f"callgrind wrote {marks} marks for {events} events: it does not see {MARK} here"
        )
    files = (Path(f"{out}.{number}").read_text(encoding="utf-8") for number in range(1, marks + 1))
    found = []
    for each in names:
        rests = [(total(next(files)), total(next(files))) for _ in each]
        # Before the first event lies the start of the job, or that of its next file.
        rests[0] = 0, rests[0][1]
        found.append([Counted(name, event, rest) for name, (rest, event) in zip(each, rests, strict=True)])
    return found


def total(text: str) -> int:
    """The sum of all instructions in a file of callgrind."""
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("totals:"))


def by_row(events: Sequence[Counted]) -> dict[str, int]:
    """The mean of all events, that of each dear step, and all rests of a round."""
    every = {"mean": [event.instructions for event in events]}
    for row, step in STEPS.items():
        every[row] = [event.instructions for event in events if event.name == step]
    rests = sum(event.rested for event in events) / COUNTED_ROUNDS
    return {row: round(mean(found)) for row, found in every.items()} | {"rest": round(rests)}
