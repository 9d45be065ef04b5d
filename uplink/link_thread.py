"""A table's end at work: a thread with its memory and the line to the uplink, so that no disk stalls a table.

The table's loop says which entry of the journal is on the medium; the thread reads from the journal what
entries make, keeps it, says it, and hears the floor. What is news goes back to the loop through ``Hears``:
numbered messages of the floor once they are on the medium, how each link is where that changed, and what the
signs show. Where its own medium fails the links are shut, and it is tried again.
"""

# Theory of operation. One turn waits for a poke of the loop, a packet, a caller, or half a second, and then
# does everything in one order: hear (what the floor acknowledged need not be said again), feed (make and keep
# what new entries say), say what is due, look whether the links stand otherwise than the loop was told.
# Everything that waits on a disk happens here and never in the table's loop, which only sets a number and
# pokes.
#
# Entries are asked from the journal's medium, not handed over: this thread may begin late, fall behind or
# begin anew, and finds all of them there. Two clocks are used: ``now`` of the monotonic clock for deadlines,
# and ``_clock`` for the moment that stands in a message.

from __future__ import annotations

import json
import os
import select
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sabot.floor import messages
from sabot.floor.errors import FloorError
from sabot.floor.wire import SIGNATURE
from sabot.uplink.packets import MOST_AT_ONCE, TableLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Protocol

    from sabot.uplink.durable_end import KeptEnd
    from sabot.uplink.table_end import Message, Say, Sign

    class Hears(Protocol):
        """A listener to news; called by the thread."""

        def floor_said(self, message: Message, about: Message) -> None:
            """Take a numbered message of the floor, and what this table had said where it answers that."""

        def link_is(self, link: str, config: int, why: str) -> None:
            """Take how a link is from now on."""

        def sign_is(self, link: str, sign: Sign) -> None:
            """Take what the signs of a link show."""

        def link_broke(self, error: BaseException) -> None:
            """Take an exception that nobody expected, with which the thread has ended."""

    class Entries(Protocol):
        """The journal, read-only, for this thread alone."""

        def last(self) -> int:
            """Return the number of the newest entry on the medium."""

        def says(self, above: int, upto: int) -> list[tuple[int, list[Say]]]:
            """Return the entries of a stretch that make messages, in their order, each with them."""

        def day(self, upto: int) -> dict[str, object]:
            """Return the counts of the gaming day up to an entry, as a table's state has them."""


TICK_S = 0.5
# After as much as is heard at once: whoever floods this thread takes little from the table's loop.
BREATH_S = 0.05
MILLISECOND = timedelta(milliseconds=1)


def clock_after(before: datetime, now: datetime, since_s: float) -> datetime:
    """Return the moment of the next message: none twice, and half as fast where the clock was set back.

    A clock that stood still meanwhile would put hours into one minute, beyond any threshold (PROG-9).
    """
    return max(now, before + max(MILLISECOND, timedelta(seconds=since_s / 2)))


