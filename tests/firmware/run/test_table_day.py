"""The gaming day that a linked table tells its floor, out of its journal."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.floor.keeping import Kept
from tests.uplink.program_site import SETUP, Played, site

from sabot.config.table_file import DaySettings
from sabot.firmware.journal import store
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry, Stamp
from sabot.firmware.run.table_day import PlayedDay
from sabot.floor import table_state
from sabot.statemachine.vocabulary import events as ev

SIX = DaySettings(6 * 60, "America/New_York")  # 11:00 by UTC in November
ROUND = {"effect": "RecordRound"}


def fault(kind: str) -> dict[str, str]:
    return {"effect": "RaiseFault", "fault": kind}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    store.create(tmp_path / "journal.db")
    db = store.open_for_writing(tmp_path / "journal.db")
    yield db
    db.close()


def add(db: sqlite3.Connection, utc: str, *effects: dict[str, str], kind: str = EVENT) -> int:
    number = store.last_of(db)[0] + 1
    body = json.dumps({"event": {"event": "KeyPressed"}, "effects": effects}, separators=(",", ":"))
    with db:
        store.insert(db, [Entry(number, kind, Stamp("boot", "1", utc, trusted=True), body, b"", bytes(32))])
    return number


def test_prog_10_a_day_is_counted_as_it_goes_and_again_after_a_start(journal: sqlite3.Connection) -> None:
    add(journal, "2026-11-20T10:59:59.999Z", ROUND, fault("jam"))
    first = add(journal, "2026-11-20T11:00:00.000Z", ROUND)
    running = PlayedDay(lambda: nullcontext(journal), SIX)

    assert running.upto(first) == {
        "date": "2026-11-20",
        "played": [1, "2026-11-20T11:00:00.000Z", "2026-11-20T11:00:00.000Z"],
        "faults": [],
    }
    add(journal, "2026-11-20T12:00:00.000Z", fault("jam"), fault("count"))
    add(journal, "2026-11-20T12:30:00.000Z", ROUND, kind="command")
    add(journal, "2026-11-20T13:00:00.000Z", {"effect": "ShowPrompt"}, fault("jam"), ROUND)
    last = add(journal, "2026-11-20T14:00:00.000Z", {"effect": "ClearFault", "fault": "jam"})
    whole = {
        "date": "2026-11-20",
        "played": [2, "2026-11-20T11:00:00.000Z", "2026-11-20T13:00:00.000Z"],
        "faults": [["count", 1], ["jam", 2]],
    }
    assert running.upto(last) == whole
    assert running.upto(last) == whole
    assert PlayedDay(lambda: nullcontext(journal), SIX).upto(last) == whole


def test_prog_10_the_next_day_begins_from_nothing(journal: sqlite3.Connection) -> None:
    day = PlayedDay(lambda: nullcontext(journal), SIX)
    day.upto(add(journal, "2026-11-21T10:59:00.000Z", ROUND, fault("jam")))
    late = add(journal, "2026-11-21T10:59:30.000Z", ROUND)
    new = add(journal, "2026-11-21T11:00:00.000Z", fault("count"))

    assert late < new
    assert day.upto(new) == {"date": "2026-11-21", "played": [0, "", ""], "faults": [["count", 1]]}


def test_prog_10_an_empty_journal_tells_of_no_day(journal: sqlite3.Connection) -> None:
    assert PlayedDay(lambda: nullcontext(journal), SIX).upto(0) == {
        "date": "",
        "played": [0, "", ""],
        "faults": [],
    }


def test_641a_2c_a_table_tells_its_floor_the_faults_of_its_day(tmp_path: Path) -> None:
    with Kept.linked(str(tmp_path / "floor.db"), "T1") as floor:
        asyncio.run(_told(tmp_path / "table", floor))


async def _told(root: Path, floor: Kept) -> None:
    shift = Played(setup=SETUP)
    shift.open_table()
    shift.link()
    async with site(root, floor) as here:
        here.play(shift.taken())
        await here.until((here.rooms.root / "link").exists)
        here.call()
        assert here.uplink is not None
        shift.send(ev.DeviceJammed, device="shoe", cause="a card")
        here.play(shift.taken())
        (held,) = here.table.state.trouble.holds
        states = here.uplink.states
        await here.until(lambda: states and table_state.read_state(states[-1])[0]["faults"])

    state, _, _ = table_state.read_state(states[-1])
    assert state["faults"] == [[held.kind, 1]]
    assert state["date"]
    assert state["played"] == [0, "", ""]
