"""``sabot journal verify --procedure``: the second opinion on a journal that was proved.

The checker is ``tools/procedure``, which knows nothing of this program; here it is handed the entries.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sabot.desk.procedure import reading
from sabot.desk.procedure.check import Checker
from sabot.desk.procedure.reading import Item, UnreadableError
from sabot.firmware.journal import store
from sabot.firmware.journal.errors import ERRORS, JournalError

Tick = Callable[[int], None]


def of_journal(db: sqlite3.Connection, tick: Tick) -> Checker:
    """Return the checker with its objections to a journal, from its first entry or retention's anchor."""
    return _checked(_entries(db, tick), "journal")


def of_export(path: Path, tick: Tick) -> Checker:
    """Return the checker with its objections to an export."""
    with path.open("rb") as lines:
        return _checked(reading.items(_told(lines, tick)), str(path))


def _checked(items: Iterable[Item], place: str) -> Checker:
    checker = Checker()
    try:
        checker.check(items)
    except UnreadableError as error:
        raise JournalError(ERRORS["E-JRNL-011"], f"{place}:{error.line}", why=error.words) from error
    return checker


def _entries(db: sqlite3.Connection, tick: Tick) -> Iterator[Item]:
    first = store.first_of(db)
    noted = store.anchor_entry(db) if first > 1 else None
    anchor = store.entry(db, noted) if noted is not None else None
    if anchor is not None:
        # After a retention the journal begins in the middle: the anchor says how the table stood there.
        yield from reading.before(anchor.body)
    for entry in store.entries(db, first):
        yield from reading.entry(entry.kind, entry.number, entry.body, entry.number)
        tick(1)


def _told(lines: Iterable[bytes], tick: Tick) -> Iterator[bytes]:
    for line in lines:
        yield line
        tick(len(line))
