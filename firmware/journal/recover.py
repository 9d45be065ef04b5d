"""The table as it was when the last event became durable.

The newest snapshot is opened and the events after it are handled again. Their effects must be those that the
journal recorded, byte for byte: a program, chapter or journal that is not the one that wrote them is found
out here, before anything is done. The chain is proved from the snapshot to the end; the whole of it is proved
by `sabot journal verify`.
"""

import json
import sqlite3
from typing import NamedTuple

from sabot.firmware.journal import store
from sabot.firmware.journal.content import EVENT, event_of
from sabot.firmware.journal.entry import GENESIS, Entry, follows
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.heads import HEAD, verify_head
from sabot.firmware.journal.seal import Seal
from sabot.statemachine import codec
from sabot.statemachine.setup import Setup
from sabot.statemachine.table import Table


class Recovered(NamedTuple):
    """A table out of its journal, and the entry after which it stands."""

    table: Table
    last: Entry | None
    replayed: int


def snapshot_place(number: int) -> str:
    """The place that a snapshot's seal belongs to."""
    return f"snapshot {number}"


def recover(db: sqlite3.Connection, setup: Setup, seal: Seal, key: bytes) -> Recovered:
    """The table that the journal describes."""
    table, number, before = _from_snapshot(db, setup, seal)
    last = store.entry(db, number) if number else None
    replayed = 0
    for entry in store.entries(db, number + 1):
        verify_next(entry, last.number if last else 0, before, key)
        if entry.kind == EVENT:
            _replay(table, entry, seal)
            replayed += 1
        last, before = entry, entry.link
    return Recovered(table, last, replayed)


def _from_snapshot(db: sqlite3.Connection, setup: Setup, seal: Seal) -> tuple[Table, int, bytes]:
    found = store.newest_snapshot(db)
    if found is None:
        return Table(setup), 0, GENESIS
    number, link, sealed = found
    entry = store.entry(db, number)
    if number and (entry is None or entry.link != link):
        raise JournalError(
            ERRORS["E-JRNL-004"], "journal", number=number, why="its snapshot has another link"
        )
    state = json.loads(seal.open(sealed, snapshot_place(number)))
    return Table.restore(setup, state), number, link


def verify_next(entry: Entry, last: int, before: bytes, key: bytes | None) -> None:
    """Raise where an entry is not the next one of the chain, or is a head that does not sign it."""
    if entry.number != last + 1:
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=entry.number, why=f"{last + 1} is missing")
    if not follows(before, entry):
        why = "its content or its link was changed"
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=entry.number, why=why)
    if entry.kind == HEAD:
        verify_head(entry, before, key)


def _replay(table: Table, entry: Entry, seal: Seal) -> None:
    effects = table.handle(event_of(entry, seal))
    if [codec.effect_json(effect) for effect in effects] != json.loads(entry.body)["effects"]:
        raise JournalError(ERRORS["E-JRNL-007"], "journal", number=entry.number)
