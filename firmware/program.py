"""The program of the device, from its start to its stop.

Theory of operation. What must hold before a table may open is examined first: the machine, the table file,
the board's keys, the journal. If anything fails the program does not end, for a program that ends is started
again for ever: it stays *out of service*, locks every spot, shows the code on the display, and answers the
console. If all holds, the table is what its journal says; it hears that it was resumed, the devices are told
what holds, and events flow. SIGTERM ends the event under way, leaves every device safe and closes the journal
with a signed head.

A slip, an exception that nobody expected, from wherever it comes, is a stop: everything locked and halted in
the same turn of the loop, said on the display and in the journal, and the end of the process. The next start
goes on from the journal as it was before, and is held.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import structlog

from sabot.config.loader import PRINTED, ChapterLaw
from sabot.config.salvage import Salvaged
from sabot.config.table_file import Device, Storage, TableFile
from sabot.drivers.device import DeviceStatus, DriverKind
from sabot.drivers.enrolment import fingerprint
from sabot.firmware.console.server import ConsoleServer
from sabot.firmware.credentials.board import FLOOR, SIMULATED, Board, Rooms
from sabot.firmware.credentials.board import load as load_board
from sabot.firmware.credentials.devices import EnrolledDevices
from sabot.firmware.credentials.people import People
from sabot.firmware.devices.open_table import SOCKET, is_table_open, runtime_directory
from sabot.firmware.examine import Check, Finding, examine
from sabot.firmware.in_service import InService, put_together
from sabot.firmware.integrity.check import checks as program_checks
from sabot.firmware.integrity.digest_process import digests
from sabot.firmware.integrity.drivers import load
from sabot.firmware.journal.entry import Stamp
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.lock import WriterLock
from sabot.firmware.journal.writer import Make
from sabot.firmware.run.after_start import standing
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.driver_guard import Guarded, GuardedDriver
from sabot.firmware.run.driver_host import ProgramHost
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.port_watch import PortPlace, PortWatch
from sabot.firmware.run.prompter import BOARD_KEY, Prompter
from sabot.firmware.run.runner import Runner
from sabot.firmware.run.safe_stop import SLIP, SafeStop
from sabot.firmware.run.selftest import checks, place_of_socket
from sabot.firmware.run.service_manager import Notifier, configure
from sabot.firmware.run.slips import CODE, Slip, SlipRegister, event_words
from sabot.firmware.run.supervisor import Supervisor
from sabot.firmware.run.table_notes import facts_of
from sabot.firmware.run.table_setup import setup_of
from sabot.firmware.run.table_unlock import TableUnlock
from sabot.rules.chapter import OUR_POLICY
from sabot.rules.errors import SabotError
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.vocabulary.effects import (
    OUT_OF_SERVICE,
    HaltShoe,
    LockWagers,
    ShowPrompt,
)
from sabot.statemachine.vocabulary.events import Event

Kept = TypeVar("Kept")
KEY_SWITCH, CONSOLE = "key_switch", "console"
# In which order devices are told; serial lines come last.
BUSES = {"gpio": 0, "usb": 1}
STEP_S = 8.0
# Those of sysexits.h: a failure that passes, a mistake in the software.
AGAIN, SLIPPED = 75, 70


@dataclass
class Program:
    """One table's program."""

    file: TableFile | Salvaged
    clock: Clock = field(default_factory=Clock)
    notifier: Notifier = field(default_factory=Notifier)
    findings: list[Finding] = field(default_factory=list)
    drivers: list[GuardedDriver] = field(default_factory=list)
    parts: InService | None = None
    board: Board | None = None
    started: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.file.storage.state)
        self.log = structlog.get_logger().bind(table=self.file.name)
        self.supervisor = Supervisor(self)
        self._unread: list[Finding] = []
        self.keyring = self._read("devices", EnrolledDevices, self.rooms.devices)
        self.people = self._read("people", lambda path: People(path, self.clock.now), self.rooms.people)
        self.slips = SlipRegister.read(self.rooms.slips)
        self.safe_stop = SafeStop(self, self.slips)
        self.host = ProgramHost(self.clock, self.take, self.keyring, self)
        self.ports = PortWatch(self, self.keyring, self.host.ears)
        self.prompter = Prompter(self.drivers, is_simulated=self.is_simulated)
        self.desk = TableUnlock(
            self.people, self.post, self.prompter, self.clock.now, self.spawn, self._wants_dealer
        )
        self.console = ConsoleServer(self.socket, self)
        self._lines: dict[str, bool] = {}
        self._leaving: set[str] = set()
        self._end = asyncio.Event()
        self._code = 0
        self._told_status = ""
        self._hold: WriterLock | None = None

    def _read(self, name: str, make: Callable[[Path], Kept], path: Path) -> Kept:
        """Read a file that the board keeps; where that fails the table stays closed, and nobody is known."""
        try:
            return make(path)
        except SabotError as fault:
            self._unread.append(Finding(name, fault))
            return make(path.with_name(f"no-{path.name}"))

    # ------------------------------------------------------------ what the console asks

    @property
    def socket(self) -> Path:
        """Return where consoles connect: at a table on the floor the service's runtime directory."""
        return (self.rooms.root if self.is_simulated else runtime_directory()) / SOCKET

    @property
    def name(self) -> str:
        """The table's name."""
        return self.file.name

    @property
    def is_simulated(self) -> bool:
        """Return whether the table is not for play."""
        return self.file.is_simulated

    @property
    def storage(self) -> Storage:
        """Return the table file's settings of the journal's media."""
        return self.file.storage

    @property
    def law(self) -> ChapterLaw:
        """The chapters in force."""
        return PRINTED if isinstance(self.file, Salvaged) else self.file.law

    @property
    def runner(self) -> Runner | None:
        """The runner, with the table; None out of service."""
        return self.parts.runner if self.parts else None

    @property
    def troubles(self) -> Sequence[str]:
        """Return the findings of the self-test, a line each."""
        return [str(finding.fault) for finding in self.findings if finding.fault is not None]

    def is_line_active(self, name: str) -> bool:
        """Return whether a line is active that is no event of the table."""
        return self._lines.get(name, False)

    def figures(self) -> Mapping[str, object]:
        """Return the figures of the statistics line, as they are now."""
        return self.parts.pulse.figures() if self.parts else {}

    def configuration(self) -> Sequence[tuple[str, str]]:
        """Return the settings of the table file and the submission, each with its label."""
        if isinstance(self.file, Salvaged):
            return (("table", self.file.name), ("wrong", str(self.file.wrong)))
        return facts_of(self.file, setup_of(self.file))

    def verify(self, challenge: bytes) -> Iterator[str]:
        """Yield the digests of everything that runs, made by a process beside this one."""
        yield from digests(challenge)

    def set_log_level(self, level: str) -> None:
        """Set how much the log says from now on."""
        configure(level)

    @property
    def fault(self) -> SabotError | None:
        """Return the fault that keeps the table out of service."""
        return next((each.fault for each in self.findings if each.fault and each.keeps_closed), None)

    @property
    def devices(self) -> Sequence[DeviceStatus]:
        """Return the status of the devices."""
        return [driver.status() for driver in self.drivers]

    # ------------------------------------------------------------ from start to stop

    async def run(self) -> int:
        """Start, work and stop; return the exit code. Raise E-RUN-008 where another program is at work."""
        # Before anything: a second program would take ports and lines away from the first.
        self._verify_alone()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end.set)
        # Before the start: what breaks in it is a slip like any other.
        self.supervisor.watch(loop)
        try:
            await self.start()
            await self._end.wait()
        except BaseException as error:  # a start that breaks is a slip like any other
            self.slipped(error, "the program itself")
        return await self.stop()

    def _verify_alone(self) -> None:
        """Hold the journal's lock before any device is touched; out of service it is held all the same.

        The name of a socket proves nothing: it is gone where somebody removed it, and another where a
        program was started by hand. Where no lock can be made the state directory is not in order, which the
        start says.
        """
        if is_table_open(self.socket.parent):
            raise RunError("E-RUN-008", str(self.socket))
        try:
            self._hold = WriterLock(self.rooms.journal)
        except JournalError as error:
            if error.kind.code == "E-JRNL-010":
                raise RunError("E-RUN-008", str(self.rooms.journal)) from error

    async def start(self) -> None:
        """Examine everything, and go into service where it holds."""
        drivers = [device.driver for device in self.file.devices]
        rows = (
            *program_checks(drivers, self.law, is_simulated=self.is_simulated),
            *checks(self.rooms.root, self.file.storage.second),
            Check("slips", lambda: self.slips.verify(self.file.slips, self.stamp())),
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
        # Out of service too: the spots are locked and the code is seen.
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
        # After READY: it takes as long as three starts of an interpreter.
        self.started()

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
        """Return the state of the program in one line."""
        if self.fault is not None:
            return f"out of service: {self.fault.kind.code} {self.fault.what}"
        assert self.parts is not None  # in service, then
        table = self.parts.runner.table
        held = table.rooms.faults.held
        return f"held: {held.why}" if held else table.state.play.phase.value.replace("_", " ")

    def _open(self) -> None:
        """Put together what runs in service, where everything that was examined holds."""
        if isinstance(self.file, Salvaged):
            raise self.file.wrong
        setup = setup_of(self.file)
        self.board = load_board(self.rooms, SIMULATED if self.file.is_simulated else FLOOR)
        if self.file.floor is not None:
            place_of_socket(self.file.floor.socket, "E-RUN-014")
        # The journal of a board that is not well is not touched.
        if self.fault is None:
            self.parts = put_together(self, self.file, setup, self.board, self._hold)

    async def _start_drivers(self) -> None:
        # Lines and pads first: what locks is told before what only shows.
        makers = [(load(device.driver), device) for device in self.file.devices]
        for kind, device in sorted(makers, key=lambda each: BUSES.get(each[0].bus, len(BUSES))):
            self.drivers.append(self._guarded(kind, device))
        for driver in self.drivers:
            await driver.start()
        self.ports.start(self._places(makers))

    def _places(self, makers: Sequence[tuple[DriverKind, Device]]) -> list[PortPlace]:
        """Return the serial ports of the table, in the order of its file."""
        at_work = {driver.name: driver for driver in self.drivers}
        return [
            PortPlace(at_work[device.name], kind, device.options)
            for kind, device in makers
            if kind.bus == "serial"
        ]

    def _guarded(self, kind: DriverKind, device: Device) -> GuardedDriver:
        make = partial(kind.make, device.name, device.options, self.host)
        holds_lock = kind.speaks_of(device.name, device.options).holds_lock
        return GuardedDriver(Guarded(device.name, make, holds_lock), self)

    def tell_again(self, driver: GuardedDriver) -> None:
        """Tell a driver that was made anew everything that holds."""
        if self.safe_stop.slip is None and self.parts is not None:
            for effect in standing(self.parts.runner.table):
                driver.perform(effect)

    def _go_into_service(self, parts: InService) -> None:
        assert isinstance(self.file, TableFile)  # else there were no parts
        parts.begin(self.file, self.file.digests)
        self._show_board_key()
        runner = parts.runner
        self.log.info("in service", replayed=parts.opened.replayed, phase=runner.table.state.play.phase.value)

    def _show_board_key(self) -> None:
        """Show which board it is while nobody is enrolled, until somebody turns the key for it."""
        if self.board is not None and not (self.is_simulated or self.people.everybody()):
            self.prompter.show(BOARD_KEY, fingerprint(self.board.public_key))

    def _stay_out_of_service(self) -> None:
        fault = self.fault
        assert fault is not None  # else there were parts
        self.prompter.perform(LockWagers(cite=OUR_POLICY))
        self.prompter.perform(HaltShoe(cite=OUR_POLICY))
        code = fault.kind.code[:WIDTH]
        self.prompter.perform(ShowPrompt(first=OUT_OF_SERVICE, second=code, cite=OUR_POLICY))
        self.log.error("out of service", code=code, why=str(fault))

    async def stop(self) -> int:
        """Leave the devices safe and close the journal; return 0 where everything is on the medium.

        The devices before the journal: what one of them still reported would come after its last head. A step
        that breaks costs no other step its turn.
        """
        self.notifier.stop()
        self.desk.stop()
        self.prompter.stop()
        if self.parts is not None:
            self.parts.rest()
        await self._step("the console", self.console.stop)
        await self._step("the watch over the ports", self.ports.stop)
        for driver in self.drivers:
            # What it reports from now on is what its own leaving does: a shoe says that it was locked.
            self._leaving.add(driver.name)
            await self._step(driver.name, driver.stop)
        is_written = await self._step("the journal", self._close)
        self.supervisor.unwatch()
        self.log.info("stopped", all_durable=is_written)
        return self._code if is_written or self._code else 1

    async def _step(self, name: str, leave: Callable[[], Awaitable[bool | None]]) -> bool:
        """Take one step of the end; return whether it went as it should."""
        try:
            async with asyncio.timeout(STEP_S):
                return await leave() is not False
        except BaseException as error:  # the other steps are still to come
            self.slipped(error, f"the end of {name}")
            return False

    async def _close(self) -> bool:
        return self.parts is None or await self.parts.close(self.safe_stop.slip)

    # ------------------------------------------------------------ what breaks

    def spawn(
        self, work: Coroutine[Any, Any, Any], name: str, *expects: type[Exception]
    ) -> asyncio.Task[Any]:
        """Begin a task of the program; what it raises and nobody expects is a slip."""
        return self.supervisor.spawn(work, name, *expects)

    def now(self) -> float:
        """Return monotonic seconds."""
        return self.clock.now()

    def stamp(self) -> Stamp:
        """Return the time as the journal has it."""
        return self.clock.stamp(self.clock.now())

    def turn_broke(self, error: BaseException, over: Event | str) -> None:
        """Stop for good over what a turn of the runner raised."""
        if isinstance(over, str):
            self.slipped(error, over)
        else:
            self.slipped(error, event_words(over), over)

    def device_broke(self, device: str, error: BaseException) -> None:
        """Lose the device whose driver raised in the loop; an unknown one is a slip."""
        for driver in self.drivers:
            if driver.name == device:
                driver.broke(error)
                return
        self.slipped(error, f"the device {device}")

    def slipped(self, error: BaseException, over: str, event: Event | None = None) -> None:
        """Stop for good over an exception that nobody expected."""
        self.safe_stop.begin(error, over, event)

    @property
    def devices_at_work(self) -> Sequence[GuardedDriver]:
        """The devices, in the order in which they are told."""
        return self.drivers

    def halt(self) -> None:
        """Handle and perform nothing more."""
        if self.parts is not None:
            self.parts.runner.halt()

    def last_word(self, make: Make) -> None:
        """Put an entry into the journal, as far as it takes any."""
        if self.parts is not None:
            self.parts.journal.last_word(make)

    def over(self, slip: Slip) -> None:
        """End the process, and say why wherever somebody may still ask."""
        self._code = SLIPPED
        self._end.set()
        fault = RunError(CODE, self.file.name, error=slip.error, at=slip.place, over=slip.over)
        self.findings.append(Finding(SLIP, fault))
        self.notifier.tell(STATUS=self.status)

    def lift_slips(self, by: str, why: str) -> None:
        """Lift the slips that a technician has looked into, and start anew, into service."""
        self.slips.lift(by, why, self.stamp())
        self.must_restart("slips lifted")

    # ------------------------------------------------------------ what comes in

    def take(self, event: Event) -> None:
        """Take an event of a driver: digits of a PIN go to their entry, everything else to the table."""
        parts = self.parts
        if event.source not in self._leaving and not self.desk.take(event) and parts is not None:
            parts.runner.post(event)

    def _wants_dealer(self) -> bool:
        """Return whether the table asks for a dealer, who may sign on without the floor's key."""
        return self.runner is not None and self.runner.table.rooms.opening.wants_dealer()

    def post(self, event: Event) -> None:
        """Hand an event to the table; out of service nothing is taken."""
        if self.parts is not None:
            self.parts.runner.post(event)

    def line_changed(self, name: str, *, is_active: bool) -> None:
        """Note a line that is no event of the table; the key switch begins or ends the entry of a PIN."""
        self._lines[name] = is_active
        self.log.info("line changed", line=name, active=is_active)
        if name == KEY_SWITCH:
            self.desk.key_switch(is_turned=is_active)

    def must_restart(self, why: str) -> None:
        """End, to be started again: only a new process can have its lines back."""
        self.log.error("must restart", why=why)
        self._code = AGAIN
        self._end.set()

    # ------------------------------------------------------------ what the journal says

    def durable(self, number: int) -> None:
        """Tell the runner that the entries up to this number are on the medium."""
        if self.parts is not None:
            self.parts.runner.durable(number)

    def broke(self, error: BaseException) -> None:
        """Stop for good: the journal's own thread broke."""
        self.slipped(error, "the journal's thread")

    def stuck(self, reason: str) -> None:
        """Tell the runner and the service manager that entries are not written."""
        self.log.error("journal not written", why=reason)
        # So that the status is told anew when the medium takes entries again.
        self._told_status = ""
        if self.parts is not None:
            self.parts.runner.stuck(reason)
        self.notifier.tell(STATUS=f"journal not written: {reason}")

    def unstuck(self) -> None:
        """Tell the runner and the service manager that entries are written again."""
        self.log.info("journal written again")
        if self.parts is not None:
            self.parts.runner.unstuck()
        self.tell_status()

    def tell_status(self) -> None:
        """Tell the service manager how the program is, where that has changed."""
        if self.runner is not None and self.runner.is_ahead:
            return  # what is not on the medium yet is nobody's to know
        status = self.status
        if status != self._told_status and self.notifier.tell(STATUS=status):
            self._told_status = status
