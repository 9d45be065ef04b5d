"""A journal that is really written: full rounds through the runner, the writer's thread and SQLite."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from playing import FullShift

from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal import store
from sabot.firmware.journal.books import by_one_cause
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import start_entry
from sabot.firmware.run.runner import Runner
from sabot.statemachine.state.ledger import SEED
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import Event


class StillClock(Clock):
    """A clock that stands, so that no alarm rings while it is measured."""

    def now(self) -> float:
        """The beginning."""
        return 0.0


class Wrote(NamedTuple):
    """What a part of a shift wrote: bytes handed to the system, commits, entries."""

    bytes: int
    commits: int
    entries: int


class Quiet:
    """Hears the writer for the runner, and must never hear that it is stuck."""

    def __init__(self) -> None:
        self.runner: Runner | None = None
        self.heard = asyncio.Event()

    def durable(self, number: int) -> None:
        """Pass it on."""
        assert self.runner is not None
        self.runner.durable(number)
        self.heard.set()

    def stuck(self, reason: str) -> None:
        """A bench on a medium that takes nothing measures nothing."""
        raise OSError(reason)

    def unstuck(self) -> None:
        """Never."""

    def broke(self, error: BaseException) -> None:
        """A slip ends the measurement."""
        raise error


class Desk:
    """A runner and a writer on a journal of their own."""

    def __init__(
        self, root: Path, setup: Setup, table: Table | None = None, writer: type[Writer] = Writer
    ) -> None:
        self.rooms = Rooms(root)
        self.board: Board = boards.prepare(self.rooms, boards.SIMULATED)
        if not self.rooms.journal.exists():
            store.create(self.rooms.journal)
        keeper = self.keeper = Quiet()
        self.table = table or Table(setup)
        self.writer = writer(self.rooms.journal, asyncio.get_running_loop(), keeper)
        self.runner = keeper.runner = Runner(self.table, self.writer, self.board, StillClock())
        self.writer.start()

    def begin(self) -> None:
        """The start entry."""
        seeded = by_one_cause(self.table.state.books.ledger.balances, SEED)
        start = start_entry(self.table, StillClock().stamp(0.0), "BENCH", seeded)
        self.runner.keep(lambda _number, _before: start)

    async def play(self, events: Iterable[Event]) -> Wrote:
        """Events, each durable before the next: a commit for every one of them, as at a table."""
        before, commits, last = written_bytes(), self.writer.commits, self.writer.last
        for event in events:
            self.runner.post(event)
            await self._on_medium()
        return Wrote(written_bytes() - before, self.writer.commits - commits, self.writer.last - last)

    async def _on_medium(self) -> None:
        """Sleep until all is written, as a program does: a loop that spins takes the interpreter away."""
        while self.writer.waiting:
            self.keeper.heard.clear()
            await self.keeper.heard.wait()

    async def end(self) -> None:
        """Close the journal."""
        self.runner.stop()
        assert await asyncio.to_thread(self.writer.close)


def written_bytes() -> int:
    """What this process handed to write calls so far (the log, checkpoints, everything)."""
    with open("/proc/self/io", encoding="ascii") as file:  # noqa: PTH123
        return next(int(line.split()[1]) for line in file if line.startswith("wchar"))


def flat(shift: FullShift) -> list[Event]:
    """All rounds after one another."""
    return [event for events in shift.rounds for event in events]
