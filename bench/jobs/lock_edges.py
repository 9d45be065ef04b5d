"""From the edge of the LOCK key to the lock on the devices, through the program's own parts.

The rounds are recorded ones; only the LOCK key is not posted but pressed on the simulated chip, so that its
edge takes the way of every edge: the library's thread, the loop, the driver, the program, the table, the
guarded drivers, the lock output. With ``calls`` the calls on that way are counted and nothing is timed; with
``warm`` events follow one another without a rest, and the way ends at the door of the GPIO library.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from types import FrameType
from typing import NamedTuple

import structlog
from journalling import Desk
from playing import FullShift, full_shift

from sabot.config.errors import ConfigError
from sabot.config.salvage import Salvaged
from sabot.config.table_file import Device, Storage
from sabot.drivers.device import DeviceStatus
from sabot.drivers.lines.plan import DOOR, INPUTS, LOCK, LOCK_OPEN, OUTPUTS
from sabot.drivers.options import Value, defaults
from sabot.drivers.registry import load
from sabot.firmware.in_service import InService
from sabot.firmware.program import Program
from sabot.firmware.run.driver_guard import Guarded, GuardedDriver
from sabot.firmware.run.pulse import Pulse
from sabot.hil.simulators.gpio import BOARD_CHIP
from sabot.statemachine.vocabulary.effects import Effect, LockWagers, OpenSpots
from sabot.statemachine.vocabulary.events import Event, Key, KeyPressed

ROUNDS_OF_A_SHIFT, COUNTED_ROUNDS, SEED = 40, 3, 641
PACE_S, STEADY_S, PATIENCE_S = 0.0005, 0.06, 5.0
SIMULATOR = "/hil/simulators/"
FIRST, LAST = ("lines/gpio.py", "edge"), ("lines/gpio.py", "drive")
# Where the loop takes up the edge: the handle that it runs, and the driver's part in it.
HANDLE, ENTRY = ("asyncio/events.py", "_run"), ("lines/driver.py", "_edge")
# Beside the way: the bench's own, and the turn of the loop that wakes up.
BESIDE = (SIMULATOR, __file__, "dataclasses.py", "selectors.py", "threading.py", "queue.py")
LOOP_TURN = frozenset({"_run_once", "_process_events", "_add_callback", "_read_from_self", "time", "sleep"})


class Times(NamedTuple):
    """One lock: when, from the edge to the output's level, and from the runner's inbox to the last device."""

    at: float
    edge_ms: float
    runner_ms: float


class Pads:
    """Stands last among the devices, where the pads' driver stands: notes when it is handed a lock."""

    name = "pads"

    def __init__(self) -> None:
        self.locked_at = 0.0

    def perform(self, effect: Effect) -> None:
        """Note a lock."""
        if isinstance(effect, LockWagers):
            self.locked_at = time.monotonic()

    def retest(self, fault: str) -> None:
        """Nothing is ever wrong."""

    def status(self) -> DeviceStatus:
        """Return that it is up."""
        return DeviceStatus(self.name, "bench", "", is_up=True)

    async def test(self, say: Callable[[str], None]) -> bool:
        """Nothing is tested."""
        say("pads")
        return True

    async def start(self) -> None:
        """Nothing begins."""

    async def stop(self) -> None:
        """Nothing ends."""


