"""Opening the floor's store by its name: a DSN of PostgreSQL, or the path of a SQLite file."""

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


def is_file(path: Path) -> bool:
    """Return whether there is a file of that name; FloorError where it can be no store."""
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
    """FloorError where no store can be made under that name."""
    if is_file(path):
        raise FloorError("E-FLOOR-017", str(path), what="there is a file of that name already")
    if not path.parent.is_dir():
        raise _unusable(path, f"there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise _unusable(path, f"this user may make no file in {path.parent}")


def _unusable(path: Path, why: object) -> FloorError:
    return FloorError("E-FLOOR-026", str(path), why=why)


def names_store(where: str) -> bool:
    """Return whether this names a store, and no other file."""
    if is_postgres(where):
        return True
    try:
        with Path(where).open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def open_store(where: str, *, new: bool = False, reading: bool = False) -> Store:
    """Return the store of that name, a DSN of PostgreSQL or a path; who only reads brings none forward."""
    if not is_postgres(where):
        from sabot.floor.sqlite_store import SqliteStore  # noqa: PLC0415 - one of the two is wanted

        return SqliteStore(Path(where), new=new, reading=reading)
    try:
        from sabot.floor.postgres_store import PostgresStore  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise FloorError("E-FLOOR-016", "--store", package=error.name) from error
    return PostgresStore(where, new=new, reading=reading)
