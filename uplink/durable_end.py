"""A table's end that survives a power cut: everything said and heard is on the medium before it counts.

What a table says follows from its journal: an entry makes messages, and they are kept together with the
number of that entry, in one transaction. So a table that is started again feeds its journal from ``fed`` on,
and no entry is said twice or left out, wherever the power went.
"""

# Theory of operation. ``TableEnd`` decides, this keeps. Both ways the order is the same: the end changes its
# memory, the change is committed with what it came from (the entry fed, the payload heard), and only a commit
# lets it go further, to the wire or to the table. Where the commit fails the memory goes back to what the
# medium has. Saying again is then somebody else's: the journal still has the entry, and the floor says what
# was not acknowledged. One thing is not taken back, what the floor has applied: it forgets nothing of ours.

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sabot.floor.errors import FloorError
from sabot.floor.wire import SIGNATURE
from sabot.uplink.table_end import Memory, Message, Say, TableEnd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sabot.floor.wire import MessageSigner

_TABLES = """
CREATE TABLE IF NOT EXISTS said (number INTEGER PRIMARY KEY, entry INTEGER NOT NULL, payload BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS heard (number INTEGER PRIMARY KEY, payload BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS state (
    one INTEGER PRIMARY KEY CHECK (one = 1), begun INTEGER NOT NULL, said INTEGER NOT NULL,
    applied INTEGER NOT NULL, heard INTEGER NOT NULL, entry INTEGER NOT NULL, link TEXT NOT NULL,
    fed INTEGER NOT NULL
);
"""

# A commit writes whole pages, and SQLite takes room for twenty. A file keeps the size that it was made with.
PAGE_BYTES, CACHE_KB = 512, 16
# A year of a busy table: beyond it the journal and the floor's ledger have what was said.
MOST_KEPT = 100_000


class KeptEnd:
    """A table's end with its medium; for one thread at a time."""

    def __init__(self, file: Path, table: str, key: MessageSigner, floor_key: str) -> None:
        self._file = file
        with self._words():
            # No statement is kept for the next time: they take 24 kB, and there are a few of them in a round.
            self._db = sqlite3.connect(
                file, isolation_level=None, check_same_thread=False, cached_statements=1
            )
            self._db.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # a page that is read settles it
            self._db.execute(f"PRAGMA cache_size = -{CACHE_KB}")
            self._db.execute("PRAGMA journal_mode = WAL")
            # A power cut must not make it forget a message: the
            # floor would hold the board for one that forgot.
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_TABLES)
            self.is_new = self._db.execute("SELECT count(*) FROM state").fetchone() == (0,)
            memory, self.fed = self._load()
        self.end = TableEnd(table, key, floor_key, memory)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # ------------------------------------------------------------ saying

    def feed(self, entry: int, says: Sequence[Say], now: float, clock: Callable[[], str]) -> None:
        """Say what an entry of the journal makes; an entry that was fed already is passed over."""
        if entry <= self.fed:
            return
        before, fed = self.end.memory.said, self.fed
        try:
            made = [self.end.say(each.kind, now, clock(), **each.values) for each in says]
            self.fed = entry
            self._keep([(before + place, entry, raw) for place, raw in enumerate(made, 1)])
        except BaseException:
            self._take_back(before, fed)
            raise

    def _take_back(self, said: int, fed: int) -> None:
        """Take back the messages that did not reach the medium: they were never said."""
        for number in range(said + 1, self.end.memory.said + 1):
            self.end.memory.waiting.pop(number, None)
        self.end.memory.said, self.fed = said, fed

    # ------------------------------------------------------------ hearing

    def hear(self, raw: bytes, now: float) -> Message | None:
        """Return a message of the floor that is news, and on the medium where it must be; else None."""
        memory = self.end.memory
        before = (memory.begun, memory.applied, memory.heard)
        message = self.end.hear(raw, now)
        if message is not None and (memory.begun, memory.applied, memory.heard) != before:
            number = message.get("number", 0)
            try:
                self._keep((), [(number, raw)] if number else ())
            except FloorError:
                # ``applied`` stays: what it acknowledges is out of ``waiting`` already.
                memory.begun, _, memory.heard = before  # it is said again
                raise
        return message

    def said(self, number: int) -> Message:
        """Return the message that was said under a number, for whoever hears an answer to it."""
        with self._words():
            found = self._db.execute("SELECT payload FROM said WHERE number = ?", (number,)).fetchone()
        message: Message = json.loads(found[0][SIGNATURE:]) if found else {}
        return message

    def kept(self, above: int = 0) -> Iterator[bytes]:
        """Yield what the floor has said above a number, for a table that did not get to enter it."""
        with self._words():
            rows = self._db.execute("SELECT payload FROM heard WHERE number > ? ORDER BY number", (above,))
            yield from (row[0] for row in rows.fetchall())

    # ------------------------------------------------------------ the medium

    def _keep(self, said: Iterable[tuple[int, int, bytes]], heard: Iterable[tuple[int, bytes]] = ()) -> None:
        memory = self.end.memory
        counts = (memory.begun, memory.said, memory.applied, memory.heard)
        with self._words(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO said VALUES (?, ?, ?)", said)
            self._db.executemany("INSERT INTO heard VALUES (?, ?)", heard)
            self._thin()
            row = (1, *counts, *memory.head, self.fed)
            self._db.execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _thin(self) -> None:
        """Delete what is long over: the journal makes the same messages again for whoever asks."""
        memory = self.end.memory
        # Never what the floor has not applied, however old it is.
        over = min(memory.applied, memory.said - MOST_KEPT)
        self._db.execute("DELETE FROM said WHERE number <= ?", (over,))
        self._db.execute("DELETE FROM heard WHERE number <= ?", (memory.heard - MOST_KEPT,))

    def _load(self) -> tuple[Memory, int]:
        row = self._db.execute("SELECT * FROM state").fetchone()
        if row is None:
            return Memory(), 0
        _, begun, said, applied, heard, entry, link, fed = row
        waiting = dict(self._db.execute("SELECT number, payload FROM said WHERE number > ?", (applied,)))
        known = {"said": said, "applied": applied, "heard": heard, "head": (entry, link)}
        return Memory(begun=bool(begun), **known, waiting=waiting), fed

    @contextmanager
    def _words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FloorError("E-FLOOR-010", str(self._file), why=error) from error