class LinkThread(threading.Thread):
    """The thread."""

    def __init__(
        self,
        memory: Callable[[], KeptEnd],
        links: Sequence[str],
        socket: Path,
        entries: Entries,
        hears: Hears,
        entered: int,
    ) -> None:
        super().__init__(name="link", daemon=True)
        self._memory, self._links, self._socket = memory, links, socket
        self._entries, self._hears, self._entered = entries, hears, entered
        self._stopping = threading.Event()
        self._durable = self._stood = self._newest = 0
        # Without waiting: a pipe that is full of pokes must not stall the table's loop; one poke is enough.
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._told: dict[str, tuple[int, str]] = {}
        self._shown: dict[str, tuple[dict[str, int], list[Any]]] = {}
        self._at, self._ticks = datetime.min.replace(tzinfo=UTC), time.monotonic()
        self._report: dict[str, object] = {}
        self.trouble = self.report_trouble = ""
        self.why_down = "the floor was not heard yet"

    # ------------------------------------------------------------ the table's loop

    def durable(self, number: int) -> None:
        """Say what the entries up to this one make; they are on the journal's medium."""
        self._durable = number
        self._poke()

    def end(self) -> None:
        """End the thread, and wait for it a while."""
        self._stopping.set()
        self._poke()
        if self.ident is not None:
            self.join(TICK_S * 4)
        self._let_go()

    def _let_go(self) -> None:
        """Close the pipe once the thread has ended: not in it, for the loop may write to it until now."""
        if not self.is_alive() and self._wake >= 0:
            os.close(self._woken)
            os.close(self._wake)
            self._woken = self._wake = -1

    def report(self, values: dict[str, object], newest: int) -> None:
        """Say how the table is, with the next turn; ``newest`` is the last entry on the medium."""
        self._report, self._newest = values, max(self._newest, newest)

    def _poke(self) -> None:
        with suppress(BlockingIOError, OSError):
            os.write(self._wake, b".")

    # ------------------------------------------------------------ the thread

    def run(self) -> None:
        """Work until told to end; whatever ends this otherwise is told to the loop."""
        try:
            self._run()
        except BaseException as error:
            self._hears.link_broke(error)

    def _run(self) -> None:
        line = TableLine(self._socket)
        line.want(list(self._links))
        last = self._entries.last()  # first: the memory then takes the room that this gives back
        kept = self._memory()
        try:
            if kept.is_new:  # what was played before there was a link is no matter of the floor
                kept.feed(last, (), 0.0, self._clock)
            # Beside what the loop tells, not over it: an entry that it told of meanwhile would be forgotten.
            self._stood, self._newest = last, max(self._newest, last)
            # On our medium, but not in the journal when the power went: the table enters it now.
            for raw in kept.kept(self._entered):
                self._pass_on(kept, json.loads(raw[SIGNATURE:]))
            while not self._stopping.is_set():
                self._turn(line, kept)
        finally:
            line.close()
            kept.close()

    def _turn(self, line: TableLine, kept: KeptEnd) -> None:
        now = self._wait(line)
        try:
            heard = line.hear()
            for raw in heard:
                self._hear(kept, raw, now)
            if len(heard) == MOST_AT_ONCE:
                self._stopping.wait(BREATH_S)
            self._feed(kept, now)
            self.trouble = ""
        except FloorError as error:  # its medium: what was not kept is heard and fed again
            self.trouble = str(error)
        if line.line is not None:
            # After it was kept (``_feed``): what a power cut could take back must not have been said.
            for raw in kept.end.due(now, self._clock()):
                line.say(raw)
            self._say_how_it_is(line, kept)
        self.why_down = line.why_no_broker or kept.end.why_down(now)
        self._look(kept, now)

    def _say_how_it_is(self, line: TableLine, kept: KeptEnd) -> None:
        """Say how the table is; a state that cannot be understood is not said, and stops no table."""
        report, self._report = self._report, {}
        if not report:
            return
        try:
            line.report(kept.end.state(self._clock(), {**report, **self._entries.day(self._newest)}))
            self.report_trouble = ""
        except FloorError as error:
            self.report_trouble = str(error)

    def _wait(self, line: TableLine) -> float:
        ends = [each for each in (self._woken, line.listening, line.line) if each is not None]
        ready, _, _ = select.select(ends, [], [], TICK_S)
        if self._woken in ready:
            # However many pokes there were, one turn answers them all.
            os.read(self._woken, 4096)
        if line.listening in ready:
            line.accept()
        return time.monotonic()

    def _clock(self) -> str:
        """Return the moment of a message by UTC, to the millisecond, never the same twice."""
        ticks = time.monotonic()
        self._at = clock_after(self._at, datetime.now(UTC), ticks - self._ticks)
        self._ticks = ticks
        return self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _feed(self, kept: KeptEnd, now: float) -> None:
        upto = max(self._stood, self._durable)
        # Before the first answer of the floor nobody knows the next number.
        if upto <= kept.fed or not kept.end.memory.begun:
            return
        for number, made in self._entries.says(kept.fed, upto):
            kept.feed(number, made, now, self._clock)

    def _hear(self, kept: KeptEnd, raw: bytes, now: float) -> None:
        message = kept.hear(raw, now)
        if message is not None and "number" in message:
            self._pass_on(kept, message)

    def _pass_on(self, kept: KeptEnd, message: Message) -> None:
        # A refusal names a number alone; the table wants to know which of its hits it was.
        about = kept.said(message["claim"]) if message["kind"] == messages.REFUSED else {}
        self._hears.floor_said(message, about)

    def _look(self, kept: KeptEnd, now: float) -> None:
        """Tell the loop how each link is and what its signs show, where that differs from what it knows."""
        for link in self._links:
            why = "its memory cannot be written" if self.trouble else kept.end.why_closed(link, now)
            sign = kept.end.sign(link, now)
            config = kept.end.config(link) if sign is not None else 0
            if self._told.get(link) != (config, why):
                self._told[link] = (config, why)
                self._hears.link_is(link, config, why)
            if sign is not None and not sign.is_old and self._shown.get(link) != (sign.cents, sign.hit):
                self._shown[link] = (sign.cents, sign.hit)
                self._hears.sign_is(link, sign)
