"""Rounds of a shift by chance into a journal of their own, and how many kilobytes of it they are."""

import asyncio
import tempfile
from pathlib import Path

from journalling import Desk
from playing import RandomShift, Table

ROUNDS = 40


def kilobytes_a_round(shift: RandomShift) -> float:
    """Play on from where the shift is; the shift itself goes on by these rounds."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_journalled(Path(folder), shift))


async def _journalled(root: Path, shift: RandomShift) -> float:
    table = Table.restore(shift.setup, shift.table.snapshot())
    desk = Desk(root, shift.setup, table)
    desk.begin()
    await desk.end()
    size = desk.rooms.journal.stat().st_size
    desk = Desk(root, shift.setup, table)
    await desk.play([step.event for step in shift.rounds(ROUNDS)])
    await desk.end()
    return (desk.rooms.journal.stat().st_size - size) / ROUNDS / 1000
