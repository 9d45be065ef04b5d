"""The journal's file: SQLite in WAL mode, each commit on the medium before it counts.

With ``synchronous=FULL`` and WAL no cut of power at any write of a shift loses what was acknowledged, with
``NORMAL`` some do; docs/reliability.md has the campaign. Only the writer thread writes; readers open their
own connection, read-only. A journal is made whole beside its name and then given it, so that a cut of power
leaves either none or one that opens.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sabot.firmware.credentials.atomic_files import flush_directory
from sabot.firmware.journal.entry import GENESIS, Entry, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError

FORMAT = 1
KEPT_SNAPSHOTS = 2
BUSY_S = 5.0
# A commit writes whole pages, and an event is some 500 bytes: small pages write half of what SQLite's usual
# 4096 would. A journal keeps the size that it was made with.
PAGE_BYTES = 1024
# How long the log grows before it is folded in, whatever the size of a page: a start reads all of it.
LOG_BYTES = 4 << 20
# The writer adds at the end: the last pages of each table and the way to them are all that it asks for twice.
CACHE_KB = 128

# ``round`` and ``head`` say where to look, and prove nothing: ``verify`` holds them against the entries.
# ``seldom`` leaves events out, so that an event, as nearly every entry is, writes no page of an index.
SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, boot TEXT NOT NULL, at TEXT NOT NULL, utc TEXT NOT NULL,
    trusted INTEGER NOT NULL, body TEXT NOT NULL, sealed BLOB NOT NULL, link BLOB NOT NULL
) STRICT;
CREATE TABLE round (number INTEGER NOT NULL, entry INTEGER PRIMARY KEY) STRICT;
CREATE TABLE head (entry INTEGER PRIMARY KEY) STRICT;
CREATE TABLE snapshot (entry INTEGER PRIMARY KEY, link BLOB NOT NULL, sealed BLOB NOT NULL) STRICT;
CREATE INDEX round_number ON round (number);
CREATE INDEX seldom ON entry (kind, number) WHERE kind != 'event';
"""

_BORN = f"INSERT INTO meta VALUES ('format', '{FORMAT}');"  # noqa: S608 (no outside text)
_COLUMNS = "number, kind, boot, at, utc, trusted, body, sealed, link"
_INSERT = f"INSERT INTO entry ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 (no outside text)


def create(path: Path) -> None:
    """Make a new, empty journal; an existing file is never touched, nor the log of one that is gone."""
    if path.exists():
        raise JournalError(ERRORS["E-JRNL-001"], str(path), why="the file exists already")
    left = [each for each in logs_of(path) if each.exists()]
    if left:
        raise JournalError(
            ERRORS["E-JRNL-002"], str(path), why=f"{left[0].name} is there, the journal is not"
        )
    beside = path.with_name(f".{path.name}.new")
    try:
        for each in (beside, *logs_of(beside)):
            each.unlink(missing_ok=True)
        with closing(_connect(f"file:{beside}?mode=rwc")) as db:
            db.execute(f"PRAGMA page_size={PAGE_BYTES}")  # before the first page, and never after
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(f"BEGIN;{SCHEMA}{_BORN}COMMIT;")
        # A link and no rename: it fails where a journal has appeared meanwhile, and writes over none.
        os.link(beside, path)
        beside.unlink()
        flush_directory(path.parent)
    except OSError as error:
        raise JournalError(ERRORS["E-JRNL-001"], str(path), why=error.strerror or error) from error
    except sqlite3.Error as error:
        raise wrong(path, error) from error


