"""The journal at a start: made where there is none, else recovered, and the first events after it.

Theory of operation. What contradicts a journal (a mark that it does not reach, a link that does not follow,
effects that come out otherwise) keeps the table out of service, for nobody can know what is true. What merely
cannot be proved (its mark is gone) holds the table: people compare, and release it. The restart itself is an
event, and with it goes what only a restart does, such as a shuffle that was broken off.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from typing import Any, NamedTuple

from sabot import __version__
from sabot.firmware.credentials.board import Board, Rooms, has_journal, note_journal
from sabot.firmware.journal import mark, store
from sabot.firmware.journal.books import Moves
from sabot.firmware.journal.content import START, compact
from sabot.firmware.journal.entry import Draft, Entry, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.recover import recover
from sabot.firmware.journal.retain import law_at
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.runner import JOURNAL
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import events as ev

NO_MARK = "the mark beside the journal is gone: compare its newest head with those kept elsewhere"


class Opened(NamedTuple):
    """A table out of its journal; ``last`` is None where the journal is new.

    ``doubt`` is what cannot be proved of it and does not contradict it: people look, and release the table.
    """

    table: Table
    last: Entry | None
    replayed: int
    seeded: Moves
    doubt: str = ""


def open_journal(rooms: Rooms, setup: Setup, board: Board, law_sha256: str = "") -> Opened:
    """Return the table as its journal has it; raise where the journal cannot be trusted.

    ``law_sha256`` is the digest of the folder of chapters: an open table goes on under the one that it had.
    """
    if not rooms.journal.exists():
        _verify_first(rooms)
        store.create(rooms.journal)
    try:
        with closing(store.open_for_reading(rooms.journal)) as db:
            is_marked = mark.verify(rooms.journal, db) is not None
            found = recover(db, setup, board.seal, board.public_key)
            is_same_law = found.last is None or law_at(db, found.last.number) == law_sha256
    except (sqlite3.Error, json.JSONDecodeError) as error:
        raise JournalError(ERRORS["E-JRNL-002"], str(rooms.journal), why=error) from error
    # A round may be on the felt: it is not settled by another law than the one under which it began.
    if not is_same_law and found.table.state.play.phase is not Phase.CLOSED:
        raise RunError("E-RUN-013", str(rooms.journal))
    # Only now, that it opens: a board that could not make its first journal has begun none.
    with suppress(OSError):  # a medium that takes nothing is said by the journal itself
        note_journal(rooms)
    doubt = NO_MARK if found.last is not None and not is_marked else ""
    return Opened(found.table, found.last, found.replayed, found.seeded, doubt)


def _verify_first(rooms: Rooms) -> None:
    """Raise where a journal is missing: its mark or the board's own file says that there was one."""
    # A missing journal is no first start where a mark, or the board's own file, says that there was one.
    mark.verify_gone(rooms.journal)
    if has_journal(rooms):
        why = "the board has begun one, and it is not there, nor its mark"
        raise JournalError(ERRORS["E-JRNL-009"], str(rooms.journal), last=0, known=1, why=why)


def doubted(opened: Opened, clock: Clock) -> list[ev.Event]:
    """Return the fault of a doubted journal with its test, for a new mark is set; the floor releases it."""
    if not opened.doubt:
        return []
    journal: dict[str, Any] = {"source": JOURNAL, "device": JOURNAL, "fault": "contradiction"}
    return [
        ev.DeviceFaulted(at=clock.now(), detail=opened.doubt, **journal),
        ev.DeviceRetested(at=clock.now(), good=True, **journal),
    ]


def start_entry(
    table: Table,
    stamp: Stamp,
    table_name: str,
    seeded: Moves | None = None,
    digests: Mapping[str, str] | None = None,
) -> Draft:
    """Draft the start entry: program, interpreter, table and set-up, and what that put on meters.

    ``digests`` are those of the files that the set-up was read from, each with its name.
    """
    body: dict[str, object] = {
        "version": __version__,
        "python": sys.version.split()[0],
        "process": os.getpid(),
        "table": table_name,
        "chapter": table.law.chapter.id,
        "setup": setup_json(table.law.setup),
    }
    if digests:
        body["files"] = dict(digests)
    if seeded:
        body["moves"] = seeded
    return Draft(START, stamp, compact(body).decode())


def first_event(last: Entry | None, clock: Clock, slip: str = "") -> ev.Event:
    """Return the first event after a start; from it the table tells people and devices all that holds.

    So too where the journal is new: a shoe may have been left locked by whatever it was wired to before.
    ``slip`` says what the program stumbled over before, where it did.
    """
    down_s = None if last is None else clock.down_since(last)
    return ev.Resumed(at=clock.now(), source="controller", down_s=down_s, slip=slip)


def broken_off(table: Table, clock: Clock) -> list[ev.Event]:
    """Return the ends of shuffles that a restart broke off: nobody knows if the device heard the order.

    Where it did not, it would be waited for without end; where it is at work, its reports make no whole. So a
    shuffle counts as stopped, and is ordered again when the device was tested and the fault released.
    """
    if not table.rooms.shuffling.shuffles_by_device():
        return []
    why = "the controller restarted before the shuffle ended"
    return [
        ev.ShufflerStopped(at=clock.now(), source="controller", deck=deck, cause=why)
        for deck in table.rooms.shuffling.to_be_shuffled()
    ]
