"""A medium that may lose what nobody asked it to keep.

A file has what was written to it and what is safe: a sync of the file makes its bytes safe, a sync of its folder
its name. What was written since may be there or not, piece by piece and in any order: a cut leaves one of many
states. Names are kept in the order in which they were given, as a file system that logs its changes keeps them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from random import Random

from tests.powercut import trace
from tests.powercut.trace import Op

SECTOR = 512
Files = dict[str, bytes]
_Piece = tuple[int, bytes]


@dataclass(eq=False)
class File:
    """One file, whatever its names are."""

    now: bytearray = field(default_factory=bytearray)
    safe: bytearray = field(default_factory=bytearray)
    pending: list[_Piece | int] = field(default_factory=list)

    def write(self, offset: int, data: bytes) -> None:
        """Bytes that are not safe yet; a negative offset is the end."""
        place = offset if offset >= 0 else len(self.now)
        _put(self.now, place, data)
        self.pending.append((place, data))

    def truncate(self, size: int) -> None:
        """Another length, not safe yet."""
        _cut(self.now, size)
        self.pending.append(size)

    def sync(self) -> None:
        """Everything is safe."""
        self.safe, self.pending = bytearray(self.now), []

    def torn(self, draws: Random, piece: int) -> bytes:
        """All but the end of what was written last; ``piece`` is what the medium writes at once."""
        content = bytearray(self.safe)
        for each in self.pending[:-1]:
            _apply(content, each)
        if self.pending and not isinstance(self.pending[-1], int):
            place, data = self.pending[-1]
            kept = draws.randrange(0, max(1, -(-len(data) // piece))) * piece
            _put(content, place, data[:kept])
        return bytes(content)

    def shuffled(self, draws: Random) -> bytes:
        """Some sectors of what is not safe, whichever."""
        content = bytearray(self.safe)
        for each in self.pending:
            if isinstance(each, int):
                if draws.random() < 0.5:
                    _cut(content, each)
                continue
            for place, data in _sectors(*each):
                if draws.random() < 0.5:
                    _put(content, place, data)
        return bytes(content)


def _put(content: bytearray, place: int, data: bytes) -> None:
    if data:
        content.extend(bytes(max(0, place - len(content))))
        content[place : place + len(data)] = data


def _cut(content: bytearray, size: int) -> None:
    del content[size:]
    content.extend(bytes(size - len(content)))


def _apply(content: bytearray, each: _Piece | int) -> None:
    if isinstance(each, int):
        _cut(content, each)
    else:
        _put(content, *each)


def _sectors(place: int, data: bytes) -> Iterator[_Piece]:
    start = 0
    while start < len(data):
        end = min(len(data), start + SECTOR - (place + start) % SECTOR)
        yield place + start, data[start:end]
        start = end


class Disk:
    """Two folders and what is safe of them."""

    def __init__(self) -> None:
        self.names: dict[str, File] = {}
        self.safe: dict[str, File] = {}
        self.pending: list[tuple[str, File | None]] = []
        self.last: File | None = None
        self._ways: dict[str, Callable[[Op], None]] = {
            trace.WRITE: lambda op: self._file(op).write(op.offset, op.data),
            trace.TRUNCATE: lambda op: self._file(op).truncate(op.offset),
            trace.SYNC: self._sync,
            trace.CREATE: lambda op: self._name(op.path, File()),
            trace.LINK: lambda op: self._name(op.target, self.names[op.path]),
            trace.RENAME: self._rename,
            trace.UNLINK: lambda op: self._name(op.path, None),
        }

    def do(self, op: Op) -> None:
        """One operation."""
        self.last = None
        self._ways[op.kind](op)

    def _file(self, op: Op) -> File:
        self.last = self.names[op.path]
        return self.last

    def _sync(self, op: Op) -> None:
        if op.path in self.names:
            self.names[op.path].sync()
            return
        inside = [each for each in self.pending if str(PurePosixPath(each[0]).parent) == op.path]
        for name, file in inside:
            _called(self.safe, name, file)
        self.pending = [each for each in self.pending if each not in inside]

    def _name(self, name: str, file: File | None) -> None:
        _called(self.names, name, file)
        self.pending.append((name, file))

    def _rename(self, op: Op) -> None:
        file = self.names[op.path]
        self._name(op.target, file)
        self._name(op.path, None)

    # ------------------------------------------------------------ what a cut leaves

    def as_written(self) -> Files:
        """Everything that was asked for, in order, up to now."""
        return {name: bytes(file.now) for name, file in self.names.items()}

    def torn(self, draws: Random, piece: int) -> Files:
        """As written, but the last write was cut short."""
        found = self.as_written()
        for name, file in self.names.items():
            if file is self.last:
                found[name] = file.torn(draws, piece)
        return found

    def only_safe(self) -> Files:
        """Nothing that was not synced."""
        return {name: bytes(file.safe) for name, file in self.safe.items()}

    def shuffled(self, draws: Random) -> Files:
        """Any part of what was not synced."""
        names = dict(self.safe)
        for name, file in self.pending[: draws.randint(0, len(self.pending))]:
            _called(names, name, file)
        whole = {file: file.shuffled(draws) for file in dict.fromkeys(names.values())}
        return {name: whole[file] for name, file in names.items()}


def _called(names: dict[str, File], name: str, file: File | None) -> None:
    if file is None:
        names.pop(name, None)
    else:
        names[name] = file
