"""The results of the machines in one place: a JSON file for machines, a table for people.

A check is one line of a console, ``RIG-RESULT name ok|fail seconds words``. What was to be checked and said
nothing is a failure like any other: silence never counts as good.
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

CANNOT_RUN = 77


class CannotRunError(Exception):
    """The machine lacks something that the rig cannot do without; the words say what, and what would help."""


class BlindError(Exception):
    """The rig did not see a loss that was made on purpose: what it has not seen elsewhere proves nothing."""


MARK = "RIG-RESULT"
_LINE = re.compile(rf"{MARK} (\S+) (ok|fail) ([0-9.]+) ?(.*)")
WIDEST = 100


class PartResult(NamedTuple):
    """One check; the seconds are those of the machine's own clock."""

    name: str
    is_good: bool
    seconds: float
    words: str


class RigPart(NamedTuple):
    """One part of the rig: its checks, and how long it took by the clock on the wall."""

    name: str
    wall_s: float
    results: Sequence[PartResult]
    trouble: str = ""

    @property
    def is_good(self) -> bool:
        """Return whether every check held, and there was one."""
        return not self.trouble and bool(self.results) and all(each.is_good for each in self.results)


def result_of(line: str) -> PartResult | None:
    """Return the result in a line of a console; None if it is another line."""
    found = _LINE.search(line)
    return PartResult(found[1], found[2] == "ok", float(found[3]), found[4].strip()) if found else None


def results_of(lines: Iterable[str]) -> list[PartResult]:
    """Return every result in a console."""
    return [found for line in lines if (found := result_of(line))]


def with_silent(results: Sequence[PartResult], wanted: Iterable[str]) -> list[PartResult]:
    """Return the results, and a failure for each check that was wanted and said nothing."""
    said = {each.name for each in results}
    return [*results, *(PartResult(name, False, 0.0, "said nothing") for name in wanted if name not in said)]


def as_json(parts: Sequence[RigPart], about: dict[str, str]) -> str:
    """Return all of it for a machine."""
    rows = [
        {
            "part": part.name,
            "good": part.is_good,
            "wall_s": round(part.wall_s, 1),
            **({"trouble": part.trouble} if part.trouble else {}),
            "checks": [each._asdict() for each in part.results],
        }
        for part in parts
    ]
    return json.dumps({"about": about, "good": is_good(parts), "parts": rows}, indent=1) + "\n"


def is_good(parts: Sequence[RigPart]) -> bool:
    """Return whether the whole rig holds."""
    return bool(parts) and all(part.is_good for part in parts)


def held(parts: Sequence[RigPart]) -> str:
    """Return how many checks held, in words."""
    checks = [each.is_good for part in parts for each in part.results]
    return f"{sum(checks)} of {len(checks)} checks held"


def as_table(parts: Sequence[RigPart]) -> str:
    """Return all of it for a person."""
    lines = []
    for part in parts:
        lines.append(f"{'ok  ' if part.is_good else 'FAIL'} {part.name} ({part.wall_s:.0f} s)")
        lines += [f"       {'ok  ' if each.is_good else 'FAIL'} {_row(each)}" for each in part.results]
        if part.trouble:
            lines.append(f"       {part.trouble}")
    return "\n".join(lines)


def _row(each: PartResult) -> str:
    words = each.words if not each.is_good or len(each.words) <= WIDEST else f"{each.words[:WIDEST]}..."
    return f"{each.name:28} {each.seconds:7.2f} s  {words}".rstrip()


def write(path: Path, text: str) -> None:
    """Write the results where they were asked for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
