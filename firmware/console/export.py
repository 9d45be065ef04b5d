"""A console's export in the journal's own format: a file made whole or not at all, where there is room.

A stick is somebody else's device: it is written only where it is mounted so that nothing on it can be run,
gain rights or be a device, and nothing is ever read from it. All functions here run on threads. The board's
keys are read anew for each export, for a table that keeps itself closed can be exported too.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.credentials.atomic_files import flush_directory, free_bytes
from sabot.firmware.credentials.board import Rooms, kind_of, load
from sabot.firmware.journal.export import ExportPart, Making, whole

STICK = Path("/run/sabot/stick")
MOUNTS = Path("/proc/self/mountinfo")
HARMLESS = frozenset({"noexec", "nosuid", "nodev"})
KEPT_FREE_BYTES = 64_000_000
# Fields of a line of mountinfo, counted from 0 (proc(5)).
_OPTIONS, _MOUNTED_AT = 5, 4


class Export(NamedTuple):
    """A file that is being made."""

    file: BinaryIO
    beside: Path
    path: Path


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn an error of the medium into the console's words."""
    try:
        yield
    except OSError as error:
        raise ConsoleError("E-CONS-012", "console", why=error.strerror or error) from error


def prepare(db: sqlite3.Connection, rooms: Rooms, first: str, last: str) -> Making:
    """Return the export of those wanted entries that are there, to be signed by the board's own key."""
    here = whole(db)
    part = ExportPart(int(first or here.first), min(int(last or here.last), here.last))
    if not here.first <= part.first <= part.last:
        what = f"entry {part.first} among {here.first} to {part.last}"
        raise ConsoleError("E-CONS-011", "console", what=what, command="events")
    return Making(part, load(rooms, kind_of(rooms)))


def folder_of(rooms: Rooms, to_stick: bool) -> Path:  # noqa: FBT001 (which of two places)
    """Return the folder of the file."""
    with _in_words():
        if to_stick:
            verify_stick(MOUNTS.read_text(encoding="utf-8"))
            return STICK
        folder = rooms.root / "exports"
        folder.mkdir(exist_ok=True, mode=0o750)
        return folder


def verify_stick(mounts: str) -> None:
    """Raise where no stick is mounted at its place, or not harmlessly."""
    found = [fields for line in mounts.splitlines() if (fields := line.split())[_MOUNTED_AT] == str(STICK)]
    if not found:
        raise ConsoleError("E-CONS-012", "console", why=f"no stick is mounted at {STICK}")
    # Mounts of the same place stand in their order: the last lies on top.
    missing = HARMLESS - set(found[-1][_OPTIONS].split(","))
    if missing:
        raise ConsoleError(
            "E-CONS-012", "console", why=f"the stick is mounted without {' '.join(sorted(missing))}"
        )


def verify_room(folder: Path, journal: Path) -> None:
    """Raise where a medium might be filled up by an export: the journal's own may be among them."""
    with _in_words():
        free = free_bytes(folder)
        # An export that filled the journal's own medium would hold the table.
        if free < journal.stat().st_size + KEPT_FREE_BYTES:
            raise ConsoleError("E-CONS-012", "console", why=f"{free // 1_000_000} MB are free")


def begin(folder: Path, journal: Path, part: ExportPart) -> Export:
    """Begin a new file; none that is there is touched, and nobody else makes it at the same time."""
    path = folder / f"journal-{part.first}-{part.last}.jsonl"
    beside = folder / f".{path.name}.new"
    with _in_words():
        verify_room(folder, journal)
        _verify_new(path)
        # No O_EXCL: a cut of power may have left the file, and the lock tells whether anybody still makes it.
        # No link is followed: a stick could lead the write elsewhere.
        file = os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o640), "wb")
        try:
            _claim(file, path)
        except BaseException:
            file.close()
            raise
    return Export(file, beside, path)


def _verify_new(path: Path) -> None:
    if path.exists():
        raise ConsoleError("E-CONS-012", "console", why=f"{path.name} is there already")


def _claim(file: BinaryIO, path: Path) -> None:
    """Make the file ours alone and empty, whatever a cut of power left in it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise ConsoleError("E-CONS-012", "console", why=f"{path.name} is being made") from error
    _verify_new(path)  # whoever made it may have ended just now
    file.truncate()


def write(export: Export, lines: Iterable[bytes]) -> None:
    """Write some more lines."""
    with _in_words():
        export.file.writelines(lines)


def finish(export: Export) -> Path:
    """Put the whole file on the medium, and only then under its name; return the path."""
    with _in_words():
        with export.file as file:
            file.flush()
            os.fsync(file.fileno())
            export.beside.rename(export.path)
        flush_directory(export.path.parent)
    return export.path


def give_up(export: Export) -> None:
    """Remove the unfinished file."""
    export.beside.unlink(missing_ok=True)
    try:
        export.file.close()
    except OSError:  # what could not be written is gone anyway
        return
