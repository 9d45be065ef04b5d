"""Snapshots that an earlier program took open, and the table goes on from them as that program did.

``tests/data/kept`` was recorded once, before the state of a table was divided among its rooms: for each chapter the
first moment of its recorded shift in each phase, with and without a hold, an open list and a declaration to take back.
"""

import json

import pytest

from sabot.desk.recording import read_recording
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.codec import effect_json

from .record_shifts import FOLDER
from .tables import CHAPTERS

KEPT = FOLDER.parent / "kept"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_snapshot_of_before_opens_and_is_gone_on_from(chapter: str) -> None:
    recording = read_recording(str(FOLDER / f"{chapter}.jsonl"))
    whole = Table(recording.setup)
    effects = [[effect_json(each) for each in whole.handle(line.event)] for line in recording.events]

    for kept in (json.loads(line) for line in (KEPT / f"{chapter}.jsonl").read_text().splitlines()):
        table = Table.restore(recording.setup, kept["snapshot"])
        assert table.snapshot() == kept["snapshot"]
        rest = [
            [effect_json(each) for each in table.handle(line.event)]
            for line in recording.events[kept["after"] :]
        ]
        assert rest == effects[kept["after"] :], kept["after"]
        assert table.snapshot() == whole.snapshot()
