"""What a rule says when it objects, and how the rules are listed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .follow import Shift
    from .reading import Json, Step
    from .story import Round


class Finding(NamedTuple):
    """Where the text was not followed, in plain words; ``about`` is for another paragraph than the rule's."""

    entry: int
    words: str
    about: str = ""


@dataclass(frozen=True)
class Objection:
    """What an auditor is told."""

    rule: str
    paragraph: str
    entry: int
    round: int
    words: str

    def __str__(self) -> str:
        within = f", round {self.round}" if self.round else ""
        return f"entry {self.entry}{within}: {self.paragraph}: {self.words} [{self.rule}]"

    def as_json(self) -> Json:
        """Return it as plain values."""
        return asdict(self)


class StepRule(NamedTuple):
    """A rule that every step must keep."""

    name: str
    about: str
    asks: str
    look: Callable[[Shift, Step], Iterator[Finding]]


class RoundRule(NamedTuple):
    """A rule that a whole round must keep, once its record is there."""

    name: str
    about: str
    asks: str
    look: Callable[[Shift, Round, Json], Iterator[Finding]]
