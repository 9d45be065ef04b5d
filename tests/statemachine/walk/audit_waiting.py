"""Nobody waits for ever: whatever a prompt waits for is at work, or somebody is asked, or the table is held.

Read from outside, from the display and the orders alone. A line that asks no person names a device; that device
must have been ordered, or freed, and not been halted or heard of since. How long it may take is its driver's
to watch: a deadline there ends in a fault, which holds the table.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary import events as ev

from .auditor import Auditor

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

ONE_BY_ONE = re.compile(r"CARD \d+ TO$")
BY_STACK = re.compile(r"\d+ CARDS? TO |\d+ CARDS? TO$|SHOE |EMPTY THE EXIT$")
SHUFFLES = re.compile(r"SHUFFLING DECK (.*)$")
DRAW = "WAIT FOR THE DRAW"


class WaitingAuditor(Auditor):
    """Keeps who was ordered what; before the first word nobody knows how a device was left."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.is_free = False
        self.is_ordered = self.is_draw_due = False
        self.shuffling: set[str] = set()
        self.lines = ("", "")

    def look(self, event: Event, effects: list[Effect]) -> None:
        self._heard(event)
        for effect in effects:
            act = _TOLD.get(type(effect))
            if act is not None:
                act(self, effect)
        if self.table.rooms.faults.held is None and self.table.state.entry.menu is None:
            self._verify(event)

    # ------------------------------------------------------------ what devices did, and were told

    def _heard(self, event: Event) -> None:
        """What ends an order; a report that the table refuses ends it too, for its device is done."""
        if isinstance(event, ev.Resumed):
            # A stop has locked the shoe, as a rule. A shuffle may go on: the program has its broken ones stopped.
            self.is_free = self.is_ordered = False
        elif isinstance(event, ev.StackDispensed):
            self.is_ordered = False
        elif isinstance(event, ev.ShufflerStopped):
            self.shuffling.discard(event.deck)
        elif isinstance(event, ev.ShuffleStarted):
            self.shuffling.add(event.deck)

    def _prompted(self, effect: ef.ShowPrompt) -> None:
        self.lines = effect.first, effect.second

    def _freed(self, _effect: ef.FreeShoe) -> None:
        self.is_free = True

    def _halted(self, _effect: ef.HaltShoe) -> None:
        self.is_free = self.is_ordered = False

    def _ordered(self, _effect: ef.Dispense) -> None:
        self.is_ordered = self.is_free  # a shoe that is halted takes no order

    def _shuffles(self, effect: ef.StartShuffle) -> None:
        self.shuffling.add(effect.deck)

    def _draws(self, _effect: ef.OpenDraws) -> None:
        self.is_draw_due = True

    # ------------------------------------------------------------ what the display waits for

    def _verify(self, event: Event) -> None:
        first, second = self.lines
        if ONE_BY_ONE.match(first):
            self.hold_that(self.is_free, event, "waits for a card of a shoe that is halted:", first, second)
        elif BY_STACK.match(first) and not self.table.rooms.dealing.lies_in_exit():
            self.hold_that(self.is_ordered, event, "waits for a stack that nobody ordered:", first, second)
        elif shuffles := SHUFFLES.match(first):
            is_at_work = shuffles[1] in self.shuffling
            self.hold_that(is_at_work, event, "waits for a shuffle that nobody ordered:", first, second)
        elif first == DRAW:
            self.hold_that(self.is_draw_due, event, "waits for a draw that nobody ordered:", first, second)


_TOLD: dict[type[Effect], Callable[[WaitingAuditor, Effect], None]] = {
    ef.ShowPrompt: WaitingAuditor._prompted,  # type: ignore[dict-item]
    ef.FreeShoe: WaitingAuditor._freed,  # type: ignore[dict-item]
    ef.HaltShoe: WaitingAuditor._halted,  # type: ignore[dict-item]
    ef.Dispense: WaitingAuditor._ordered,  # type: ignore[dict-item]
    ef.StartShuffle: WaitingAuditor._shuffles,  # type: ignore[dict-item]
    ef.OpenDraws: WaitingAuditor._draws,  # type: ignore[dict-item]
}
