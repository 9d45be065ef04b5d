"""Opens a journal that was left by a cut of power, and prints how long that took."""

import json
import os
import sys
from pathlib import Path
from time import perf_counter

from sabot.config import load_chapter
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.run.open_journal import open_journal
from sabot.statemachine.state.snapshot import read_setup


def main() -> None:
    """Print milliseconds, and whether the table is the one that was cut off."""
    root = Path(sys.argv[1])
    rooms = Rooms(root)
    setup = read_setup(json.loads((root / "setup.json").read_text(encoding="utf-8")), load_chapter)
    board = boards.load(rooms, boards.SIMULATED)
    if sys.argv[2:] == ["cold"]:
        with rooms.journal.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    start = perf_counter()
    found = open_journal(rooms, setup, board)
    took_ms = (perf_counter() - start) * 1000
    expected = json.loads((root / "expected.json").read_text(encoding="utf-8"))
    is_same = json.loads(json.dumps(found.table.snapshot())) == expected
    print(json.dumps({"ms": took_ms, "replayed": found.replayed, "is_same": is_same}))


if __name__ == "__main__":
    main()
