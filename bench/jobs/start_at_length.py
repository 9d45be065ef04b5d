"""Starts the whole program on a journal with very many entries behind it; prints how soon it was ready."""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from fill_journal import fill, real_rounds
from program_at_work import program

from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.run.open_journal import open_journal
from sabot.firmware.run.table_check import read
from sabot.firmware.simulated import simulated_table

CHAPTER, METHOD = "pa641a", "manual_shoe"


def lengthen(table_file: Path, sample_root: Path, count: int) -> None:
    """So many entries of real rounds behind a journal that the program made itself."""
    file, setup = read(table_file)
    rooms = Rooms(file.storage.state)
    board = boards.load(rooms, boards.SIMULATED)
    opened = open_journal(rooms, setup, board)
    sample = asyncio.run(real_rounds(sample_root))
    fill(rooms.journal, board, sample, count, opened.table.snapshot())


def main() -> None:
    """Print the milliseconds of each start, on the wall and on the processor."""
    python, count, starts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found: dict[str, list[float]] = {"wall_ms": [], "processor_ms": []}
    with (
        tempfile.TemporaryDirectory() as folder,
        simulated_table(Path(folder) / "state", CHAPTER, METHOD) as table_file,
    ):
        with program(python, table_file):
            pass
        lengthen(table_file, Path(folder), count)
        for _ in range(starts):
            with program(python, table_file) as ready:
                found["wall_ms"].append(ready.wall_s * 1000)
                found["processor_ms"].append(ready.processor_s * 1000)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
