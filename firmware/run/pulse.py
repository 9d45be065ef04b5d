"""The program's pulse: a line of figures each minute, the lag of its loop, and whether its journal writes.

A thread that ended says so itself; one that hangs in a medium that neither fails nor answers says nothing. So
the loop looks whether commits go on while entries wait, and a journal that stands still is a fault like one
that fails.
"""

import asyncio
import resource
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import structlog

from sabot.drivers.beat_grid import next_beat
from sabot.drivers.device import DeviceStatus
from sabot.firmware.run.selftest import celsius, is_undervolted, throttled

EVERY_S = 60.0
LOOK_S = 1.0
STALLED_S = 10.0
KB = 1024


class ProgramCounts(Protocol):
    """The counts of the runner that the statistics tell."""

    events: int

    @property
    def inbox(self) -> int:
        """Return how many events wait."""


class JournalCounts(Protocol):
    """The counts of the journal's writer, and whether it is alive."""

    commits: int

    @property
    def waiting(self) -> int:
        """Return how many entries are not on the medium."""

    @property
    def is_alive(self) -> bool:
        """Return whether the thread runs."""

    @property
    def is_stuck(self) -> bool:
        """Return whether it has said itself that it cannot write."""


class StallListener(Protocol):
    """A listener that hears the journal stop and go on."""

    def stuck(self, reason: str) -> None:
        """Hear that nothing is written."""

    def unstuck(self) -> None:
        """Hear that entries are written again."""


class Pulse:
    """Counts once a minute, and looks at the loop once a second."""

    def __init__(
        self,
        runner: ProgramCounts,
        journal: JournalCounts,
        devices: Callable[[], Sequence[DeviceStatus]],
        keeper: StallListener,
    ) -> None:
        self._runner, self._journal, self._devices = runner, journal, devices
        self._keeper = keeper
        self._log = structlog.get_logger()
        self._timer: asyncio.TimerHandle | None = None
        self._due = self._said = 0.0
        self._commits, self._wrote_at = 0, 0.0
        self._is_death_told = self._is_stalled = False
        self.lag_s = 0.0

    def start(self) -> None:
        """Begin to count and to look."""
        self._said = self._wrote_at = asyncio.get_running_loop().time()
        self._arm()

    def stop(self) -> None:
        """Count and look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        loop = asyncio.get_running_loop()
        # On the grid of all beats (drivers/beat_grid.py): by itself it would wake the processor once more.
        self._due = next_beat(loop.time(), LOOK_S)
        self._timer = loop.call_at(self._due, self._look)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        self.lag_s = max(self.lag_s, now - self._due)
        self._watch_journal(now)
        if now - self._said >= EVERY_S:
            self._said = now
            self._log.info("statistics", **self.figures())
            self.lag_s = 0.0
        self._arm()

    def _watch_journal(self, now: float) -> None:
        journal = self._journal
        if not journal.is_alive:
            if not self._is_death_told:
                self._keeper.stuck("the journal's thread has ended")
            self._is_death_told = True
        # A medium that says that it fails has its fault already: here only silence is looked for.
        elif journal.commits != self._commits or not journal.waiting or journal.is_stuck:
            self._commits, self._wrote_at = journal.commits, now
            if self._is_stalled:
                self._keeper.unstuck()
            self._is_stalled = False
        elif now - self._wrote_at >= STALLED_S and not self._is_stalled:
            self._is_stalled = True
            self._keeper.stuck(f"nothing was written for {STALLED_S:.0f} s")

    def figures(self) -> dict[str, object]:
        """Return the figures as they are now."""
        # On Linux ``ru_maxrss`` is in kilobytes, and the most that it ever was.
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "loop_lag_ms": round(self.lag_s * 1000, 2),
            "inbox": self._runner.inbox,
            "events": self._runner.events,
            "commits": self._journal.commits,
            "not_durable": self._journal.waiting,
            "memory_mb": round(usage.ru_maxrss / KB, 1),
            "processor_s": round(usage.ru_utime + usage.ru_stime, 2),
            "celsius": celsius(),
            "undervolted": is_undervolted(),
            "throttled": throttled(),
            "devices": {status.name: _device(status) for status in self._devices()},
        }


def _device(status: DeviceStatus) -> Mapping[str, object]:
    seen = status.statistics
    return {
        "up": status.is_up,
        "in": seen.frames_in,
        "out": seen.frames_out,
        "errors": seen.crc_errors + seen.resyncs,
        "retries": seen.retries,
    }
