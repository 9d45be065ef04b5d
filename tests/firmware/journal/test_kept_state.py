"""A state directory that an earlier program left in the middle of a round is gone on from."""

from contextlib import closing
from pathlib import Path
from shutil import copytree

from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import recover, store
from sabot.statemachine.table import Table

from .shifts import DATA, recording_of

KEPT = DATA.parent / "kept"


def test_a_state_directory_of_before_comes_back_as_it_was(tmp_path: Path) -> None:
    copytree(KEPT / "state", tmp_path / "state")
    rooms, recording = Rooms(tmp_path / "state"), recording_of("pa641a")
    board = boards.prepare(rooms, boards.SIMULATED)
    played = int((KEPT / "events_played").read_text())
    table = Table(recording.setup)
    for each in recording.events[:played]:
        table.handle(each.event)

    with closing(store.open_for_reading(rooms.journal)) as db:
        found = recover.recover(db, recording.setup, board.seal, board.public_key)

    assert found.table.state.play.current.drawn > 5
    assert found.table.snapshot() == table.snapshot()
