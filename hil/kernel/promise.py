"""The promise of a table as it stands on a disk behind its file system: up to which entry."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from sabot.hil.kernel.blocklog import Write

CHAPTERS = ("pa679a", "pa641a", "md4cp", "pa683a", "pa682a")
# The file system has the first part of the disk, the promises a page behind it.
FILE_SYSTEM_MB, DISK_MB = 64, 96
PLACE, PAGE = 80 << 20, 4096
_WORD = struct.Struct("<8sIQ")
_MAGIC = b"PROMISE!"


class Promise(NamedTuple):
    """An entry whose effects went out; ``table`` counts the chapters."""

    table: int
    entry: int

    def encode(self) -> bytes:
        """Return it as it stands on the disk."""
        return _WORD.pack(_MAGIC, self.table, self.entry)

    @classmethod
    def of(cls, write: Write) -> Self | None:
        """Return the promise in a write; None if it is another write."""
        if write.offset != PLACE or write.data[: len(_MAGIC)] != _MAGIC:
            return None
        _, table, entry = _WORD.unpack_from(write.data)
        return cls(table, entry)


def promised(log: Sequence[Write]) -> list[tuple[int, Promise]]:
    """Return every promise with its place in the log."""
    return [(place, found) for place, write in enumerate(log) if (found := Promise.of(write))]


def up_to(promises: Sequence[tuple[int, Promise]], place: int) -> Mapping[int, int]:
    """Return the newest promised entry of each table at this place of the log."""
    return {each.table: each.entry for at, each in promises if at < place}


def recording_at(tree: Path, chapter: str) -> Path:
    """Return the path of the recorded shift of a chapter."""
    return tree / "tests" / "data" / "shifts" / f"{chapter}.jsonl"
