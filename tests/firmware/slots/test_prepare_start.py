"""The steps before a table starts, with a real release: each that fails is said, and the next is taken."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from plain_table import plain_table
from sabot.firmware.credentials.board import FLOOR, SIMULATED, Rooms, kind_of, prepare
from sabot.firmware.journal import store
from sabot.firmware.slots import prepare_start
from sabot.firmware.slots.slot import Slot
from sabot.firmware.update.layout import InstallationLayout, python_of


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board that was started from an image, with settings and none on its card; return its state."""
    layout = InstallationLayout(root=tmp_path)
    program = python_of(layout.releases / "1.0.0")
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    layout.switch(layout.releases / "1.0.0")
    layout.settings.mkdir(parents=True)
    (layout.settings / "table.toml").write_text(plain_table(tmp_path / "state"), encoding="utf-8")
    monkeypatch.setattr(prepare_start, "InstallationLayout", lambda: layout)
    monkeypatch.setattr(prepare_start, "running", lambda: Slot("A", "1.0.0", "ab" * 32))
    monkeypatch.setattr(prepare_start, "owner_by_name", lambda: None)
    monkeypatch.setattr(prepare_start, "CARD", tmp_path / "card")
    monkeypatch.setattr(prepare_start, "SETTINGS", layout.settings)
    return tmp_path / "state"


def test_the_state_of_a_table_is_made_once_and_its_key_is_said(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prepare_start.main() == 0
    first = capsys.readouterr().out
    assert kind_of(Rooms(board)) == FLOOR
    assert f"{board} is the state of a floor table; the board's key is " in first

    assert prepare_start.main() == 0
    assert capsys.readouterr().out == first


def test_a_state_that_cannot_be_prepared_is_a_failure_and_the_next_step_is_taken(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.mkdir()
    prepare(Rooms(board), SIMULATED)
    store.create(Rooms(board).journal)
    with closing(sqlite3.connect(Rooms(board).journal)) as db:
        db.execute("UPDATE meta SET value = ? WHERE name = 'format'", (str(store.FORMAT + 1),))
        db.commit()

    assert prepare_start.main() == 1

    said = capsys.readouterr().out
    assert said.index("E-UPDATE-019") < said.index("E-KEEP-003") < said.index("E-UPDATE-018")
    assert kind_of(Rooms(board)) == SIMULATED
