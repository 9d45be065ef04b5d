"""The store in PostgreSQL: one connection leads by a lock of the database, and commits in one round trip.

The lock is held by the connection, so it goes when the connection goes, however that ends. Whoever was
replaced without noticing cannot write: the number of his next entry is taken. A commit whose answer did not
come is in doubt and is never cancelled: it may be there. So is one that the server reports as done although
nobody waited for the standby (a warning, no error). A server that was replaced and came back is known by its
timeline, and by what it lacks.
"""

# Theory of operation. One connection does everything for who leads: it holds the advisory lock, commits, and
# reads what is small. When it is lost, the lock is lost with it, and the state in memory is worth nothing
# (``committer``): so ``_words`` drops the connection on any error after which it is not certain where things
# stand, and ``lead`` begins again with a new one. Readers of many rows take a connection of their own, so
# that a commit need not wait for them.
#
# Three things may go wrong without an error, and are looked for. The server is told not to wait for the
# medium: ``synchronous_commit`` is read and raised. It waited for its standby and was cancelled: it says so
# in a warning (``_notice``), and the commit is in doubt. It is not the primary any more: its timeline is
# lower than the highest one seen, or its ledger lacks what was acknowledged (``verify_known``).

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import errors as pg

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

ENGINE = "postgres"
# Of all advisory locks of the database; the second half of the lock is the schema, so each has its own.
LOCK = 0x5AB0
PLACE = "PostgreSQL"
# A peer that fell silent is given up within seconds, by the client and by the server.
_DEFAULTS = {
    "connect_timeout": "2",
    "keepalives_idle": "2",
    "keepalives_interval": "1",
    "keepalives_count": "3",
}
_SESSION = (
    "SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;"
    " SET client_encoding = 'UTF8'"
)
# A standby has no timeline that it writes.
_TIMELINE = (
    "SELECT CASE WHEN pg_is_in_recovery() THEN ''"
    " ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END"
)

# Lists go in binary (%b): as text each of their strings would be quoted, by a regular expression.
_ENTRIES = (
    "INSERT INTO entry SELECT * FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::text[], %b::bigint[],"
    " %b::text[], %b::text[], %b::text[], %b::bytea[])"
)
# Sums grow by what a commit adds. Of a gaming day the newest word stays, and its count never falls: an older
# word that is played again changes nothing.
_UPSERTS = {
    "balance": "INSERT INTO balance SELECT * FROM unnest(%b::text[], %b::bigint[])"
    " ON CONFLICT (account) DO UPDATE SET units = excluded.units",
    "fact": "INSERT INTO fact SELECT * FROM unnest(%b::text[], %b::text[], %b::text[])"
    " ON CONFLICT (part, name) DO UPDATE SET body = excluded.body",
    "sent": "INSERT INTO sent SELECT * FROM"
    " unnest(%b::text[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[])",
    "handled": "INSERT INTO handled AS old SELECT * FROM"
    " unnest(%b::text[], %b::text[], %b::text[], %b::text[], %b::bigint[], %b::bigint[])"
    " ON CONFLICT (day, table_name, link, wager)"
    " DO UPDATE SET wagers = old.wagers + excluded.wagers, cents = old.cents + excluded.cents",
    "moved": "INSERT INTO moved AS old SELECT * FROM unnest(%b::text[], %b::text[], %b::text[], %b::bigint[])"
    " ON CONFLICT (day, account, cause) DO UPDATE SET units = old.units + excluded.units",
    "seen": "INSERT INTO seen AS old SELECT * FROM"
    " unnest(%b::text[], %b::text[], %b::bigint[], %b::text[], %b::text[])"
    " ON CONFLICT (table_name, verdict) DO UPDATE SET times = old.times + excluded.times,"
    " last_at = excluded.last_at",
    "told": "INSERT INTO told AS old SELECT * FROM"
    " unnest(%b::text[], %b::text[], %b::text[], %b::bigint[], %b::bytea[], %b::bytea[])"
    " ON CONFLICT (day, table_name, board) DO UPDATE SET counted = excluded.counted,"
    " body = excluded.body, signature = excluded.signature WHERE excluded.counted >= old.counted",
}
_GONE = "DELETE FROM fact USING unnest(%b::text[], %b::text[]) AS g(p, n) WHERE part = g.p AND name = g.n"
_HEARD = (
    "DELETE FROM sent USING unnest(%b::text[], %b::bigint[]) AS h(t, n)"
    " WHERE table_name = h.t AND number <= h.n"
)


