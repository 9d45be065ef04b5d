"""Additions to the journal beside the table: a person's order, an export, an unsealing.

There is one way to write, the writer's thread. While the program runs that is the program's own; when it is
stopped a command starts one for as long as it works. What was handed over counts only when it is on the
medium, so ``keep`` comes back no earlier.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Protocol

from sabot.firmware.journal import mark, store
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.writer import Make, Writer

PATIENCE_S = 30.0
LOOK_S = 0.002


class Keeper(Protocol):
    """Takes entries; each is on the medium when the call comes back."""

    async def keep(self, make: Make) -> int:
        """Take an entry; return its number."""


class Appender(Keeper, Protocol):
    """A keeper that also does other things to the file."""

    async def order(self, carry_out: Callable[[sqlite3.Connection], object]) -> None:
        """Do something else to the file, a little at a time."""


class WriterAppender:
    """A writer's thread as an appender."""

    def __init__(self, writer: Writer, trouble: Callable[[], str] = str) -> None:
        self._writer = writer
        self._trouble = trouble

    async def keep(self, make: Make) -> int:
        """Take an entry; raise JournalError where the medium does not take it."""
        number = self._writer.append(make)
        # Back no earlier: whoever unseals or removes relies on its entry being there.
        await self._until(lambda: self._writer.written >= number)
        return number

    async def order(self, carry_out: Callable[[sqlite3.Connection], object]) -> None:
        """Do something to the file, and wait for the commit that it belongs to."""
        done = asyncio.Event()
        self._writer.order(carry_out, done.set)
        await self._until(done.is_set)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        while not is_so():
            # A person waits for the command: it fails with the reason, and is
            # not tried for ever as the table's entries are.
            if self._trouble() or not self._writer.is_alive or loop.time() > until:
                why = self._trouble() or "the medium does not take what is written"
                raise JournalError(ERRORS["E-JRNL-001"], "journal", why=why)
            await asyncio.sleep(LOOK_S)


class _Trouble:
    """Hears of a writer that works for a command alone."""

    def __init__(self) -> None:
        self.reason = ""

    def durable(self, _number: int) -> None:
        """Pass it over: nothing waits for it here."""

    def stuck(self, reason: str) -> None:
        """Note why the medium takes nothing; the command fails with it."""
        self.reason = reason

    def broke(self, error: BaseException) -> None:
        """Note that the writing itself broke; the command fails with it."""
        self.reason = f"the journal's thread broke: {type(error).__name__}"

    def unstuck(self) -> None:
        """Forget the reason: it goes on after all."""
        self.reason = ""


@asynccontextmanager
async def direct(journal: Path) -> AsyncIterator[WriterAppender]:
    """Give an appender for a journal that no program writes; raise JournalError where one does."""
    with closing(store.open_for_reading(journal)) as db:
        # Before anything is added: behind a lost end a new entry would hide that it was lost.
        mark.verify(journal, db)
    trouble = _Trouble()
    writer = Writer(journal, asyncio.get_running_loop(), trouble)
    writer.start()
    try:
        yield WriterAppender(writer, lambda: trouble.reason)
    finally:
        await asyncio.to_thread(writer.close)
