"""Reading the journal for a console: on threads, in small pieces, through connections that cannot write.

Each piece is a query of its own, so that a console that reads slowly never holds the journal's write-ahead
log open, and so small that the loop gets its turn in between.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

from sabot.firmware.journal import store
from sabot.firmware.journal.entry import Entry

AT_ONCE = 20
T = TypeVar("T")


async def read(path: Path, question: Callable[[sqlite3.Connection], T]) -> T:
    """The answer to one short question."""
    return await asyncio.to_thread(_ask, path, question)


def _ask(path: Path, question: Callable[[sqlite3.Connection], T]) -> T:
    with closing(store.open_for_reading(path)) as db:
        return question(db)


async def entries(path: Path, first: int, last: int) -> AsyncIterator[list[Entry]]:
    """Entries in order, some at a time."""
    while first <= last:
        found = await read(path, partial(_some, first=first, last=last))
        if not found:
            return
        yield found
        first = found[-1].number + 1


def _some(db: sqlite3.Connection, first: int, last: int) -> list[Entry]:
    return list(store.entries(db, first, min(last, first + AT_ONCE - 1)))
