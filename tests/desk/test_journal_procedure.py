"""`sabot journal verify --procedure`: the proof first, then the second opinion."""

import asyncio
import json
import re
import shutil
from pathlib import Path

import pytest

from calling import Answer, sabot
from journal.shifts import Shift, play
from journal.tampering import ROWS, change
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.content import UNSEALED
from sabot.firmware.journal.entry import Draft, Stamp

NOW = Stamp("boot", "1.000000", "2026-01-31T12:00:00.000Z", trusted=True)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    return play(tmp_path_factory.mktemp("kept"), "pa683a")


@pytest.fixture
def rooms(kept: Shift, tmp_path: Path) -> Rooms:
    shutil.copytree(kept.rooms.root, tmp_path / "state")
    return Rooms(tmp_path / "state")


def verify(rooms: Rooms, *words: str) -> Answer:
    return sabot("journal", "verify", "--procedure", "--state", str(rooms.root), *words)


def opened_by_one(rooms: Rooms) -> None:
    """A seal was opened, and one person stands for both."""

    async def keep() -> None:
        body = json.dumps(
            {"round": 1, "first": 1, "last": 2, "cause": "x", "by": [{"number": "1", "name": "a"}]}
        )
        async with direct(rooms.journal) as appender:
            await appender.keep(lambda _number, _before: Draft(UNSEALED, NOW, body))

    asyncio.run(keep())


def test_a_shift_by_the_text_has_nothing_to_object_to(rooms: Rooms) -> None:
    answer = verify(rooms)
    assert answer.code == 0, answer.out
    assert answer.out.startswith("THE JOURNAL IS WHOLE")
    assert re.search(r"^PROCEDURE: NOTHING TO OBJECT TO \(3 rounds, \d+ events\)$", answer.out, re.MULTILINE)


def test_an_objection_names_entry_and_paragraph_and_is_exit_code_1(rooms: Rooms) -> None:
    opened_by_one(rooms)
    people, programs = verify(rooms), verify(rooms, "--json")
    assert (people.code, programs.code) == (1, 1)
    assert "PROCEDURE: OBJECTIONS: 1 (3 rounds" in people.out
    found = json.loads(programs.out)
    assert not found["good"]
    assert found["entries"] > 100, "the proof itself is said too"
    (said,) = found["procedure"]["objections"]
    assert (said["rule"], said["paragraph"], said["entry"]) == ("two people", "our policy", found["last"])
    assert f"entry {said['entry']}: our policy: unsealed by 1 person" in people.out


def test_without_the_word_nobody_is_asked_for_an_opinion(rooms: Rooms) -> None:
    opened_by_one(rooms)
    answer = sabot("journal", "verify", "--json", "--state", str(rooms.root))
    assert answer.code == 0
    assert "procedure" not in json.loads(answer.out)


def test_an_export_is_judged_like_its_journal(rooms: Rooms, tmp_path: Path) -> None:
    opened_by_one(rooms)
    target = tmp_path / "journal.jsonl"
    assert sabot("journal", "export", str(target), "--state", str(rooms.root)).code == 0
    answer = verify(rooms, "--file", str(target), "--json")
    assert answer.code == 1
    of_export, of_journal = (
        json.loads(answer.out)["procedure"],
        json.loads(verify(rooms, "--json").out)["procedure"],
    )
    assert of_export == of_journal


def test_a_broken_journal_is_broken_and_no_opinion_is_given(rooms: Rooms) -> None:
    change(rooms.journal, *ROWS["body"].orders)
    answer = verify(rooms)
    assert answer.code == 1
    assert answer.out.startswith("BROKEN")
    assert "PROCEDURE" not in answer.out
