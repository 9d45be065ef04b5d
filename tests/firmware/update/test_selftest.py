import json
from pathlib import Path

import pytest

from calling import sabot
from journal.shifts import play
from plain_table import plain_table
from sabot.config.loader import PRINTED
from sabot.firmware.credentials.board import FLOOR, SIMULATED, Rooms, prepare
from sabot.firmware.journal import store
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.run.self_report import NEW, report
from sabot.firmware.run.table_check import read
from sabot.firmware.run.table_setup import setup_of


def table_file(folder: Path, *, is_simulated: bool) -> Path:
    path = folder / "table.toml"
    path.write_text(plain_table(folder / "state", "pa641a", is_simulated=is_simulated), encoding="utf-8")
    return path


def test_a_board_without_a_state_directory_stays_closed(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    done = sabot("selftest", str(table_file(tmp_path, is_simulated=True)))

    assert done.code == 1
    assert "journal      E-KEEP-001" in done.out
    assert done.out.splitlines()[-1].split() == ["table", "unknown"]


def test_a_floor_table_stays_closed_under_chapters_that_nobody_signed(tmp_path: Path) -> None:
    prepare(Rooms(tmp_path / "state"), FLOOR)
    path = table_file(tmp_path, is_simulated=False)
    chapters = tmp_path / "ours" / "chapters"
    chapters.mkdir(parents=True)
    (chapters / "pa641a.toml").write_text(PRINTED.text("chapters/pa641a.toml"), encoding="utf-8")
    path.write_text(f'law = "ours"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")

    file, setup = read(path)
    found = {finding.name: finding for finding in report(file, setup)[0]}

    assert found["law"].fault is not None
    assert found["law"].fault.kind.code == "E-VERIFY-014"
    assert found["law"].keeps_closed


def test_a_new_table_is_closed_and_changes_nothing(tmp_path: Path) -> None:
    prepare(Rooms(tmp_path / "state"), SIMULATED)
    before = sorted((tmp_path / "state").rglob("*"))

    done = sabot("selftest", "--json", str(table_file(tmp_path, is_simulated=True)))

    found = json.loads(done.out)
    assert done.code == 0
    assert found["journal"] == NEW._asdict() == {
        "phase": "closed", "entries": 0, "is_closing": True, "is_running": False,
    }  # fmt: skip
    assert [row["keeps_closed"] for row in found["checks"] if row["check"] == "program"] == [False]
    assert sorted((tmp_path / "state").rglob("*")) == before


def test_a_floor_table_stays_closed_on_a_development_installation(tmp_path: Path) -> None:
    prepare(Rooms(tmp_path / "state"), FLOOR)

    done = sabot("selftest", str(table_file(tmp_path, is_simulated=False)))

    assert done.code == 1
    assert "program      E-VERIFY-001" in done.out


@pytest.mark.parametrize(
    ("last", "is_closed", "is_closing"), [(-1, True, True), (None, True, False), (40, False, False)]
)
def test_the_journal_says_whether_a_table_is_closed(
    tmp_path: Path, last: int | None, is_closed: bool, is_closing: bool
) -> None:
    shift = play(tmp_path / "state", "pa641a", last=last)
    file, _ = read(table_file(tmp_path, is_simulated=True))

    _, stand = report(file, shift.recording.setup)

    assert stand is not None
    assert stand.phase == shift.table.state.play.phase.value
    assert (stand.phase == "closed") is is_closed
    assert stand.is_closing is is_closing
    assert not stand.is_running


def test_a_journal_without_an_entry_is_closing(tmp_path: Path) -> None:
    rooms = Rooms(tmp_path / "state")
    prepare(rooms, SIMULATED)
    store.create(rooms.journal)
    file, _ = read(table_file(tmp_path, is_simulated=True))

    _, stand = report(file, setup_of(file))

    assert stand is not None
    assert (stand.entries, stand.is_closing, stand.is_running) == (0, True, False)


def test_a_program_that_writes_is_seen(tmp_path: Path) -> None:
    file, _ = read(table_file(tmp_path, is_simulated=True))
    seen = []

    def look(_rooms: Rooms) -> None:
        seen.append(report(file, recording_setup)[1])

    recording_setup = play(tmp_path / "other", "pa641a", last=1).recording.setup
    play(tmp_path / "state", "pa641a", last=40, while_open=look)

    assert seen[0] is not None
    assert seen[0].is_running


def test_a_journal_that_was_altered_is_no_journal(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a", last=40)
    shift.rooms.journal.write_bytes(b"SQLite format 3\x00 and then nothing")
    file, _ = read(table_file(tmp_path, is_simulated=True))

    findings, stand = report(file, shift.recording.setup)

    assert stand is None
    assert isinstance(findings[-1].fault, JournalError)
