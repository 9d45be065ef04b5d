"""A store by its name, a DSN of PostgreSQL or the path of a SQLite file: what is there, and opening it.

A file is looked at before SQLite opens it: to a folder, a pipe or a file of somebody else SQLite says "disk
I/O error", or opens what it should not. The engines themselves are loaded when one of them is wanted, for
PostgreSQL's is an extra.
"""

import os
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from sabot.floor.errors import FloorError
from sabot.floor.store import Store

SQLITE = b"SQLite format 3\0"


def is_postgres(where: str) -> bool:
    """Return whether a store is named as PostgreSQL's libraries name one."""
    return where.startswith(("postgresql://", "postgres://")) or "=" in where


def is_there(where: str) -> bool:
    """Return whether there is a file of that name; a database is asked when it is opened."""
    return is_postgres(where) or is_file(Path(where))


def names_store(where: str) -> bool:
    """Return whether this names a store, and no other file."""
    if is_postgres(where):
        return True
    return holds_sqlite(Path(where))


def open_store(where: str, *, new: bool = False, reading: bool = False) -> Store:
    """Return the store of that name; one that is opened for reading alone is not brought forward."""
    if not is_postgres(where):
        from sabot.floor.sqlite_store import SqliteStore  # noqa: PLC0415 - one of the two is wanted

        return SqliteStore(Path(where), new=new, reading=reading)
    try:
        from sabot.floor.postgres_store import PostgresStore  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise FloorError("E-FLOOR-016", "--store", package=error.name) from error
    return PostgresStore(where, new=new, reading=reading)


# ------------------------------------------------------------ the file of a store


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
