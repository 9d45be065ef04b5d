"""The shift that is recorded: the real journal and second medium, two sessions, each acknowledgement written down.

Run as a script under strace. A number is written to ``acknowledged`` when the runner performs the effects of
that entry: what came before that write is what a cut of power must not lose. The board's keys are made from
words, so that a kept trace needs no key beside it.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from sabot.desk.recording import Recording, read_recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal.content import Handled
from sabot.firmware.journal.second_medium import SecondMedium
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import open_journal, start_entry
from sabot.firmware.run.runner import Runner
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import Event

STATE, SECOND, ACKNOWLEDGED = "state", "second", "acknowledged"
PATIENCE_S = 120.0


class StillClock(Clock):
    """A clock that stands, so that no alarm of the machine's own time rings."""

    def now(self) -> float:
        return 0.0


def prepare(root: Path) -> tuple[Rooms, Board]:
    """A simulated board whose keys anybody can make again, and an empty second medium."""
    rooms = Rooms(root / STATE)
    rooms.keys.mkdir(parents=True, exist_ok=True)
    (root / SECOND).mkdir(exist_ok=True)
    for name in ("sign", "seal"):
        write_whole(rooms.keys / f"{name}.key", sha256(f"powercut {name}".encode()).digest())
    write_whole(rooms.board, json.dumps({"format": 1, "kind": boards.SIMULATED}).encode())
    return rooms, boards.load(rooms, boards.SIMULATED)


class Session:
    """From a start to a stop of the program, as far as journal and second medium go."""

    def __init__(self, root: Path, recording: Recording, synchronous: str) -> None:
        rooms, board = Rooms(root / STATE), boards.load(Rooms(root / STATE), boards.SIMULATED)
        clock = StillClock()
        opened = open_journal(rooms, recording.setup, board)
        self.writer = Writer(rooms.journal, asyncio.get_running_loop(), self)
        self.writer._db.execute(f"PRAGMA synchronous={synchronous}")
        self.runner = Runner(opened.table, self.writer, board, clock)
        second = SecondMedium(
            rooms, root / SECOND, board, "TABLE 1", opened.table, self.runner.post, clock.now
        )
        self.second = second
        self.acknowledged = os.open(root / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.runner.subscribers += [self.seen, second.tell]
        self.writer.start()
        start = start_entry(opened.table, clock.stamp(0.0), "TABLE 1", opened.seeded)
        self.runner.keep(lambda _number, _before: start)
        second.begin(self.runner.close_chapter())

    def seen(self, number: int, _handled: Handled) -> None:
        os.write(self.acknowledged, f"{number}\n".encode())

    def durable(self, number: int) -> None:
        self.runner.durable(number)

    def stuck(self, reason: str) -> None:
        raise OSError(reason)

    def broke(self, error: BaseException) -> None:
        raise error

    def unstuck(self) -> None:
        return

    async def play(self, events: Sequence[Event]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            for event in events:
                self.runner.post(event)
                while self.writer.waiting:  # noqa: ASYNC110
                    await asyncio.sleep(0)

    async def end(self) -> None:
        self.runner.stop()
        head = self.runner.close_chapter()
        assert await asyncio.to_thread(self.writer.close, PATIENCE_S)
        assert await asyncio.to_thread(self.second.end, head)


async def record(root: Path, recording: Recording, synchronous: str) -> None:
    """Half of the events, a stop and a start, the other half."""
    events = [each.event for each in recording.events]
    for part in (events[: len(events) // 2], events[len(events) // 2 :]):
        session = Session(root, recording, synchronous)
        await session.play(part)
        await session.end()


def states(recording: Recording) -> list[object]:
    """What the table is after each number of events, without any journal."""
    table = Table(recording.setup)
    found: list[object] = [table.snapshot()]
    for each in recording.events:
        table.handle(each.event)
        found.append(table.snapshot())
    return found


def first_of(recording: Recording, events: int) -> Recording:
    """The beginning of a recording, all of it where no number is given."""
    return recording._replace(events=recording.events[: events or None])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("recording", type=Path)
    parser.add_argument("events", type=int)
    parser.add_argument("synchronous")
    args = parser.parse_args()
    recording = first_of(read_recording(str(args.recording)), args.events)
    asyncio.run(record(args.root, recording, args.synchronous))


if __name__ == "__main__":
    main()
