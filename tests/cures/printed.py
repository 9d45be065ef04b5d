"""Words that people find printed: the lines of ``faults``, read as a person reads them, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTHING_NOW = "nothing now: "
STEP = re.compile(r"  step \d+ +(.+?)(?:; or here: `(.+)`)?$")


class Step(NamedTuple):
    """A printed step, and the order that does the same at the console, where one is printed."""

    words: str
    order: str = ""


class Fault(NamedTuple):
    """A fault as it is printed: the line that names it, and its steps."""

    name: str
    steps: tuple[Step, ...]

    @property
    def is_to_be_cured(self) -> bool:
        """Whether its first step asks for anything."""
        return bool(self.steps) and not self.steps[0].words.startswith(NOTHING_NOW)


def read(lines: Iterable[str]) -> list[Fault]:
    """Return the faults that are printed, each with its steps."""
    found: list[Fault] = []
    for line in lines:
        step = STEP.match(line)
        if step and found:
            name, steps = found[-1]
            found[-1] = Fault(name, (*steps, Step(step[1], step[2] or "")))
        elif line and not line.startswith(" ") and ": " in line:
            found.append(Fault(line, ()))
    return found


def first(lines: Iterable[str]) -> Fault | None:
    """Return the fault that comes first and asks for something, None where none does."""
    return next((fault for fault in read(lines) if fault.is_to_be_cured), None)
