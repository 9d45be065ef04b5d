"""A file of the journal's entries, made whole or not at all, and only where there is room for it.

A stick is somebody else's device: it is written only where it is mounted so that nothing on it can be run,
gain rights or be a device, and nothing is ever read from it. All functions here run on threads.
"""

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.journal.entry import Entry
from sabot.firmware.keep.board import Rooms
from sabot.firmware.keep.files import flush_directory

STICK = Path("/run/sabot/stick")
MOUNTS = Path("/proc/self/mountinfo")
HARMLESS = frozenset({"noexec", "nosuid", "nodev"})
KEPT_FREE_BYTES = 64_000_000
_OPTIONS, _MOUNTED_AT = 5, 4


class Export(NamedTuple):
    """A file that is being made."""

    file: BinaryIO
    beside: Path
    path: Path


def entry_json(entry: Entry) -> dict[str, object]:
    """An entry with all that its link is made of; what is sealed only by its digest."""
    return {
        "number": entry.number,
        "kind": entry.kind,
        "boot": entry.stamp.boot,
        "at": entry.stamp.at,
        "utc": entry.stamp.utc,
        "trusted": entry.stamp.trusted,
        "body": entry.body,
        "seal": entry.digest_of_seal,
        "link": entry.link.hex(),
    }


def folder_of(rooms: Rooms, to_stick: bool) -> Path:  # noqa: FBT001 (which of two places)
    """Where the file goes."""
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
    missing = HARMLESS - set(found[-1][_OPTIONS].split(","))
    if missing:
        raise ConsoleError(
            "E-CONS-012", "console", why=f"the stick is mounted without {' '.join(sorted(missing))}"
        )


def begin(folder: Path, journal: Path, first: int, last: int) -> Export:
    """A new file; none that is there already is touched."""
    path = folder / f"journal-{first}-{last}.jsonl"
    beside = folder / f".{path.name}.new"
    try:
        free = shutil.disk_usage(folder).free
        if free < journal.stat().st_size + KEPT_FREE_BYTES:
            raise ConsoleError("E-CONS-012", "console", why=f"{free // 1_000_000} MB are free")
        if path.exists():
            raise ConsoleError("E-CONS-012", "console", why=f"{path.name} is there already")
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o640)
    except OSError as error:
        raise ConsoleError("E-CONS-012", "console", why=error.strerror or error) from error
    return Export(os.fdopen(fd, "wb"), beside, path)


def write(export: Export, entries: Iterable[Entry]) -> None:
    """Some more entries."""
    try:
        for entry in entries:
            export.file.write(json.dumps(entry_json(entry)).encode() + b"\n")
    except OSError as error:
        raise ConsoleError("E-CONS-012", "console", why=error.strerror or error) from error


def finish(export: Export) -> Path:
    """The file is whole and on the medium."""
    try:
        with export.file as file:
            file.flush()
            os.fsync(file.fileno())
        export.beside.rename(export.path)
        flush_directory(export.path.parent)
    except OSError as error:
        raise ConsoleError("E-CONS-012", "console", why=error.strerror or error) from error
    return export.path


def give_up(export: Export) -> None:
    """Nothing is left of it."""
    export.beside.unlink(missing_ok=True)
    try:
        export.file.close()
    except OSError:  # what could not be written is gone anyway
        return
