"""A table in service: what runs beside its devices, from the journal's state to the journal's last head.

It is put together only where everything was found in order, and comes to an end in two steps: nothing more is
ordered of devices that are about to leave, and when they have left the journal is closed.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from sabot.config.table_file import TableFile
from sabot.drivers.device import DeviceStatus
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal.checkpoints import head
from sabot.firmware.journal.entry import Stamp
from sabot.firmware.journal.lock import WriterLock
from sabot.firmware.journal.second_medium import SecondMedium
from sabot.firmware.journal.writer import EntryListener, Writer
from sabot.firmware.run.after_start import HeardAgain
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.driver_guard import GuardedDriver
from sabot.firmware.run.driver_host import Retests
from sabot.firmware.run.open_journal import (
    Opened,
    broken_off,
    doubted,
    first_event,
    open_journal,
    start_entry,
)
from sabot.firmware.run.port_watch import PortWatch
from sabot.firmware.run.prompter import Prompter
from sabot.firmware.run.pulse import Pulse
from sabot.firmware.run.runner import Runner
from sabot.firmware.run.slips import Slip, SlipRegister, lifted_entry, slip_entry, untold
from sabot.rules.chapter import OUR_POLICY
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.vocabulary.effects import LockWagers, RaiseFault, RequireRole
from sabot.statemachine.vocabulary.events import Event, Role

if TYPE_CHECKING:
    from sabot.firmware.run.floor_link import FloorLink

# The journal gives up by itself before its step of the stop is over (``STEP_S`` in program.py).
LAST_WORDS_S = 5.0


class ServingProgram(EntryListener, Protocol):
    """The program as a table in service knows it: what it shares, and where it hands things to."""

    clock: Clock
    rooms: Rooms
    slips: SlipRegister
    prompter: Prompter
    ports: PortWatch
    drivers: list[GuardedDriver]

    @property
    def devices(self) -> Sequence[DeviceStatus]:
        """Return the status of the devices."""

    def stamp(self) -> Stamp:
        """Return the time as the journal has it."""

    def post(self, event: Event) -> None:
        """Take an event for the table."""

    def spawn(
        self, work: Coroutine[Any, Any, Any], name: str, *expects: type[Exception]
    ) -> "asyncio.Task[Any]":
        """Begin a task of the program."""

    def slipped(self, error: BaseException, over: str, event: Event | None = None) -> None:
        """Stop for good over an exception that nobody expected."""

    def turn_broke(self, error: BaseException, over: Event | str) -> None:
        """Stop for good over what a turn of the runner raised."""

    def tell_status(self) -> None:
        """Tell the service manager how the program is, where that has changed."""


@dataclass
class InService:
    """The parts that run once a table is in service."""

    program: ServingProgram
    board: Board
    runner: Runner
    journal: Writer
    pulse: Pulse
    opened: Opened
    second: SecondMedium | None = None
    heard_again: HeardAgain | None = None
    floor: "FloorLink | None" = None

    # ------------------------------------------------------------ the beginning

    def begin(self, file: TableFile, digests: Mapping[str, str]) -> None:
        """Let events flow: the start on record, people and devices told what holds, the table resumed."""
        runner, program = self.runner, self.program
        runner.performers.append(program.prompter)
        is_one_machine = runner.table.law.setup.one_machine
        runner.performers.append(Retests(program.drivers, is_one_machine=is_one_machine))
        runner.subscribers.append(lambda _number, _handled: program.tell_status())
        runner.subscribers.append(program.ports.heed)
        self.journal.start()
        self.pulse.start()
        # Before the start entry: a slip belongs to the start that it ended.
        self._journal_slips()
        start = start_entry(runner.table, program.stamp(), file.name, self.opened.seeded, digests)
        runner.keep(lambda _number, _before: start)
        self._show_what_holds()
        self._post_first()
        holds = runner.table.state.trouble.holds
        self.heard_again = HeardAgain(holds, lambda: program.devices, program.post, program.clock)
        self.heard_again.look()
        # A signed head and a snapshot at once: the next start need not
        # go through the events of this one's recovery.
        last = runner.close_chapter()
        program.spawn(self._slips_are_told(last), "the list of slips")
        self._begin_copy(last)
        self.floor = self._floor_link(file)

    def _show_what_holds(self) -> None:
        """Show what the table waited for before it was put into service."""
        prompter, state = self.program.prompter, self.runner.table.state
        prompter.perform(LockWagers(cite=OUR_POLICY))
        # What stood at the last stop was said to the devices by another
        # process: they hear it anew, before any event.
        for held in state.trouble.holds:
            prompter.perform(RaiseFault(fault=held.kind, device=held.device, why=held.why, cite=held.cite))
        for role, why in state.crew.calls.items():
            prompter.perform(RequireRole(role=Role(role), why=why))

    def _post_first(self) -> None:
        """Tell the table that it was resumed, what was broken off, and what its journal leaves in doubt."""
        clock, last = self.program.clock, self.opened.last
        stopped = broken_off(self.runner.table, clock) if last else []
        first = first_event(last, clock, self.program.slips.unanswered)
        # ``Resumed`` first: every other event is stamped by a clock that it sets.
        for event in (first, *stopped, *doubted(self.opened, clock)):
            self.runner.post(event)

    def _begin_copy(self, last: int) -> None:
        """Keep a copy of the journal, where the table file names a place for it."""
        if self.second is not None:
            self.runner.onlookers.append(self.second.look)
            self.runner.subscribers.append(self.second.tell)
            self.second.begin(last)

    def _floor_link(self, file: TableFile) -> "FloorLink | None":
        """Return this table's end of the link, None where the table file names no floor."""
        if file.floor is None:
            return None
        from sabot.firmware.run.floor_link import FloorLink  # noqa: PLC0415 - 0.4 MB that others do not need

        program = self.program
        about = (file.name, file.floor, file.day, self.board, program.rooms, self.runner, program.clock)
        found = FloorLink(
            *about, partial(self._thread_broke, "the link to the floor"), lambda: program.devices
        )
        found.begin()
        return found

    def _thread_broke(self, name: str, error: BaseException) -> None:
        self.program.slipped(error, name)

    def _journal_slips(self) -> None:
        """Journal the slips, and their lifting, that it could not take when they happened."""
        slips = self.program.slips
        drafts = [slip_entry(slip) for slip in untold(slips, self.program.rooms.journal)]
        drafts += [lifted_entry(lift, self.program.stamp()) for lift in slips.lifts]
        for draft in drafts:
            self.runner.keep(lambda _number, _before, draft=draft: draft)  # type: ignore[misc]

    async def _slips_are_told(self, last: int) -> None:
        """Bring the file of slips up to date when journal and table have heard of them for good."""
        await self.runner.written(last)
        await asyncio.to_thread(self.program.slips.told)

    # ------------------------------------------------------------ the end

    def rest(self) -> None:
        """Order nothing more of devices that are about to leave."""
        self.runner.performers.clear()
        self.pulse.stop()
        if self.floor is not None:
            self.floor.stop()
        if self.heard_again is not None:
            self.heard_again.stop()

    async def close(self, slip: Slip | None) -> bool:
        """Write the last head and end the journal; return whether all of it is written."""
        self.runner.stop()
        last = None if slip else self.runner.close_chapter()
        if slip is not None:  # no snapshot of a table that may be half changed
            self.journal.last_word(partial(head, self.board, self.program.stamp()))
        close = partial(self.journal.close, LAST_WORDS_S)
        is_written = await asyncio.get_running_loop().run_in_executor(None, close)
        if slip is not None and self.journal.last_words:
            await asyncio.to_thread(self.program.slips.journalled)
        if self.second is not None and last is not None:
            await asyncio.to_thread(self.second.end, last)
        return is_written


def put_together(
    program: ServingProgram, file: TableFile, setup: Setup, board: Board, hold: WriterLock | None
) -> InService:
    """Rebuild the table from its journal, and what runs it; where anything fails, nothing of it is kept."""
    opened = open_journal(program.rooms, setup, board, file.law.sha256)
    journal = Writer(program.rooms.journal, asyncio.get_running_loop(), program, hold)
    runner = Runner(opened.table, journal, board, program.clock, program.turn_broke)
    pulse = Pulse(runner, journal, lambda: program.devices, program)
    second = None
    if file.storage.second is not None:
        about = (program.rooms, file.storage.second, board, file.name)
        second = SecondMedium(*about, runner.table, program.post, program.clock.now)
    return InService(program, board, runner, journal, pulse, opened, second)
