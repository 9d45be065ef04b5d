"""From the edge of the LOCK key to the lock on the devices, through the real drivers, runner and journal.

The rounds are recorded ones; only the LOCK key is not posted but pressed on the simulated chip, so that its
edge takes the way of every edge: the library's thread, the loop, the driver, the table, the lock output.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from journalling import Desk
from playing import FullShift, full_shift

from sabot.drivers.device import Driver, Keyring
from sabot.drivers.lines.plan import INPUTS, OUTPUTS
from sabot.drivers.options import Value, defaults
from sabot.drivers.registry import load
from sabot.firmware.run.prompter import Prompter
from sabot.hil.simulators.gpio import BOARD_CHIP
from sabot.statemachine.effects import Effect, LockWagers, OpenSpots
from sabot.statemachine.events import Event, Key, KeyPressed

ROUNDS_OF_A_SHIFT, SEED = 40, 641
PACE_S, STEADY_S, PATIENCE_S = 0.0005, 0.06, 5.0
OPTIONS: dict[str, Value] = {"module": "sabot.hil.simulators.gpio", "pull": "off"}


class Times(NamedTuple):
    """One lock: when, from the edge to the output's level, and from the runner's inbox to the last device."""

    at: float
    edge_ms: float
    runner_ms: float


class Pads:
    """Stands last among the devices, where the pads' driver stands: when it is handed a lock."""

    def __init__(self) -> None:
        self.locked_at = 0.0

    def perform(self, effect: Effect) -> None:
        """A lock, noted."""
        if isinstance(effect, LockWagers):
            self.locked_at = time.monotonic()


class Felt:
    """The host of the lines: a key that comes takes the place of the recorded one."""

    keyring: Keyring

    def __init__(self, desk: Desk) -> None:
        self.keyring, self.desk = self, desk
        self.wanted: Event | None = None
        self.posted_at = 0.0
        self.pads = Pads()
        kind = load("lines")
        self.lines: Driver = kind.make("lines", {**defaults(kind.schema), **OPTIONS}, self)
        desk.runner.performers.append(Prompter([self.lines, self.pads]))

    def key_of(self, _device: str) -> None:
        """Lines have no key."""

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Nobody watches."""

    def post(self, event: Event) -> None:
        """The key that was pressed, at the time that the recorded one has."""
        if isinstance(event, KeyPressed) and self.wanted is not None:
            wanted, self.wanted = self.wanted, None
            self.posted_at = time.monotonic()
            self.desk.runner.post(replace(event, at=wanted.at, source=wanted.source))

    async def press_lock(self, wanted: Event, spots: OpenSpots) -> Times:
        """Close the contact of LOCK; the lock output is open before, whatever waits for the journal."""
        self.lines.perform(spots)
        await asyncio.sleep(STEADY_S)
        self.wanted, before = wanted, len(BOARD_CHIP.history)
        at = time.monotonic()
        BOARD_CHIP.drive(PINS["key_lock"], 0)
        while self.wanted is not None:
            assert time.monotonic() - at < PATIENCE_S, "the key was not seen"
            await asyncio.sleep(0.0002)  # not a spin: the thread of the chip wants the interpreter too
        level_at = next(
            t for t, pin, up in BOARD_CHIP.history[before:] if (pin, up) == (PINS["lock_open"], 0)
        )
        BOARD_CHIP.drive(PINS["key_lock"], 1)
        return Times(at, (level_at - at) * 1000, (self.pads.locked_at - self.posted_at) * 1000)


PINS: dict[str, int] = {}
WIRED = (*INPUTS, *OUTPUTS)


def is_lock(event: Event) -> bool:
    """Whether this is the lock-out button."""
    return isinstance(event, KeyPressed) and event.key is Key.LOCK


async def play(felt: Felt, shift: FullShift, times: list[Times]) -> None:
    """A shift, with the time of each of its locks."""
    spots = OpenSpots(spots=tuple((seat, "ante") for seat in range(1, 8)), cite="bench")
    for event in (*shift.opening, *(event for events in shift.rounds for event in events)):
        if is_lock(event):
            times.append(await felt.press_lock(event, spots))
        else:
            felt.desk.runner.post(event)
            await asyncio.sleep(PACE_S)


async def measure(root: Path, shifts: int, *, stalls: bool) -> dict[str, list[Times]]:
    """Whole shifts, each on a journal of its own: locks while it was held, and the others."""
    found: dict[str, list[Times]] = {"held": [], "free": []}
    for number in range(shifts):
        shift = full_shift("manual_shoe", ROUNDS_OF_A_SHIFT, SEED + number)
        desk = Desk(root / str(number), shift.setup)
        desk.begin()
        felt, times = Felt(desk), list[Times]()
        await felt.lines.start()
        holds = Stalls(desk.rooms.journal) if stalls else None
        await play(felt, shift, times)
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


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """The middle one, 99 of 100, and the worst."""
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": cuts[49], "p99": cuts[98], "worst": max(times)}


def main() -> None:
    """Print the percentiles of the locks that were asked for."""
    kind = load("lines")
    PINS.update({name: int(pin) for name, pin in defaults(kind.schema).items() if name in WIRED})
    for pin in PINS.values():
        BOARD_CHIP.drive(pin, 1)
    stalls = sys.argv[2:] == ["stalls"]
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), int(sys.argv[1]), stalls=stalls))
    times = found["held" if stalls else "free"]
    edge, runner = ([getattr(each, name) for each in times] for name in ("edge_ms", "runner_ms"))
    print(json.dumps({"locks": len(times), "edge": percentiles(edge), "runner": percentiles(runner)}))


if __name__ == "__main__":
    main()
