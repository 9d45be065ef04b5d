"""Prints what full rounds write: bytes on the file, bytes handed to the system, commits, by round."""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from journalling import Desk, flat
from playing import full_shift

SEED = 641


async def measured(root: Path, rounds: int) -> dict[str, float]:
    """A shift; what opening the table wrote is not counted."""
    shift = full_shift("manual_shoe", rounds, SEED)
    desk = Desk(root, shift.setup)
    desk.begin()
    await desk.play(shift.opening)
    size = desk.rooms.journal.stat().st_size
    wrote = await desk.play(flat(shift))
    await desk.end()
    return {
        "kept": (desk.rooms.journal.stat().st_size - size) / rounds,
        "written": wrote.bytes / rounds,
        "commits": wrote.commits / rounds,
        "entries": wrote.entries / rounds,
    }


def main() -> None:
    """Print one JSON object."""
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measured(Path(folder), int(sys.argv[1])))))


if __name__ == "__main__":
    main()
