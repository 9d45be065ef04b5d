"""Count how far four things go through the program: calls, files and depth.

    python tools/count_ways.py            a table for people
    python tools/count_ways.py --json     the same for programs
    python tools/count_ways.py --steps card     the calls of one way, in their order

A card goes from the bytes of the reading shoe to the entry handed to the journal and the prompt handed to the
display; LOCK, a seat that is settled and a silent device go from the event at the runner to the same two. A
call is one of a Python function of the product; what a library does inside is not counted, nor is the thread
that writes. The table plays the recorded shift of 641a; of each kind the middle one is told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sabot.desk.recording import read_recording
from sabot.drivers.angel_eye.driver import AngelEyeDriver
from sabot.drivers.angel_eye.messages import _CARDS, Report
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.runner import Runner
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import Effect, ShowPrompt
from sabot.statemachine.vocabulary.events import CardDrawn, Event, Key, KeyPressed, LinkLost, LinkRestored

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
SHIFT = ROOT / "tests" / "data" / "shifts" / "pa641a.jsonl"
PRODUCT = tuple(f"/{name}/" for name in ("rules", "statemachine", "drivers", "firmware", "config"))
CODES = {card: code for code, card in _CARDS.items()}


# What this script asks while it waits for the journal.
ASKED = "is_ahead"
WAYS = ("card", "LOCK", "settle", "fault")
# Of the loop; a rest takes one for each of its pieces.
TURNS_OF_A_REST = 20


@dataclass
class Way:
    """One way through the program, as far as it was counted."""

    calls: int = 0
    files: set[str] = field(default_factory=set)
    depth: int = 0
    steps: list[tuple[str, str]] = field(default_factory=list)  # each call: its file, and its function


class Counter:
    """Hears the calls of one thread while something is on its way."""

    def __init__(self) -> None:
        self.way = Way()
        self._depth = 0

    def begin(self) -> None:
        """Count from now on."""
        self.way, self._depth = Way(), 0
        sys.setprofile(self._hear)

    def end(self) -> Way:
        """Stop counting, and return what was counted."""
        sys.setprofile(None)
        return self.way

    def _hear(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        is_ours = str(ROOT) in file and any(each in file for each in PRODUCT)
        if not is_ours or frame.f_code.co_name == ASKED:
            return
        if event == "call":
            self._depth += 1
            self.way.calls += 1
            self.way.files.add(file)
            self.way.steps.append((file.partition("/src/sabot/")[2], frame.f_code.co_qualname))
            self.way.depth = max(self.way.depth, self._depth)
        elif event == "return":
            self._depth -= 1


@dataclass
class Display:
    """Stands where the devices stand: knows when a prompt was handed to them."""

    prompts: int = 0

    def perform(self, effect: Effect) -> None:
        """Take an effect."""
        self.prompts += isinstance(effect, ShowPrompt)


@dataclass
class Host:
    """What the program lends to the shoe's driver."""

    runner: Runner
    at: float = 0.0
    keyring: Any = None

    def now(self) -> float:
        """The time of the event that comes."""
        return self.at

    def post(self, event: Event) -> None:
        """Hand an event to the runner."""
        self.runner.post(event)

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Nobody watches."""


class ShiftClock(Clock):
    """The clock of the recorded shift: by this machine's own, up for a day, its decks would be long due."""

    at = 0.0

    def now(self) -> float:
        """Return the time of the event that comes."""
        return self.at


class Thread:
    """What the journal's thread tells, told in the loop."""

    runner: Runner | None = None

    def durable(self, number: int) -> None:
        """An entry is on the medium."""
        assert self.runner is not None
        self.runner.durable(number)

    def stuck(self, reason: str) -> None:
        """The medium takes nothing."""
        raise RuntimeError(reason)

    def unstuck(self) -> None:
        """The medium takes entries again."""

    def broke(self, error: BaseException) -> None:
        """The thread ended."""
        raise error


