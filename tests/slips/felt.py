"""A program around a table in any state: real runner, journal, supervisor, guards and lines, in one process.

The table file is one that could not be read, for the program must not set up a table of its own; everything
else is the program's. The lines are the real driver on the simulated chip; pads, shoe and display only keep
what they were told.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING

import structlog

from sabot.config.errors import ConfigError
from sabot.config.salvage import Salvaged
from sabot.config.table_file import Device, Storage
from sabot.drivers.device import DeviceStatus
from sabot.drivers.lines.plan import DOOR, INPUTS, LOCK_OPEN, OUTPUTS
from sabot.drivers.options import defaults
from sabot.drivers.registry import load
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.in_service import InService
from sabot.firmware.journal import store
from sabot.firmware.journal.content import compact
from sabot.firmware.journal.entry import GENESIS
from sabot.firmware.journal.recover import snapshot_place
from sabot.firmware.journal.writer import Writer
from sabot.firmware.program import AGAIN, Program
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.driver_guard import Guarded, GuardedDriver
from sabot.firmware.run.open_journal import Opened, start_entry
from sabot.firmware.run.pulse import Pulse
from sabot.firmware.run.runner import Runner
from sabot.hil.simulators import gpio
from sabot.statemachine.vocabulary.effects import ShowPrompt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect

DEVICES = ("pads", "shoe", "display")
PATIENCE_S = 20.0


class StillClock(Clock):
    """A clock that stands, so that no alarm of the machine's own time rings."""

    def now(self) -> float:
        return 0.0


class Keeping:
    """A device that keeps what it was told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: list[Effect] = []

    def perform(self, effect: Effect) -> None:
        self.told.append(effect)

    def retest(self, fault: str) -> None: ...

    def status(self) -> DeviceStatus:
        return DeviceStatus(self.name, "keeping", "", is_up=True)

    async def test(self, _say: Callable[[str], None]) -> bool:
        return True

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def prepare(root: Path, table: Table) -> None:
    """Lay out a board whose journal stands at a table's state, with nothing before it."""
    rooms = Rooms(root)
    board = boards.prepare(rooms, boards.SIMULATED)
    store.create(rooms.journal)
    with closing(store.open_for_writing(rooms.journal)) as db:
        sealed = board.seal.close(compact(table.snapshot()), snapshot_place(0))
        store.keep_snapshot(db, 0, GENESIS, sealed)


class Felt:
    """A program at work at a table."""

    def __init__(self, root: Path, table: Table) -> None:
        structlog.configure(processors=[], logger_factory=structlog.ReturnLoggerFactory())
        loop = asyncio.get_running_loop()
        kind = load("lines")
        options = {**defaults(kind.schema), "module": "sabot.hil.simulators.gpio", "pull": "off"}
        # Contacts are open but for the shut door; what nobody drives is low, as the board's pull-downs have it.
        for name in (*INPUTS, *OUTPUTS):
            gpio.BOARD_CHIP.drive(int(options[name]), int(name in INPUTS and name != DOOR))
        lines = Device("lines", "lines", options)
        wrong = ConfigError("E-CONF-001", "slips", why="the table comes from elsewhere")
        self.table, self._lock_pin = table, int(options[LOCK_OPEN])
        program = self.program = Program(
            Salvaged("slips", wrong, "SLIPS", True, (lines,), Storage(root, None, 400)), StillClock()
        )
        program.board = boards.load(program.rooms, boards.SIMULATED)
        self.writer = Writer(program.rooms.journal, loop, program)
        self.runner = Runner(table, self.writer, program.board, program.clock, program.turn_broke)
        pulse = Pulse(self.runner, self.writer, lambda: (), program)
        opened = Opened(table, None, 0, {})
        program.parts = InService(program, program.board, self.runner, self.writer, pulse, opened)
        program.supervisor.watch(loop)
        self.kept = {name: Keeping(name) for name in DEVICES}
        program.drivers.append(program._guarded(kind, lines))
        program.drivers += [
            GuardedDriver(Guarded(name, lambda name=name: self.kept[name]), program)  # type: ignore[misc]
            for name in DEVICES
        ]
        self.runner.performers.append(program.prompter)

    async def begin(self) -> None:
        """Start the devices, and tell them what holds."""
        self.writer.start()
        stamp = self.program.clock.stamp(0.0)
        start = start_entry(self.table, stamp, "SLIPS")
        self.runner.keep(lambda _number, _before: start)
        for driver in self.program.drivers:
            await driver.start()
            self.program.tell_again(driver)
        await self.durable()

    async def durable(self) -> None:
        """Wait until the loop has heard that all is on the medium, or the program has stopped."""
        heard = self.runner.written(self.writer.last)
        async with asyncio.timeout(PATIENCE_S):
            while not (heard.done() or self.has_stopped):  # noqa: ASYNC110
                await asyncio.sleep(0.0005)
        await asyncio.sleep(0)

    @property
    def has_stopped(self) -> bool:
        """Return whether the program slipped, or let go of its lines and asks for a new process."""
        return self.program.safe_stop.slip is not None or self.program._code == AGAIN

    @property
    def is_locked(self) -> bool:
        """Return whether the lock output is at its safe level, at the pin."""
        return gpio.BOARD_CHIP.level(self._lock_pin) == 0

    @property
    def shown(self) -> str:
        """Return the first line of the display."""
        prompts = [each for each in self.kept["display"].told if isinstance(each, ShowPrompt)]
        return prompts[-1].first if prompts else ""

    async def end(self) -> int:
        """Stop the program as it stops itself; its exit code."""
        return await self.program.stop()
