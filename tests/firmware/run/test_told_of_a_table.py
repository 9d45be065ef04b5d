"""What is told of a table as it stands: to a device that has heard nothing, and to its floor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sabot.desk.recording import Recording, read_recording
from sabot.drivers.device import DeviceStatus
from sabot.firmware.journal.entry import Stamp
from sabot.firmware.run.after_start import standing
from sabot.firmware.run.open_journal import start_entry
from sabot.firmware.run.table_state import state_of
from sabot.floor import table_state as floors
from sabot.statemachine.state.books import HitClaim
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    FreeShoe,
    HaltShoe,
    LockWagers,
    OpenSpots,
    RaiseFault,
    RequireRole,
)
from sabot.statemachine.vocabulary.events import DeviceFaulted

SHIFTS = Path(__file__).parents[2] / "data" / "shifts"


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording(str(SHIFTS / "pa641a.jsonl"))


def while_bets_are_open(recording: Recording) -> Table:
    """The table right after spots of every wager were opened."""
    table = Table(recording.setup)
    for each in recording.events:
        if any(isinstance(effect, OpenSpots) for effect in table.handle(each.event)):
            return table
    raise AssertionError


# ---------------------------------------------------------------- to a device


def test_a_device_of_a_closed_table_is_told_to_lock_and_nothing_to_open(recording: Recording) -> None:
    told = standing(Table(recording.setup))

    assert [type(each) for each in told[:2]] == [LockWagers, FreeShoe]
    assert not any(isinstance(each, OpenSpots) for each in told)


def test_what_is_open_is_told_last_and_after_the_lock(recording: Recording) -> None:
    table = while_bets_are_open(recording)

    told = standing(table)

    assert isinstance(told[0], LockWagers)
    assert isinstance(told[-1], OpenSpots)
    assert told[-1].spots == tuple(sorted(table.rooms.last_told.spots))
    assert len([each for each in told if isinstance(each, OpenSpots)]) == 1


def test_a_held_table_halts_the_shoe_and_names_its_fault_and_its_calls(recording: Recording) -> None:
    table = while_bets_are_open(recording)
    table.handle(DeviceFaulted(at=table.state.clock.now, device="shoe", fault="device", detail="lamp"))
    table.state.crew.calls["floor"] = "the dealer calls"

    told = standing(table)

    assert [type(each) for each in told[:3]] == [LockWagers, HaltShoe, RaiseFault]
    [fault] = [each for each in told if isinstance(each, RaiseFault)]
    assert (fault.fault, fault.device) == ("device", "shoe")
    calls = [(each.role, each.why) for each in told if isinstance(each, RequireRole)]
    assert ("floor", "the dealer calls") in calls


# ---------------------------------------------------------------- to the journal


def test_the_start_entry_has_what_the_set_up_put_on_meters_and_was_read_from(recording: Recording) -> None:
    table, stamp = Table(recording.setup), Stamp("boot", "1.0", "2026-01-01T00:00:00.000Z", trusted=True)
    seeded = {"main": {"seed": 500}}

    bare = json.loads(start_entry(table, stamp, "TABLE 1").body)
    whole = json.loads(start_entry(table, stamp, "TABLE 1", seeded, {"table.toml": "ab"}).body)

    assert not bare.keys() & {"moves", "files"}
    assert whole == {**bare, "moves": seeded, "files": {"table.toml": "ab"}}


# ---------------------------------------------------------------- to the floor


# Who it is and when are the end's, the gaming day is the journal's (test_table_day), the ledger the uplink's.
OF_OTHERS = {"table", "at", "date", "played", "faults", "ledger"}


def test_the_floor_understands_every_state_of_a_shift(recording: Recording) -> None:
    table = Table(recording.setup)
    read = floors.STATE["state"]
    devices = [DeviceStatus("shoe", "shoe", "/dev/shoe", is_up=False, why="its line\nis cut")]
    for each in recording.events[:400]:
        table.handle(each.event)
        told = state_of(table, devices, "ready", [["mega", "main", 5_000]])
        assert told.keys() == read.keys() - OF_OTHERS
    assert told["devices"] == [["shoe", False, "its line is cut"]]
    assert ["mega", "main", 5_000] in told["meters"]  # type: ignore[operator]
    assert told["rounds"] == table.state.books.rounds


def test_a_deck_is_told_with_its_lot_and_when_it_is_due(recording: Recording) -> None:
    table = while_bets_are_open(recording)
    [*decks] = table.state.stock.decks.values()
    decks[0].lot = "A" * 30

    told: Any = state_of(table, (), "ready")["decks"]

    assert len(told) == len(decks)
    assert [lot for _, lot, _ in told if lot.startswith("AA")] == ["A" * 20]
    assert all(0 < due_s <= 8 * 3600 for *_, due_s in told)


@pytest.mark.parametrize(
    ("claim", "waits"),
    [
        ({}, ["for the floor's amount"]),
        ({"grant": 3}, ["to be validated"]),
        ({"grant": 3, "by": "17 Ann"}, []),
        ({"by": "17 Ann"}, ["for the floor's amount"]),
        ({"refused": "it is frozen"}, ["it is frozen"]),
    ],
)
def test_a_hit_waits_until_it_is_granted_and_somebody_stands_for_it(
    recording: Recording, claim: dict[str, object], waits: list[str]
) -> None:
    table = Table(recording.setup)
    made = HitClaim("pit", 4, "prog5", "royal", [2, 5], **claim)  # type: ignore[arg-type]
    table.state.books.linked.claims.append(made)

    told = state_of(table, (), "ready")["waits"]

    assert told == [[seat, "prog5", why] for why in waits for seat in (2, 5)]