class Felt:
    """A program with lines and pads, whose table plays recorded events; a key takes the place of one."""

    def __init__(self, desk: Desk, root: Path, module: str) -> None:
        self.desk, self.pads, self.wanted = desk, Pads(), None
        self.posted_at = 0.0
        kind = load("lines")
        options: dict[str, Value] = {
            **defaults(kind.schema),
            "module": module,
            "pull": "off",
        }
        device = Device("lines", "lines", options)
        wrong = ConfigError("E-CONF-001", "bench", why="a bench has no table file")
        self.program = Program(Salvaged("bench", wrong, "BENCH", True, (device,), Storage(root, None, 400)))
        self.lines = self.program._guarded(kind, device)  # noqa: SLF001 - as the program makes it
        self.program.drivers += [
            self.lines,
            GuardedDriver(Guarded("pads", lambda: self.pads), self.program),
        ]
        pulse = Pulse(desk.runner, desk.writer, lambda: (), self.program)
        parts = (desk.runner, desk.writer, pulse, None)
        self.program.parts = InService(self.program, None, *parts)  # type: ignore[arg-type]
        desk.runner.performers.append(self.program.prompter)
        self._post = desk.runner.post
        desk.runner.post = self.post  # type: ignore[method-assign]

    wanted: Event | None

    def post(self, event: Event) -> None:
        """Take the key that was pressed at the time of the recorded one, and recorded events as they are."""
        if event.source == self.lines.name:
            if not isinstance(event, KeyPressed) or self.wanted is None:
                return  # the rest position of LOCK is not wired here
            wanted, self.wanted = self.wanted, None
            event = replace(event, at=wanted.at, source=wanted.source)
            self.posted_at = time.monotonic()
        self._post(event)

    async def press_lock(self, wanted: Event, spots: OpenSpots) -> Times:
        """Close the contact of LOCK; the lock output is open before, whatever waits for the journal."""
        self.lines.perform(spots)
        await asyncio.sleep(STEADY_S)
        self.wanted, before = wanted, len(BOARD_CHIP.history)
        at = time.monotonic()
        COUNTER.is_armed = True
        BOARD_CHIP.drive(PINS[LOCK], 0)
        while self.wanted is not None:
            assert time.monotonic() - at < PATIENCE_S, "the key was not seen"
            await asyncio.sleep(0.0002)  # not a spin: the thread of the chip wants the interpreter too
        level_at = next(t for t, pin, up in BOARD_CHIP.history[before:] if (pin, up) == (PINS[LOCK_OPEN], 0))
        BOARD_CHIP.drive(PINS[LOCK], 1)
        return Times(at, (level_at - at) * 1000, (self.pads.locked_at - self.posted_at) * 1000)

    def lock_at_once(self, wanted: Event, spots: OpenSpots) -> Times:
        """Hand LOCK to the runner right behind the event before it."""
        self.lines.perform(spots)
        at = time.monotonic()
        self._post(wanted)
        return Times(at, 0.0, (self.pads.locked_at - at) * 1000)


PINS: dict[str, int] = {}
WIRED = (*INPUTS, *OUTPUTS)


def is_lock(event: Event) -> bool:
    """Whether this is the lock-out button."""
    return isinstance(event, KeyPressed) and event.key is Key.LOCK


async def play(felt: Felt, shift: FullShift, times: list[Times], *, is_warm: bool) -> None:
    """Play a shift, with the time of each of its locks."""
    spots = OpenSpots(spots=tuple((seat, "ante") for seat in range(1, 8)), cite="bench")
    for event in (*shift.opening, *(event for events in shift.rounds for event in events)):
        if is_lock(event):
            times.append(felt.lock_at_once(event, spots) if is_warm else await felt.press_lock(event, spots))
        else:
            felt.post(event)
            await asyncio.sleep(0 if is_warm else PACE_S)


async def measure(root: Path, shifts: int, rounds: int, case: str) -> dict[str, list[Times]]:
    """Play whole shifts, each on a journal of its own: locks while it was held, and the others."""
    found: dict[str, list[Times]] = {"held": [], "free": []}
    for number in range(shifts):
        shift = full_shift("manual_shoe", rounds, SEED + number)
        desk = Desk(root / str(number), shift.setup)
        desk.begin()
        module = "no_gpio" if case == "warm" else "sabot.hil.simulators.gpio"
        felt, times = Felt(desk, root / str(number), module), list[Times]()
        await felt.lines.start()
        holds = Stalls(desk.rooms.journal) if case == "stalls" else None
        await play(felt, shift, times, is_warm=case == "warm")
        spans = holds.end() if holds else []
        await felt.lines.stop()
        await desk.end()
        for each in times:
            found["held" if any(a <= each.at < b for a, b in spans) else "free"].append(each)
    return found


