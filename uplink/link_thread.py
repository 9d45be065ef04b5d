"""A table's end at work: a thread with its memory and the line to the uplink, so that no disk stalls a table.

The table's loop says which entry of the journal is on the medium; the thread reads from the journal what
entries make, keeps it, says it, and hears the floor. What is news goes back to the loop through ``Hears``:
numbered messages of the floor once they are on the medium, how each link is where that changed, and what the
signs show. Where its own medium fails the links are shut, and it is tried again.
"""

import json
import os
import select
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

from sabot.floor import messages, table_state
from sabot.floor.errors import FloorError
from sabot.floor.wire import SIGNATURE, MessageSigner
from sabot.uplink.durable_end import KeptEnd
from sabot.uplink.packets import TableLine
from sabot.uplink.table_end import Message, Say, Sign

TICK_S = 0.5


class Ours(NamedTuple):
    """This table's identity to the floor, and its links."""

    table: str
    key: MessageSigner
    floor_key: str
    links: tuple[str, ...]


class Hears(Protocol):
    """A listener to news; called by the thread."""

    def floor_said(self, message: Message, about: Message) -> None:
        """Take a numbered message of the floor, and what this table had said where it answers that."""

    def link_is(self, link: str, config: int, why: str) -> None:
        """Take how a link is from now on."""

    def sign_is(self, link: str, sign: Sign) -> None:
        """Take what the signs of a link show."""

    def link_broke(self, error: BaseException) -> None:
        """Take the exception that nobody expected: the thread has ended."""


class Entries(Protocol):
    """The journal, read-only, for this thread alone."""

    def last(self) -> int:
        """Return the number of the newest entry on the medium."""

    def says(self, above: int, upto: int) -> list[tuple[int, list[Say]]]:
        """Return the entries that make messages, in their order."""

    def day(self) -> dict[str, object]:
        """Return the counts of the gaming day, as a table's state has them."""

    def close(self) -> None:
        """Let go of it."""


class LinkThread(threading.Thread):
    """The thread."""

    def __init__(
        self,
        ours: Ours,
        memory: Path,
        socket: Path,
        entries: Callable[[], Entries],
        hears: Hears,
        entered: int,
    ) -> None:
        super().__init__(name="link", daemon=True)
        self._ours, self._memory, self._socket = ours, memory, socket
        self._entries_of, self._hears, self._entered = entries, hears, entered
        self._stopping = threading.Event()
        self._durable = 0
        # Without waiting: a pipe that is full of pokes must not stall the table's loop; one poke is enough.
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._told: dict[str, tuple[int, str]] = {}
        self._shown: dict[str, Sign] = {}
        self._at = datetime.min.replace(tzinfo=UTC)
        self._report: dict[str, object] = {}
        self.trouble = self.report_trouble = ""
        self.why_down = "the floor was not heard yet"

    # ------------------------------------------------------------ the table's loop

    def durable(self, number: int) -> None:
        """Say what the journal has up to this entry."""
        self._durable = number
        self._poke()

    def end(self) -> None:
        """End, and wait for it."""
        self._stopping.set()
        self._poke()
        if self.ident is not None:
            self.join(TICK_S * 4)

    def report(self, values: dict[str, object]) -> None:
        """Say how the table is, with the next breath."""
        self._report = values

    def _poke(self) -> None:
        with suppress(BlockingIOError, OSError):
            os.write(self._wake, b".")

    # ------------------------------------------------------------ the thread

    def run(self) -> None:
        """Work until told to end; what breaks is told, never swallowed."""
        try:
            self._run()
        except BaseException as error:
            self._hears.link_broke(error)
        finally:
            os.close(self._woken)
            os.close(self._wake)

    def _run(self) -> None:
        ours = self._ours
        line = TableLine(self._socket)
        line.want(list(ours.links))
        kept, entries = KeptEnd(self._memory, ours.table, ours.key, ours.floor_key), self._entries_of()
        try:
            if kept.is_new:  # what was played before there was a link is no matter of the floor
                kept.feed(entries.last(), (), 0.0, self._clock)
            self._durable = max(self._durable, entries.last())
            # On our medium, but not in the journal when the power went: the table enters it now.
            for raw in kept.kept(self._entered):
                self._pass_on(kept, json.loads(raw[SIGNATURE:]))
            while not self._stopping.is_set():
                self._turn(line, kept, entries)
        finally:
            line.close()
            kept.close()
            entries.close()

    def _turn(self, line: TableLine, kept: KeptEnd, entries: Entries) -> None:
        now = self._wait(line)
        try:
            for raw in line.hear():
                self._hear(kept, raw, now)
            self._feed(kept, entries, now)
            self.trouble = ""
        except FloorError as error:  # its medium: what was not kept is heard and fed again
            self.trouble = str(error)
        if line.line is not None:
            # After it was kept (``_feed``): what a power cut could take back must not have been said.
            for raw in kept.end.due(now, self._clock()):
                line.say(raw)
            self._say_how_it_is(line, kept, entries)
        self.why_down = line.why_no_broker or kept.end.why_down(now)
        self._look(kept, now)

    def _say_how_it_is(self, line: TableLine, kept: KeptEnd, entries: Entries) -> None:
        """Say how the table is; a state that has no form is not said, and stops no table."""
        report, self._report = self._report, {}
        if not report:
            return
        named = {"table": self._ours.table, "at": self._clock(), "ledger": list(kept.end.memory.head)}
        try:
            line.report(table_state.state_of(self._ours.key, {**report, **entries.day(), **named}))
            self.report_trouble = ""
        except FloorError as error:
            self.report_trouble = str(error)

    def _wait(self, line: TableLine) -> float:
        ends = [each for each in (self._woken, line.listening, line.line) if each is not None]
        ready, _, _ = select.select(ends, [], [], TICK_S)
        if self._woken in ready:
            os.read(self._woken, 4096)
        if line.listening in ready:
            line.accept()
        return time.monotonic()

    def _clock(self) -> str:
        """UTC to the millisecond, never the same twice."""
        now = datetime.now(UTC)
        self._at = (
            now if now - self._at >= timedelta(milliseconds=1) else self._at + timedelta(milliseconds=1)
        )
        return self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _feed(self, kept: KeptEnd, entries: Entries, now: float) -> None:
        upto = self._durable
        # Before the first answer of the floor nobody knows the next number.
        if upto <= kept.fed or not kept.end.memory.begun:
            return
        for number, made in entries.says(kept.fed, upto):
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
        """Tell the loop how the links are, where that is another thing than it knows."""
        for link in self._ours.links:
            why = "its memory cannot be written" if self.trouble else kept.end.why_closed(link, now)
            sign = kept.end.sign(link, now)
            config = kept.end.config(link) if sign is not None else 0
            if self._told.get(link) != (config, why):
                self._told[link] = (config, why)
                self._hears.link_is(link, config, why)
            if sign is not None and not sign.is_old and self._shown.get(link) != sign:
                self._shown[link] = sign
                self._hears.sign_is(link, sign)
