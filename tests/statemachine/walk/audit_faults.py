"""A fault is never lost: it goes when its cause was tested again and the right role said so, and not before.

What is latched is followed through ``RaiseFault`` and ``ClearFault`` alone. A clearing must be a key pressed
while the fault's role is unlocked, and where the cause has to be tested, after a good test that no newer
fault of the same device has overtaken. While a fault holds the table nothing is dealt, opened or paid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.fault_kinds import FAULT_ROWS, OURS

from .auditor import Auditor, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

Fault = tuple[str, str]
FORBIDDEN = (ef.Dispense, ef.OpenSpots, ef.PayWager, ef.CreditAccount, ef.FreezeHit)
BROUGHT_BY = (
    ev.DeviceFaulted,
    ev.DeviceJammed,
    ev.ShufflerStopped,
    ev.DeviceModeChanged,
    ev.DeviceEmptied,
    ev.LinkLost,
    ev.StackDispensed,
    ev.ShuffleCompleted,
    ev.CardDrawn,
    ev.KeyPressed,
    ev.Resumed,
)


class FaultAuditor(Auditor):
    """Follows what is latched."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.latched: dict[Fault, bool] = {}
        self.kept: set[str] = set()
        self.unlocked: set[str] = set()
        self.was_held = False

    def look(self, event: Event, effects: list[Effect]) -> None:
        self._people(event)
        self._tests(event)
        for cleared in of_kind(effects, ef.ClearFault):
            self._clear(event, cleared)
        for raised in of_kind(effects, ef.RaiseFault):
            self.latched[raised.fault, raised.device] = not FAULT_ROWS[raised.fault].needs_retest
        self._latches(event, effects)
        state = self.table.state
        found = {(held.kind, held.device) for held in state.trouble.holds}
        self.hold_that(found == self.latched.keys(), "the table holds", found, "latched are", self.latched)
        for held in state.trouble.holds:
            tested = self.latched[held.kind, held.device]
            self.hold_that(tested or not held.may_be_lifted, held, "counts as tested and was not")
        self._waits(event, effects)

    def _latches(self, event: Event, effects: list[Effect]) -> None:
        """What a device reports is latched at once, whatever else the table is about."""
        if isinstance(event, ev.LinkLost):
            kind = "lost_link"
        elif isinstance(event, ev.DeviceFaulted):
            kind = event.fault if event.fault in FAULT_ROWS.keys() - OURS else "device"
        else:
            return
        policy = FAULT_ROWS[kind].policy
        if policy and not getattr(self.table.law.setup.policies, policy):
            return
        is_latched = (kind, event.device) in self.latched
        self.hold_that(is_latched or is_refused(effects), event, "is not latched")

    def _people(self, event: Event) -> None:
        if isinstance(event, ev.RoleUnlocked):
            self.unlocked.add(event.role.value)
        elif isinstance(event, ev.RoleLocked):
            self.unlocked.discard(event.role.value)
        elif isinstance(event, ev.Resumed):
            self.unlocked.clear()

    def _tests(self, event: Event) -> None:
        if isinstance(event, ev.DeviceRetested):
            for kind, device in self.latched:
                if device == event.device and event.fault in (kind, "", "all"):
                    is_kept = kind == "not_emptied" and device in self.kept
                    self._set(kind, device, good=event.good and not is_kept)
        elif isinstance(event, ev.LinkRestored):
            self._set("lost_link", event.device, good=True)
        elif isinstance(event, ev.DeviceModeChanged):
            self._set("sort_mode", event.device, good=event.mode == "play")
        elif isinstance(event, ev.DeviceEmptied):
            is_whole = event.cards_in == event.cards_out
            (self.kept.discard if is_whole else self.kept.add)(event.device)
            self._set("not_emptied", event.device, good=is_whole)
        elif isinstance(event, BROUGHT_BY):
            self._again(event)

    def _set(self, kind: str, device: str, *, good: bool) -> None:
        if (kind, device) in self.latched and FAULT_ROWS[kind].needs_retest:
            self.latched[kind, device] = good

    def _again(self, event: Event) -> None:
        """A device that reports a fault again has not been tested since."""
        device = getattr(event, "device", "shuffler" if isinstance(event, ev.ShufflerStopped) else "")
        deals = device != "shuffler" or self.table.law.setup.shuffler == Shuffler.RESHUFFLER
        kinds: dict[type[Event], str] = {
            ev.LinkLost: "lost_link",
            ev.DeviceJammed: "device" if deals else "shuffler_jam",
            ev.ShufflerStopped: "shuffler_jam",
        }
        kind = getattr(event, "fault", kinds.get(type(event), ""))
        self._set(kind, device, good=False)

    def _clear(self, event: Event, cleared: ef.ClearFault) -> None:
        fault = cleared.fault, cleared.device
        self.hold_that(isinstance(event, ev.KeyPressed), "a fault was cleared by", event)
        self.hold_that(fault in self.latched, cleared, "was never raised")
        self.kept.discard(cleared.device)
        self.hold_that(self.latched.pop(fault), cleared, "was not tested again")
        role = FAULT_ROWS[cleared.fault].role
        self.hold_that(role.value in self.unlocked, cleared, "without the", role)

    def _waits(self, event: Event, effects: list[Effect]) -> None:
        """Nothing is dealt, opened or paid while a fault holds the table; a restart lights its hits again."""
        is_held = self.table.rooms.faults.held is not None
        if is_held and self.was_held:
            told_again = ef.FreezeHit if isinstance(event, ev.Resumed) else ()
            moves = [e for e in effects if isinstance(e, FORBIDDEN) and not isinstance(e, told_again)]
            self.hold_that(not moves, "while held:", moves)
        self.was_held = is_held
