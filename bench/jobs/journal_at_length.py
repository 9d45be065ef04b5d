"""Plays rounds on a journal that a cut of power left: what a commit takes, what a round adds to the file.

The half round that was open is finished first, and the log is folded in, so that only the rounds after it
count.
"""

import asyncio
import json
import sys
from pathlib import Path
from statistics import median

from commits import TimedWriter
from fill_journal import SEED
from journalling import Desk
from playing import full_shift

from sabot.config import load_chapter
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.run.open_journal import open_journal
from sabot.statemachine.state.snapshot import read_setup

ROUND = 2  # the first one that the maker of the journal has not begun


async def measured(root: Path, rounds: int) -> dict[str, float]:
    """Microseconds on the processor for a commit, and kilobytes for a round."""
    rooms = Rooms(root)
    setup = read_setup(json.loads((root / "setup.json").read_text(encoding="utf-8")), load_chapter)
    opened = open_journal(rooms, setup, boards.load(rooms, boards.SIMULATED))
    shift = full_shift("manual_shoe", ROUND + rounds, SEED)
    desk = Desk(root, setup, opened.table)
    await desk.play(shift.rounds[ROUND - 1][opened.replayed :])
    await desk.end()
    size = rooms.journal.stat().st_size
    desk = Desk(root, setup, opened.table, writer=TimedWriter)
    assert isinstance(desk.writer, TimedWriter)
    for events in shift.rounds[ROUND:]:
        await desk.play(events)
    await desk.end()
    grown = (rooms.journal.stat().st_size - size) / rounds
    return {"commit_us": median(desk.writer.processor_us), "round_kb": grown / 1000}


def main() -> None:
    """Print one JSON object."""
    print(json.dumps(asyncio.run(measured(Path(sys.argv[1]), int(sys.argv[2])))))


if __name__ == "__main__":
    main()
