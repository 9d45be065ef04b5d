"""Retention: old entries are exported, the export is read back and proved, and only then are they removed.

What is removed always ends with a signed head, and never reaches a snapshot that recovery may need. The
export carries the sealed data, for it is the only copy there will be.
"""

import hashlib
import json
import os
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sabot.config.loader import ChapterLaw
from sabot.firmware.journal import anchor, export, money, store, verify
from sabot.firmware.journal.anchor import Removed
from sabot.firmware.journal.appending import Appender
from sabot.firmware.journal.authority import Authority
from sabot.firmware.journal.books import Moves
from sabot.firmware.journal.checkpoints import Signer
from sabot.firmware.journal.content import START
from sabot.firmware.journal.entry import Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.export import ExportPart, ExportWritten
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.snapshot import read_setup

# Entries removed in one transaction of the writer.
AT_ONCE = 200


class Retained(NamedTuple):
    """The entries that went, and their place now."""

    written: ExportWritten
    removed: int
    anchor: int


def oldest_to_keep(utc: str, days: int) -> str:
    """Return the UTC of the oldest entry that stays."""
    now = datetime.fromisoformat(utc)
    limit = now - timedelta(days=days)
    # As stamps are written: the query compares them as text.
    return limit.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def may_go(db: sqlite3.Connection, limit: str) -> int:
    """Return the last entry that may go, 0 where none may: a head before every entry not surely old.

    An entry is surely old where it or a later one has a trusted time before the limit, for a clock that
    nobody set may show anything.
    """
    with store.reading():
        # Trusted times alone: a clock that nobody set makes nothing old.
        young = _one(db, "SELECT min(number) FROM entry WHERE trusted AND utc >= ?", limit) or 2**62
        old = _one(db, "SELECT max(number) FROM entry WHERE trusted AND utc < ? AND number < ?", limit, young)
        # A start begins at a snapshot and reads on from its entry: neither may go.
        needed = _one(db, "SELECT min(entry) FROM snapshot") or 1
        # What is removed ends with a signed head, so that the rest begins where the board has signed.
        return _one(db, "SELECT max(entry) FROM head WHERE entry <= ?", min(old or 0, needed - 1)) or 0


def _one(db: sqlite3.Connection, query: str, *values: object) -> int | None:
    found: int | None = db.execute(query, values).fetchone()[0]
    return found


class RetentionOrder(NamedTuple):
    """An order to retain: what goes where, by whose authority, and when that was said."""

    folder: Path
    limit: str
    authority: Authority
    stamp: Stamp


async def retain(
    appender: Appender, db: sqlite3.Connection, board: Signer, order: RetentionOrder
) -> Retained | None:
    """Export what may go and remove it; return None where nothing may."""
    done = verify.beginning(db, board.public_key)[0]
    await _remove(appender, db, done)  # what an interrupted removal left
    last, start = may_go(db, order.limit), done + 1
    if last < start:
        return None
    # Proved and added up before anything goes: the anchor carries the sums.
    moves = money.explain(db, board.public_key, _ignore, last).moves
    target = _new_file(order.folder, start, last)
    written = export.export(db, target, ExportPart(start, last, with_sealed=True), board)
    # Read back from the medium and proved before anything goes: afterwards this file is all that there is.
    ImportedExport(target, board.public_key).verify(_ignore)
    removed = _removed(db, written, moves, order.authority)
    # The signed anchor first: where power fails behind it, the next order removes what is left, and where it
    # fails before it, nothing is removed.
    number = await appender.keep(lambda _number, _before: anchor.draft(board, order.stamp, removed))
    await _remove(appender, db, last)
    return Retained(written, last - start + 1, number)


def _new_file(folder: Path, first: int, last: int) -> Path:
    """Return a place that no file has: power may have failed behind an export of these very entries.

    That file stays as it is. What an anchor names is what was read back and proved in the same order.
    """
    name, count = f"journal-{first:09}-{last:09}", 1
    path = folder / f"{name}.jsonl"
    # A link that leads nowhere is in the way too; of a folder that cannot be looked into the writing tells.
    while os.path.lexists(path):
        count += 1
        path = folder / f"{name}-{count}.jsonl"
    return path


async def _remove(appender: Appender, db: sqlite3.Connection, last: int) -> None:
    """Remove entries a little at a time, so that the table's own never wait long."""
    for _ in range(store.first_of(db), last + 1, AT_ONCE):
        await appender.order(lambda each: store.remove_until(each, last, AT_ONCE))


def _removed(db: sqlite3.Connection, written: ExportWritten, moves: Moves, authority: Authority) -> Removed:
    closing = written.closing
    with written.file.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    start = start_at(db, closing.last)
    return Removed(closing.last, closing.link, written.file.name, digest, moves, start, authority)


def start_at(db: sqlite3.Connection, number: int) -> str:
    """Return the body of the start entry under which an entry was written, empty where there is none."""
    found = store.newest_of(db, START, number)
    entry = store.entry(db, found) if found is not None else None
    if entry is not None:
        return entry.body
    noted = store.anchor_entry(db)
    anchored = store.entry(db, noted) if noted is not None else None
    return anchor.start(anchored) if anchored is not None else ""


def setup_at(db: sqlite3.Connection, number: int) -> dict[str, object] | None:
    """Return the set-up under which an entry was written, as plain values."""
    body = start_at(db, number)
    found: dict[str, object] | None = json.loads(body)["setup"] if body else None
    return found


def law_at(db: sqlite3.Connection, number: int) -> str:
    """Return the digest of the folder of chapters under which an entry was written, or nothing."""
    body = start_at(db, number)
    return str(json.loads(body).get("files", {}).get("law", "")) if body else ""


def _ignore(_more: int) -> None:
    return None


def setup_of(db: sqlite3.Connection, law: ChapterLaw, number: int | None = None) -> Setup:
    """Return the set-up under which an entry was written, the newest where none is named."""
    last = store.last_of(db)[0]
    found = setup_at(db, last if number is None else number)
    if found is None:
        raise JournalError(ERRORS["E-JRNL-008"], "journal", what="start entry: no table ever ran on it")
    return read_setup(found, law.chapter, "start entry")
