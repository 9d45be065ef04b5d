"""The book of the demo: five shifts as data, and the words said beside them.

A shift is a table as `sabot run --sim` sets it up, with its example Rules Submission, and a script of plain
lines, one verb a line. The book decides nothing: what follows from a line is the program's matter, and the
paragraph behind it too.
"""

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sabot.config import load_chapter
from sabot.config.submission import Submission, load_submission
from sabot.rules.chapter import Chapter


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a script."""

    verb: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shift:
    """One chapter's shift: the table, what it is made of, and what happens."""

    chapter: Chapter
    submission: Submission
    method: str
    about: str
    steps: tuple[Step, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats where somebody plays in this shift."""
        return tuple(sorted({int(step.words[0]) for step in self.steps if step.verb == "bet"}))

    @property
    def irregularities(self) -> tuple[str, ...]:
        """What goes wrong in this shift, by kind."""
        return tuple(dict.fromkeys(step.words[0] for step in self.steps if step.verb == "!"))


@dataclass(frozen=True, slots=True)
class Book:
    """The shifts by chapter, and the words beside them."""

    shifts: Mapping[str, Shift]
    labels: Mapping[str, str]
    phases: Mapping[str, str]
    irregularities: Mapping[str, tuple[str, str]]


def read_book() -> Book:
    """The book that travels with the program."""
    words = _toml("words.toml")
    return Book(
        shifts={each["chapter"]: _shift(each) for each in _toml("shifts.toml")["shift"]},
        labels=words["labels"],
        phases=words["phases"],
        irregularities={kind: (title, then) for kind, (title, then) in words["irregularities"].items()},
    )


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((files("sabot.firmware.demo") / name).read_text(encoding="utf-8"))


def _shift(entry: Mapping[str, Any]) -> Shift:
    name = entry["chapter"]
    submission = load_submission(Path(str(files("sabot.config") / "submissions" / f"{name}.toml")))
    steps = tuple(_steps(entry["script"]))
    return Shift(load_chapter(name), submission, entry["method"], entry["about"], steps)


def _steps(script: str) -> list[Step]:
    lines = (shlex.split(line, comments=True) for line in script.splitlines())
    return [Step(words[0], tuple(words[1:])) for words in lines if words]
