"""From one format of the journal to the next: always a new file, the old one set aside whole.

A release that knows a newer format writes it into a file of its own from the old one, which is only read.
Falling back sets the newer file aside and puts the old one back, so that an older program never opens a newer
journal; that it could not is held by the journal itself, which refuses a format it does not know.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from sabot.firmware.credentials.atomic_files import flush_directory
from sabot.firmware.journal import store
from sabot.firmware.journal.mark import path_of as mark_of
from sabot.firmware.update.errors import UpdateError

Migrate = Callable[[Path, Path], None]
# From a format to the one after it: what reads the old file and writes the new one. There is one format yet.
MIGRATIONS: Mapping[int, Migrate] = {}


def format_of(journal: Path) -> int:
    """Return the format that a journal says it has."""
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
            found = db.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
            return int(found[0])
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise store.wrong(journal, error) from error


def migrate(
    journal: Path, known: int = store.FORMAT, migrations: Mapping[int, Migrate] = MIGRATIONS
) -> int | None:
    """Bring a journal to the format of this program; return its former one, None where nothing was done."""
    found = format_of(journal) if journal.exists() else known
    if found == known:
        return None
    steps = range(found, known)
    # No steps: the journal is of a newer format, and nothing leads back down.
    if not steps or any(step not in migrations for step in steps):
        raise UpdateError("E-UPDATE-014", str(journal), found=found, known=known)
    newest = journal
    for step in steps:
        beside = journal.with_name(f"{journal.stem}.becoming-{step + 1}{journal.suffix}")
        _clear(beside)
        migrations[step](newest, beside)
        newest = beside
    # The mark stays: should a cut come before the new file has its name, nobody starts on nothing.
    _move(journal, _aside(journal, found), keeps_mark=True)
    _move(newest, journal)
    return found


def fall_back(journal: Path, former: int) -> None:
    """Make the old file the journal again; the newer one is kept under a name that nothing opens."""
    aside = _aside(journal, former)
    if not aside.exists():
        raise UpdateError("E-UPDATE-013", str(aside), why="the old journal is not there")
    newer = format_of(journal)
    _move(journal, journal.with_name(f"{journal.stem}.unused-{newer}{journal.suffix}"))
    _move(aside, journal)


def _aside(journal: Path, number: int) -> Path:
    return journal.with_name(f"{journal.stem}.format-{number}{journal.suffix}")


def _files(journal: Path) -> tuple[Path, ...]:
    """Return all files of a journal; the journal itself last, so that a cut leaves it recognisable."""
    return (*store.logs_of(journal), mark_of(journal), journal)


def _move(journal: Path, to: Path, *, keeps_mark: bool = False) -> None:
    for old, new in zip(_files(journal), _files(to), strict=True):
        if old == mark_of(journal) and keeps_mark and old.exists():
            new.write_bytes(old.read_bytes())
        elif old.exists():
            old.replace(new)
    flush_directory(to.parent)


def _clear(journal: Path) -> None:
    for each in _files(journal):
        each.unlink(missing_ok=True)
