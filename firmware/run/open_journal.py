"""The journal at a start: made where there is none, else recovered, and told that the program is back."""

import json
import os
import sqlite3
import sys
from contextlib import closing
from typing import NamedTuple

from sabot import __version__
from sabot.firmware.journal import mark, store
from sabot.firmware.journal.books import Moves
from sabot.firmware.journal.content import START, compact
from sabot.firmware.journal.entry import Draft, Entry, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.recover import recover
from sabot.firmware.keep.board import Board, Rooms
from sabot.firmware.run.clock import Clock
from sabot.statemachine import events as ev
from sabot.statemachine.setup import Setup
from sabot.statemachine.shuffling import shuffles_by_device, to_be_shuffled
from sabot.statemachine.snapshot import setup_json
from sabot.statemachine.table import Table


class Opened(NamedTuple):
    """A table out of its journal; ``last`` is None where the journal is new."""

    table: Table
    last: Entry | None
    replayed: int
    seeded: Moves


def open_journal(rooms: Rooms, setup: Setup, board: Board) -> Opened:
    """The table as its journal has it; JournalError where the journal cannot be trusted."""
    if not rooms.journal.exists():
        mark.verify_gone(rooms.journal)
        store.create(rooms.journal)
    try:
        with closing(store.open_for_reading(rooms.journal)) as db:
            mark.verify(rooms.journal, db)
            found = recover(db, setup, board.seal, board.public_key)
    except (sqlite3.Error, json.JSONDecodeError) as error:
        raise JournalError(ERRORS["E-JRNL-002"], str(rooms.journal), why=error) from error
    return Opened(found.table, found.last, found.replayed, found.seeded)


def start_entry(table: Table, stamp: Stamp, table_name: str, seeded: Moves | None = None) -> Draft:
    """What started: the program, its interpreter, the table and its set-up, and what that put on meters."""
    body: dict[str, object] = {
        "version": __version__,
        "python": sys.version.split()[0],
        "process": os.getpid(),
        "table": table_name,
        "chapter": table.chapter.id,
        "setup": setup_json(table.setup),
    }
    if seeded:
        body["moves"] = seeded
    return Draft(START, stamp, compact(body).decode())


def first_event(last: Entry | None, clock: Clock) -> ev.Event:
    """The first event after a start; from it the table tells its people and devices all that holds."""
    if last is None:
        return ev.TimeReached(at=clock.now(), source="controller")
    return ev.Resumed(at=clock.now(), source="controller", down_s=clock.down_since(last))


def broken_off(table: Table, clock: Clock) -> list[ev.Event]:
    """The shuffles that a restart broke off: nobody knows any more whether the device has heard the order.

    Where it did not, it would be waited for without end; where it is at work, its reports make no whole. So a
    shuffle counts as stopped, and is ordered again when the device was tested and the fault released.
    """
    if not shuffles_by_device(table):
        return []
    why = "the controller restarted before the shuffle ended"
    return [
        ev.ShufflerStopped(at=clock.now(), source="controller", deck=deck, cause=why)
        for deck in to_be_shuffled(table)
    ]
