"""A console shows the table as it is on the medium: what a cut of power would lose nobody has seen."""

from __future__ import annotations

import threading
import time

import pytest

from at_the_console import Board, Console
from sabot.firmware.console import call
from sabot.statemachine.vocabulary.events import DeviceFaulted

READ = ("faults", "status", "meters", "decks", "watch 1")


def fault() -> DeviceFaulted:
    return DeviceFaulted(at=0.0, source="shoe", device="shoe", fault="device", detail="a motor stands")


@pytest.mark.parametrize("line", READ)
def test_a_reading_waits_until_what_it_shows_is_on_the_medium(board: Board, desk: Console, line: str) -> None:
    board.play(10)
    answered = threading.Event()

    def ask() -> None:
        desk(line)
        answered.set()

    asking = threading.Thread(target=ask)
    with board.stalled():
        board.post_at_once([fault()])
        asking.start()
        time.sleep(0.3)
        was_answered = answered.is_set()
    asking.join(30)
    assert (was_answered, answered.is_set()) == (False, True)
    assert desk.said[-1]["end"] == "done"


def test_a_medium_that_takes_nothing_is_the_answer(
    board: Board, desk: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "DURABLE_S", 0.05)
    board.play(10)
    with board.stalled():
        board.post_at_once([fault()])
        refused = desk("faults")
        assert (refused["end"], refused["code"]) == ("refused", "E-CONS-018")
        assert desk("status")["end"] == "done"
        assert "the journal has taken nothing" in desk.text
        assert "rounds" not in desk.text
        assert desk("devices")["end"] == "done"
