"""``follow``: every event of a shift, in order, with what followed, and no card that is not public then."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from at_the_console import Board, Console, at_the_table, console
from sabot.firmware.console.client import Client
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import Role

PATIENCE_S = 60.0
CARD = re.compile(r'"[2-9TJQKA][cdhs]"')


class Ear:
    """Somebody who follows, on a thread of their own."""

    def __init__(self, client: Client) -> None:
        self.said: list[dict[str, Any]] = []
        self.begun, self._client = threading.Event(), client
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        assert self.begun.wait(PATIENCE_S)

    def _listen(self) -> None:
        for said in self._client.ask(do=["follow"]):
            self.said.append(said)
            self.begun.set()

    def stop(self) -> None:
        self._client.stop()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    @property
    def told(self) -> list[dict[str, Any]]:
        """What was told of events, with the beginning."""
        return [said["data"] for said in self.said if said.get("data")]


@contextmanager
def following(desk: Console) -> Iterator[Ear]:
    ear = Ear(desk.client)
    try:
        yield ear
    finally:
        ear.stop()


def test_every_event_is_told_once_in_the_journals_order(board: Board, desk: Console) -> None:
    with following(desk) as ear:
        board.play()
        board.settle()
    entries = board.entries("event")

    first, *rest = ear.told
    assert (first["number"], first["event"], first["view"]["phase"]) == (0, None, "closed")
    assert [each["number"] for each in rest] == [entry.number for entry in entries]
    assert [each["event"] for each in rest] == [json.loads(entry.body)["event"] for entry in entries]
    assert [each["effects"] for each in rest] == [json.loads(entry.body)["effects"] for entry in entries]
    assert ear.said[-1]["end"] == "stopped"
    assert any("ShowPrompt" in said.get("text", "") for said in ear.said)


def test_the_view_told_with_an_event_is_the_one_after_it_and_no_later_one(
    board: Board, desk: Console
) -> None:
    events = [recorded.event for recorded in board.recording.events[:150]]
    with following(desk) as ear:
        board.post_at_once(events)
        board.settle()
        end = time.monotonic() + PATIENCE_S
        while len(ear.told) <= len(events) and time.monotonic() < end:
            time.sleep(0.01)
    again, views = Table(board.recording.setup), []
    for event in events:
        again.handle(event)
        views.append(json.loads(json.dumps(again.rooms.views.view(Role.DEALER))))

    assert [each["view"] for each in ear.told[1:]] == views


def test_each_note_of_a_rounds_record_is_told_once(board: Board, desk: Console) -> None:
    with following(desk) as ear:
        board.play()
        board.settle()
    records = [json.loads(entry.body).get("record") for entry in board.entries("event")]
    kept = [note["words"] for record in records if record for note in record["notes"]]
    told = [note["words"] for each in ear.told for note in each["notes"]]

    assert kept
    assert [words for words in kept if told.count(words) < kept.count(words)] == []


@pytest.mark.parametrize("chapter", ["pa679a", "pa683a"])
def test_policy_no_card_is_told_before_it_is_public(tmp_path: Path, chapter: str) -> None:
    with at_the_table(tmp_path, chapter=chapter) as board, console(board) as desk:
        with following(desk) as ear:
            board.play()
            board.settle()
        ever: set[str] = set()
        for each in ear.told:
            public = {f'"{card}"' for cards in each["view"].get("public", {}).values() for card in cards}
            said = set(CARD.findall(json.dumps(each)))
            assert said <= public
            ever |= said
    assert ever


def test_the_view_is_that_of_the_role_that_was_proved(desk: Console) -> None:
    with following(desk) as ear:
        pass
    assert "decks" not in ear.told[0]["view"]
    desk.unlock("17")
    with following(desk) as ear:
        pass
    assert "decks" in ear.told[0]["view"]


def test_whoever_is_stopped_listens_no_longer(board: Board, desk: Console) -> None:
    with following(desk):
        pass
    assert board.runner is not None
    assert board.runner.subscribers == []
