"""Retention at a running table: two people, a cause, an export that is proved, and only then fewer entries."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from at_the_console import Board, Console
from sabot.config.table_file import Storage
from sabot.firmware.journal import store, verify
from sabot.firmware.journal.export_reader import ImportedExport

LONG_AGO, NOW = datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def old(board: Board, tmp_path: Path) -> Board:
    """A shift of two months ago, on a board with a second medium, in service mode now."""
    second = tmp_path / "second"
    second.mkdir()
    board.storage = Storage(board.rooms.root, second, 40)
    board.clock.set_at = LONG_AGO
    board.play()
    board.clock.set_at = NOW
    return board


def serve(desk: Console) -> None:
    desk.unlock("42")
    assert desk("service on", why="retention")["end"] == "done", desk.said


def test_policy_two_people_retain_while_the_program_runs(old: Board, desk: Console) -> None:
    before = old.entries()
    serve(desk)

    end = desk.dual("retain second", "08", why="forty days are over")

    assert end["end"] == "done", desk.said
    told = next(each["data"] for each in desk.said if each.get("data"))
    file = Path(told["file"])
    assert file.parent == old.storage.second
    gone = list(ImportedExport(file, old.board.public_key).entries())
    left = old.entries()
    assert len(gone) == told["removed"] > 20
    assert [each.link for each in (*gone, *left)][: len(before)] == [each.link for each in before]
    assert [each.sealed for each in gone] == [each.sealed for each in before[: len(gone)]]
    with closing(store.open_for_reading(old.rooms.journal)) as db:
        verify.verify_journal(db, old.board.public_key, lambda _more: None)
    anchor = json.loads(old.entries("anchor")[-1].body)
    assert anchor["cause"] == "forty days are over"
    assert [each["number"] for each in anchor["by"]] == ["42", "08"]


def test_policy_nothing_young_is_retained_away(old: Board, desk: Console) -> None:
    before = len(old.entries())
    serve(desk)

    assert desk.dual("retain board 365", "08", why="a year")["end"] == "done"

    assert "nothing was removed" in desk.text
    assert [each.kind for each in old.entries()[before:]].count("anchor") == 0
    assert old.entries()[0].number == 1


def test_policy_nobody_retains_at_a_table_in_play(board: Board, desk: Console) -> None:
    board.play(55)
    desk.unlock("42")

    refused = desk("retain board", why="now")

    assert (refused["code"], "closed or in service mode" in refused["why"]) == ("E-CONS-010", True)
    assert board.entries("anchor") == []


def test_policy_nobody_retains_alone_nor_to_a_medium_that_is_not_there(old: Board, desk: Console) -> None:
    desk.unlock("42")
    assert desk("retain second", why="now")["ask"] == "second"
    assert desk.dual("retain second", "42", why="now")["code"] == "E-CONS-008"
    stick = desk("retain stick", why="now")
    assert (stick["code"], "only in service mode" in stick["why"]) == ("E-CONS-010", True)

    old.storage = Storage(old.rooms.root, None, 40)

    assert desk("retain second", why="now")["code"] == "E-CONS-011"
    assert old.entries("anchor") == []
    assert old.entries()[0].number == 1


def test_policy_nothing_is_removed_where_the_export_is_there_already(old: Board, desk: Console) -> None:
    serve(desk)
    assert desk.dual("retain board", "08", why="once")["end"] == "done"
    first = old.entries()[0].number
    assert first > 20
    file = next((old.rooms.root / "exports").iterdir())

    assert desk.dual("retain board", "08", why="twice")["end"] == "done"

    assert "nothing was removed" in desk.text
    assert [each.name for each in (old.rooms.root / "exports").iterdir()] == [file.name]
