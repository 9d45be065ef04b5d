"""The service manager is told that the program is ready and that its loop turns, and is given its log.

The watchdog is fed from the loop itself and from nowhere else, so that a loop that is stuck is a program
that is started again. Without a service manager nothing is said.

The log is JSON lines to standard output. It is for technicians and is no record: the journal is. It is
given words and figures, never an event's cards (their ``repr`` is a mask in any case) and never what
somebody typed for a PIN.
"""

import asyncio
import os
import socket
import sys

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict


class Notifier:
    """The service manager's socket, where there is one."""

    def __init__(self) -> None:
        # An @ stands for the zero byte with which an abstract socket begins.
        self._address = os.environ.get("NOTIFY_SOCKET", "").replace("@", "\0", 1)
        watchdog_us = int(os.environ.get("WATCHDOG_USEC", "0") or 0)
        # Half of its period, in seconds.
        self._every_s = watchdog_us / 2_000_000
        self._timer: asyncio.TimerHandle | None = None

    def tell(self, **words: str) -> bool:
        """Say something, such as READY="1" or STATUS="..."; return False where it was not heard."""
        if not self._address:
            return True
        text = "\n".join(f"{name}={value}" for name, value in words.items())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
            # The loop waits for nobody, the service manager included.
            wire.setblocking(False)
            try:
                wire.sendto(text.encode(), self._address)
            except OSError:
                return False  # a manager that is gone restarts us anyway
        return True

    def feed(self) -> None:
        """Feed the watchdog from the loop, twice in each of its periods."""
        if self._every_s:
            self.tell(WATCHDOG="1")
            self._timer = asyncio.get_running_loop().call_later(self._every_s, self.feed)

    def stop(self) -> None:
        """Feed the watchdog no more, and say that the program ends as it should."""
        if self._timer is not None:
            self._timer.cancel()
        self.tell(STOPPING="1")


LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class _Threshold:
    """The level from which on a line is written, asked at each line.

    A logger keeps the class that structlog gave it when it was bound. Were the level in that class, `log
    level` would reach none that is there already.
    """

    def __init__(self) -> None:
        self.level = LEVELS["info"]

    def __call__(self, _logger: object, method: str, line: EventDict) -> EventDict:
        """Pass a line on, or drop it; what has no level here is louder than all that have."""
        if LEVELS.get(method, LEVELS["error"]) < self.level:
            raise structlog.DropEvent
        return line


_threshold = _Threshold()


def configure(level: str = "info") -> None:
    """Set the log up, at the start and again where somebody sets another level."""
    _threshold.level = LEVELS[level]
    structlog.configure(
        processors=[
            _threshold,
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Without the locals of each frame: a PIN or a card may be among them.
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(default=str),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS["debug"]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stdout),
        cache_logger_on_first_use=False,
    )