def logs_of(path: Path) -> tuple[Path, Path]:
    """Return the files that SQLite keeps beside a journal."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _connect(uri: str) -> sqlite3.Connection:
    # No transactions of the library's own: the writer begins and commits its own. And not held to one thread:
    # the loop opens the writer's connection, and the thread uses it.
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a connection of a reader, checked for the format."""
    return _open(path, "ro")


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open the one connection of the writer."""
    db = _open(path, "rw")
    try:
        # With a write-ahead log NORMAL would flush at checkpoints alone: a cut of power could take back
        # commits that were already shown.
        db.execute("PRAGMA synchronous=FULL")
        page_bytes: int = db.execute("PRAGMA page_size").fetchone()[0]
        db.execute(f"PRAGMA wal_autocheckpoint={LOG_BYTES // page_bytes}")
        db.execute(f"PRAGMA cache_size=-{CACHE_KB}")
    except sqlite3.Error as error:
        db.close()
        raise wrong(path, error) from error
    return db


def _open(path: Path, mode: str) -> sqlite3.Connection:
    try:
        db = _connect(f"file:{path}?mode={mode}")
    except sqlite3.Error as error:
        raise wrong(path, error) from error
    try:
        found = db.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged name in SQLite's own message
        db.close()
        raise wrong(path, error) from error
    if found is None or found[0] != str(FORMAT):
        db.close()
        raise JournalError(ERRORS["E-JRNL-003"], str(path), found=found and found[0], known=FORMAT)
    return db


_DAMAGED = ("no such table", "disk I/O error", "Could not decode", "malformed")


def wrong(place: Path | str, error: Exception) -> JournalError:
    """Return the error: a damaged file is another matter than a medium that is missing, full or busy."""
    # SQLite has one class for "busy" and for some damage: its words tell them apart.
    is_damaged = not isinstance(error, sqlite3.OperationalError)
    code = "E-JRNL-002" if is_damaged or any(word in str(error) for word in _DAMAGED) else "E-JRNL-001"
    return JournalError(ERRORS[code], str(place), why=error)


@contextmanager
def reading() -> Iterator[None]:
    """Turn an error of SQLite or Python over a damaged page into the journal's own."""
    try:
        yield
    except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
        raise wrong("journal", error) from error


# ---------------------------------------------------------------- reading


_TYPES = (int, str, str, str, str, int, str, bytes, bytes)


def _entry(row: tuple[int, str, str, str, str, int, str, bytes, bytes]) -> Entry:
    number, kind, boot, at, utc, trusted, body, sealed, link = row
    # A damaged page may give a row whose columns have changed places or kinds.
    if tuple(map(type, row)) != _TYPES:
        message = f"a field of entry {number} is not what it was"
        raise TypeError(message)
    return Entry(number, kind, Stamp(boot, at, utc, bool(trusted)), body, sealed, link)


def entries(db: sqlite3.Connection, first: int = 1, last: int | None = None) -> Iterator[Entry]:
    """Yield entries in order, from the first to the last wanted."""
    query = f"SELECT {_COLUMNS} FROM entry WHERE number >= ? AND number <= ? ORDER BY number"  # noqa: S608
    with reading():
        rows = db.execute(query, (first, last if last is not None else 2**62))
    while True:
        with reading():
            # One row at a time: a journal of a million entries is never in memory whole.
            row = rows.fetchone()
            found = _entry(row) if row is not None else None
        if found is None:
            return
        yield found


def entry(db: sqlite3.Connection, number: int) -> Entry | None:
    """Return one entry, None where it is not here."""
    return next(entries(db, number, number), None)


def last_of(db: sqlite3.Connection) -> tuple[int, bytes]:
    """Return the number and link of the newest entry (0 and the genesis where there is none)."""
    found = _row(db, "SELECT number, link FROM entry ORDER BY number DESC LIMIT 1")
    return (found[0], found[1]) if found else (0, GENESIS)


def times(db: sqlite3.Connection, first: int, last: int) -> dict[str, str]:
    """Return the UTC of each monotonic time among entries; the newest where a restart repeated one."""
    query = "SELECT at, utc FROM entry WHERE number BETWEEN ? AND ? ORDER BY number"
    with reading():
        return dict(db.execute(query, (first, last)))


def first_of(db: sqlite3.Connection) -> int:
    """Return the number of the oldest entry that is here (0 where there is none)."""
    found = _row(db, "SELECT number FROM entry ORDER BY number LIMIT 1")
    return found[0] if found else 0


def _row(db: sqlite3.Connection, query: str, *values: object) -> Any:  # noqa: ANN401 (SQLite's own)
    with reading():
        return db.execute(query, values).fetchone()


def newest_snapshot(db: sqlite3.Connection) -> tuple[int, bytes, bytes] | None:
    """Return the newest snapshot: the entry it follows, that entry's link, and the sealed state."""
    found: tuple[int, bytes, bytes] | None = _row(
        db, "SELECT entry, link, sealed FROM snapshot ORDER BY entry DESC LIMIT 1"
    )
    if found is not None and tuple(map(type, found)) != (int, bytes, bytes):
        raise wrong("journal", TypeError("the snapshot is not what it was"))
    return found


