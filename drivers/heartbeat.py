"""Whether a device is still there: a question when it has been quiet, and a deadline since it was heard.

One timer looks when the next thing is due; hearing the device only notes the time. So a card every few
milliseconds costs an addition and no timer.
"""

import asyncio
from collections.abc import Callable


class Heartbeat:
    """Watches over one device, from ``start`` to ``stop``; times are those of the loop."""

    def __init__(
        self, ask: Callable[[], None], silent: Callable[[str], None], *, quiet_s: float, dead_s: float
    ) -> None:
        self._ask, self._silent = ask, silent
        self.quiet_s, self.dead_s = quiet_s, dead_s
        self._heard_at = self._asked_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """The device was heard just now; begin to watch."""
        self.stop()
        self._heard_at = self._asked_at = asyncio.get_running_loop().time()
        self._arm()

    def heard(self) -> None:
        """The device gave a sign of life."""
        self._heard_at = asyncio.get_running_loop().time()

    def stop(self) -> None:
        """Watch no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def _next_question(self) -> float:
        return max(self._heard_at, self._asked_at) + self.quiet_s

    def _arm(self) -> None:
        at = min(self._next_question, self._heard_at + self.dead_s)
        self._timer = asyncio.get_running_loop().call_at(at, self._look)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._heard_at + self.dead_s:
            self._timer = None
            self._silent(f"silent for {self.dead_s:g} s")
            return
        mine = self._timer
        if now >= self._next_question:
            self._asked_at = now
            self._ask()
        # Asking may have stopped the watch, or begun it anew.
        if self._timer is mine:
            self._arm()
