"""641a.2(c): a table's program and a real floor, the uplink in between played by this test.

The dealer's keys are those of a shift; the journal, the thread of the link, its memory and its socket are real.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.floor.keeping import Kept
from tests.uplink.program_site import SETUP, Played, site, to_the_hit

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store
from sabot.firmware.run.floor_link import event_of
from sabot.floor import reports
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary import events as ev


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Kept]:
    with Kept.linked(str(tmp_path / "floor.db"), "T1") as kept:
        yield kept


def of_journal(rooms: Rooms) -> dict[str, str]:
    """The link of the entry in which each of the table's own words for the floor stands."""
    with closing(store.open_for_reading(rooms.journal)) as db:
        entries = list(store.entries(db))
    names = ("ContributeToLink", "ClaimHit", "ConfirmGrant")
    return {name: each.link.hex() for each in entries for name in names if f'"effect":"{name}"' in each.body}


def test_641a_12d4_a_linked_hit_from_lock_to_validation_by_journal_and_ledger(
    tmp_path: Path, floor: Kept
) -> None:
    asyncio.run(_a_hit(tmp_path / "table", floor))


async def _a_hit(root: Path, floor: Kept) -> None:
    shift = Played(setup=SETUP)
    shift.open_table()
    shift.link()
    opening, round_ = to_the_hit(shift)
    async with site(root, floor) as here:
        here.play(opening)
        await here.until(lambda: here.link.thread.why_down == "no uplink")
        assert (2, "prog5") not in here.table.rooms.display.open_spots()
        here.call()
        await here.until(lambda: here.is_open and here.seen(ef.SetMeter))
        assert ("prog5", "mega", 1_000_000) in [(e.meter, e.level, e.cents) for e in here.seen(ef.SetMeter)]
        assert here.uplink is not None
        told = here.uplink.states
        await here.until(lambda: told)
        assert b'"chapter":"pa641a"' in told[-1], "the floor hears how the table is"
        here.play(round_)
        await here.until(lambda: bool(here.seen(ef.FreezeHit)))
        assert [each.cents for each in here.seen(ef.FreezeHit)] == [1_000_010]
        shift.grant(cents=1_000_010)
        shift.floor("VALIDATE HIT", person="f7")
        here.play(shift.taken())
        await here.until(
            lambda: [g["state"] for g in reports.hits(floor.reader.load().state())] == ["validated"]
        )
        said = [json.loads(each.content) for each in floor.reader.entries() if each.table]

    assert [each["kind"] for each in said] == ["contribution", "claim", "validated"]
    assert [each["journal"] for each in said] == list(of_journal(here.rooms).values())
    assert said[2]["by"] == "f7"


def test_prog_7_a_hit_while_the_link_is_down_waits_and_is_booked_after_both_were_killed(
    tmp_path: Path, floor: Kept
) -> None:
    asyncio.run(_a_hit_while_down(tmp_path / "table", floor))


def _forget_marks(root: Path) -> None:
    for mark in root.glob("journal*mark*"):
        mark.unlink()


async def _a_hit_while_down(root: Path, floor: Kept) -> None:
    shift = Played(setup=SETUP)
    shift.open_table()
    shift.link()
    opening, round_ = to_the_hit(shift)
    async with site(root, floor) as here:
        here.play(opening)
        await here.until(lambda: here.link.thread.is_alive() and (here.rooms.root / "link").exists())
        here.call()
        await here.until(lambda: here.is_open)
        assert here.uplink is not None
        here.uplink.is_cut = True
        here.play(round_)
        linked = here.table.state.books.linked
        await here.until(lambda: not here.is_open)
        assert linked.links["pit"].why == "its amount is old", "what was said two seconds ago is not in it"
        await here.until(lambda: linked.links["pit"].why == "the floor is silent")
    assert reports.hits(floor.reader.load().state()) == []

    async with site(root, floor) as again:  # the claim is in the journal alone
        await again.until((again.rooms.root / "link").exists)
        again.call()
        await again.until(lambda: again.table.state.books.linked.claims[0].grant)
        entry = again.table.state.books.linked.heard
        assert entry == 1
    with contextlib.closing(sqlite3.connect(root / "link.db")) as db:
        assert db.execute("SELECT count(*) FROM heard").fetchone() == (1,)

    with closing(
        sqlite3.connect(root / "journal.db")
    ) as db:  # the power went before the table had entered it
        last = db.execute("SELECT min(number) FROM entry WHERE body LIKE '%HitGranted%'").fetchone()[0]
        db.execute("DELETE FROM entry WHERE number >= ?", (last,))
        db.commit()
    _forget_marks(root)
    async with site(root, floor) as third:
        await third.until(lambda: third.table.state.books.linked.claims[0].grant)
        assert third.table.state.books.linked.claims[0].each == 1_000_010
    assert len(reports.hits(floor.reader.load().state())) == 1


def test_prog_6_a_message_that_the_floor_refuses_comes_with_what_it_was_about() -> None:
    claimed = {"kind": "claim", "link": "pit", "round": 4, "wager": "prog5", "seats": [2]}
    event = event_of({"kind": "refused", "number": 3, "claim": 9, "why": "no"}, claimed, 1.0)
    assert event == ev.MeterLinkRefused(
        at=1.0,
        source="floor link",
        number=3,
        message="claim",
        link="pit",
        round=4,
        wager="prog5",
        seats=(2,),
        why="no",
    )
    gone = event_of({"kind": "taken_back", "number": 4, "grant": 7, "cause": "none"}, {}, 1.0)
    assert gone == ev.GrantTakenBack(at=1.0, source="floor link", number=4, grant=7, cause="none")


def test_prog_11_a_hit_of_another_table_is_shown_by_its_number(tmp_path: Path, floor: Kept) -> None:
    asyncio.run(_elsewhere(tmp_path / "table", floor))


async def _elsewhere(root: Path, floor: Kept) -> None:
    async with site(root, floor) as here:
        old, new = [["mega", "T7", [3], 5_000, "at"]], [["mega", "T2", [1, 4], 7_000, "later"]]
        for hits in (old, old, new, [["mega", "T1", [1], 9_000, "now"]]):
            here.link._announce("prog5", hits)

        assert here.seen(ef.AnnounceHit) == [
            ef.AnnounceHit(meter="prog5", table="T2", seats=(1, 4), cents=7_000)
        ]
        assert "prog5" in here.link._announced
