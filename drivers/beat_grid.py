"""When what is done again and again is done next: every device's beats fall together on one grid.

Each timer that rings by itself wakes the processor for itself. A table at rest has several (questions, orders
that are said again, looks), and none cares about the exact moment, only that it is never later than promised.
So their moments are those of one grid over the monotonic clock, and one wake-up serves them all.
"""

from math import floor


def next_beat(now: float, every_s: float) -> float:
    """Return the next moment of the grid of so many seconds: later than now, and never later than that."""
    return (floor(now / every_s) + 1) * every_s
