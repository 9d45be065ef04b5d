"""The way of one event: handled, made durable, then seen.

Theory of operation. One loop owns the table. An event is put into the inbox (a fault at its head). What it
locks or halts is asked of the table first and goes to the devices before the rest of the event is computed;
then the table handles it, in memory. Event and effects then go to the journal's thread; every other effect
waits until the journal says that its entry is on the medium, and is performed in the order of entries; what a
later lock or halt has overtaken is not opened or freed any more. So nothing that anybody saw can be lost, and
a disk that stalls delays a payment but never a lock.

When all of it was performed and nothing is left to do, the runner rests: the table finds ahead what the next
events will ask, and garbage is looked for. It does so piece by piece with the loop's turn between, so that an
event which comes meanwhile waits for one piece and not for all.

A slip is a stop. Whatever is raised on this way goes to ``slipped`` and no event is handled and no effect
performed after it: the state in memory may be half changed, the journal is not, and a new process goes on
from there. An event goes to the journal as the last act of its turn, so that one whose turn broke is not in
it.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NoReturn, Protocol

from sabot.firmware.credentials.board import Seal
from sabot.firmware.journal import content
from sabot.firmware.journal.books import Books
from sabot.firmware.journal.checkpoints import Signer, head
from sabot.firmware.journal.content import Handled
from sabot.firmware.journal.recover import snapshot_place
from sabot.firmware.journal.writer import Make
from sabot.firmware.run import garbage
from sabot.firmware.run.clock import Clock
from sabot.rules.chapter import OUR_POLICY
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.effects import (
    Dispense,
    Effect,
    EjectStub,
    FreeShoe,
    HaltShoe,
    LockWagers,
    OpenSpots,
    RecordRound,
    ReportDay,
    ShowPrompt,
    WakeAt,
)

SAFE = (LockWagers, HaltShoe)
# To the head of the inbox: each may stop the table, which must not wait behind cards that came before it.
FIRST = (ev.DeviceFaulted, ev.DeviceJammed, ev.ShufflerStopped, ev.LinkLost)
JOURNAL = "journal"


class Performer(Protocol):
    """Carries out effects; must neither block nor raise."""

    def perform(self, effect: Effect) -> None:
        """Carry out an effect."""


class Journal(Protocol):
    """The journal's thread, as the runner sees it."""

    def append(self, make: Make) -> int:
        """Hand over an entry; return its number."""

    def keep_snapshot(self, make: Callable[[], bytes]) -> None:
        """Hand over the state after the newest entry."""

    def order(self, carry_out: Callable[[sqlite3.Connection], object], done: Callable[[], None]) -> None:
        """Hand over something else to be done to the file."""

    def last_word(self, make: Make) -> None:
        """Hand over an entry of a program that is about to end."""


class BoardKeys(Signer, Protocol):
    """The board's keys."""

    seal: Seal


# ``subscribers`` hear of an entry that is on the medium. ``onlookers`` see the table right after the event of
# an entry that is not there yet: they keep what they saw to themselves until it is.
Subscriber = Callable[[int, Handled], None]
# Called with an exception that nobody expected, and the event under way, or what it was where that was none.
Slipped = Callable[[BaseException, ev.Event | str], None]
PERFORMING, PREPARING = "effects of an entry", "what is prepared while nobody waits"


def raise_again(error: BaseException, _over: ev.Event | str) -> NoReturn:
    """Answer a slip where no program surrounds the runner: by the exception itself."""
    raise error


