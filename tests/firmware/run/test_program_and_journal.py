"""The program between its journal and its table: what the medium does reaches the runner, and what it can do again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.slips.felt import Felt, prepare

from journal.shifts import recording_of
from sabot.statemachine.table import Table


def test_a_medium_that_takes_nothing_holds_the_table_and_one_that_takes_again_is_its_retest(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        table = Table(recording_of("pa679a").setup)
        prepare(tmp_path, table)
        felt = Felt(tmp_path, table)
        felt.writer.start()
        felt.program.stuck("database or disk is full")
        held = felt.table.rooms.faults.held
        assert held is not None
        assert (held.device, held.retested) == ("journal", False)

        felt.program.unstuck()
        await felt.durable()
        held = felt.table.rooms.faults.held
        assert held is not None
        assert (held.device, held.retested) == ("journal", True)
        await felt.end()

    asyncio.run(play())
