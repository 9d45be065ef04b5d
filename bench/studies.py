"""What is looked at as a curve: decisions against seats and wagers, a long shift, journals of any length.

Each study starts processes of its own and gives its panels. Decisions and commits are in processor time;
what a person waits for, a start and a recovery, is by the clock on the wall, the start's processor time
beside it.
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, Protocol

import board
import recovery
from curve import Curve, Panel
from fresh import run_job

WAYS = {"manual_shoe": "a card read at a time", "auto_shoe": "a stack read at a time"}
SEATS, OPTIONAL = range(1, 8), range(8)
ROUNDS, PARTS = 100_000, 10
LENGTHS, QUICK_LENGTHS = (1_000, 10_000, 100_000, 1_000_000), (1_000, 10_000)
Found = Mapping[str, float]


class Line(NamedTuple):
    """A curve by its name, and what it is called in a job's answer."""

    name: str
    key: str


class Axes(NamedTuple):
    """A panel before it has points."""

    title: str
    unit: str
    lines: tuple[Line, ...]


DECISIONS = (("one event, mean", "us", "mean"), ("one event, p50", "us", "p50"), ("a round", "us", "round"))
SHIFT = (
    Axes("one event, mean", "us", (Line("processor time", "event_us"),)),
    Axes("resident memory", "MB", (Line("after the garbage is collected", "resident_mb"),)),
    Axes("a round in the journal", "KB", (Line("kept in the file", "journal_kb"),)),
)
JOURNAL = (
    Axes("a commit", "us", (Line("processor time, median", "commit_us"),)),
    Axes("a round of 7 seats in the journal", "KB", (Line("kept in the file", "round_kb"),)),
    Axes("recovery after SIGKILL", "ms", (Line("wall, median", "recovery_ms"),)),
    Axes("exec to READY", "ms", (Line("wall, median", "wall_ms"), Line("processor, median", "processor_ms"))),
)


class Study(Protocol):
    """What measures some panels."""

    def __call__(self, *, quick: bool) -> list[Panel]:
        """Measure."""


def seats(*, quick: bool) -> list[Panel]:
    """One seat to seven, each with every wager there is."""
    sizes = {each: (each, OPTIONAL[-1]) for each in SEATS}
    return _decisions("seats, each with every wager", sizes, quick=quick)


def wagers(*, quick: bool) -> list[Panel]:
    """Seven seats with an ante, and one optional wager more each time."""
    sizes = {each: (SEATS[-1], each) for each in OPTIONAL}
    return _decisions("optional wagers at each of seven seats", sizes, quick=quick)


def _decisions(across: str, sizes: Mapping[int, tuple[int, int]], *, quick: bool) -> list[Panel]:
    """What an event takes and what a round takes, for each way of dealing."""
    rounds = 10 if quick else 120
    found: list[dict[str, float]] = [{} for _ in sizes]
    for way in WAYS:
        for each, (count, optional) in zip(found, sizes.values(), strict=True):
            took: Found = run_job("decide_scaled", way, count, optional, rounds)
            each.update({f"{way} {key}": value for key, value in took.items()})
    axes = [
        Axes(title, unit, tuple(Line(words, f"{way} {key}") for way, words in WAYS.items()))
        for title, unit, key in DECISIONS
    ]
    return [_panel(each, across, list(sizes), found) for each in axes]


def shift(*, quick: bool) -> list[Panel]:
    """A shift of 100,000 rounds: time, memory and bytes."""
    found: list[Found] = run_job("shift_curve", ROUNDS // 100 if quick else ROUNDS, PARTS)
    places = [each["rounds"] for each in found]
    across = "rounds played: pa641a, stacks read, 1 % accidents"
    return [_panel(axes, across, places, found) for axes in SHIFT]


def journal(*, quick: bool) -> list[Panel]:
    """Journals of a thousand entries to a million: commits, bytes, recoveries, starts."""
    lengths, turns = (QUICK_LENGTHS, 1) if quick else (LENGTHS, 5)
    found = [_at_length(length, turns) for length in lengths]
    return [_panel(axes, "entries in the journal", lengths, found, by_tens=True) for axes in JOURNAL]


def _at_length(length: int, turns: int) -> Found:
    """One journal recovered, then played on; and one that the whole program starts with."""
    python, _ = board.interpreter()
    with tempfile.TemporaryDirectory() as folder:
        recovery.made_of(Path(folder) / "left", length)
        recovery_ms = median(recovery.times(Path(folder), turns, "warm"))
        played: Found = run_job("journal_at_length", Path(folder) / "left", 5 * turns)
    started: Mapping[str, Sequence[float]] = run_job("start_at_length", python, length, turns)
    starts = {key: median(samples) for key, samples in started.items()}
    return {"recovery_ms": recovery_ms, **played, **starts}


def _panel(
    axes: Axes, across: str, places: Sequence[float], found: Sequence[Found], *, by_tens: bool = False
) -> Panel:
    curves = tuple(
        Curve(line.name, tuple((float(x), each[line.key]) for x, each in zip(places, found, strict=True)))
        for line in axes.lines
    )
    return Panel(axes.title, across, axes.unit, curves, by_tens=by_tens)


STUDIES: Mapping[str, tuple[str, Study]] = {
    "seats": ("Decisions against seats", seats),
    "wagers": ("Decisions against wagers", wagers),
    "shift": ("A shift of 100,000 rounds", shift),
    "journal": ("Journals of any length", journal),
}
