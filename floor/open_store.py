"""A store by its name, a DSN of PostgreSQL or the path of a SQLite file: what is there, and opening it.

The engines are loaded when one of them is wanted, for PostgreSQL's is an extra.
"""

from pathlib import Path

from sabot.floor.errors import FloorError
from sabot.floor.store import Store
from sabot.floor.store_file import holds_sqlite, is_file


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
