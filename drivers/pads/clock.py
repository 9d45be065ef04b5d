"""The pad's clock in the program's time.

A report reaches the program later than it was made, never earlier. So of many reports the one that took the
least time says best how the two clocks stand, and a chip that came late keeps the time at which the pad saw
it, whatever the wire and the program were doing meanwhile.
"""

_WRAP_MS = 1 << 32
# Crystals drift by some 50 millionths: in half a minute by less than two milliseconds.
_WINDOW_S = 30.0


class PadClock:
    """The lead of the program's clock over the pad's."""

    def __init__(self) -> None:
        self._laps = 0
        self._latest_ms = 0
        self._window_began = float("-inf")
        self._best = float("inf")
        self._best_before = float("inf")

    def hear(self, pad_ms: int, at: float) -> None:
        """A report was made at ``pad_ms`` and read at ``at``."""
        # Half a lap back is the counter that wrapped; a little back is a report that was made before another.
        if pad_ms < self._latest_ms - _WRAP_MS // 2:
            self._laps += 1
        self._latest_ms = pad_ms
        if at - self._window_began > _WINDOW_S:
            # The window before counts too: at the beginning of a new one there is only one report to go by.
            self._window_began, self._best_before, self._best = at, self._best, float("inf")
        self._best = min(self._best, at - self._seconds(pad_ms))

    def when(self, age_ms: int | None, at: float) -> float:
        """When something happened that the latest report, read at ``at``, says is so old."""
        if age_ms is None:
            return at
        ahead = min(self._best, self._best_before)
        return min(at, ahead + self._seconds(self._latest_ms) - age_ms / 1000)

    def _seconds(self, pad_ms: int) -> float:
        return (self._laps * _WRAP_MS + pad_ms) / 1000
