"""Operator actions in threes: ``verify`` raises why not, ``can`` answers, ``do`` does it.

An action is a row: who may do it, in which phases, under which section, and what it asks for (a seat, a
lot, a method). The dealer's MENU and the floor's list are nothing but the rows that hold now, so whatever
can be done has its key path.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.events import Role
from sabot.statemachine.phases import ENDING, IN_ROUND, Phase

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


CONFIRMED = "only the floor can correct what was confirmed"


class Refused(Exception):  # noqa: N818 (it is an answer, not a fault of the program)
    """An action that may not be done now; the message says why."""


Verify = Callable[["Table", str], None]
Do = Callable[["Table", str], None]
Values = Callable[["Table"], list[str]]
Say = Callable[["Table", str], str]
When = Callable[["Table"], bool]


def allow(_table: "Table", _value: str) -> None:
    """Nothing but the phase stands against it."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a person may order."""

    name: str
    title: str
    by: Role
    phases: frozenset[Phase]
    section: str
    do: Do
    verify: Verify = allow
    values: Values | None = None
    say: Say | None = None
    when: When | None = None
    while_held: bool = False
    value_may_lack: bool = False
    any_role: bool = False

    def words(self, table: "Table", value: str) -> str:
        """A value as the dealer's display shows it."""
        return self.say(table, value) if self.say else value.replace("_", " ").upper()

    def offers(self, table: "Table", value: str) -> bool:
        """Whether a value is one of those to choose from now."""
        offered = self.values(table) if self.values else []
        return value in offered or (not value and not offered and self.value_may_lack)


ANY_PHASE = frozenset(Phase)
ROUND_PHASES = frozenset(IN_ROUND)
BETWEEN_ROUNDS = frozenset(Phase) - ROUND_PHASES - frozenset(ENDING)


def phases(*names: Phase) -> frozenset[Phase]:
    """A set of phases."""
    return frozenset(names)
