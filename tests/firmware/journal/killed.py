"""A process that plays a recorded shift and is killed, again and again: at random, or at each step of its journal.

Run as a script by the test. Each turn forks a child that tells through a pipe what it has shown to the devices
(the acknowledgements), and dies by SIGKILL; then the journal is opened as a start would open it. The answer is
one JSON line a turn: what was acknowledged, what is there, and whether the recovered table is the table that
handled the same events without any of this.
"""

import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from journal.shifts import Kept, StillClock, recording_of
from sabot.desk.recording import Recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal import store, verify
from sabot.firmware.journal.books import by_one_cause
from sabot.firmware.journal.content import Handled
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.open_journal import open_journal, start_entry
from sabot.firmware.run.runner import Runner
from sabot.statemachine.state.ledger import SEED
from sabot.statemachine.table import Table

MOST_LATER_S = 0.005  # about the time of a commit: the kill falls anywhere in it


class Steps:
    """Counts the steps of the journal's thread, and dies before the one that was chosen."""

    def __init__(self, dies_at: int) -> None:
        self.count = 0
        self._dies_at = dies_at

    def step(self) -> None:
        self.count += 1
        if self.count == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, method: Any) -> Any:
        def stepping(*words: Any) -> Any:
            self.step()
            return method(*words)

        return stepping


class Connection:
    """SQLite's connection, each order of which is a step."""

    def __init__(self, db: sqlite3.Connection, steps: Steps) -> None:
        self.execute, self.executemany = steps.around(db.execute), steps.around(db.executemany)
        self.close, self._db = db.close, db

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction


async def play(rooms: Rooms, board: Board, recording: Recording, acknowledge: int, steps: Steps) -> None:
    """A shift, an event after the other as soon as it is durable."""
    kept, clock = Kept(), StillClock()
    opened = open_journal(rooms, recording.setup, board)
    writer = Writer(rooms.journal, asyncio.get_running_loop(), kept)
    writer._db = Connection(writer._db, steps)  # type: ignore[assignment]
    writer._mark.set = steps.around(writer._mark.set)  # type: ignore[method-assign]
    writer._tell = steps.around(writer._tell)  # type: ignore[method-assign]
    runner = kept.runner = Runner(opened.table, writer, board, clock)

    def seen(number: int, _handled: Handled) -> None:
        os.write(acknowledge, f"{number}\n".encode())

    runner.subscribers.append(seen)
    writer.start()
    seeded = by_one_cause(opened.table.state.books.ledger.balances, SEED)
    start = start_entry(opened.table, clock.stamp(0.0), "TABLE 1", seeded)
    runner.keep(lambda _number, _before: start)
    for each in recording.events:
        runner.post(each.event)
        while writer.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0)
    runner.stop()
    await asyncio.to_thread(writer.close)


class Moment(NamedTuple):
    """When a child is killed from outside: so many acknowledgements were heard, and then so long."""

    acknowledged: int
    later_s: float


def killed(
    root: Path, board_root: Path, recording: Recording, dies_at: int, moment: Moment | None
) -> dict[str, object]:
    """One turn: a child that is killed, and what it left."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(board_root, root)
    rooms = Rooms(root)
    board = boards.load(rooms, boards.SIMULATED)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        asyncio.run(play(rooms, board, recording, writing, Steps(dies_at)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        acknowledged = [int(line) for line in islice(pipe, moment.acknowledged if moment else 0)]
        if moment is not None:
            time.sleep(moment.later_s)
            os.kill(child, signal.SIGKILL)
        acknowledged += [int(line) for line in pipe.read().split()]
    _, status = os.waitpid(child, 0)
    return {"was_killed": os.WIFSIGNALED(status), **left(rooms, board, recording, acknowledged)}


def left(rooms: Rooms, board: Board, recording: Recording, acknowledged: list[int]) -> dict[str, object]:
    found = open_journal(rooms, recording.setup, board)
    with closing(store.open_for_reading(rooms.journal)) as db:
        numbers = [each.number for each in store.entries(db)]
        kinds = [each.kind for each in store.entries(db)]
        if numbers:
            verify.verify_journal(db, board.public_key, lambda _more: None)
    alone = Table(recording.setup)
    for each in recording.events[: kinds.count("event")]:
        alone.handle(each.event)
    return {
        "acknowledged": len(acknowledged),
        "lost": sorted(set(acknowledged) - set(numbers)),
        "events": kinds.count("event"),
        "is_same": found.table.snapshot() == alone.snapshot(),
    }


def main() -> None:
    way, folder, turns = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    recording = recording_of("pa679a")
    board_root = folder / "board"
    boards.prepare(Rooms(board_root), boards.SIMULATED)
    dice = random.Random(int(sys.argv[4]))
    most = len(recording.events) * 4 // 5
    for turn in range(turns):
        dies_at = 1 + turn * int(sys.argv[5]) if way == "step" else 0
        moment = Moment(dice.randrange(most), dice.uniform(0, MOST_LATER_S)) if way == "random" else None
        print(json.dumps(killed(folder / "turn", board_root, recording, dies_at, moment)), flush=True)


if __name__ == "__main__":
    main()
