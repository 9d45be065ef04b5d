"""Devices that were silent before a restart, and speak now.

A driver says that a device is back when it was gone in this start. A silence that was latched before would
stand for ever, with "plug it in" on the display for something that is in: so the first contact after a start
counts as the test of it. It releases nothing; a person does.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from sabot.drivers.device import DeviceStatus
from sabot.statemachine.events import Event, LinkRestored
from sabot.statemachine.state import HeldFault

LOOK_S = 0.25
SILENT = "lost_link"


class TimeSource(Protocol):
    """A source of the time."""

    def now(self) -> float:
        """Monotonic seconds."""


class HeardAgain:
    """Looks until each of them was heard once."""

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
        """Tell of those that are there; look again for the others."""
        for name in [status.name for status in self._devices() if status.is_up]:
            if name in self._silent:
                self._silent.remove(name)
                self._post(LinkRestored(at=self._clock.now(), source=name, device=name))
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self.look) if self._silent else None

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
