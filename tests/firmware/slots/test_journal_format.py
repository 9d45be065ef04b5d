"""The journal at the start of a slot: brought to its release's format and back, by the program's own user."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from plain_table import plain_table
from sabot.firmware.journal import store
from sabot.firmware.slots import prepare_start
from sabot.firmware.slots.prepare_start import Entrance
from sabot.firmware.update.ask_release import ReleaseAnswer, StateOwner
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.layout import python_of
from sabot.firmware.update.migration import format_of

NOBODY = StateOwner(65534, 65534)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    state = tmp_path / "state"
    state.mkdir()
    store.create(state / "journal.db")
    file = tmp_path / "table.toml"
    file.write_text(plain_table(state), "utf-8")
    return file


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release whose Python is the one that runs the tests."""
    program = python_of(tmp_path / "release")
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return tmp_path / "release"


def give_format(journal: Path, number: int) -> None:
    with closing(sqlite3.connect(journal)) as db:
        db.execute("UPDATE meta SET value = ? WHERE name = 'format'", (str(number),))
        db.commit()


def asked_by(monkeypatch: pytest.MonkeyPatch, table: Path, answer: ReleaseAnswer) -> list[object]:
    asked: list[object] = []

    def ask(_release: Path, owner: StateOwner | None, *words: str) -> ReleaseAnswer:
        asked.append((owner, *words))
        return answer

    monkeypatch.setattr(prepare_start, "ask", ask)
    said: list[str] = []
    Entrance(Path("/nowhere"), NOBODY, said.append).settle_journal(table)
    return asked + said


GOOD = ReleaseAnswer(0, "", "")


def test_a_journal_of_this_format_is_asked_of_nobody(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    assert asked_by(monkeypatch, table, GOOD) == []
    (table.parent / "state/journal.db").unlink()
    assert asked_by(monkeypatch, table, GOOD) == []


def test_an_older_one_is_migrated_by_the_user_of_the_program(
    monkeypatch: pytest.MonkeyPatch, table: Path
) -> None:
    give_format(table.parent / "state/journal.db", store.FORMAT - 1)

    assert asked_by(monkeypatch, table, GOOD) == [
        (NOBODY, "update", "--migrate", str(table)),
        f"the journal had format {store.FORMAT - 1}; that file is kept whole beside the new one",
    ]


def test_one_that_cannot_be_migrated_is_said_with_its_reason(table: Path, release: Path) -> None:
    give_format(table.parent / "state/journal.db", store.FORMAT - 1)

    with pytest.raises(UpdateError, match=r"E-UPDATE-018.*E-UPDATE-014.*there is no way from it"):
        Entrance(release, None, lambda _: None).settle_journal(table)


def newer_beside(table: Path) -> Path:
    """A journal of a newer release, with the file before beside it."""
    journal = table.parent / "state/journal.db"
    journal.rename(journal.with_name(f"journal.format-{store.FORMAT}.db"))
    store.create(journal)
    give_format(journal, store.FORMAT + 1)
    return journal


def test_a_slot_that_comes_back_puts_the_journal_before_in_place(table: Path, release: Path) -> None:
    journal = newer_beside(table)
    said: list[str] = []

    Entrance(release, None, said.append).settle_journal(table)

    assert format_of(journal) == store.FORMAT
    assert format_of(journal.with_name(f"journal.unused-{store.FORMAT + 1}.db")) == store.FORMAT + 1
    assert said == [f"the journal of a newer release is set aside, format {store.FORMAT} is put back"]
