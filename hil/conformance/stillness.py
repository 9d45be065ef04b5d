"""How long the machine let the kit stand still: what was wrong meanwhile may be the machine's doing.

A thread sleeps a little and looks at the clock. Where it wakes late, the kit would have been late too: with a
PING that keeps a session, with a read that takes a time.
"""

import threading
import time
from collections.abc import Callable

LOOK_S = 0.005


class Stillness:
    """Watches for as long as the process lives."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._now, self._sleep = now, sleep
        self._longest_s = 0.0
        threading.Thread(target=self._watch, name="stillness", daemon=True).start()

    def longest_s(self) -> float:
        """The longest time that it stood still since this was asked last."""
        longest, self._longest_s = self._longest_s, 0.0
        return longest

    def _watch(self) -> None:
        while True:
            self.look()

    def look(self) -> None:
        """Sleep once, and see how late it is."""
        due = self._now() + LOOK_S
        self._sleep(LOOK_S)
        self._longest_s = max(self._longest_s, self._now() - due)
