"""The way of an event: safe direction at once, everything else when it is on the medium."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from journal.shifts import Kept, StillClock, recording_of
from sabot.firmware.credentials.board import SIMULATED, Rooms, prepare
from sabot.firmware.journal import store
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.open_journal import first_event
from sabot.firmware.run.runner import PREPARING, Runner
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.effects import (
    Dispense,
    FreeShoe,
    HaltShoe,
    LockWagers,
    OpenSpots,
    RaiseFault,
    ShowPrompt,
)

PATIENCE_S = 20.0


class Felt:
    """A runner with its journal, brought to where bets are open."""

    def __init__(self, root: Path, kept: Kept, chapter: str = "pa679a") -> None:
        self.rooms = Rooms(root)
        board = prepare(self.rooms, SIMULATED)
        store.create(self.rooms.journal)
        recording = recording_of(chapter)
        self.table = Table(recording.setup)
        self.writer = Writer(self.rooms.journal, asyncio.get_running_loop(), kept)
        self.runner = Runner(self.table, self.writer, board, StillClock())
        self.runner.performers.append(kept)
        kept.runner = self.runner
        self.rest = [each.event for each in recording.events]
        self.writer.start()

    def play_until(self, phase: Phase) -> None:
        while self.table.state.play.phase is not phase:
            self.runner.post(self.rest.pop(0))

    async def durable(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.writer.waiting:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)

    async def close(self) -> None:
        self.runner.stop()
        await asyncio.get_running_loop().run_in_executor(None, self.writer.close)


def test_nothing_is_seen_before_it_is_durable_but_the_safe_direction(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        felt.play_until(Phase.BETS_OPEN)
        await felt.durable()
        with closing(sqlite3.connect(felt.rooms.journal, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # the medium takes nothing: a commit that stalls
            kept.seen.clear()
            felt.runner.post(
                ev.DeviceFaulted(
                    at=felt.table.state.clock.now, device="shoe", fault="contradiction", detail="two cards"
                )
            )
            at_once = [type(each) for each in kept.seen]
            await asyncio.sleep(0.3)
            while_stalled = [type(each) for each in kept.seen]
            other.execute("ROLLBACK")
        await felt.durable()
        after = [type(each) for each in kept.seen]
        await felt.close()

        assert at_once == [LockWagers, HaltShoe]
        assert while_stalled == at_once
        assert {RaiseFault, ShowPrompt} <= set(after)

    asyncio.run(play())


def test_a_lock_that_overtook_an_opening_in_a_stall_is_not_undone_by_it(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        felt.play_until(Phase.SHUFFLING)
        await felt.durable()
        kept.seen.clear()
        with closing(sqlite3.connect(felt.rooms.journal, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            felt.play_until(Phase.BETS_OPEN)
            felt.runner.post(
                ev.DeviceFaulted(
                    at=felt.table.state.clock.now, device="shoe", fault="contradiction", detail="two cards"
                )
            )
            other.execute("ROLLBACK")
        await felt.durable()
        await felt.close()

        opened = [each for each in kept.seen if isinstance(each, (OpenSpots, FreeShoe))]
        assert opened == []
        assert {LockWagers, HaltShoe} <= {type(each) for each in kept.seen}

    asyncio.run(play())


def test_a_lock_of_some_spots_leaves_the_others_to_be_opened(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        await felt.close()
        opening = OpenSpots(spots=((1, "ante"), (2, "ante")))
        tail = (LockWagers(spots=((1, "ante"),)),)

        assert felt.runner._left_of(opening, tail) == OpenSpots(spots=((2, "ante"),))

    asyncio.run(play())


def test_an_order_for_cards_from_before_a_halt_is_void(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        await felt.close()
        order = Dispense(count=5)

        assert felt.runner._left_of(order, (HaltShoe(),)) is None
        assert felt.runner._left_of(order, (LockWagers(),)) == order

    asyncio.run(play())


def test_a_fault_overtakes_what_waits(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        felt.play_until(Phase.BETS_OPEN)
        now = felt.table.state.clock.now
        fault = ev.DeviceFaulted(at=now, device="shoe", fault="contradiction")
        handled: list[ev.Event] = []

        class Chained:
            """A performer that posts while an event is handled, as a driver may."""

            def perform(self, effect: object) -> None:
                if isinstance(effect, LockWagers) and not handled:
                    handled.append(fault)
                    felt.runner.post(ev.KeyPressed(at=now, key=ev.Key.OK))
                    felt.runner.post(fault)

        felt.runner.performers.append(Chained())
        felt.runner.post(ev.LinkLost(at=now, device="pads", reason="cable"))
        await felt.durable()
        await felt.close()
        with closing(store.open_for_reading(felt.rooms.journal)) as db:
            kinds = [e.body.split('"')[5] for e in store.entries(db) if e.kind == "event"][-3:]

        assert kinds == ["LinkLost", "DeviceFaulted", "KeyPressed"]

    asyncio.run(play())


def test_a_medium_that_takes_nothing_holds_the_table_and_loses_nothing(tmp_path: Path) -> None:
    """The journal may not grow any more: the table is held, says so, and what waited is written at last."""

    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        felt.play_until(Phase.BETS_OPEN)
        await felt.durable()
        locker = sqlite3.connect(felt.rooms.journal, isolation_level=None)
        locker.execute("BEGIN EXCLUSIVE")
        felt.writer._db.execute("PRAGMA busy_timeout=50")
        felt.runner.post(ev.WagerSensed(at=felt.table.state.clock.now, seat=1, wager="ante", cents=2500))
        end = time.monotonic() + PATIENCE_S
        while not kept.stuck_for and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        held = felt.table.rooms.faults.held
        shown = [each for each in kept.seen if isinstance(each, ShowPrompt)][-1]
        before = felt.writer.last
        locker.execute("ROLLBACK")
        locker.close()
        await felt.durable()
        await felt.close()

        assert held is not None
        assert held.device == "journal"
        assert shown.first == "JOURNAL NOT WRITTEN"
        assert kept.unstuck_times == 1
        with closing(store.open_for_reading(felt.rooms.journal)) as db:
            numbers = [each.number for each in store.entries(db)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= before
        assert felt.table.rooms.faults.held is not None
        assert felt.table.rooms.faults.held.retested

    asyncio.run(play())


def test_the_table_prepares_the_reveal_when_all_is_on_the_medium_and_not_before(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept, "pa641a")
        with closing(sqlite3.connect(felt.rooms.journal, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            felt.play_until(Phase.TURNING)
            await asyncio.sleep(0.1)
            while_stalled = felt.table.rooms.settlements._ahead
            other.execute("ROLLBACK")
        await felt.durable()
        found = felt.table.rooms.settlements._ahead
        felt.play_until(Phase.SETTLING)
        await felt.close()

        assert while_stalled is None
        assert found is not None
        assert felt.table.state.play.current.lines is found.lines

    asyncio.run(play())


def test_an_event_waits_for_one_piece_of_a_rest_and_not_for_all(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept, "pa641a")
        felt.play_until(Phase.TURNING)
        await felt.durable()
        pieces: list[int] = []

        def piece() -> bool:
            pieces.append(felt.runner.events)
            return True

        felt.table.prepare = piece  # type: ignore[method-assign]
        felt.runner._rest_later()
        asyncio.get_running_loop().call_soon(felt.play_until, Phase.SETTLING)
        before = felt.runner.events
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await felt.close()

        assert pieces[0] == before
        assert felt.runner.events > before
        assert pieces.count(before) == 1

    asyncio.run(play())


def test_nothing_is_prepared_once_the_runner_was_stopped(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept, "pa641a")
        felt.play_until(Phase.TURNING)
        felt.runner.stop()
        await felt.durable()
        await felt.close()

        assert felt.table.rooms.settlements._ahead is None

    asyncio.run(play())


def test_a_slip_while_the_table_prepares_is_a_stop_like_any_other(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        felt.play_until(Phase.BETS_OPEN)
        await felt.durable()
        slipped: list[tuple[BaseException, ev.Event | str]] = []
        felt.runner._slipped = lambda error, event: slipped.append((error, event))

        def breaks() -> bool:
            raise KeyError("a piece")

        felt.table.prepare = breaks  # type: ignore[method-assign]
        felt.runner.post(ev.WagerSensed(at=felt.table.state.clock.now, seat=1, wager="ante", cents=2500))
        await felt.durable()
        await felt.close()

        assert [(str(error), over) for error, over in slipped] == [("'a piece'", PREPARING)]
        assert felt.runner.has_slipped

    asyncio.run(play())


def test_after_a_slip_nothing_that_waits_is_handled_or_performed(tmp_path: Path) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        felt.play_until(Phase.BETS_OPEN)
        await felt.durable()
        now, events = felt.table.state.clock.now, felt.runner.events
        slipped: list[BaseException] = []
        felt.runner._slipped = lambda error, _event: slipped.append(error)

        class Broken:
            def perform(self, effect: object) -> None:
                if isinstance(effect, LockWagers):
                    felt.runner.post(ev.KeyPressed(at=now, key=ev.Key.OK))
                    raise KeyError(effect)

        felt.runner.performers.append(Broken())
        felt.runner.post(ev.LinkLost(at=now, device="pads", reason="cable"))
        assert (felt.runner.has_slipped, len(slipped), felt.runner.inbox) == (True, 1, 0)
        felt.runner.post(ev.KeyPressed(at=now, key=ev.Key.OK))
        assert felt.runner.events == events + 1
        felt.runner.stuck("no space")
        assert "JOURNAL NOT WRITTEN" not in [each.first for each in kept.seen if isinstance(each, ShowPrompt)]
        await felt.close()

    asyncio.run(play())


@pytest.mark.parametrize("is_new", [True, False])
def test_after_a_start_the_devices_are_told_all_that_holds_once_it_is_durable(
    tmp_path: Path, is_new: bool
) -> None:
    async def play() -> None:
        kept = Kept()
        felt = Felt(tmp_path, kept)
        if not is_new:
            felt.play_until(Phase.BETS_OPEN)
            await felt.durable()
        with closing(store.open_for_reading(felt.rooms.journal)) as db:
            last = store.entry(db, store.last_of(db)[0])
        kept.seen.clear()
        felt.runner.post(first_event(last, StillClock()))
        at_once = {type(each) for each in kept.seen}
        await felt.durable()
        told = {type(each) for each in kept.seen}
        await felt.close()

        assert at_once <= {LockWagers}
        assert ShowPrompt in told
        assert is_new or {LockWagers, OpenSpots} <= told

    asyncio.run(play())
