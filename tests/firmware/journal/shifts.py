"""A recorded shift through a real runner, writer and SQLite file, for whoever looks at what is left of it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sabot.desk.recording import Recording, read_recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal import store
from sabot.firmware.journal.books import by_one_cause
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import start_entry
from sabot.firmware.run.runner import Runner
from sabot.statemachine.state.ledger import SEED
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event

DATA = Path(__file__).parents[2] / "data" / "shifts"
CHAPTERS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
# In the other shifts no device sees a card.
SEALED = ("pa641a", "pa679a", "pa683a")
PATIENCE_S = 20.0


class StillClock(Clock):
    """A clock that stands at the start of the recording, so that no alarm of the machine's own time rings."""

    def now(self) -> float:
        return 0.0


@dataclass
class Kept:
    """What a journal's thread told, and what the devices were given."""

    runner: Runner | None = None
    reached: list[int] = field(default_factory=list)
    stuck_for: list[str] = field(default_factory=list)
    unstuck_times: int = 0
    seen: list[Effect] = field(default_factory=list)

    def durable(self, number: int) -> None:
        self.reached.append(number)
        if self.runner is not None:
            self.runner.durable(number)

    def stuck(self, reason: str) -> None:
        self.stuck_for.append(reason)
        if self.runner is not None:
            self.runner.stuck(reason)

    def broke(self, error: BaseException) -> None:
        raise error

    def unstuck(self) -> None:
        self.unstuck_times += 1
        if self.runner is not None:
            self.runner.unstuck()

    def perform(self, effect: Effect) -> None:
        self.seen.append(effect)


@dataclass
class Shift:
    """A shift that was played, and where it is kept."""

    rooms: Rooms
    board: Board
    table: Table
    recording: Recording
    kept: Kept


def recording_of(chapter: str) -> Recording:
    return read_recording(str(DATA / f"{chapter}.jsonl"))


def play(
    root: Path,
    chapter: str,
    *,
    first: int = 0,
    last: int | None = None,
    while_open: Callable[[Rooms], object] | None = None,
) -> Shift:
    """Play a recorded shift into a new journal, all of it or a part; look at the files before it is closed."""
    recording = recording_of(chapter)
    rooms = Rooms(root)
    board = boards.prepare(rooms, boards.SIMULATED)
    store.create(rooms.journal)
    events = [each.event for each in recording.events][first:last]
    table, kept = Table(recording.setup), Kept()
    asyncio.run(_play(rooms, board, table, kept, events, while_open))
    return Shift(rooms, board, table, recording, kept)


async def _play(
    rooms: Rooms,
    board: Board,
    table: Table,
    kept: Kept,
    events: Sequence[Event],
    while_open: Callable[[Rooms], object] | None,
) -> None:
    writer = Writer(rooms.journal, asyncio.get_running_loop(), kept)
    runner = Runner(table, writer, board, StillClock())
    runner.performers.append(kept)
    kept.runner = runner
    writer.start()
    clock = StillClock()
    seeded = by_one_cause(table.state.books.ledger.balances, SEED)
    start = start_entry(table, clock.stamp(0.0), "TABLE 1", seeded)
    runner.keep(lambda _number, _before: start)
    for event in events:
        runner.post(event)
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S):
        while writer.waiting:  # noqa: ASYNC110 (the thread tells the runner, not the test)
            await asyncio.sleep(0.001)
    runner.stop()
    if while_open is not None:
        while_open(rooms)
    assert await asyncio.get_running_loop().run_in_executor(None, writer.close)
    await asyncio.sleep(0)
