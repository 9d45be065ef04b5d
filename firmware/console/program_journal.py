"""The runner's journal as a scribe: what adds to it on a thread goes through the program's own writer.

The work of a seal or of a retention is done on a thread, so that the loop goes on; only what it writes comes
back to the loop, for nobody but the runner hands anything to the journal.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from typing import TypeVar

from sabot.firmware.journal.writer import Make
from sabot.firmware.run.runner import Runner

T = TypeVar("T")


class RunnerScribe:
    """For threads, while the loop goes on."""

    def __init__(self, runner: Runner, loop: asyncio.AbstractEventLoop) -> None:
        self._runner = runner
        self._loop = loop

    async def keep(self, make: Make) -> int:
        """An entry, on the medium when this comes back."""
        return await self._on_loop(self._keep(make))

    async def order(self, carry_out: Callable[[sqlite3.Connection], object]) -> None:
        """Something else done to the file, on the medium when this comes back."""
        await self._on_loop(self._order(carry_out))

    async def _on_loop(self, work: Coroutine[object, object, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _keep(self, make: Make) -> int:
        number = self._runner.keep(make)
        await self._runner.written(number)
        return number

    async def _order(self, carry_out: Callable[[sqlite3.Connection], object]) -> None:
        await self._runner.order(carry_out)
