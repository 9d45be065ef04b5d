"""A folder of chapters is changed between days: a round on the felt goes on under the law it was begun under."""

from pathlib import Path

import pytest

from sabot.firmware.run.errors import RunError
from sabot.firmware.run.open_journal import open_journal
from sabot.statemachine.state.phases import Phase

from .shifts import play

OTHER = "0" * 64


def test_an_open_table_goes_on_under_the_chapters_that_it_had(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa679a", last=40)
    setup = shift.recording.setup
    assert shift.table.state.play.phase is not Phase.CLOSED

    assert open_journal(shift.rooms, setup, shift.board).last is not None
    with pytest.raises(RunError, match="E-RUN-013"):
        open_journal(shift.rooms, setup, shift.board, OTHER)


def test_a_closed_table_takes_up_other_chapters(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa679a", last=1)

    assert shift.table.state.play.phase is Phase.CLOSED
    assert open_journal(shift.rooms, shift.recording.setup, shift.board, OTHER).last is not None
