"""A figure: what was measured, how often, and what it may be at most (or at least).

The machine that measures is seldom alone, so one number proves little. A figure keeps every sample; the
median is what it is judged by, best and worst say how far to trust it.

A goal must hold on another machine too, so only what travels has one: a ratio to a peer or a reference in the
same run, a count, a size. A time is for information.
"""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

Section = tuple[str, "list[Figure]"]
HEAD = ("", "goal", "median", "best", "worst", "verdict")
IN_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
# Units that are the machine's as much as the program's: times, and shares of a processor.
OF_THE_MACHINE = frozenset({*IN_NS, "%"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured quantity; without samples it says in its note why it could not be measured."""

    name: str
    unit: str
    samples: tuple[float, ...]
    goal: float | None = None
    note: str = ""
    at_least: bool = False

    def __post_init__(self) -> None:
        if self.goal is not None and self.unit in OF_THE_MACHINE:
            raise ValueError(f"{self.name}: a goal in {self.unit} holds on one machine alone")

    @property
    def median(self) -> float | None:
        """The middle sample."""
        return median(self.samples) if self.samples else None

    @property
    def verdict(self) -> str:
        """Whether the median keeps the goal."""
        if self.median is None:
            return "not measured"
        if self.goal is None:
            return ""
        is_met = self.median >= self.goal if self.at_least else self.median <= self.goal
        return "met" if is_met else "MISSED"

    def as_json(self) -> dict[str, object]:
        """The figure for other programs."""
        return {
            "figure": self.name,
            "unit": self.unit,
            "goal": self.goal,
            "at_least": self.at_least,
            "median": self.median,
            "best": _from_best(self)[0],
            "worst": _from_best(self)[1],
            "samples": len(self.samples),
            "verdict": self.verdict,
            "note": self.note,
        }


def ratio(name: str, above: Figure, below: Figure, goal: float | None = None) -> Figure:
    """One figure as a multiple of another, sample by sample: they were measured in turn."""
    scale = IN_NS[above.unit] / IN_NS[below.unit] if above.unit != below.unit else 1.0
    samples = tuple(scale * a / b for a, b in zip(above.samples, below.samples, strict=False))
    return Figure(name, "x", samples, goal, above.note or below.note)


def ratio_of_medians(name: str, above: Figure, below: Figure, goal: float | None = None) -> Figure:
    """Return the same where the two were sampled unequally often: every sample over the other's median."""
    middle = below.median
    reference = replace(below, samples=(middle,) * len(above.samples) if middle else ())
    return ratio(name, above, reference, goal)


def machine() -> dict[str, object]:
    """What the figures were measured on, and how busy it was."""
    model = next(iter(_cpu_models()), platform.processor() or platform.machine())
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "load": round(os.getloadavg()[0], 2),
    }


def _cpu_models() -> list[str]:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    return [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]


def machine_line(facts: Mapping[str, object]) -> str:
    """The machine in one line."""
    words = "{cpu}, {cores} cores, {system}, Python {python}, load average {load} at the start"
    return words.format_map(facts)


def as_table(sections: Sequence[Section]) -> str:
    """All figures as one table, with the notes of those that have one."""
    rows: list[tuple[str, ...]] = [HEAD]
    for title, figures in sections:
        rows += [(title, "", "", "", "", ""), *(_indented(cells(figure)) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [_line(row, widths) for row in rows]
    notes = [f"  {name}: {note}" for _, every in sections for note, name in notes_of(every).items()]
    return "\n".join(lines + (["", "notes", *notes] if notes else []))


def notes_of(figures: Sequence[Figure]) -> dict[str, str]:
    """The notes of a section, each with the first figure that has it."""
    found: dict[str, str] = {}
    for figure in figures:
        if figure.note:
            found.setdefault(figure.note, figure.name)
    return found


def cells(figure: Figure) -> tuple[str, ...]:
    """A figure's row: its name, goal, median, best, worst and verdict."""
    numbers = (figure.median, *_from_best(figure))
    shown = ("" if number is None else _number(number, figure.unit) for number in numbers)
    goal = "" if figure.goal is None else _number(figure.goal, figure.unit)
    return (figure.name, f">= {goal}" if goal and figure.at_least else goal, *shown, figure.verdict)


def _from_best(figure: Figure) -> tuple[float | None, float | None]:
    ends = min(figure.samples, default=None), max(figure.samples, default=None)
    return (ends[1], ends[0]) if figure.at_least else ends


def _indented(row: tuple[str, ...]) -> tuple[str, ...]:
    return (f"  {row[0]}", *row[1:])


def _number(number: float, unit: str) -> str:
    digits = 2 if number < 10 and unit != "ns" else 1 if number < 100 else 0
    return f"{number:,.{digits}f} {unit}"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *numbers, verdict = row
    cells = (cell.rjust(width) for cell, width in zip(numbers, widths[1:-1], strict=True))
    return "  ".join((first.ljust(widths[0]), *cells, verdict)).rstrip()
