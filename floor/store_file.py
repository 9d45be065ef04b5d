"""The file that a SQLite store is, before it is opened: whether there is one, and whether one can be made.

To a folder, a pipe or a file of somebody else SQLite says "disk I/O error", or opens what it should not. A
module of its own, for the store looks at its file as well, and is loaded by whoever opens one.
"""

import os
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from sabot.floor.errors import FloorError

SQLITE = b"SQLite format 3\0"


def is_file(path: Path) -> bool:
    """Return whether there is a file of that name; raise FloorError where it can be no store."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unusable(path, error.strerror) from error
    if S_ISDIR(mode):
        raise _unusable(path, "it is a folder")
    if not S_ISREG(mode):
        raise _unusable(path, "it is a device, a socket or a pipe")
    if not os.access(path, os.R_OK):
        raise _unusable(path, "this user may not read it")
    return True


def verify_room(path: Path) -> None:
    """Raise FloorError where no store can be made under that name."""
    if is_file(path):
        raise FloorError("E-FLOOR-017", str(path), what="there is a file of that name already")
    if not path.parent.is_dir():
        raise _unusable(path, f"there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise _unusable(path, f"this user may make no file in {path.parent}")


def _unusable(path: Path, why: object) -> FloorError:
    return FloorError("E-FLOOR-026", str(path), why=why)


def holds_sqlite(path: Path) -> bool:
    """Return whether a file is a database of SQLite."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False
