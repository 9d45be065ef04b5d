"""What every auditor of a shift has: it sees each event with its effects, and says what is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sabot.statemachine.vocabulary.effects import Effect, RefuseInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.statemachine.state.phases import Phase
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.events import Event

E = TypeVar("E", bound=Effect)


class BrokenError(AssertionError):
    """Something that must hold whatever happens does not."""


def of_kind(effects: Sequence[Effect], kind: type[E]) -> list[E]:
    """The effects of one kind."""
    # Most events have no effect, and every auditor asks several times at each.
    return [effect for effect in effects if isinstance(effect, kind)] if effects else []


def is_refused(effects: Sequence[Effect]) -> bool:
    """Whether the table would not have an input."""
    return bool(effects) and any(isinstance(effect, RefuseInput) for effect in effects)


class Auditor:
    """Somebody who looks at a table from outside; ``phase`` is what it did before the event."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.phase: Phase = table.state.play.phase

    def see(self, event: Event, effects: list[Effect]) -> None:
        """One event and what followed from it."""
        self.look(event, effects)
        self.phase = self.table.state.play.phase

    def look(self, event: Event, effects: list[Effect]) -> None:
        """What this auditor looks at."""
        raise NotImplementedError

    def hold_that(self, holds: object, *what: object) -> None:
        """Say what is broken unless it holds."""
        if not holds:
            raise BrokenError(" ".join(map(str, what)))
