"""Every write that a virtual disk was given, and what a cut of power would have left of them.

The log is QEMU's (blklogwrites), in the kernel's dm-log-writes format: a head of one sector, then for each
write an entry of one sector and its data. A cut behind an entry leaves all writes up to the last flush
before it, whatever was forced past the cache, and of the later ones any part: a drive with a cache keeps
what it likes, and of a write that it was at only some sectors.
"""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

MAGIC, VERSION = 0x6A736677736872, 1
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
SECTOR = 512
_HEAD, _ENTRY = struct.Struct("<QQQI"), struct.Struct("<QQQQ")


class LogError(Exception):
    """A log that is not one."""


class Write(NamedTuple):
    """One entry: where, what (zeros for a discard), and how."""

    offset: int
    data: bytes
    flags: int

    @property
    def is_flush(self) -> bool:
        """Return whether all before it is on the medium."""
        return bool(self.flags & FLUSH)

    @property
    def is_forced(self) -> bool:
        """Return whether it is on the medium itself when it is done."""
        return bool(self.flags & FUA)


def read_log(stream: BinaryIO) -> list[Write]:
    """Return the entries of a log, in the order of their ends."""
    magic, version, count, sector = _HEAD.unpack(_exactly(stream, _HEAD.size))
    if (magic, version) != (MAGIC, VERSION):
        raise LogError(f"this is no log of writes: {magic:#x}, version {version}")
    stream.seek(sector)
    return [_read_entry(stream, sector) for _ in range(count)]


def _read_entry(stream: BinaryIO, sector: int) -> Write:
    start, sectors, flags, _length = _ENTRY.unpack(_exactly(stream, sector)[: _ENTRY.size])
    size = sectors * sector
    # A mark of the log's own: it keeps its place among the entries and does nothing.
    if flags & MARK:
        return Write(0, b"", 0)
    if flags & DISCARD:
        return Write(start * sector, bytes(size), flags)
    return Write(start * sector, _exactly(stream, size), flags)


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise LogError(f"the log ends in the middle of an entry: {len(data)} of {count} bytes")
    return data


class Disk:
    """A disk that goes through the log, and can be cut behind any entry; the image has what is sure."""

    def __init__(self, image: Path, log: list[Write]) -> None:
        self._image, self._log = image, log
        self._place = 0
        self._floating: list[Write] = []

    def go_to(self, place: int) -> None:
        """Let the writes up to this entry happen; only forwards."""
        # The image is never made anew: thousands of cuts walk one log once.
        with self._image.open("r+b") as disk:
            for write in self._log[self._place : place]:
                self._take(disk, write)
        self._place = max(self._place, place)

    def _take(self, disk: BinaryIO, write: Write) -> None:
        if write.is_flush:
            for each in self._floating:
                put(disk, each)
            self._floating.clear()
        if write.is_forced:
            put(disk, write)
        elif write.data:
            self._floating.append(write)

    @property
    def floating(self) -> int:
        """Return how many writes a cut may take, here."""
        return len(self._floating)

    def cut(self, copy: Path, keeps: Callable[[], bool]) -> None:
        """Leave in a copy of the image what a cut would; ``keeps`` is asked for each sector that floats."""
        with copy.open("r+b") as disk:
            for write in self._floating:
                for piece in sectors_of(write):
                    if keeps():
                        put(disk, piece)


def sectors_of(write: Write) -> Iterator[Write]:
    """Yield a write in the pieces that a cut may part."""
    # A sector is written whole or not at all; nothing larger can be relied on.
    for at in range(0, len(write.data), SECTOR):
        yield Write(write.offset + at, write.data[at : at + SECTOR], write.flags)


def put(disk: BinaryIO, write: Write) -> None:
    """Put a write where it belongs."""
    disk.seek(write.offset)
    disk.write(write.data)
