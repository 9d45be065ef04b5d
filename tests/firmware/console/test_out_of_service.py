"""A console of a program that keeps its table closed: it says why, and orders nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from at_the_console import PINS, Board, Console, at_the_table, console
from sabot.firmware.journal.errors import ERRORS, JournalError

FAULT = JournalError(ERRORS["E-JRNL-002"], "journal", why="a page is torn")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with at_the_table(tmp_path) as found:
        runner, found.runner, found.fault = found.runner, None, FAULT
        yield found
        found.runner = runner


def test_policy_out_of_service_the_console_says_why(desk: Console) -> None:
    assert desk("status")["end"] == "done"
    assert "E-JRNL-002" in desk.text
    assert desk("devices")["end"] == "done"
    assert desk("devices shoe")["end"] == "done"
    assert desk("devices nobody")["code"] == "E-CONS-011"
    assert desk("config")["end"] == "done"
    for line in ("faults", "meters", "decks", "watch", "events", "round 1"):
        end = desk(line)
        assert end["code"] == "E-CONS-005", line
        assert "a page is torn" in end["why"]
        assert ".." not in end["why"]


def test_policy_out_of_service_nothing_is_ordered(board: Board, desk: Console) -> None:
    assert desk("unlock 42", pin=PINS["42"])["end"] == "done"
    for line in ("service on", "clear device shoe", "device test shoe", "meters adjust prog4 main +1.00"):
        assert desk(line, why="x")["code"] == "E-CONS-005", line
    assert desk.dual("enrol person 50 dealer Sue", "17", new_pin="86420")["code"] == "E-CONS-005"
    assert [person.number for person in board.people.everybody()] == ["08", "17", "33", "42"]


def test_policy_an_order_waits_for_its_record_and_is_not_carried_out_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot.firmware.console.dispatcher.DURABLE_S", 0.1)
    with at_the_table(tmp_path) as board, console(board) as desk:
        desk.unlock("42")
        board.settle()
        with monkeypatch.context() as stalled:
            stalled.setattr(board, "durable", lambda _number: None)
            assert desk("status")["end"] == "done"
            assert desk("service on", why="lamp")["code"] == "E-CONS-007"
        assert not board.table.state.trouble.holds
        assert desk("service on", why="lamp")["end"] == "done"
        assert [each["result"] for each in board.commands()[-3:]] == ["given", "refused", "given"]
