"""What a table says is fit to be shown, and a refusal changes nothing.

Prompts are two lines of at most twenty plain characters; nothing is told twice; an input that is refused
leaves the state as it was, but for the time.
"""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import TYPE_CHECKING

from sabot.statemachine.display import WIDTH
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import Resumed

from .auditor import Auditor, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

# What time alone may bring about, whatever else happened, and what the safe lane stops before it is known more.
TOLD = (ef.RefuseInput, ef.ShowNotice, ef.ShowPrompt, ef.LightSeat, ef.WakeAt, ef.LockWagers, ef.HaltShoe)
# And what it gives back at once, where the rest of the event finds that nothing is to be held.
GIVEN_BACK = (ef.FreeShoe, ef.OpenSpots)


class TellingAuditor(Auditor):
    """Reads every line."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.last: dict[type[Effect], Effect] = {}

    def look(self, event: Event, effects: list[Effect]) -> None:
        if isinstance(event, Resumed):
            self.last.clear()  # after a restart everything is told anew
        if not effects:
            return
        for effect in of_kind(effects, ef.ShowPrompt):
            for line in (effect.first, effect.second):
                self.hold_that(len(line) <= WIDTH and line.isascii() and line.isprintable(), repr(line))
            self.hold_that(effect.first, "a prompt without words", event)
            self.hold_that(effect.cite, "a prompt without its paragraph", effect)
        for lamp in of_kind(effects, ef.LightSeat):
            self.hold_that(0 <= lamp.seat <= self.table.law.setup.seat_count, lamp)
        for kind in (ef.ShowPrompt, ef.LightSeat):
            for told in of_kind(effects, kind):
                self.hold_that(self.last.get(kind) != told, "told twice", told)
                self.last[kind] = told


class RefusalAuditor(Auditor):
    """Keeps the state of the moment before, to hold it against what a refusal left."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.before = self._state()

    def _state(self) -> bytes:
        state = self.table.state
        now, state.clock.now = state.clock.now, 0.0
        try:
            return pickle.dumps(state)
        finally:
            state.clock.now = now

    def look(self, event: Event, effects: list[Effect]) -> None:
        after = self._state()
        if is_refused(effects):
            is_stopped = any(isinstance(effect, ef.HaltShoe) for effect in effects)
            allowed = (*TOLD, *GIVEN_BACK) if is_stopped else TOLD
            others = [effect for effect in effects if not isinstance(effect, allowed)]
            self.hold_that(not others, "refused, and yet", others)
            if after != self.before:
                self._compare(after, event, effects)
        self.before = after

    def _compare(self, after: bytes, event: Event, effects: list[Effect]) -> None:
        """Equal values may be written differently: what counts is whether they are equal."""
        old, new = pickle.loads(self.before), pickle.loads(after)
        changed = [each.name for each in fields(new) if getattr(old, each.name) != getattr(new, each.name)]
        self.hold_that(
            not changed, event, "was refused", of_kind(effects, ef.RefuseInput), "and changed", changed
        )
