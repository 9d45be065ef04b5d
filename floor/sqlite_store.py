"""The embedded store: SQLite in WAL mode, each commit on the medium before it counts.

Who leads holds an exclusive transaction on a small database beside the store: the lock goes with its
process, however that ends, and readers of the store itself are not in its way.

One connection does all of it, in SQLite's own autocommit: each transaction is begun and ended by name, and
none is open by accident.
"""

import json
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sabot.floor.entry import GENESIS, FloorEntry, Last
from sabot.floor.errors import FloorError
from sabot.floor.queries import Queries
from sabot.floor.schema import STEPS, Steps, bring_forward
from sabot.floor.store import (
    Batch,
    Loaded,
    entry_row,
    fact_rows,
    gone,
    verify_known,
)
from sabot.floor.store_file import is_file, verify_room

BUSY_S = 5.0
ENGINE = "sqlite"

# The same as in PostgreSQL, a row at a time: sums grow, and the count of a gaming day never falls.
_UPSERTS = {
    "balance": "INSERT INTO balance VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET units = excluded.units",
    "fact": "INSERT INTO fact VALUES (?, ?, ?) ON CONFLICT (part, name) DO UPDATE SET body = excluded.body",
    "handled": "INSERT INTO handled VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (day, table_name, link, wager)"
    " DO UPDATE SET wagers = wagers + excluded.wagers, cents = cents + excluded.cents",
    "moved": "INSERT INTO moved VALUES (?, ?, ?, ?) ON CONFLICT (day, account, cause)"
    " DO UPDATE SET units = units + excluded.units",
    "seen": "INSERT INTO seen VALUES (?, ?, ?, ?, ?) ON CONFLICT (table_name, verdict)"
    " DO UPDATE SET times = times + excluded.times, last_at = excluded.last_at",
    "told": "INSERT INTO told VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (day, table_name, board)"
    " DO UPDATE SET counted = excluded.counted, body = excluded.body, signature = excluded.signature"
    " WHERE excluded.counted >= counted",
}


class SqliteStore(Queries):
    """A store in a file."""

    def __init__(self, path: Path, *, new: bool = False, reading: bool = False, steps: Steps = STEPS) -> None:
        self._path = path
        self._leader: sqlite3.Connection | None = None
        if new:
            verify_room(path)
        elif not is_file(path):
            raise FloorError("E-FLOOR-010", str(path), why="there is no such file")
        with self._words():
            self._db = _connect(path, "rwc" if new else "ro" if reading else "rw")
            self._prepare(steps, new=new, reading=reading)

    def _prepare(self, steps: Steps, *, new: bool, reading: bool) -> None:
        if new:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        # On the medium with each commit: in WAL mode less than this loses the last ones at a power cut.
        self._db.execute("PRAGMA synchronous=FULL")
        found = int(self._one("SELECT count(*) FROM meta WHERE name LIKE 'schema %'")[0])
        if found > len(steps) or (reading and found < len(steps)):
            raise FloorError("E-FLOOR-011", str(self._path), found=found, known=len(steps))
        if found < len(steps):
            script: list[str] = []
            bring_forward(found, ENGINE, script.append, steps)
            # All steps in one transaction: a store that was cut between two would be of no schema.
            self._db.executescript(f"BEGIN EXCLUSIVE; {'; '.join(script)}; COMMIT;")

    # ------------------------------------------------------------ leading

    def lead(self, known: Last) -> Loaded | None:
        """Hold the ledger alone from now on, and return what it holds; None while another process leads."""
        with self._words():
            if self._leader is None and not self._take_lead():
                return None
            found = self._one("SELECT link FROM entry WHERE number = ?", known.number)
        verify_known(found and found[0], known)
        return self.load()

    def _take_lead(self) -> bool:
        # Beside the store and not in it: an exclusive transaction on the store itself would keep readers out.
        leader = _connect(self._path.with_name(f"{self._path.name}.leader"), "rwc", timeout=0.0)
        try:
            leader.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            leader.close()
            return False
        self._leader = leader
        return True

    def commit(self, batch: Batch) -> None:
        """Make a batch durable, all or nothing."""
        if self._leader is None:
            raise FloorError("E-FLOOR-012", str(self._path))
        with self._words():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._write(batch)
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.rollback()
                raise

    def _write(self, batch: Batch) -> None:
        db = self._db
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(entry_row, batch.entries))
        if batch.entries:
            db.execute("INSERT INTO head VALUES (?, ?)", (batch.entries[-1].number, batch.signature))
        db.executemany(_UPSERTS["balance"], batch.balances.items())
        db.executemany(_UPSERTS["fact"], fact_rows(batch.facts))
        db.executemany("DELETE FROM fact WHERE part = ? AND name = ?", gone(batch.facts))
        db.executemany("INSERT INTO sent VALUES (?, ?, ?, ?, ?)", batch.sent)
        db.executemany("DELETE FROM sent WHERE table_name = ? AND number <= ?", batch.heard.items())
        db.executemany(_UPSERTS["handled"], [(*key, *sums) for key, sums in batch.handled.items()])
        db.executemany(_UPSERTS["moved"], [(*key, units) for key, units in batch.moved.items()])
        seen = [(*key, times, batch.at, batch.at) for key, times in batch.seen.items()]
        db.executemany(_UPSERTS["seen"], seen)
        db.executemany(_UPSERTS["told"], batch.told)

    # ------------------------------------------------------------ reading

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Hold still: what is read inside is of one moment, whatever others commit."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def load(self) -> Loaded:
        """Return what is kept beside the ledger, all of it of one moment."""
        with self._words(), self.moment():
            facts = {
                (part, name): json.loads(body)
                for part, name, body in self._all("SELECT part, name, body FROM fact")
            }
            balances = dict(self._all("SELECT account, units FROM balance"))
            found = self._one("SELECT number, link FROM entry ORDER BY number DESC LIMIT 1")
        return Loaded(facts, balances, Last(*(found or (0, GENESIS))))

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[FloorEntry]:
        """Yield entries in their order."""
        query = "SELECT * FROM entry WHERE number BETWEEN ? AND ? ORDER BY number"
        with self._words():
            for row in self._db.execute(query, (first, 2**62 if last is None else last)):
                yield FloorEntry(*row)

    def heads(self) -> Generator[tuple[int, bytes]]:
        """Yield the entries at which commits ended, each with the floor's signature."""
        with self._words():
            yield from self._db.execute("SELECT entry, signature FROM head ORDER BY entry")

    def close(self) -> None:
        """Let go of everything."""
        self._db.close()
        self._let_go()

    def _let_go(self) -> None:
        leader, self._leader = self._leader, None
        if leader is not None:
            leader.close()

    # ------------------------------------------------------------ SQLite

    def _one(self, query: str, *values: object) -> Any:  # noqa: ANN401 (SQLite's own)
        return self._db.execute(query, values).fetchone()

    def _all(self, query: str, *values: object) -> list[Any]:
        with self._words():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _words(self) -> Iterator[None]:
        """Put errors of SQLite into the words of the floor."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            # The number of an entry is taken only where another process
            # leads; anything else is a store that was changed.
            if "entry." not in str(error):
                raise FloorError("E-FLOOR-015", str(self._path), what=error) from error
            self._let_go()
            raise FloorError("E-FLOOR-012", str(self._path)) from error
        except sqlite3.Error as error:
            raise FloorError("E-FLOOR-010", str(self._path), why=error) from error


def _connect(path: Path, mode: str, timeout: float = BUSY_S) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode={mode}"  # a name may have ? # or % in it
    return sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)