class Stalls:
    """Another process that holds the journal's file."""

    def __init__(self, journal: Path) -> None:
        order = [sys.executable, str(Path(__file__).with_name("stalling.py")), str(journal)]
        self._process = subprocess.Popen(order, stdout=subprocess.PIPE, text=True)

    def end(self) -> list[tuple[float, float]]:
        """No more of it; from when to when it held the file, but for the last time."""
        self._process.terminate()
        said, _ = self._process.communicate()
        return [(float(start), float(end)) for start, end in map(str.split, said.splitlines())]


class Counter:
    """Counts calls of Python functions from the library's callback to its output, in both threads of the way.

    What the loop was still busy with when the edge came is no part of it: in the loop's thread calls count
    from the one that runs the driver's own handle. Nor is what the journal's thread does meanwhile.
    """

    def __init__(self) -> None:
        self.locks: list[int] = []
        self.is_armed = False
        self._count: int | None = None
        self._edge_thread = self._in_handle = 0
        self._is_in_loop = False

    def begin(self) -> None:
        """Count from now on, in this thread and in those to come."""
        threading.setprofile(self._hear)
        sys.setprofile(self._hear)

    def _hear(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if self.is_armed and file.endswith(FIRST[0]) and name == FIRST[1]:
            self._count, self.is_armed, self._is_in_loop = 0, False, False
            self._edge_thread = threading.get_ident()
        if self._count is None or any(each in file for each in BESIDE) or name in LOOP_TURN:
            return
        self._count += self._counted(file, name)
        if file.endswith(LAST[0]) and name == LAST[1]:
            self.locks.append(self._count)
            self._count = None

    def _counted(self, file: str, name: str) -> int:
        """Return how many calls of the way this one makes known: itself, and what led to it in its handle."""
        thread = threading.get_ident()
        if thread == self._edge_thread or self._is_in_loop:
            return int(thread in (self._edge_thread, threading.main_thread().ident))
        if thread != threading.main_thread().ident:
            return 0
        self._in_handle = 1 if file.endswith(HANDLE[0]) and name == HANDLE[1] else self._in_handle + 1
        self._is_in_loop = file.endswith(ENTRY[0]) and name == ENTRY[1]
        return self._in_handle if self._is_in_loop else 0


COUNTER = Counter()


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """The middle one, 99 of 100, and the worst."""
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": cuts[49], "p99": cuts[98], "worst": max(times)}


def found_in(shifts: int, case: str, *, is_counted: bool) -> dict[str, object]:
    """Return the percentiles of the locks that were asked for, or their calls."""
    if is_counted:
        COUNTER.begin()
    rounds = COUNTED_ROUNDS if is_counted and not case else ROUNDS_OF_A_SHIFT
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), shifts, rounds, case))
    if is_counted:
        sys.setprofile(None)
        return {"calls": max(COUNTER.locks), "locks": len(COUNTER.locks)}
    times = found["held" if case == "stalls" else "free"]
    edge, runner = ([getattr(each, name) for each in times] for name in ("edge_ms", "runner_ms"))
    return {"locks": len(times), "edge": percentiles(edge), "runner": percentiles(runner)}


def main() -> None:
    """Print what was asked for."""
    structlog.configure(processors=[], logger_factory=structlog.ReturnLoggerFactory())
    kind = load("lines")
    PINS.update({name: int(pin) for name, pin in defaults(kind.schema).items() if name in WIRED})
    for name, pin in PINS.items():
        BOARD_CHIP.drive(pin, int(name != DOOR))
    words = sys.argv[2:]
    case = "".join(each for each in words if each != "calls")
    print(json.dumps(found_in(int(sys.argv[1]), case, is_counted="calls" in words)))


if __name__ == "__main__":
    main()
