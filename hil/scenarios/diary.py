"""What is measured in a diary: from the last time that one thing was to the first of another after it."""

from collections.abc import Callable, Mapping
from typing import Any

Row = list[Any]
Is = Callable[[Row], bool]
MS = 1000.0


def _line(name: str, level: int) -> Is:
    return lambda row: row[1:4] == ["lines", name, level]


def _did(device: str, word: str) -> Is:
    return lambda row: row[4] == "did" and (not device or row[1] == device) and str(row[3]).startswith(word)


def _display(word: str) -> Is:
    return lambda row: row[1] == "display" and row[4] == "showed" and str(row[3]).startswith(word)


def _lit(row: Row) -> bool:
    return row[1:3] == ["pads", "lit"]


# From when, and to when.
ENDS: Mapping[str, tuple[Is, Is]] = {
    "key to lock": (_line("key_lock", 0), _line("lock_open", 0)),
    "power to display": (_did("power", "on"), _display("")),
    "cable to hold": (_did("", "unplug"), _display("HELD")),
    "chip to lamp": (_did("pads", "chips"), _lit),
}


def measure_of(name: str, rows: list[Row]) -> list[float]:
    """The milliseconds of a measurement; empty where one of its ends was not seen."""
    begins, ends = ENDS[name]
    began = [number for number, row in enumerate(rows) if begins(row)]
    if not began:
        return []
    first = rows[began[-1]][0]
    return [(row[0] - first) * MS for row in rows[began[-1] + 1 :] if ends(row)][:1]
