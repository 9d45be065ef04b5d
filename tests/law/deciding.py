"""Which parts of a chapter decide: each field of the model, and the modules that read it while tables are played.

A number of a chapter file that only printers read decides nothing, and a ledger that names it as what holds a clause
is wrong. So every field of the model is watched while shifts are played in a process of its own, where nothing has
been read and remembered before. `sabot chapter`, the par sheet and the sign are printers; the rules, the table, and
whoever refuses a Rules Submission decide.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.rules.payouts import Payout

ROOT = Path(__file__).resolve().parents[2]
DECIDE = ("sabot.rules.", "sabot.statemachine.", "sabot.config.submission")
PRINT = ("sabot.rules.odds", "sabot.statemachine.views")
# Where the law has it, and the words that people read of it: they are told, they decide nothing.
TOLD = {"id", "game", "document", "name", "title", "text", "about", "phrase", "cite"}
# Every field of these is a citation: where the chapter asks for what.
CITATIONS = {"Duties"}
# What an entry is called in its file is the key under which it is found.
NAMED = {("PlanSpec", "method"), ("IrregularityRule", "kind")}
GENERATED = {"__eq__", "__hash__", "__repr__"}


def is_told(field: str) -> bool:
    """Whether a field is words for people, or a citation."""
    return field in TOLD or field.endswith(("_cite", "_cites"))


def parts_of(value: object) -> Iterator[object]:
    """Yield every part of a chapter, itself first."""
    if dataclasses.is_dataclass(value) and not isinstance(value, Payout):
        yield value
        for field in dataclasses.fields(value):
            yield from parts_of(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from parts_of(each)
    elif isinstance(value, tuple | frozenset):
        for each in value:
            yield from parts_of(each)


def says(part: object) -> Iterator[str]:
    """Yield the fields of a part that are not empty, nor only told."""
    if type(part).__name__ in CITATIONS:
        return
    for field in dataclasses.fields(part):  # type: ignore[arg-type]
        value = getattr(part, field.name)
        is_named = (type(part).__name__, field.name) in NAMED
        if not (is_told(field.name) or is_named) and value and says_something(value):
            yield field.name


def says_something(value: object) -> bool:
    """Whether there is more in a value than citations and words for people."""
    is_part = dataclasses.is_dataclass(value) and not isinstance(value, Payout)
    return not is_part or any(says(value))


def fields_that_say_something(chapters: list[object]) -> dict[type, set[str]]:
    """Return the fields, by class, that say something in some chapter."""
    found: dict[type, set[str]] = defaultdict(set)
    for part in (part for chapter in chapters for part in parts_of(chapter)):
        found[type(part)].update(says(part))
    return found


class Watched:
    """A field that remembers which module read it."""

    def __init__(self, owner: type, name: str) -> None:
        self.readers: set[str] = set()
        self.slot: Any = owner.__dict__[name]
        setattr(owner, name, self)

    def __get__(self, part: object, owner: type) -> object:
        """Return the value, and remember who asked."""
        if part is None:
            return self
        frame = sys._getframe(1)
        if frame.f_code.co_name not in GENERATED:
            self.readers.add(frame.f_globals["__name__"])
        return self.slot.__get__(part, owner)

    def __set__(self, part: object, value: object) -> None:
        """Set it, once, when the part is made."""
        self.slot.__set__(part, value)


def watch() -> dict[str, list[str]]:
    """Play, and return the modules that decide by each field."""
    said = fields_that_say_something([load_chapter(each) for each in CHAPTER_IDS])
    watched = {
        f"{owner.__name__}.{name}": Watched(owner, name)
        for owner, names in said.items()
        for name in sorted(names)
    }
    from played import play_everything  # noqa: PLC0415 (what it asks on the way in is asked of what is watched)

    play_everything()
    return {name: sorted(filter(decides, each.readers)) for name, each in watched.items()}


def decides(module: str) -> bool:
    """Whether a module is of those that decide."""
    return module.startswith(DECIDE) and not module.startswith(PRINT)


def readers() -> dict[str, list[str]]:
    """Return who reads each field, asked in a process of its own."""
    words = [sys.executable, str(Path(__file__))]
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=ROOT, env=paths, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(watch()))
