"""One thread that takes what arrives, applies it, commits it, and only then answers.

It takes everything that arrived while the last commit was under way and commits it together: the window is
the last commit, there is no timer, and a meter that all tables feed is one row that one writer touches once.
Under load the windows grow and the latency does not; with one message it is that of one commit.

Only who leads commits. A process that cannot lead waits and asks again; one whose commit failed lets go of
its state and begins with what the store has, for whatever was not answered is sent again with the same
number. A job that no code expected is tried alone, so that it spoils nothing but itself.

After a commit that failed the store is tried with whatever comes, and until it takes that nobody is answered,
not even a heartbeat. So who looks is told for as long as it lasts, and tables see it by themselves.
"""

# Theory of operation. Everybody else puts jobs into one queue and gets a future; this thread alone touches
# the state and the store, so neither has a lock. It takes all jobs that wait (``_work_once``) and applies
# them to the state in memory (``_window``), which makes entries but answers nobody. Then one commit, then all
# answers (``_answer``): questions see the state that was just committed, and a table gets one acknowledgement
# for whatever it said in the window.
#
# The state in memory runs ahead of the store between the first job and the commit. So wherever the commit
# fails, or an exception comes in between, the state is thrown away (``_desk = None``) and read again from the
# store; that is also how this process notices that another has taken the lead. Not to lead is nothing
# special: jobs are refused with the reason until it leads (again), for all of them are sent again with the
# same numbers.

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor import messages
from sabot.floor.batches import batch_of
from sabot.floor.core import SEEN, FloorCore, MessageTaken, Verdict
from sabot.floor.entry import FloorEntry, Last
from sabot.floor.errors import FloorError
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.orders import Signature
from sabot.floor.state import FloorState
from sabot.floor.store import SentMessage, Store, StoreSeen, ToldDay

# Jobs in one commit, and ends of the ledger that are kept in memory to be asked for.
MOST_AT_ONCE, MOST_ENDS = 200, 1_000
ASK_AGAIN_S = 0.2
# So long without a failure, and a store that has had no entry to take counts as well again.
WELL_AFTER_S = 5.0
# Seen in place of a table's payload: how often, and when, the store took nothing.
UNWRITTEN = StoreSeen("(store)", "took nothing")
Found = TypeVar("Found")
# Whoever said it is not known to be the table, or the table is not what it was: it would take an answer
# for one to what it said before.
UNANSWERED = (Verdict.UNKNOWN, Verdict.FORGED, Verdict.MALFORMED, Verdict.FORGOT)


class CommitAnswer(NamedTuple):
    """The verdict on a payload, and the payloads that its table is to be told."""

    verdict: Verdict
    table: str
    payloads: tuple[bytes, ...] = ()


@dataclass(slots=True)
class _Job:
    """A payload, an order, a question, a head or words of tables to keep, and who waits for it."""

    future: "Future[Any]"
    raw: bytes = b""
    signatures: Sequence[Signature] | None = None
    question: Callable[[FloorState, Last], object] | None = None
    told: Sequence[ToldDay] | None = None
    seen: Sequence[StoreSeen] = ()
    head: Last | None = None


@dataclass(slots=True)
class _Window:
    """Everything that one commit answers."""

    taken: list[tuple[_Job, MessageTaken]] = field(default_factory=list)
    ordered: list[tuple[_Job, FloorEntry]] = field(default_factory=list)
    asked: list[_Job] = field(default_factory=list)
    heard: dict[str, int] = field(default_factory=dict)
    seen: Counter[StoreSeen] = field(default_factory=Counter)
    kept: list[_Job] = field(default_factory=list)
    heads: list[_Job] = field(default_factory=list)
    told: dict[tuple[str, str, str], ToldDay] = field(default_factory=dict)