def numbers(db: sqlite3.Connection, table: str, first: int, last: int) -> list[int]:
    """Return the entries that a side table names: the heads, or the records of rounds."""
    query = f"SELECT entry FROM {table} WHERE entry BETWEEN ? AND ? ORDER BY entry"  # noqa: S608 (our names)
    with reading():
        return [row[0] for row in db.execute(query, (first, last))]


def rounds(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return every record of a round: its number and its entry."""
    with reading():
        return [(row[0], row[1]) for row in db.execute("SELECT number, entry FROM round ORDER BY entry")]


def newest_of(db: sqlite3.Connection, kind: str, until: int) -> int | None:
    """Return the newest entry of a kind that is no event, up to this number."""
    # ``kind != 'event'`` says nothing new, but without it SQLite does not use the index ``seldom``.
    query = "SELECT max(number) FROM entry WHERE kind = ? AND kind != 'event' AND number <= ?"
    found: int | None = _row(db, query, kind, until)[0]
    return found


def anchor_entry(db: sqlite3.Connection) -> int | None:
    """Return the entry of the newest anchor, None where retention has left none."""
    found = _row(db, "SELECT value FROM meta WHERE name = 'anchor'")
    with reading():
        return int(found[0]) if found else None


def entries_of_round(db: sqlite3.Connection, number: int) -> tuple[int, int] | None:
    """Return the first and last entry of a round: from after the round before to its own record."""
    last = _row(db, "SELECT max(entry) FROM round WHERE number = ?", number)[0]
    if last is None:
        return None
    before = _row(db, "SELECT max(entry) FROM round WHERE entry < ?", last)[0]
    _verify_record(db, last, number)
    return (before or 0) + 1, last


def _verify_record(db: sqlite3.Connection, at: int, number: int) -> None:
    """Raise where the list leads to another record: it only says where to look."""
    found = entry(db, at)
    with reading():
        record = json.loads(found.body).get("record") if found is not None else None
    if record is None or record["number"] != number:
        why = f"the list of rounds has round {number} there"
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=at, why=why)


# ---------------------------------------------------------------- writing


def insert(db: sqlite3.Connection, new: Iterable[Entry]) -> None:
    """Write entries, within the transaction that is open."""
    db.executemany(
        _INSERT,
        [
            (
                each.number,
                each.kind,
                *each.stamp[:3],
                int(each.stamp.trusted),
                each.body,
                each.sealed,
                each.link,
            )
            for each in new
        ],
    )


def index(db: sqlite3.Connection, table: str, *values: int) -> None:
    """Note where a round's record or a signed head stands."""
    db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)  # noqa: S608


def keep_snapshot(db: sqlite3.Connection, number: int, link: bytes, sealed: bytes) -> None:
    """Keep a snapshot, and only the newest few."""
    db.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)", (number, link, sealed))
    db.execute(
        "DELETE FROM snapshot WHERE entry NOT IN (SELECT entry FROM snapshot ORDER BY entry DESC LIMIT ?)",
        (KEPT_SNAPSHOTS,),
    )


def note_anchor(db: sqlite3.Connection, number: int) -> None:
    """Note which entry is the newest anchor."""
    db.execute("INSERT OR REPLACE INTO meta VALUES ('anchor', ?)", (str(number),))


def remove_until(db: sqlite3.Connection, last: int, most: int) -> int:
    """Remove up to so many of the entries until this one, the oldest first; return how many."""
    newest: int = db.execute(
        "SELECT max(number) FROM (SELECT number FROM entry WHERE number <= ? ORDER BY number LIMIT ?)",
        (last, most),
    ).fetchone()[0]
    if newest is None:
        return 0
    # Entries last: their number is the answer.
    for table, column in (("round", "entry"), ("head", "entry"), ("entry", "number")):
        removed = db.execute(f"DELETE FROM {table} WHERE {column} <= ?", (newest,)).rowcount  # noqa: S608
    return removed


LOOK_S = 0.2


def follow(db: sqlite3.Connection, newest: int, *, is_endless: bool) -> Iterator[Entry]:
    """Yield the newest so many, and then, where it is endless, each that follows."""
    last, _ = last_of(db)
    number = max(first_of(db), last - newest + 1)
    while True:
        for entry in entries(db, number):
            yield entry
            number = entry.number + 1
        if not is_endless:
            return
        time.sleep(LOOK_S)
