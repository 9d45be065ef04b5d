"""The table as it was when the last event became durable.

The newest snapshot is opened and the events after it are handled again. Their effects must be those that the
journal recorded, byte for byte: a program, chapter or journal that is not the one that wrote them is found
out here, before anything is done. The chain is proved from the snapshot to the end; the whole of it is proved
by `sabot journal verify`.
"""

import json
import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from sabot.firmware.credentials.board import Seal
from sabot.firmware.journal import store
from sabot.firmware.journal.books import Books, Moves, balances_of, by_one_cause, difference
from sabot.firmware.journal.checkpoints import HEAD, verify_head
from sabot.firmware.journal.content import EVENT, RESTORED, START, event_of, opened
from sabot.firmware.journal.entry import GENESIS, Entry, follows
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.statemachine.state.ledger import SEED
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import codec


class Recovered(NamedTuple):
    """A table out of its journal, the entry after which it stands, and what its set-up seeded since then."""

    table: Table
    last: Entry | None
    replayed: int
    seeded: Moves


def snapshot_place(number: int) -> str:
    """Return the place that a snapshot's seal belongs to."""
    return f"snapshot {number}"


def recover(db: sqlite3.Connection, setup: Setup, seal: Seal, key: bytes) -> Recovered:
    """Return the table that the journal describes."""
    base = _base(db, setup, seal)
    replay = Replay(base.table, seal, dict(base.balances))
    last = store.entry(db, base.number) if base.number else None
    number, before = base.number, base.link
    for entry in store.entries(db, number + 1):
        verify_next(entry, number, before, key)
        replay.take(entry)
        last, number, before = entry, entry.number, entry.link
    return Recovered(base.table, last, replay.events, by_one_cause(replay.seeded(), SEED))


class _Base(NamedTuple):
    """The base of a recovery: a snapshot, or nothing; ``balances`` before the set-up seeded what is new."""

    table: Table
    number: int
    link: bytes
    balances: Mapping[str, int]


def _base(db: sqlite3.Connection, setup: Setup, seal: Seal) -> _Base:
    found = store.newest_snapshot(db)
    if found is None:
        first = store.first_of(db)
        if first > 1:
            why = "the entries before it were exported, and there is no snapshot"
            raise JournalError(ERRORS["E-JRNL-004"], "journal", number=first, why=why)
        return _Base(Table(setup), 0, GENESIS, {})
    number, link, sealed = found
    entry = store.entry(db, number)
    # A snapshot of another journal, or of this one before it was cut, must not be gone on from.
    if number and (entry is None or entry.link != link):
        raise JournalError(
            ERRORS["E-JRNL-004"], "journal", number=number, why="its snapshot has another link"
        )
    state = json.loads(opened(seal, sealed, snapshot_place(number)))
    # The balances as they were kept: what the set-up has seeded since then is told by the next start entry.
    return _Base(Table.restore(setup, state), number, link, state["state"]["ledger"]["balances"])


class Replay:
    """Entries through a table again; what is no event of the table but changed it is done again too."""

    def __init__(self, table: Table, seal: Seal, balances: dict[str, int]) -> None:
        self.table = table
        self.events = 0
        self._seal = seal
        self._books = Books(table.state.books.ledger)
        self._seeded = difference(table.state.books.ledger.balances, balances)

    def take(self, entry: Entry) -> None:
        """Take one entry."""
        # Heads, commands and the like changed nothing of the table.
        kinds = {EVENT: self._event, START: self._start, RESTORED: self._restored}
        if entry.kind in kinds:
            kinds[entry.kind](entry)

    def seeded(self) -> dict[str, int]:
        """Return the amounts that the set-up put on meters, as far as no start entry has said so."""
        return {account: units for account, units in self._seeded.items() if units}

    def _event(self, entry: Entry) -> None:
        effects = self.table.handle(event_of(entry, self._seal))
        moves = self._books.since(self.table.state.books.ledger)
        body = json.loads(entry.body)
        # The release that wrote them may have decided otherwise. People acted on what stands here, so a table
        # that comes to something else must not go on from it.
        if [codec.effect_json(effect) for effect in effects] != body["effects"] or moves != body.get(
            "moves", {}
        ):
            raise JournalError(ERRORS["E-JRNL-007"], "journal", number=entry.number)
        self.events += 1

    def _start(self, entry: Entry) -> None:
        told = balances_of(json.loads(entry.body).get("moves", {}))
        # A start entry has put it into the journal already; it is not told twice.
        self._seeded = difference(self._seeded, told)

    def _restored(self, entry: Entry) -> None:
        """Take money and round numbers from the second medium; seed the meters that it did not know."""
        body = json.loads(entry.body)
        state = self.table.state
        state.books.ledger.balances, state.books.ledger.moved = dict(body["balances"]), {}
        state.books.rounds = body["rounds"]
        self.table.rooms.gaming_day.seed_meters()
        self._seeded = difference(state.books.ledger.balances, body["balances"])
        self._books = Books(state.books.ledger)


def verify_next(entry: Entry, last: int, before: bytes, key: bytes | None) -> bytes | None:
    """Raise where an entry is not the next one of the chain, or is a head that does not sign it.

    Return the key that a head was verified with, None for any other entry.
    """
    if entry.number != last + 1:
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=entry.number, why=f"{last + 1} is missing")
    if not follows(before, entry):
        why = "its content or its link was changed"
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=entry.number, why=why)
    return verify_head(entry, before, key) if entry.kind == HEAD else None
