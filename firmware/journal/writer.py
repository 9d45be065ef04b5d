"""The one thread that writes the journal.

The loop hands entries over and goes on; the thread takes whatever has gathered, chains it, commits it in one
transaction and tells the loop up to which entry all is on the medium. A commit that fails is tried again with
the same entries until it succeeds: nothing is given up and nothing overtakes.

A slip of the program within the thread is another thing than a medium that fails: everything before the entry
that broke is written, the loop hears of it, and from then on the thread takes *last words* alone, the entry
that says what happened and the head that signs it. What had queued behind was seen by nobody.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from sabot.firmware.journal import store
from sabot.firmware.journal.checkpoints import HEAD
from sabot.firmware.journal.content import ANCHOR
from sabot.firmware.journal.entry import Draft, chained
from sabot.firmware.journal.lock import WriterLock
from sabot.firmware.journal.mark import Mark

# What has a place in a table of its own beside its entry.
_INDEXED = (HEAD, ANCHOR)
RETRY_S = 1.0
# A bound on one transaction: what gathers while a medium stands still goes out in several.
MOST_AT_ONCE = 1000

# Makes the content of an entry on the thread, out of its number and the link before it: a head signs both.
Make = Callable[[int, bytes], Draft]


class EntryListener(Protocol):
    """A listener to the fate of entries; called on the loop."""

    def durable(self, number: int) -> None:
        """Hear that every entry up to this one is on the medium."""

    def stuck(self, reason: str) -> None:
        """Hear that entries cannot be written; they are kept and tried again."""

    def unstuck(self) -> None:
        """Hear that the entries that were stuck are written."""

    def broke(self, error: BaseException) -> None:
        """Hear that the thread itself broke; it takes last words and nothing else."""


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


class _LastWord(NamedTuple):
    """An entry that is numbered when it is written: behind whatever made it to the medium."""

    make: Make


_Work = _Append | _Snapshot | _Order | _LastWord


class Writer:
    """The journal's writer."""

    def __init__(
        self,
        path: Path,
        loop: asyncio.AbstractEventLoop,
        keeper: EntryListener,
        lock: WriterLock | None = None,
    ) -> None:
        self._path = path
        self._loop = loop
        self._keeper = keeper
        self._queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._lock = lock or WriterLock(path)
        try:
            self._db = store.open_for_writing(path)
            self._next, self._link = store.last_of(self._db)
            self._mark = Mark(path)
        except BaseException:
            if lock is None:  # one that was lent stays with the program, which is out of service now
                self._lock.release()
            raise
        self._written = self._next
        self._is_stuck = False
        self._closing = threading.Event()
        self.commits = self.last_words = 0
        # A daemon, for a medium that hangs in a system call must not keep the process from its end.
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
        """Return how many entries are not on the medium yet."""
        return max(0, self._next - self._written)  # last words go beyond what was given out

    @property
    def is_alive(self) -> bool:
        """Return whether the thread still runs."""
        return self._thread.is_alive()

    @property
    def is_stuck(self) -> bool:
        """Return whether the medium refuses what is written."""
        return self._is_stuck

    def append(self, make: Make) -> int:
        """Give an entry to the thread, which makes its content; return the number it will have."""
        # Numbered by the loop, in the order of handling; the thread only makes the content.
        self._next += 1
        self._queue.put(_Append(self._next, make))
        return self._next

    def last_word(self, make: Make) -> None:
        """Give an entry of a program that is about to end; it is written even where others cannot be."""
        self._queue.put(_LastWord(make))

    def keep_snapshot(self, make: Callable[[], bytes]) -> None:
        """Keep the state as it is after the newest entry; its content is made on the thread."""
        self._queue.put(_Snapshot(self._next, make))

    def order(self, carry_out: Callable[[sqlite3.Connection], object], done: Callable[[], None]) -> None:
        """Do something else to the file, after all that was handed over so far; never much at once.

        ``done`` is called on the loop once it is on the medium.
        """
        self._queue.put(_Order(self._next, carry_out, done))

    def close(self, timeout_s: float = 5.0) -> bool:
        """Write what was handed over and end; return False where the medium does not take it in time."""
        self._queue.put(None)
        self._closing.set()  # wakes the thread where it waits to try a batch again
        self._thread.join(timeout_s)
        return not self._thread.is_alive() and not self.waiting

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            try:
                self._write_all()
            except BaseException as slip:  # whatever it was, the loop hears of it
                self._tell(self._keeper.broke, slip)
                self._take_last_words()
        finally:
            self._db.close()
            self._mark.close()
            self._lock.release()

    def _write_all(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._take()
            while not self._write_whole(batch):
                if self._closing.wait(RETRY_S):
                    return

    def _write_whole(self, batch: list[_Work]) -> bool:
        """Write a batch; where the program slips over one of it, write the entries before that one."""
        try:
            return self._write(batch)
        except BaseException:
            self._roll_back()
            # The medium says how far it came: a slip may also come between a commit and what follows it.
            self._written, self._link = store.last_of(self._db)
            for each in batch:
                # The entries before the one that slips are whole events: they happened, and must be there.
                if isinstance(each, _Append) and each.number > self._written:
                    self._write([each])  # ends at the one that slips, with the same exception
            raise

    def _take_last_words(self) -> None:
        """Write what says why the program ends, as far as the medium takes it; nothing else any more."""
        while (each := self._queue.get()) is not None:
            if isinstance(each, _LastWord) and not self._write([each]):
                return

    def _take(self) -> tuple[list[_Work], bool]:
        """Take the gathered work, at least one; return it, and False where the journal is to be closed."""
        found = [self._queue.get()]
        while len(found) < MOST_AT_ONCE and not self._queue.empty():
            found.append(self._queue.get())
        work = [each for each in found if each is not None]
        return work, len(work) == len(found)

    def _write(self, batch: list[_Work]) -> bool:
        # From what is on the medium, not from what was given out: a batch that failed is chained anew.
        number, link = self._written, self._link
        try:
            # A file that was moved or deleted beneath us goes on taking commits, which no start would find
            # again.
            self._mark.verify_in_place()
            for each in batch:
                number, link = self._put(each, number, link, is_alone=len(batch) == 1)
            if self._db.in_transaction:
                self._db.execute("COMMIT")
            # And again: it may have been moved between that look and the commit.
            self._mark.verify_in_place()
        except (sqlite3.Error, OSError) as error:
            self._roll_back()
            # Said once; tried again each second.
            if not self._is_stuck:
                self._is_stuck = True
                self._tell(self._keeper.stuck, str(error))
            return False
        self._link, self.commits = link, self.commits + 1
        self._mark.set(number, link)  # before anybody can see that this much is written
        self._written = number
        self.last_words += sum(isinstance(each, _LastWord) for each in batch)
        # After the mark: once effects are seen, a journal that ends earlier must be found out.
        self._tell(self._keeper.durable, number)
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

    def _begin(self) -> None:
        """Open the transaction of a batch, once."""
        if not self._db.in_transaction:
            # Immediate: a lock that somebody else holds is met here, before anything of the batch is made.
            self._db.execute("BEGIN IMMEDIATE")

    def _put(self, each: _Work, last: int, before: bytes, *, is_alone: bool) -> tuple[int, bytes]:
        """Carry out a piece of work within the transaction; return the newest number and link after it."""
        if isinstance(each, _Snapshot):
            self._begin()
            store.keep_snapshot(self._db, each.number, before, each.make())
            return last, before
        if isinstance(each, _Order):
            self._begin()
            each.carry_out(self._db)
            return last, before
        draft = each.make(last + 1, before)
        entry = chained(last + 1, before, draft)
        # An event by itself, as nearly all are, is one statement: SQLite makes a transaction of that anyway.
        if not is_alone or draft.round or draft.kind in _INDEXED:
            self._begin()
        store.insert(self._db, (entry,))
        if draft.round:
            store.index(self._db, "round", draft.round, entry.number)
        if draft.kind == HEAD:
            store.index(self._db, "head", entry.number)
        if draft.kind == ANCHOR:
            store.note_anchor(self._db, entry.number)
        return entry.number, entry.link

    def _tell(self, what: Callable[..., None], *words: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what, *words)
