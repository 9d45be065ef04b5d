"""The program of the device, from its start to its stop.

Theory of operation. What must hold before a table may open is examined first: the machine, the table file,
the board's keys, the journal. If anything fails the program does not end, for a program that ends is started
again for ever: it stays *out of service*, locks every spot, shows the code on the display, and answers the
console. If all holds, the table is what its journal says; it hears that it was resumed, the devices are told
what holds, and events flow. SIGTERM ends the event under way, leaves every device safe and closes the journal
with a signed head.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import structlog

from sabot.config.salvage import Salvaged
from sabot.config.table_file import Storage, TableFile
from sabot.drivers.device import Driver, Status
from sabot.firmware.console.server import ConsoleServer
from sabot.firmware.devices.open_table import SOCKET, is_table_open, runtime_directory
from sabot.firmware.integrity.check import checks as program_checks
from sabot.firmware.integrity.digest import digest, lines
from sabot.firmware.integrity.drivers import load
from sabot.firmware.integrity.installation import here
from sabot.firmware.journal.second_medium import SecondMedium
from sabot.firmware.journal.writer import Writer
from sabot.firmware.keep.board import FLOOR, SIMULATED, Board, Rooms
from sabot.firmware.keep.board import load as load_board
from sabot.firmware.keep.devices import EnrolledDevices
from sabot.firmware.keep.people import People
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.facts import facts_of
from sabot.firmware.run.heard_again import HeardAgain
from sabot.firmware.run.host import ProgramHost
from sabot.firmware.run.keydesk import KeyDesk
from sabot.firmware.run.log import configure
from sabot.firmware.run.notify import Notifier
from sabot.firmware.run.open_journal import Opened, broken_off, first_event, open_journal, start_entry
from sabot.firmware.run.prompter import Prompter
from sabot.firmware.run.pulse import Pulse
from sabot.firmware.run.runner import Runner
from sabot.firmware.run.selftest import Check, Finding, checks, examine, place_of_socket
from sabot.firmware.run.table_setup import setup_of
from sabot.rules.errors import SabotError
from sabot.statemachine.effects import HaltShoe, LockWagers, RaiseFault, ShowPrompt
from sabot.statemachine.events import Event

Kept = TypeVar("Kept")
LONGEST_LINE = 20
KEY_SWITCH, CONSOLE = "key_switch", "console"
LAST_WORDS_S = 5.0
AGAIN = 75


@dataclass
class Parts:
    """What runs once a table is in service."""

    runner: Runner
    journal: Writer
    pulse: Pulse
    table: Opened
    second: SecondMedium | None = None
    heard_again: HeardAgain | None = None


@dataclass
class Program:
    """One table's program."""

    file: TableFile | Salvaged
    clock: Clock = field(default_factory=Clock)
    notifier: Notifier = field(default_factory=Notifier)
    findings: list[Finding] = field(default_factory=list)
    drivers: list[Driver] = field(default_factory=list)
    parts: Parts | None = None
    board: Board | None = None

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.file.storage.state)
        self.log = structlog.get_logger().bind(table=self.file.name)
        self._unread: list[Finding] = []
        self.keyring = self._read("devices", EnrolledDevices, self.rooms.devices)
        self.people = self._read("people", lambda path: People(path, self.clock.now), self.rooms.people)
        self.host = ProgramHost(self.clock, self.take, self.keyring, self)
        self.prompter = Prompter(self.drivers, is_simulated=self.is_simulated)
        self.desk = KeyDesk(self.people, self.post, self.prompter, self.clock.now)
        self.console = ConsoleServer(self.socket, self)
        self._lines: dict[str, bool] = {}
        self._leaving: set[str] = set()
        self._end = asyncio.Event()
        self._code = 0
        self._told_status = ""

    def _read(self, name: str, make: Callable[[Path], Kept], path: Path) -> Kept:
        """Something the board keeps; where it cannot be read the table stays closed, and nobody is known."""
        try:
            return make(path)
        except SabotError as fault:
            self._unread.append(Finding(name, fault))
            return make(path.with_name(f"no-{path.name}"))

    # ------------------------------------------------------------ what the console asks

    @property
    def socket(self) -> Path:
        """Where consoles connect: at a table on the floor the service's runtime directory."""
        return (self.rooms.root if self.is_simulated else runtime_directory()) / SOCKET

    @property
    def name(self) -> str:
        """The table's name."""
        return self.file.name

    @property
    def is_simulated(self) -> bool:
        """Whether the table is not for play."""
        return self.file.is_simulated

    @property
    def storage(self) -> Storage:
        """What the table file says of the journal's media."""
        return self.file.storage

    @property
    def runner(self) -> Runner | None:
        """The runner, with the table; None out of service."""
        return self.parts.runner if self.parts else None

    @property
    def troubles(self) -> Sequence[str]:
        """What the self-test found, a line each."""
        return [str(finding.fault) for finding in self.findings if finding.fault is not None]

    def is_line_active(self, name: str) -> bool:
        """Whether a line is active that is no event of the table."""
        return self._lines.get(name, False)

    def figures(self) -> Mapping[str, object]:
        """The figures of the statistics line, as they are now."""
        return self.parts.pulse.figures() if self.parts else {}

    def configuration(self) -> Sequence[tuple[str, str]]:
        """What the table file and the submission say."""
        if isinstance(self.file, Salvaged):
            return (("table", self.file.name), ("wrong", str(self.file.wrong)))
        return facts_of(self.file, setup_of(self.file))

    def verify(self, challenge: bytes) -> Iterator[str]:
        """The digests of everything that runs."""
        where = here()
        yield from lines(digest(where, challenge), where)

    def set_log_level(self, level: str) -> None:
        """How much the log says from now on."""
        configure(level)

    @property
    def fault(self) -> SabotError | None:
        """What keeps the table out of service."""
        return next((each.fault for each in self.findings if each.fault and each.keeps_closed), None)

    @property
    def devices(self) -> Sequence[Status]:
        """How the devices are."""
        return [driver.status() for driver in self.drivers]

    # ------------------------------------------------------------ from start to stop

    async def run(self) -> int:
        """Start, work, stop; the exit code. Beside another program nothing is begun."""
        if is_table_open(self.socket.parent):
            raise RunError("E-RUN-008", str(self.socket))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end.set)
        await self.start()
        await self._end.wait()
        return await self.stop()

    async def start(self) -> None:
        """Examine everything, and go into service where it holds."""
        drivers = [device.driver for device in self.file.devices]
        rows = (
            *program_checks(drivers, is_simulated=self.is_simulated),
            *checks(self.rooms.root),
            Check(CONSOLE, lambda: place_of_socket(self.socket)),
        )
        self.findings = [*self._unread, *examine(rows)]
        try:
            self._open()
        except SabotError as fault:
            self.findings.append(Finding("table", fault))
        for finding in self.findings:
            if finding.fault is not None:
                self.log.warning("check failed", check=finding.name, why=str(finding.fault))
        await self._start_drivers()
        if not any(finding.name == CONSOLE and finding.fault for finding in self.findings):
            await self._start_console()
        if self.parts is None:
            self._stay_out_of_service()
        else:
            self._go_into_service(self.parts)
        self._told_status = self.status
        self.notifier.tell(READY="1", STATUS=self._told_status)
        self.notifier.feed()

    async def _start_console(self) -> None:
        """Listen for consoles; a program that ended for want of a socket would be started again for ever."""
        try:
            await self.console.start()
        except OSError as error:
            fault = RunError("E-RUN-007", str(self.socket), why=error.strerror or error)
            self.findings.append(Finding(CONSOLE, fault, keeps_closed=False))
            self.log.warning("check failed", check=CONSOLE, why=str(fault))

    @property
    def status(self) -> str:
        """How the program is, in one line."""
        if self.fault is not None:
            return f"out of service: {self.fault.kind.code} {self.fault.what}"
        assert self.parts is not None  # in service, then
        table = self.parts.runner.table
        held = table.held
        return f"held: {held.why}" if held else table.state.phase.value.replace("_", " ")

    def _open(self) -> None:
        """The table out of its journal, and what runs it; nothing is kept where anything fails."""
        if isinstance(self.file, Salvaged):
            raise self.file.wrong
        setup = setup_of(self.file)
        self.board = load_board(self.rooms, SIMULATED if self.file.is_simulated else FLOOR)
        if self.fault is not None:
            return
        opened = open_journal(self.rooms, setup, self.board)
        journal = Writer(self.rooms.journal, asyncio.get_running_loop(), self)
        runner = Runner(opened.table, journal, self.board, self.clock)
        pulse = Pulse(runner, journal, lambda: self.devices, self)
        self.parts = Parts(runner, journal, pulse, opened, self._second_medium(runner))

    def _second_medium(self, runner: Runner) -> SecondMedium | None:
        """What keeps the copy, where the table file names a place for it."""
        folder, board = self.file.storage.second, self.board
        if folder is None or board is None:
            return None
        name, now = self.file.name, self.clock.now
        return SecondMedium(self.rooms, folder, board, name, runner.table, self.post, now)

    async def _start_drivers(self) -> None:
        for device in self.file.devices:
            kind = load(device.driver)
            self.drivers.append(kind.make(device.name, device.options, self.host))
        for driver in self.drivers:
            await driver.start()

    def _go_into_service(self, parts: Parts) -> None:
        runner = parts.runner
        runner.performers.append(self.prompter)
        runner.subscribers.append(lambda _number, _handled: self._tell_status())
        parts.journal.start()
        parts.pulse.start()
        stamp = self.clock.stamp(self.clock.now())
        start = start_entry(runner.table, stamp, self.file.name, parts.table.seeded)
        runner.keep(lambda _number, _before: start)
        self.prompter.perform(LockWagers(cite="our policy"))
        for held in runner.table.state.holds:
            self.prompter.perform(
                RaiseFault(fault=held.kind, device=held.device, why=held.why, cite=held.cite)
            )
        stopped = broken_off(runner.table, self.clock) if parts.table.last else []
        for event in (first_event(parts.table.last, self.clock), *stopped):
            runner.post(event)
        holds = runner.table.state.holds
        parts.heard_again = HeardAgain(holds, lambda: self.devices, self.post, self.clock)
        parts.heard_again.look()
        head = runner.close_chapter()
        if parts.second is not None:
            runner.subscribers.append(parts.second.tell)
            parts.second.begin(head)
        self.log.info("in service", replayed=parts.table.replayed, phase=runner.table.state.phase.value)

    def _stay_out_of_service(self) -> None:
        fault = self.fault
        assert fault is not None  # else there were parts
        self.prompter.perform(LockWagers(cite="our policy"))
        self.prompter.perform(HaltShoe(cite="our policy"))
        code = fault.kind.code[:LONGEST_LINE]
        self.prompter.perform(ShowPrompt(first="OUT OF SERVICE", second=code, cite="our policy"))
        self.log.error("out of service", code=code, why=str(fault))

    async def stop(self) -> int:
        """Leave the devices safe and close the journal; 0 where everything is on the medium.

        The devices first: what one of them still reported would come after the journal's last head.
        """
        self.notifier.stop()
        self.desk.stop()
        await self.console.stop()
        if self.parts is not None:
            self._stop_parts(self.parts)
        for driver in self.drivers:
            # What it reports from now on is what its own leaving does: a shoe says that it was locked.
            self._leaving.add(driver.name)
            await driver.stop()
        is_written = self.parts is None or await self._close(self.parts)
        self.log.info("stopped", all_durable=is_written)
        return self._code if is_written else 1

    def _stop_parts(self, parts: Parts) -> None:
        """Nothing is ordered any more of devices that are about to leave."""
        parts.runner.performers.clear()
        parts.pulse.stop()
        if parts.heard_again is not None:
            parts.heard_again.stop()

    async def _close(self, parts: Parts) -> bool:
        """The last head, and the end of the journal; whether all of it is written."""
        parts.runner.stop()
        head = parts.runner.close_chapter()
        close = partial(parts.journal.close, LAST_WORDS_S)
        is_written = await asyncio.get_running_loop().run_in_executor(None, close)
        if parts.second is not None:
            await asyncio.to_thread(parts.second.end, head)
        return is_written

    # ------------------------------------------------------------ what comes in

    def take(self, event: Event) -> None:
        """An event of a driver: digits of a PIN are the desk's, everything else is the table's."""
        if event.source not in self._leaving and not self.desk.take(event):
            self.post(event)

    def post(self, event: Event) -> None:
        """An event for the table; out of service nothing is taken."""
        if self.parts is not None:
            self.parts.runner.post(event)

    def line_changed(self, name: str, *, is_active: bool) -> None:
        """A line that is no event of the table."""
        self._lines[name] = is_active
        self.log.info("line changed", line=name, active=is_active)
        if name == KEY_SWITCH:
            self.desk.key_switch(is_turned=is_active)

    def must_restart(self, why: str) -> None:
        """Only a new process can have its lines back: end, and be started again."""
        self.log.error("must restart", why=why)
        self._code = AGAIN
        self._end.set()

    # ------------------------------------------------------------ what the journal says

    def durable(self, number: int) -> None:
        """Entries are on the medium."""
        if self.parts is not None:
            self.parts.runner.durable(number)

    def stuck(self, reason: str) -> None:
        """Entries are not written."""
        self.log.error("journal not written", why=reason)
        self._told_status = ""
        if self.parts is not None:
            self.parts.runner.stuck(reason)
        self.notifier.tell(STATUS=f"journal not written: {reason}")

    def unstuck(self) -> None:
        """Entries are written again."""
        self.log.info("journal written again")
        if self.parts is not None:
            self.parts.runner.unstuck()
        self._tell_status()

    def _tell_status(self) -> None:
        """The service manager hears how the program is, whenever that is another thing than before."""
        status = self.status
        if status != self._told_status and self.notifier.tell(STATUS=status):
            self._told_status = status
