"""Tracks: which ways run side by side in a channel between two columns.

No two lie on each other; beyond that as few cross as swapping and moving them finds.
"""

from dataclasses import dataclass
from itertools import combinations

CLEAR = 5.0


@dataclass(slots=True)
class Run:
    """A vertical piece of a way in a channel: its two heights and from which side it is reached at each."""

    channel: int
    start: tuple[float, int]
    end: tuple[float, int]
    track: int = 0

    @property
    def heights(self) -> tuple[float, float]:
        """Its upper and its lower end."""
        return min(self.start[0], self.end[0]), max(self.start[0], self.end[0])

    def is_beside(self, other: "Run") -> bool:
        """Whether two runs of a channel pass each other at some height."""
        (low, high), (other_low, other_high) = self.heights, other.heights
        return low - CLEAR < other_high and other_low - CLEAR < high

    def crosses(self, other: "Run") -> int:
        """How often the pieces that reach this run cross another one."""
        low, high = other.heights
        return sum(
            low < y < high and (other.track - self.track) * side > 0 for y, side in (self.start, self.end)
        )


def assign(runs: list[Run]) -> None:
    """Tracks for the runs of a channel: none upon another, then as few crossings as swapping finds."""
    for run in sorted(runs, key=lambda run: run.heights[1] - run.heights[0]):
        taken = {
            other.track for other in runs if other.track > 0 and other is not run and run.is_beside(other)
        }
        run.track = next(track for track in range(1, len(runs) + 2) if track not in taken)
    for run in runs:
        run.track -= 1
    while _improved(runs):
        pass


def _improved(runs: list[Run]) -> bool:
    """Whether two runs changed places, or one moved to a free track, with fewer crossings."""
    before = _crossings(runs)
    highest = max((run.track for run in runs), default=0)
    for first, second in combinations(runs, 2):
        first.track, second.track = second.track, first.track
        if _is_apart(runs) and _crossings(runs) < before:
            return True
        first.track, second.track = second.track, first.track
    for run in runs:
        was = run.track
        for track in range(highest + 1):
            run.track = track
            if _is_apart(runs) and _crossings(runs) < before:
                return True
        run.track = was
    return False


def _is_apart(runs: list[Run]) -> bool:
    return not any(a.track == b.track and a.is_beside(b) for a, b in combinations(runs, 2))


def _crossings(runs: list[Run]) -> int:
    return sum(run.crosses(other) for run in runs for other in runs)
