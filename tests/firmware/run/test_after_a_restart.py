"""What a restart leaves behind that no device would tell of by itself: a broken shuffle, a silence that is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from journal.shifts import recording_of
from sabot.drivers.device import DeviceStatus
from sabot.firmware.run import after_start
from sabot.firmware.run.after_start import HeardAgain
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import broken_off, first_event
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import FreeShoe, HaltShoe, StartShuffle
from sabot.statemachine.vocabulary.events import (
    DeviceRetested,
    Event,
    LinkLost,
    LinkRestored,
    ReleaseOrdered,
    Resumed,
    Role,
)


class At(Clock):
    """A clock that stands, for decks grow old."""

    def __init__(self, at: float) -> None:
        super().__init__()
        self._at = at

    def now(self) -> float:
        return self._at


def table_in(phase: Phase) -> Table:
    recording = recording_of("pa641a")
    table = Table(recording.setup)
    for each in recording.events:
        if table.state.play.phase is phase:
            return table
        table.handle(each.event)
    raise AssertionError(phase)


def test_a_shoe_is_freed_at_the_first_start_of_a_journal_as_at_any_other() -> None:
    """Left locked by an orderly stop, of this program or of one before it, it would give no card."""
    table = Table(recording_of("pa679a").setup)
    told = table.handle(first_event(None, Clock()))
    assert [type(each) for each in told if isinstance(each, (FreeShoe, HaltShoe))] == [FreeShoe]


def test_a_shoe_is_freed_every_morning() -> None:
    """An orderly stop with the table closed leaves it locked: the start of the next day frees it."""
    table = table_in(Phase.CLOSED)
    told = table.handle(Resumed(at=table.state.clock.now + 1, source="controller", down_s=36_000.0))
    assert [type(each) for each in told if isinstance(each, (FreeShoe, HaltShoe))] == [FreeShoe]


def test_a_shuffle_that_a_restart_broke_off_counts_as_stopped_and_is_ordered_again() -> None:
    table = table_in(Phase.SHUFFLING)
    stopped = broken_off(table, At(table.state.clock.now))
    assert [event.deck for event in stopped if hasattr(event, "deck")] == [table.state.stock.in_shuffler]
    for event in stopped:
        table.handle(event)
    (held,) = table.state.trouble.holds
    assert (held.kind, held.device) == ("shuffler_jam", "shuffler")

    at = table.state.clock.now
    table.handle(DeviceRetested(at=at, source="shuffler", device="shuffler", fault="shuffler_jam", good=True))
    effects = table.handle(
        ReleaseOrdered(
            at=at, source="console", fault="shuffler_jam", device="shuffler", role=Role.FLOOR, person="21 Ann"
        )
    )
    assert [each.deck for each in effects if isinstance(each, StartShuffle)] == [
        table.state.stock.in_shuffler
    ]
    assert table.rooms.faults.held is None


def test_where_nothing_is_shuffled_nothing_was_broken_off() -> None:
    assert broken_off(table_in(Phase.CLOSED), Clock()) == []
    assert broken_off(table_in(Phase.INSPECTING), Clock()) == []


def test_decks_that_are_shuffled_by_hand_wait_for_a_person() -> None:
    table = table_in(Phase.SHUFFLING)
    table.state.devices.out_of_order.append("shuffler")
    assert broken_off(table, Clock()) == []


class Devices:
    """Devices of which some are not up yet."""

    def __init__(self, **is_up: bool) -> None:
        self.is_up = is_up

    def statuses(self) -> Sequence[DeviceStatus]:
        return [DeviceStatus(name, "kind", "port", is_up=up) for name, up in self.is_up.items()]


def test_a_silence_from_before_a_restart_is_tested_by_the_first_contact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(after_start, "LOOK_S", 0.001)
    table = table_in(Phase.BETS_OPEN)
    for device in ("sign", "lines"):
        table.handle(LinkLost(at=table.state.clock.now, source=device, device=device, reason="unplugged"))
    devices, posted = Devices(sign=True, lines=False, pads=True), list[Event]()

    async def look() -> None:
        looking = HeardAgain(table.state.trouble.holds, devices.statuses, posted.append, Clock())
        looking.look()
        assert [event.source for event in posted] == ["sign"]
        devices.is_up["lines"] = True
        async with asyncio.timeout(20):
            while len(posted) < 2:  # noqa: ASYNC110 (a timer looks)
                await asyncio.sleep(0.001)
        looking.stop()

    asyncio.run(look())
    assert [(type(event), event.source) for event in posted] == [
        (LinkRestored, "sign"),
        (LinkRestored, "lines"),
    ]
    for event in posted:
        table.handle(event)
    assert [held.may_be_lifted for held in table.state.trouble.holds] == [True, True]
    assert table.rooms.faults.held is not None, "a contact released a fault"


def test_what_is_still_silent_is_looked_for_until_the_program_stops() -> None:
    table = table_in(Phase.BETS_OPEN)
    table.handle(LinkLost(at=table.state.clock.now, source="sign", device="sign", reason="unplugged"))
    posted = list[Event]()

    async def look() -> None:
        looking = HeardAgain(table.state.trouble.holds, Devices(sign=False).statuses, posted.append, Clock())
        looking.look()
        assert looking._timer is not None
        looking.stop()
        assert looking._timer.cancelled()

    asyncio.run(look())
    assert posted == []
