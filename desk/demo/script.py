"""The book of the demo: a shift of each chapter as data, and the words said beside them.

A shift is a table as `sabot run --sim` sets it up, with its example Rules Submission, and a script of plain
lines, one verb a line. The book decides nothing: what follows from a line is the program's matter, and the
paragraph behind it too.
"""

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from sabot.config import PRINTED, ChapterLaw
from sabot.config.loader import SHIFTS
from sabot.config.submission import Submission, example_submission
from sabot.rules.chapter import Chapter


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One line of a script."""

    verb: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoShift:
    """One chapter's shift: the table, what it is made of, and what happens."""

    chapter: Chapter
    submission: Submission
    method: str
    about: str
    steps: tuple[ScriptStep, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the seats where somebody plays in this shift."""
        return tuple(sorted({int(step.words[0]) for step in self.steps if step.verb == "bet"}))

    @property
    def irregularities(self) -> tuple[str, ...]:
        """Return the irregularities of this shift, by kind."""
        return tuple(dict.fromkeys(step.words[0] for step in self.steps if step.verb == "!"))


@dataclass(frozen=True, slots=True)
class DemoScript:
    """The shifts by chapter, and the words beside them."""

    shifts: Mapping[str, DemoShift]
    labels: Mapping[str, str]
    phases: Mapping[str, str]
    irregularities: Mapping[str, tuple[str, str]]


def read_book(law: ChapterLaw = PRINTED) -> DemoScript:
    """Return the book that travels with the program, with a shift for each chapter of the law."""
    words = _toml("words.toml")
    scripts = {each["chapter"]: each for each in _toml("shifts.toml")["shift"]}
    return DemoScript(
        shifts={name: _shift(law, name, scripts.get(name)) for name in law.ids},
        labels=_titles(law) | words["labels"],
        phases=words["phases"],
        irregularities={kind: (title, then) for kind, (title, then) in words["irregularities"].items()},
    )


def _titles(law: ChapterLaw) -> dict[str, str]:
    """Return the wagers' titles, for those with no shorter words."""
    return {name: wager.title for each in law.ids for name, wager in law.chapter(each).wagers.items()}


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((files("sabot.desk.demo") / name).read_text(encoding="utf-8"))


def _shift(law: ChapterLaw, name: str, entry: Mapping[str, Any] | None) -> DemoShift:
    """Return the shift of a chapter: the folder's own, the program's, or one made from the chapter itself."""
    chapter, submission = law.chapter(name), example_submission(law, name)
    own = f"{SHIFTS}/{name}.toml"
    found = law.toml(own) if law.has(own) else entry or plain_shift(chapter, submission)
    steps = tuple(_steps(str(found["script"])))
    return DemoShift(chapter, submission, str(found["method"]), str(found["about"]), steps)


def plain_shift(chapter: Chapter, submission: Submission) -> dict[str, str]:
    """Return a shift of two rounds: every wager on offer, and a card that turns over on its way."""
    bets = [f"bet {seat} {' '.join(_placed(chapter, submission, seat))}" for seat in (2, 4)]
    lines = [
        'say "Before play: cards come, are inspected, verified, spread, washed and shuffled."',
        'until "BETS OPEN"',
        *('say "Round 1. Every wager that the house offers."', *bets, "play"),
        *('say "Round 2. A card turns over on its way."', *bets, "lock", "deal 3"),
        *("! one_face_up", "face_up", "play", 'floor "CLOSE TABLE"'),
    ]
    about = f"{chapter.game}, as its chapter file has it."
    return {"method": next(iter(chapter.plans)), "about": about, "script": "\n".join(lines)}


def _placed(chapter: Chapter, submission: Submission, seat: int) -> list[str]:
    """Return a seat's wagers, each at its least; only seat 2 takes the optional ones."""
    return [
        # Whole dollars, rounded up: a script names its bets in dollars.
        f"{wager.name}={-(-(submission.wagers[wager.name].least or 0) // 100)}"
        for wager in submission.offered(chapter)
        if wager.device == "felt" and (seat == 2 or not wager.optional)  # noqa: PLR2004
    ]


def _steps(script: str) -> list[ScriptStep]:
    lines = (shlex.split(line, comments=True) for line in script.splitlines())
    return [ScriptStep(words[0], tuple(words[1:])) for words in lines if words]