class PostgresStore(Queries):
    """A store in a database of PostgreSQL, which may have standbys: name them all in the DSN."""

    def __init__(self, dsn: str, *, new: bool = False, reading: bool = False, steps: Steps = STEPS) -> None:
        self._dsn = dsn
        self._timeline = ""
        self._leads = False
        self._in_doubt = False
        self._db = self._connect()
        try:
            with self._words():
                self._prepare(steps, new=new, reading=reading)
        except BaseException:
            self._drop()
            raise

    def _connect(self) -> psycopg.Connection[Any]:
        # What the DSN says itself stands.
        defaults = {name: value for name, value in _DEFAULTS.items() if name not in self._dsn}
        with self._words():
            db = psycopg.connect(self._dsn, autocommit=True, **defaults)  # type: ignore[arg-type]
            db.add_notice_handler(self._notice)
            db.execute(_SESSION)
            self._make_durable(db)
            # Each statement is prepared at its first use: there are few, and each comes with every commit.
            db.prepare_threshold = 0
        return db

    def _make_durable(self, db: psycopg.Connection[Any]) -> None:
        """Raise FloorError for a lower timeline; have the server wait for its medium where it would not."""
        row = db.execute(_TIMELINE).fetchone()
        timeline = str(row[0]) if row else ""
        # A primary that was replaced and comes back is on the timeline before the promotion.
        if not timeline or timeline < self._timeline:
            db.close()
            raise FloorError("E-FLOOR-014", PLACE, what="it is a standby, or of a timeline before the newest")
        self._timeline = timeline
        # Never less than the medium; a stricter setting of the server stays.
        if self._setting(db, "synchronous_commit") in ("off", "local"):
            db.execute("SET synchronous_commit = on")

    @staticmethod
    def _setting(db: psycopg.Connection[Any], name: str) -> str:
        found = db.execute("SELECT current_setting(%s)", (name,)).fetchone()
        return str(found[0]) if found else ""

    def _notice(self, notice: psycopg.errors.Diagnostic) -> None:
        """Note a doubt: a commit that did not wait for its standby says so in a warning and nowhere else."""
        if notice.sqlstate == "01000":
            self._in_doubt = True

    def _prepare(self, steps: Steps, *, new: bool, reading: bool) -> None:
        there = self._one("SELECT to_regclass('meta') IS NOT NULL")[0]
        if new and there:
            raise FloorError("E-FLOOR-017", PLACE, what="there is a store in that database already")
        if not new and not there:
            raise FloorError("E-FLOOR-010", PLACE, why="there is no store in that database")
        if reading:
            self._verify_schema(len(steps), len(steps))
            return
        with self._db.transaction():
            self._db.execute("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
            # Two services that start at once must not both bring the store forward.
            self._db.execute("LOCK TABLE meta IN EXCLUSIVE MODE")
            bring_forward(self._verify_schema(0, len(steps)), ENGINE, self._run, steps)

    def _verify_schema(self, least: int, most: int) -> int:
        """Return the number of the store's schema; raise FloorError where this program cannot use it."""
        found = int(self._one("SELECT count(*) FROM meta WHERE name LIKE 'schema %'")[0])
        if not least <= found <= most:
            raise FloorError("E-FLOOR-011", PLACE, found=found, known=most)
        return found

    def _run(self, script: str) -> None:
        self._db.execute(script.encode(), prepare=False)

    # ------------------------------------------------------------ leading

    def lead(self, known: Last) -> Loaded | None:
        """Hold the ledger alone from now on, and return what it holds; None while another process leads."""
        # The lock went with its connection.
        if self._db.closed or self._db.broken:
            self._leads = False
            self._db = self._connect()
        with self._words():
            if not self._leads:
                self._leads = bool(
                    self._one("SELECT pg_try_advisory_lock(%s, hashtext(current_schema()))", LOCK)[0]
                )
            if not self._leads:
                return None
            found = self._one("SELECT link FROM entry WHERE number = %s", known.number)
        verify_known(bytes(found[0]) if found else None, known)
        return self.load()

    def commit(self, batch: Batch) -> None:
        """Make a batch durable, all or nothing, in one round trip."""
        if not self._leads:
            raise FloorError("E-FLOOR-012", PLACE)
        self._in_doubt = False
        # In a pipeline nothing waits for the answer to the statement before: the batch is one round trip.
        with self._words(), self._db.pipeline(), self._db.transaction():
            self._write(batch)
        # Whether it is there is seen when the store is read again, on a new connection.
        if self._in_doubt:
            self._drop()
            raise FloorError("E-FLOOR-013", PLACE, why="nobody waited for the standby")

    def _write(self, batch: Batch) -> None:
        self._many(_ENTRIES, [entry_row(each) for each in batch.entries])
        if batch.entries:
            self._db.execute("INSERT INTO head VALUES (%s, %s)", (batch.entries[-1].number, batch.signature))
        seen = [(*key, times, batch.at, batch.at) for key, times in batch.seen.items()]
        rows: dict[str, Sequence[Sequence[object]]] = {
            "balance": list(batch.balances.items()),
            "fact": fact_rows(batch.facts),
            "sent": batch.sent,
            "handled": [(*key, *sums) for key, sums in batch.handled.items()],
            "moved": [(*key, units) for key, units in batch.moved.items()],
            "seen": seen,
            "told": batch.told,
        }
        for table, each in rows.items():
            self._many(_UPSERTS[table], each)
        self._many(_GONE, gone(batch.facts))
        self._many(_HEARD, list(batch.heard.items()))

    def _many(self, query: str, rows: Sequence[Sequence[object]]) -> None:
        """Write rows as one statement, a list for each column."""
        if rows:
            self._db.execute(query.encode(), [list(column) for column in zip(*rows, strict=True)])

    # ------------------------------------------------------------ reading

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Hold still: what is read inside is of one moment, whatever others commit."""
        if self._reader().info.transaction_status is not psycopg.pq.TransactionStatus.IDLE:
            yield
            return
        with self._db.transaction():
            self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield

    def load(self) -> Loaded:
        """Return what is kept beside the ledger, all of it of one moment."""
        with self._words(), self.moment():
            facts = {(row[0], row[1]): json.loads(row[2]) for row in self._all("SELECT * FROM fact")}
            balances = dict(self._all("SELECT account, units FROM balance"))
            found = self._one("SELECT number, link FROM entry ORDER BY number DESC LIMIT 1")
        last = Last(found[0], bytes(found[1])) if found else Last(0, GENESIS)
        return Loaded(facts, balances, last)

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[FloorEntry]:
        """Yield entries in their order; the server gives them a few thousand at a time."""
        query = "SELECT * FROM entry WHERE number BETWEEN %s AND %s ORDER BY number"
        for row in self._stream("entries", query, first, 2**62 if last is None else last):
            yield FloorEntry._make([*row[:-1], bytes(row[-1])])

    def heads(self) -> Generator[tuple[int, bytes]]:
        """Yield the entries at which commits ended, each with the floor's signature."""
        for number, signature in self._stream("heads", "SELECT entry, signature FROM head ORDER BY entry"):
            yield number, bytes(signature)

    def _stream(self, name: str, query: str, *values: object) -> Iterator[Any]:
        """Yield rows by a cursor of the server, on a connection of its own."""
        db = self._connect()
        try:
            with self._words(), db.transaction(), db.cursor(name) as cursor:
                cursor.itersize = 5000
                yield from cursor.execute(query.encode(), values)
        finally:
            db.close()

    def close(self) -> None:
        """Let go of everything."""
        self._drop()

    def _drop(self) -> None:
        self._leads = False
        with suppress(psycopg.Error):
            self._db.close()

    # ------------------------------------------------------------ PostgreSQL

    def _one(self, query: str, *values: object) -> Any:  # noqa: ANN401 (the driver's own)
        return self._db.execute(query.encode(), values or None).fetchone()

    def _all(self, query: str, *values: object) -> list[Any]:
        with self._words():
            return self._reader().execute(query.replace("?", "%s").encode(), values or None).fetchall()

    def _reader(self) -> psycopg.Connection[Any]:
        """Return the connection, a new one where it was lost: enough to read, and it does not lead."""
        if self._db.closed:
            self._db = self._connect()
        return self._db

    @contextmanager
    def _words(self) -> Iterator[None]:
        """Put errors of PostgreSQL into the words of the floor."""
        try:
            yield
        # The number of the next entry is taken: another process
        # leads, and this one was replaced without noticing.
        except pg.UniqueViolation as error:
            self._drop()
            raise FloorError("E-FLOOR-012", PLACE) from error
        except pg.DiskFull as error:  # the server has taken it back: that is no doubt
            raise FloorError("E-FLOOR-010", PLACE, why=_short(error)) from error
        except psycopg.OperationalError as error:
            # Who leads may have been cut off between a commit and its
            # answer; whoever does not lead has only read.
            code = "E-FLOOR-013" if getattr(self, "_leads", False) else "E-FLOOR-010"
            if hasattr(self, "_db"):
                self._drop()
            raise FloorError(code, PLACE, why=_short(error)) from error
        except psycopg.Error as error:
            raise FloorError("E-FLOOR-010", PLACE, why=_short(error)) from error


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
