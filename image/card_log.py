"""The card of a board after a cut at any write: the log of QEMU's disk, as the kernel's rig reads it.

What was flushed before the cut is on the card; of what was written since, any half, sector by sector: a card
with a volatile cache may leave any choice of them.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from sabot.hil.kernel.blocklog import DISCARD, SECTOR, Disk, Write, read_log
from sabot.image.run import run


class CutCard(NamedTuple):
    """A card after a cut: the number of writes before it, and how many of them it may have taken."""

    instant: int
    image: Path
    floating: int


class CardLog:
    """The log of one start; ``before`` is the card as it was then."""

    def __init__(self, before: Path, log: Path) -> None:
        self._before = before
        with log.open("rb") as stream:
            self.writes = read_log(stream)

    def instant(self, log_bytes: int) -> int:
        """Return how many writes there were when the log had this length."""
        # The log begins with a sector of its own.
        end, count = SECTOR, 0
        for write in self.writes:
            end += _length(write)
            if end > log_bytes:
                break
            count += 1
        return count

    def touching(self, start: int, size: int) -> list[int]:
        """Return the instants right after a write to this part of the card."""
        return [
            count
            for count, each in enumerate(self.writes, 1)
            if each.data and start <= each.offset < start + size
        ]

    def cuts(self, instants: Iterable[int], draws: Random, to: Path) -> Iterator[CutCard]:
        """Yield the card after a cut at each instant, in order, in one file that is written anew for each."""
        sure = to.with_suffix(".sure")
        copy(self._before, sure)
        disk = Disk(sure, self.writes)
        for instant in sorted(instants):
            disk.go_to(instant)
            copy(sure, to)
            disk.cut(to, lambda: draws.choice((True, False)))
            yield CutCard(instant, to, disk.floating)
        sure.unlink()


def _length(write: Write) -> int:
    """Return how much of the log a write takes; what is discarded has no data there."""
    return SECTOR if write.flags & DISCARD else SECTOR + len(write.data)


def copy(source: Path, to: Path) -> None:
    """Copy a card; what is empty takes no room."""
    run("cp", "--sparse=always", source, to)
