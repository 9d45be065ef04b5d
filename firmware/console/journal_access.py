"""A console's way to the journal: it reads on threads, and the program's own writer adds.

It reads through connections that cannot write. Each piece is a query of its own, so that a console that
reads slowly never holds the journal's write-ahead log open, and so small that the loop gets its turn in
between.

The work of a seal or of a retention is done on a thread, so that the loop goes on; only what it writes
comes back to the loop, for nobody but the runner hands anything to the journal.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

from sabot.firmware.journal import store
from sabot.firmware.journal.entry import Entry
from sabot.firmware.journal.writer import Make
from sabot.firmware.run.runner import Runner

# Entries in one query.
AT_ONCE = 20
T = TypeVar("T")


async def read(path: Path, question: Callable[[sqlite3.Connection], T]) -> T:
    """Ask the journal one short question on a thread, and return the answer."""
    return await asyncio.to_thread(_ask, path, question)


def _ask(path: Path, question: Callable[[sqlite3.Connection], T]) -> T:
    with closing(store.open_for_reading(path)) as db:
        return question(db)


async def entries(path: Path, first: int, last: int) -> AsyncIterator[list[Entry]]:
    """Yield entries in order, some at a time."""
    while first <= last:
        found = await read(path, partial(_some, first=first, last=last))
        if not found:
            return
        yield found
        first = found[-1].number + 1


def _some(db: sqlite3.Connection, first: int, last: int) -> list[Entry]:
    return list(store.entries(db, first, min(last, first + AT_ONCE - 1)))


class RunnerAppender:
    """Lets work on a thread write to the journal, while the loop goes on."""

    def __init__(self, runner: Runner, loop: asyncio.AbstractEventLoop) -> None:
        self._runner = runner
        self._loop = loop

    async def keep(self, make: Make) -> int:
        """Keep an entry, and return its number once it is on the medium."""
        return await self._on_loop(self._keep(make))

    async def order(self, carry_out: Callable[[sqlite3.Connection], object]) -> None:
        """Have something else done to the file; return once it is on the medium."""
        await self._on_loop(self._order(carry_out))

    async def _on_loop(self, work: Coroutine[object, object, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _keep(self, make: Make) -> int:
        number = self._runner.keep(make)
        await self._runner.written(number)
        return number

    async def _order(self, carry_out: Callable[[sqlite3.Connection], object]) -> None:
        await self._runner.order(carry_out)
