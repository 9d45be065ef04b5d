"""Recorded shifts through the real runner and journal on a disk whose every write is logged.

For each entry that was acknowledged, which is to say that its effects went out to the devices, a word is
put on the same disk past every cache, behind the file system: so the log itself says at each of its points
what had been promised. ``NORMAL`` as the second argument makes the journal the one thing it must not be, for
the campaign that must find losses.
"""

import asyncio
import mmap
import os
import sys
from pathlib import Path

from sabot.desk.recording import Recording, read_recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal.books import by_one_cause
from sabot.firmware.journal.content import Handled
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import open_journal, start_entry
from sabot.firmware.run.runner import Runner
from sabot.hil.kernel.inside.report import command, result, say, wait_until
from sabot.hil.kernel.promise import CHAPTERS, PAGE, PLACE, Promise, recording_at
from sabot.statemachine.state.ledger import SEED

DISK, MOUNT = "/dev/vda", Path("/mnt/cut")


class StillClock(Clock):
    """A clock that stands at the start of the recording, so that no alarm of the machine's own time rings."""

    def now(self) -> float:
        """Return the beginning."""
        return 0.0


class ShiftKeeper:
    """Hears of the journal, and passes on to the runner."""

    runner: Runner

    def durable(self, number: int) -> None:
        """Tell the runner which entries are on the medium."""
        self.runner.durable(number)

    def stuck(self, reason: str) -> None:
        """Raise: a disk of this rig is never full or away."""
        raise OSError(reason)

    def unstuck(self) -> None:
        """Do nothing: what got stuck has raised."""

    def broke(self, error: BaseException) -> None:
        """Raise what broke the thread."""
        raise error


class Promises:
    """The place on the disk where promises are put."""

    def __init__(self) -> None:
        self._disk = os.open(DISK, os.O_WRONLY | os.O_DIRECT)
        self._page = mmap.mmap(-1, PAGE)
        self.count = 0

    def put(self, promise: Promise) -> None:
        """Write a promise past the cache of the system."""
        raw = promise.encode()
        self._page[: len(raw)] = raw
        # Always at one place: what counts is where in the log this write stands, not where on the disk.
        os.pwrite(self._disk, self._page, PLACE)
        self.count += 1


async def play(chapter: int, recording: Recording, promises: Promises, synchronous: str) -> None:
    """Play one shift, an event after the other as soon as it is durable."""
    rooms = Rooms(MOUNT / CHAPTERS[chapter])
    board = boards.prepare(rooms, boards.SIMULATED)
    opened = open_journal(rooms, recording.setup, board)
    keeper, clock = ShiftKeeper(), StillClock()
    writer = Writer(rooms.journal, asyncio.get_running_loop(), keeper)
    writer._db.execute(f"PRAGMA synchronous={synchronous}")  # noqa: SLF001 - what the control changes
    runner = keeper.runner = Runner(opened.table, writer, board, clock)

    def seen(number: int, _handled: Handled) -> None:
        promises.put(Promise(chapter, number))

    runner.subscribers.append(seen)
    writer.start()
    seeded = by_one_cause(opened.table.state.books.ledger.balances, SEED)
    start = start_entry(opened.table, clock.stamp(0.0), "TABLE 1", seeded)
    runner.keep(lambda _number, _before: start)
    for each in recording.events:
        runner.post(each.event)
        while writer.waiting:  # noqa: ASYNC110 - the thread tells the runner
            await asyncio.sleep(0)
    runner.stop()
    await asyncio.to_thread(writer.close)


def main() -> int:
    """Play every chapter's shift, each with a state of its own."""
    tree, synchronous = Path(sys.argv[1]), sys.argv[2]
    wait_until("the disk", lambda: Path(DISK).exists())
    MOUNT.mkdir(parents=True)
    command("mount", "-t", "ext4", DISK, str(MOUNT))
    promises = Promises()
    for number, chapter in enumerate(CHAPTERS):
        recording = read_recording(str(recording_at(tree, chapter)))
        asyncio.run(play(number, recording, promises, synchronous))
        say(f"{chapter}: {promises.count} promises")
    command("umount", str(MOUNT))
    result(f"shift-{synchronous}", 0.0, is_good=True, words=f"{promises.count} promises")
    return 0


if __name__ == "__main__":
    sys.exit(main())
