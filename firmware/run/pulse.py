"""How the program is: a line of figures each minute, and the lag of its loop."""

import asyncio
import resource
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import structlog

from sabot.drivers.device import Status
from sabot.firmware.run.selftest import celsius, is_undervolted

EVERY_S = 60.0
LOOK_S = 1.0
KB = 1024


class Inside(Protocol):
    """What of the program is counted."""

    events: int

    @property
    def inbox(self) -> int:
        """Events that wait."""


class Written(Protocol):
    """What of the journal is counted."""

    commits: int

    @property
    def waiting(self) -> int:
        """Entries that are not on the medium."""

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""


class Pulse:
    """Counts once a minute, and looks at the loop once a second."""

    def __init__(
        self,
        runner: Inside,
        journal: Written,
        devices: Callable[[], Sequence[Status]],
        journal_died: Callable[[str], None],
    ) -> None:
        self._runner, self._journal, self._devices = runner, journal, devices
        self._journal_died = journal_died
        self._log = structlog.get_logger()
        self._timer: asyncio.TimerHandle | None = None
        self._due = self._said = 0.0
        self._is_death_told = False
        self.lag_s = 0.0

    def start(self) -> None:
        """Begin."""
        self._said = asyncio.get_running_loop().time()
        self._arm()

    def stop(self) -> None:
        """End."""
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + LOOK_S
        self._timer = loop.call_at(self._due, self._look)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        self.lag_s = max(self.lag_s, now - self._due)
        if not self._journal.is_alive and not self._is_death_told:
            self._is_death_told = True
            self._journal_died("the journal's thread has ended")
        if now - self._said >= EVERY_S:
            self._said = now
            self._log.info("statistics", **self.figures())
            self.lag_s = 0.0
        self._arm()

    def figures(self) -> dict[str, object]:
        """The figures as they are now."""
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
            "devices": {status.name: _device(status) for status in self._devices()},
        }


def _device(status: Status) -> Mapping[str, object]:
    seen = status.statistics
    return {
        "up": status.is_up,
        "in": seen.frames_in,
        "out": seen.frames_out,
        "errors": seen.crc_errors + seen.resyncs,
        "retries": seen.retries,
    }