class Play:
    """A recorded shift through runner and journal; some of its events are counted."""

    def __init__(self, folder: Path) -> None:
        self.recording = read_recording(str(SHIFT))
        self.table = Table(self.recording.setup)
        rooms = Rooms(folder)
        board = boards.prepare(rooms, boards.SIMULATED)
        store.create(rooms.journal)
        self.thread = Thread()
        self.writer = Writer(rooms.journal, asyncio.get_running_loop(), self.thread)
        self.clock = ShiftClock()
        self.runner = self.thread.runner = Runner(self.table, self.writer, board, self.clock)
        self.runner.performers.append(Display())
        self.host = Host(self.runner)
        self.shoe = AngelEyeDriver("shoe", {"port": "/dev/null"}, self.host)
        self.found: dict[str, list[Way]] = {name: [] for name in WAYS}
        self.counter = Counter()
        self._sequence = 0

    async def run(self) -> dict[str, list[Way]]:
        """Play it to its end."""
        self.writer.start()
        for line in self.recording.events:
            await self._one(line.event)
        at = self.recording.events[-1].event.at
        await self._counted(
            "fault", lambda: self.runner.post(LinkLost(at=at, device="shoe", reason="silent"))
        )
        await self._counted("", lambda: self.runner.post(LinkRestored(at=at, device="shoe")))
        self.runner.stop()
        await asyncio.get_running_loop().run_in_executor(None, self.writer.close)
        return self.found

    async def _one(self, event: Event) -> None:
        self.clock.at = event.at
        if isinstance(event, CardDrawn) and event.card is not None and not event.missed:
            self._sequence = (self._sequence + 1) & 0xFF
            self.host.at = event.at
            frame = self.shoe.codec.encode(Report(self._sequence, "D", bytes((0x30, CODES[event.card.card]))))
            await self._counted("card", lambda: self.shoe.received(frame, event.at))
        else:
            await self._counted(self._name(event), lambda: self.runner.post(event))

    def _name(self, event: Event) -> str:
        is_ok = isinstance(event, KeyPressed) and event.key is Key.OK
        if isinstance(event, KeyPressed) and event.key is Key.LOCK:
            return "LOCK"
        return "settle" if is_ok and self.table.state.play.phase is Phase.SETTLING else ""

    async def _counted(self, name: str, act: Callable[[], None]) -> None:
        drawn = self.table.state.books.rounds, self.runner.events
        self.counter.begin()
        act()
        while self.runner.is_ahead:  # noqa: ASYNC110 (the thread tells the runner, not this)
            await asyncio.sleep(0)
        way = self.counter.end()
        # People take seconds to the next event, in which the runner rests.
        for _ in range(TURNS_OF_A_REST):
            await asyncio.sleep(0)
        assert not name or (self.table.state.books.rounds, self.runner.events) != drawn, (
            f"{name}: nothing came"
        )
        if name:
            self.found[name].append(way)


async def count() -> dict[str, Way]:
    """Return the middle one of each way, by its calls."""
    with tempfile.TemporaryDirectory() as folder:
        found = await Play(Path(folder)).run()
    return {name: sorted(ways, key=lambda way: way.calls)[len(ways) // 2] for name, ways in found.items()}


def main() -> None:
    """Print what was counted."""
    parser = argparse.ArgumentParser(description="Count how far four things go through the program.")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--steps", choices=WAYS, help="the calls of one way, in their order")
    options = parser.parse_args()
    found = asyncio.run(count())
    if options.steps:
        for file, function in found[options.steps].steps:
            print(f"{file}  {function}")
        return
    if options.json:
        print(
            json.dumps(
                {
                    name: {
                        "calls": way.calls,
                        "files": sorted(Path(each).name for each in way.files),
                        "depth": way.depth,
                    }
                    for name, way in found.items()
                }
            )
        )
        return
    print(f"{'way':8}{'calls':>8}{'files':>8}{'depth':>8}")
    for name, way in found.items():
        print(f"{name:8}{way.calls:8}{len(way.files):8}{way.depth:8}")


if __name__ == "__main__":
    main()