class Runner:
    """The loop's part of the program."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        board: BoardKeys,
        clock: Clock,
        slipped: Slipped = raise_again,
    ) -> None:
        self.table = table
        self.has_slipped = False
        self._slipped = slipped
        self.performers: list[Performer] = []
        self.subscribers: list[Subscriber] = []
        self.onlookers: list[Subscriber] = []
        self.events = 0
        self._books = Books(table.state.books.ledger)
        self._journal = journal
        self._board = board
        self._clock = clock
        self._inbox: deque[ev.Event] = deque()
        self._waiting: deque[tuple[int, Handled]] = deque()
        self._under_way: ev.Event | None = None
        self._is_turning = False
        self._is_stopped = False
        self._rest: asyncio.Handle | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._written = 0
        self._awaited: list[tuple[int, asyncio.Future[None]]] = []

    @property
    def inbox(self) -> int:
        """Return how many events wait to be handled."""
        return len(self._inbox)

    @property
    def is_ahead(self) -> bool:
        """Return whether the table has handled what is not on the medium yet."""
        return bool(self._waiting)

    async def on_medium(self) -> None:
        """Wait until all that the table has handled so far is on the medium."""
        if self._waiting:
            await self.written(self._waiting[-1][0])

    @property
    def seal(self) -> Seal:
        """Return the seal of hidden cards."""
        return self._board.seal

    # ------------------------------------------------------------ events in

    def post(self, event: ev.Event) -> None:
        """Take an event; the loop's thread only. A fault overtakes whatever waits."""
        if self.has_slipped:
            return
        if isinstance(event, FIRST):
            self._inbox.appendleft(event)
        else:
            self._inbox.append(event)
        # A performer may post while a turn is under way. Its event is queued and never nested: the table
        # would else be asked for the next event with this one half handled.
        if self._is_turning:
            return
        self._is_turning = True
        try:
            while self._inbox:
                self._under_way = self._inbox.popleft()
                self._turn(self._under_way)
        # Not Exception alone: whatever cuts a turn in two, a cancellation too, leaves the state half changed.
        except BaseException as error:
            self._stop_over(error, self._under_way or PERFORMING)
        finally:
            self._is_turning = False

    def halt(self) -> None:
        """Handle and perform nothing more: something broke, here or elsewhere in the program."""
        self.has_slipped = True
        self._inbox.clear()
        self._waiting.clear()
        self.stop()

    def _stop_over(self, error: BaseException, over: ev.Event | str) -> None:
        self.halt()
        self._slipped(error, over)

    def _turn(self, event: ev.Event) -> None:
        self.events += 1
        table = self.table
        # The safe lane: locks and halts are out before anything that could break or take its time.
        first = table.safe(event)
        for effect in first:
            self._perform(effect)
        effects = table.handle(event)
        is_round_over = is_chapter_over = False
        # The table says the safe lane's effects again at the head, for the journal; they have been performed.
        for effect in effects[len(first) :]:
            kind = type(effect)
            # What the lane did not foresee and the table decided: late, but still before the journal.
            if kind in SAFE:
                self._perform(effect)
            elif kind is WakeAt:
                self._set_alarm(effect.at)  # type: ignore[attr-defined]
            elif kind is RecordRound:
                # Signed at each round's end: what comes after the newest head is chained, and not yet signed.
                is_round_over = is_chapter_over = True
            elif kind is ReportDay:
                is_chapter_over = True
        record = table.rooms.recorded.last if is_round_over else None
        handled = Handled(event, tuple(effects), record, self._books.since(table.state.books.ledger))
        # From here the event is the journal's: a slip after this is none of an event that must come again.
        number = self._keep(handled)
        self._waiting.append((number, handled))
        self._under_way = None
        for look in self.onlookers:
            look(number, handled)
        if is_chapter_over:
            self.close_chapter()

    def _keep(self, handled: Handled) -> int:
        stamp = self._clock.stamp(handled.event.at)
        # Worded and sealed on the journal's thread, so that the loop is free for the next byte.
        return self._journal.append(
            lambda number, _before: content.draft(handled, stamp, self._board.seal, number)
        )

    def close_chapter(self) -> int:
        """Sign what the journal has so far, keep the state beside it, and return the number of the head."""
        stamp = self._clock.stamp(self._clock.now())
        number = self._journal.append(partial(head, self._board, stamp))
        # Taken now and sealed by the thread: it is the state after the head, and the table goes on meanwhile.
        state = self.table.snapshot()
        self._journal.keep_snapshot(partial(_sealed, self._board.seal, state, number))
        return number

    def keep(self, make: Make) -> int:
        """Keep an entry that is no event of the table, such as a start or a command; return its number."""
        return self._journal.append(make)

    def order(self, carry_out: Callable[[sqlite3.Connection], object]) -> asyncio.Future[None]:
        """Have something else done to the journal's file; the future is done once it is on the medium."""
        future = asyncio.get_running_loop().create_future()
        self._journal.order(carry_out, partial(_answer, future))
        return future

    def written(self, number: int) -> asyncio.Future[None]:
        """Return a future that is done once this entry is on the medium."""
        future = asyncio.get_running_loop().create_future()
        if number <= self._written:
            future.set_result(None)
        else:
            self._awaited.append((number, future))
        return future

    # ------------------------------------------------------------ effects out

    def durable(self, number: int) -> None:
        """Everything up to this entry is on the medium: perform it, and tell whoever watches."""
        try:
            self._durable(number)
        except BaseException as error:
            self._stop_over(error, PERFORMING)
        if self._rest is None:
            self._rest_later()

    def _durable(self, number: int) -> None:
        self._written = number
        while self._waiting and self._waiting[0][0] <= number:
            entry, handled = self._waiting.popleft()
            for place, effect in enumerate(handled.effects):
                left = self._left_of(effect, handled.effects[place + 1 :])
                if left is not None:
                    self._perform(left)
                # A performer that slipped has stopped the program: nothing goes out after the stop.
                if self.has_slipped:
                    return
            for tell in self.subscribers:
                tell(entry, handled)
        self._answer(number)

    def _left_of(self, effect: Effect, rest: Sequence[Effect]) -> Effect | None:
        """Return the part of an effect that a later lock or halt has not cancelled."""
        # It was performed when the event was handled.
        if isinstance(effect, SAFE):
            return None
        if not isinstance(effect, (OpenSpots, FreeShoe, Dispense, EjectStub)):
            return effect
        # What is on its way to the medium counts: the lock of it has gone out
        # already, and an opening of before must not undo it.
        later = [*rest, *(each for _, waiting in self._waiting for each in waiting.effects)]
        if not isinstance(effect, OpenSpots):
            return None if any(isinstance(each, HaltShoe) for each in later) else effect
        spots = effect.spots
        for lock in later:
            if isinstance(lock, LockWagers):
                spots = tuple(spot for spot in spots if lock.spots and spot not in lock.spots)
        return replace(effect, spots=spots) if spots else None

    def _answer(self, number: int) -> None:
        """Answer those who wait for an entry: it is on the medium."""
        for each, future in self._awaited:
            if each <= number and not future.done():
                future.set_result(None)
        self._awaited = [(each, future) for each, future in self._awaited if not future.done()]

    def _perform(self, effect: Effect) -> None:
        for performer in self.performers:
            performer.perform(effect)

    def show(self, effect: Effect) -> None:
        """Show what waits for no entry: an amount of linked meters, or that the medium takes nothing."""
        if not self.has_slipped:
            self._perform(effect)

    # ------------------------------------------------------------ while nobody waits

    def _rest_later(self) -> None:
        # What is not on the medium yet comes first: it leads here again when it is.
        if not (self._is_stopped or self.is_ahead):
            self._rest = asyncio.get_running_loop().call_soon(self._do_a_piece)

    def _do_a_piece(self) -> None:
        """Prepare a piece, and come again for the next unless somebody waits by then."""
        self._rest = None
        if self.is_ahead:
            return
        try:
            has_more = self.table.prepare()
        except BaseException as error:  # as in an event: nobody knows what it left half done
            self._stop_over(error, PREPARING)
            return
        if has_more:
            self._rest_later()
        else:
            garbage.look()

    # ------------------------------------------------------------ time

    def _set_alarm(self, at: float) -> None:
        if self._wake is not None:
            self._wake.cancel()
        wait_s = max(0.0, at - self._clock.now())
        self._wake = asyncio.get_running_loop().call_later(wait_s, self._alarm)

    def _alarm(self) -> None:
        self._wake = None
        self.post(ev.TimeReached(at=self._clock.now(), source="clock"))

    def stop(self) -> None:
        """Cancel the alarm that is set, and prepare nothing more."""
        self._is_stopped = True
        for handle in (self._wake, self._rest):
            if handle is not None:
                handle.cancel()

    # ------------------------------------------------------------ the journal's own faults

    def stuck(self, reason: str) -> None:
        """Hold the table, as the medium takes nothing, and say so on the display without waiting for it."""
        self.post(self._journal_event(reason))
        # The one prompt that no entry waits for, because none can be written.
        self.show(ShowPrompt(first="JOURNAL NOT WRITTEN", second="CALL TECHNICIAN", cite=OUR_POLICY))

    def unstuck(self) -> None:
        """Tell the table that the medium takes entries again, which is the test of its fault."""
        self.post(
            ev.DeviceRetested(at=self._clock.now(), source=JOURNAL, device=JOURNAL, fault="device", good=True)
        )

    def _journal_event(self, reason: str) -> ev.Event:
        return ev.DeviceFaulted(
            at=self._clock.now(), source=JOURNAL, device=JOURNAL, fault="device", detail=reason
        )


def _answer(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _sealed(seal: Seal, state: dict[str, object], number: int) -> bytes:
    return seal.close(content.compact(state), snapshot_place(number))
