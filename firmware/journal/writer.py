"""The one thread that writes the journal.

The loop hands entries over and goes on; the thread takes whatever has gathered, chains it, commits it in one
transaction and tells the loop up to which entry all is on the medium. A commit that fails is tried again with
the same entries until it succeeds: nothing is given up and nothing overtakes. Whatever becomes of the thread,
the loop hears of it.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from sabot.firmware.journal import store
from sabot.firmware.journal.content import ANCHOR
from sabot.firmware.journal.entry import Draft, chained
from sabot.firmware.journal.heads import HEAD
from sabot.firmware.journal.lock import WriterLock
from sabot.firmware.journal.mark import Mark

RETRY_S = 1.0
MOST_AT_ONCE = 1000

Make = Callable[[int, bytes], Draft]


class Keeper(Protocol):
    """Who hears what became of the entries; called on the loop."""

    def durable(self, number: int) -> None:
        """Every entry up to this one is on the medium."""

    def stuck(self, reason: str) -> None:
        """Entries cannot be written; they are kept and tried again."""

    def unstuck(self) -> None:
        """What was stuck is written."""


class _Append(NamedTuple):
    number: int
    make: Make


class _Snapshot(NamedTuple):
    number: int
    make: Callable[[], bytes]


class _Order(NamedTuple):
    number: int
    carry_out: Callable[[sqlite3.Connection], object]
    done: Callable[[], None]


_Work = _Append | _Snapshot | _Order


class Writer:
    """The journal's writer."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop, keeper: Keeper) -> None:
        self._path = path
        self._loop = loop
        self._keeper = keeper
        self._queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._lock = WriterLock(path)
        try:
            self._db = store.open_for_writing(path)
            self._next, self._link = store.last_of(self._db)
            self._mark = Mark(path)
        except BaseException:
            self._lock.release()
            raise
        self._written = self._next
        self._is_stuck = False
        self._closing = threading.Event()
        self.commits = 0
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    @property
    def last(self) -> int:
        """The number that was given out last."""
        return self._next

    @property
    def written(self) -> int:
        """The number up to which all is on the medium."""
        return self._written

    @property
    def waiting(self) -> int:
        """How many entries are not on the medium yet."""
        return self._next - self._written

    @property
    def is_alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    @property
    def is_stuck(self) -> bool:
        """Whether the medium refuses what is written."""
        return self._is_stuck

    def append(self, make: Make) -> int:
        """Give an entry to the thread, which makes its content; the number it will have."""
        self._next += 1
        self._queue.put(_Append(self._next, make))
        return self._next

    def keep_snapshot(self, make: Callable[[], bytes]) -> None:
        """Keep the state as it is after the newest entry; its content is made on the thread."""
        self._queue.put(_Snapshot(self._next, make))

    def order(self, carry_out: Callable[[sqlite3.Connection], object], done: Callable[[], None]) -> None:
        """Do something else to the file, after all that was handed over so far; never much at once.

        ``done`` is called on the loop once it is on the medium.
        """
        self._queue.put(_Order(self._next, carry_out, done))

    def close(self, timeout_s: float = 5.0) -> bool:
        """Write what was handed over and end; False where the medium does not take it in time."""
        self._queue.put(None)
        self._closing.set()
        self._thread.join(timeout_s)
        return not self._thread.is_alive() and not self.waiting

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            is_open = True
            while is_open:
                batch, is_open = self._take()
                while not self._write(batch):
                    if self._closing.wait(RETRY_S):
                        return
        except Exception as error:  # noqa: BLE001 (whatever ends the thread, the loop must hear of it)
            self._tell(self._keeper.stuck, f"the journal thread ended: {error!r}")
        finally:
            self._db.close()
            self._mark.close()
            self._lock.release()

    def _take(self) -> tuple[list[_Work], bool]:
        """Whatever has gathered, at least one; False where the journal is to be closed."""
        found = [self._queue.get()]
        while len(found) < MOST_AT_ONCE and not self._queue.empty():
            found.append(self._queue.get())
        work = [each for each in found if each is not None]
        return work, len(work) == len(found)

    def _write(self, batch: list[_Work]) -> bool:
        link = self._link
        try:
            self._mark.verify_in_place()
            self._db.execute("BEGIN IMMEDIATE")
            for each in batch:
                link = self._put(each, link)
            self._db.execute("COMMIT")
            self._mark.verify_in_place()
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            if not self._is_stuck:
                self._is_stuck = True
                self._tell(self._keeper.stuck, str(error))
            return False
        self._link, self.commits = link, self.commits + 1
        self._written = max([self._written, *(each.number for each in batch)])
        self._mark.set(self._written, link)
        self._tell(self._keeper.durable, self._written)
        for each in batch:
            if isinstance(each, _Order):
                self._tell(each.done)
        if self._is_stuck:
            self._is_stuck = False
            self._tell(self._keeper.unstuck)
        return True

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:  # the medium is gone altogether: the next try says so again
            return

    def _put(self, each: _Work, before: bytes) -> bytes:
        if isinstance(each, _Snapshot):
            store.keep_snapshot(self._db, each.number, before, each.make())
            return before
        if isinstance(each, _Order):
            each.carry_out(self._db)
            return before
        draft = each.make(each.number, before)
        entry = chained(each.number, before, draft)
        store.insert(self._db, (entry,))
        if draft.round:
            store.index(self._db, "round", draft.round, each.number)
        if draft.kind == HEAD:
            store.index(self._db, "head", each.number)
        if draft.kind == ANCHOR:
            store.note_anchor(self._db, each.number)
        return entry.link

    def _tell(self, what: Callable[..., None], *words: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what, *words)
