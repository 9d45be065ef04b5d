"""When what is done again and again is done next: every device's beats fall together on one grid.

Each timer that rings by itself wakes the processor for itself. A table at rest has several (questions, orders
that are said again, looks), and none cares about the exact moment, only that it is never later than promised.
So their moments are those of one grid over the monotonic clock, and one wake-up serves them all.
"""

from math import floor

# A little sooner than the 250 ms of the pages. Pads that were ordered have answered, and their own 250 ms are
# not over when the next order comes. With the same 250 ms on both sides a beat brought two reports, of which
# the second often took the place of the first: a gap, and one order more.
BEAT_S = 0.24


def next_beat(now: float, every_s: float = BEAT_S) -> float:
    """Return the last beat within so many seconds: later than now, and never later than that."""
    latest = now + every_s
    beat = floor(latest / BEAT_S) * BEAT_S
    return beat if now < beat <= latest else latest
