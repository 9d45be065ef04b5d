"""After a start: each device is told all that holds, and one that was silent before it may speak now.

A driver says that a device is back when it was gone in this start. A silence that was latched before would
stand for ever, with "plug it in" on the display for something that is in: so the first contact after a start
counts as the test of it. It releases nothing; a person does.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from sabot.drivers.device import DeviceStatus
from sabot.statemachine.state.snapshot import HeldFault
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    Effect,
    FreeShoe,
    HaltShoe,
    LockWagers,
    OpenSpots,
    RaiseFault,
    RequireRole,
)
from sabot.statemachine.vocabulary.events import Event, LinkRestored, Role
from sabot.statemachine.vocabulary.fault_kinds import POLICY


def standing(table: Table) -> list[Effect]:
    """Return the effects that hold: locks and halts first, then faults and words, open spots last."""
    state = table.state
    safe: list[Effect] = [LockWagers(cite=POLICY)]
    held = table.rooms.faults.held
    safe.append(HaltShoe(cite=held.cite) if held is not None else FreeShoe(cite=POLICY))
    faults = [
        RaiseFault(fault=held.kind, device=held.device, why=held.why, cite=held.cite)
        for held in state.trouble.holds
    ]
    open_spots = tuple(sorted(table.rooms.last_told.spots))
    opened = [OpenSpots(spots=open_spots, cite=table.law.cite("7(c)"))] if open_spots else []
    calls = [RequireRole(role=Role(role), why=why) for role, why in state.crew.calls.items()]
    return [*safe, *faults, *calls, *table.rooms.last_told.effects.values(), *opened]


LOOK_S = 0.25
SILENT = "lost_link"


class TimeSource(Protocol):
    """A source of the time."""

    def now(self) -> float:
        """Return monotonic seconds."""


class HeardAgain:
    """Looks until each device whose silence is latched was heard once."""

    def __init__(
        self,
        holds: Iterable[HeldFault],
        devices: Callable[[], Sequence[DeviceStatus]],
        post: Callable[[Event], None],
        clock: TimeSource,
    ) -> None:
        self._silent = {held.device for held in holds if held.kind == SILENT and not held.retested}
        self._devices, self._post, self._clock = devices, post, clock
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Tell of the devices that are there, and look again for the others."""
        for name in [status.name for status in self._devices() if status.is_up]:
            if name in self._silent:
                self._silent.remove(name)
                self._post(LinkRestored(at=self._clock.now(), source=name, device=name))
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self.look) if self._silent else None

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