class Committer(threading.Thread):
    """The only writer of a store."""

    def __init__(
        self,
        store: Store,
        key: Ed25519PrivateKey,
        clock: Callable[[], str],
        laws: Laws = PRINTED_ALONE,
        known: Last = Last(),  # noqa: B008 - it cannot be changed
    ) -> None:
        super().__init__(name="committer", daemon=True)
        self._store, self._key, self._clock, self._laws = store, key, clock, laws
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._desk: FloorCore | None = None
        self._known = known
        self._stopping = threading.Event()
        self._ended = False
        self._heard: dict[str, int] = {}
        self._ends: dict[int, bytes] = {}
        self.stands_still = False
        self.commits = 0
        self.trouble: FloorError | None = None
        self.unwritten: FloorError | None = None
        self._failed_at = 0.0

    # ------------------------------------------------------------ from any thread

    def take(self, raw: bytes) -> "Future[CommitAnswer | FloorEntry]":
        """Take a payload of a table; the answer comes after the commit."""
        return self._add(_Job(Future(), raw))

    def order(self, body: bytes, signatures: Sequence[Signature]) -> "Future[CommitAnswer | FloorEntry]":
        """Take an order of people; its entry comes after the commit."""
        return self._add(_Job(Future(), body, signatures))

    def ask(self, question: Callable[[FloorState, Last], Found]) -> "Future[Found]":
        """Ask something of the state as the last commit left it; without the lead there is no answer."""
        return self._add(_Job(Future(), question=question))

    def keep(self, told: Sequence[ToldDay], seen: Sequence[StoreSeen] = ()) -> "Future[None]":
        """Keep how the gaming days of tables went by their own word, and what else was seen."""
        return self._add(_Job(Future(), told=told, seen=seen))

    def holds(self, head: Last) -> "Future[bool]":
        """Ask whether the ledger has an entry with this link: whoever knows it was told so."""
        return self._add(_Job(Future(), head=head))

    @property
    def waiting(self) -> int:
        """Return how many jobs wait for their turn."""
        return self._jobs.qsize()

    def _add(self, job: _Job) -> "Future[Any]":
        self._jobs.put(job)
        # The thread empties the queue when it ends. What is put there after that nobody would ever answer.
        if self._ended:
            self._refuse_all()
        return job.future

    @property
    def is_leading(self) -> bool:
        """Return whether this process holds the ledger."""
        return self._desk is not None

    @property
    def last(self) -> Last:
        """Return how the ledger ended when something was last committed here."""
        return self._known

    def stop(self) -> None:
        """Commit what has arrived, then end."""
        self._stopping.set()
        # Behind everything that waits: what has arrived is committed before the thread ends.
        self._jobs.put(None)
        self.join()

    # ------------------------------------------------------------ the thread

    def run(self) -> None:
        """Lead, and commit what arrives, until told to stop; whatever ends this, nobody waits for ever."""
        try:
            self._go_on()
        finally:
            self._desk, self._ended = None, True
            self._refuse_all()

    def _go_on(self) -> None:
        # It leads once more even when told to stop: what has arrived is committed before the end.
        while self._desk is not None or self._lead() or not self._stopping.is_set():
            if self._desk is None:
                self._refuse_all()
                self._stopping.wait(ASK_AGAIN_S)
            elif not self._work_once():
                break

    def _lead(self) -> bool:
        try:
            # Asked with the end that this process knows: a store that lacks it is older than what was
            # answered.
            loaded = self._store.lead(self._known)
            state = loaded.state(self._laws) if loaded else None
        except FloorError as error:
            self.trouble = error
            return False
        if loaded is None or state is None:
            self.unwritten = self.trouble = None  # another one leads
            return False
        self._desk = FloorCore(state, loaded.last, self._store.recall)
        self._known, self._heard, self._ends, self.trouble = loaded.last, {}, {}, None
        return True

    def _refuse_all(self) -> None:
        """Refuse whatever waits, with the reason why nobody here can commit; all of it is sent again."""
        while not self._jobs.empty():
            if job := self._jobs.get():
                job.future.set_exception(self._why_not())

    def _why_not(self) -> FloorError:
        """Return why nobody here can commit: the store cannot be led, or another one leads."""
        if (found := self.trouble) is None:
            return FloorError("E-FLOOR-012", "committer")
        return FloorError(
            found.kind.code, found.place, **found.facts
        )  # each who waits raises an error of its own

    def _work_once(self) -> bool:
        """Commit everything that has arrived; return False at the end."""
        # The first is waited for; the rest is what came while the last commit was under way.
        jobs = [self._jobs.get()]
        while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
            jobs.append(self._jobs.get_nowait())
        self._commit([job for job in jobs if job is not None and job.future.set_running_or_notify_cancel()])
        return None not in jobs

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            self._answer(self._window(jobs))
        except FloorError as error:
            self._fail(jobs, error)
        except Exception as error:  # whatever it is, it must not stop every table
            self._alone([job for job in jobs if not job.future.done()], error)

    def _alone(self, jobs: list[_Job], error: Exception) -> None:
        """Commit each job by itself, from what the store has: one of them is one that no code expected."""
        self._desk = None
        if len(jobs) == 1:
            jobs[0].future.set_exception(error)
            return
        for job in jobs:
            if self.is_leading or self._lead():
                self._commit([job])
            else:
                job.future.set_exception(self._why_not())

    def _fail(self, jobs: list[_Job], error: FloorError) -> None:
        """Let go of the state: the store did not take it, or nobody knows, and what it has is true."""
        self._desk, self.unwritten, self._failed_at = None, error, time.monotonic()
        for job in jobs:
            if not job.future.done():
                job.future.set_exception(error)

    def _window(self, jobs: list[_Job]) -> _Window:
        desk = self._desk
        assert desk is not None
        # One moment for all of them: they are one commit.
        at, window = self._clock(), _Window()
        if self.unwritten is not None:
            window.seen[UNWRITTEN] += 1
        for job in jobs:
            if job.question is not None:
                window.asked.append(job)
            elif job.head is not None:
                window.heads.append(job)
            elif job.told is not None:
                window.kept.append(job)
                window.seen.update(job.seen)
                window.told.update((each[:3], each) for each in job.told)
            elif job.signatures is None:
                self._take(desk, job, at, window)
            else:
                self._order(desk, job, at, window)
        made = desk.drain()
        told = list(window.told.values())
        if made.entries or window.heard or window.seen or told:
            # Nothing has been answered so far. Where this fails the state is thrown away with its entries.
            self._store.commit(batch_of(desk.state, made, at, self._key, window.heard, window.seen, told))
            self.commits += 1
            if made.entries or time.monotonic() - self._failed_at > WELL_AFTER_S:
                self.unwritten = None  # where there is little room the ledger finds none and others do
            self._known = desk.last
            self._note_end(desk.last)
            self._heard |= window.heard
        return window

    def _take(self, desk: FloorCore, job: _Job, at: str, window: _Window) -> None:
        taken = desk.take(job.raw, at, stands_still=self.stands_still)
        window.taken.append((job, taken))
        if taken.verdict in SEEN:
            window.seen[StoreSeen(taken.table, taken.verdict.value)] += 1
        # Only where it is news: a heartbeat that has heard no more than the one before is no commit.
        elif taken.heard > max(window.heard.get(taken.table, 0), self._heard.get(taken.table, 0)):
            window.heard[taken.table] = taken.heard

    def _order(self, desk: FloorCore, job: _Job, at: str, window: _Window) -> None:
        try:
            window.ordered.append((job, desk.order(job.raw, job.signatures or (), at)))
        except FloorError as error:
            job.future.set_exception(error)

    # ------------------------------------------------------------ answers

    def _answer(self, window: _Window) -> None:
        for job, entry in window.ordered:
            job.future.set_result(entry)
        # After the commit, so that they see what it made.
        for job in window.asked:
            self._tell(job)
        for job in window.kept:
            job.future.set_result(None)
        for job in window.heads:
            self._tell_head(job)
        # One answer for all that a table said in this window. The last word says best what it has heard.
        newest = {each.table: each for _, each in window.taken if each.verdict not in UNANSWERED}
        told: dict[str, tuple[bytes, ...]] = {}
        for job, (verdict, table, _, _) in window.taken:
            if verdict in UNANSWERED:
                job.future.set_result(CommitAnswer(verdict, table))
                continue
            if table not in told:
                told[table] = self._told(table, newest[table].heard, newest[table].asked)
            job.future.set_result(CommitAnswer(verdict, table, told[table]))

    def _tell(self, job: _Job) -> None:
        """Answer a question; hand the error of one that fails to the asker."""
        assert self._desk is not None
        assert job.question is not None
        try:
            job.future.set_result(job.question(self._desk.state, self._known))
        except Exception as error:  # it is handed on
            job.future.set_exception(error)

    def _note_end(self, last: Last) -> None:
        """Note an end that is about to be acknowledged: tables will ask for it within a second or two."""
        self._ends[last.number] = last.link
        if len(self._ends) > MOST_ENDS:
            del self._ends[next(iter(self._ends))]

    def _tell_head(self, job: _Job) -> None:
        assert job.head is not None
        number, link = job.head
        # The ends of the last commits are in memory: each table asks each second, and the store is spared.
        known = self._ends.get(number) or (self._store.link(number) if number else link)
        job.future.set_result(known == link)

    def _told(self, table: str, heard: int, asked: str) -> tuple[bytes, ...]:
        """Return the payloads for a table: those that it has not heard, then how far the ledger has it."""
        assert self._desk is not None
        state = self._desk.state.tables[table]
        # The store is asked only where the table lacks something, which is seldom.
        unheard = self._store.sent(table, heard) if state.sent > heard else []
        values = {
            "table": table,
            "applied": state.applied,
            "heard": unheard[0].number - 1 if unheard else state.sent,
            "asked": asked,
            "entry": self._known.number,
            "head": self._known.link.hex(),
            "at": self._clock(),
        }
        acknowledged = messages.acknowledged(self._key, values)
        return (*(payload_of(each) for each in unheard), acknowledged)


def payload_of(sent: SentMessage) -> bytes:
    """Return a message of the floor as it goes to its table."""
    return sent.signature + sent.body
