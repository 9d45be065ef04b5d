"""A table's program as the console meets it: real runner, journal, people and socket, on a loop of its own."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from sabot.config.loader import PRINTED
from sabot.config.table_file import Storage
from sabot.desk.recording import Recording, read_recording
from sabot.drivers.device import DeviceStatus
from sabot.firmware.console.client import Client
from sabot.firmware.console.server import ConsoleServer
from sabot.firmware.credentials.board import SIMULATED, Rooms, prepare
from sabot.firmware.credentials.devices import EnrolledDevices
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.firmware.journal import store
from sabot.firmware.journal.entry import Entry, Stamp
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import open_journal, start_entry
from sabot.firmware.run.runner import Runner
from sabot.firmware.run.slips import SlipRegister
from sabot.firmware.run.supervisor import Supervisor
from sabot.rules.errors import SabotError
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import DeviceRetested, Event, Role

T = TypeVar("T")
SHIFTS = Path(__file__).parents[1] / "data" / "shifts"
CHEAP = Cost(n=2**4, r=8, p=1)
BEGAN = time.monotonic()
PINS = {"17": "90210", "42": "73519", "08": "61803", "33": "27182"}
PEOPLE = (
    Person("17", "Ann", Role.FLOOR),
    Person("42", "Bob", Role.TECHNICIAN),
    Person("08", "Eve", Role.AUDITOR),
    Person("33", "Dan", Role.DEALER),
)


class Watch(Clock):
    """A clock that a test may set forward.

    Its seconds begin with the tests, as a recorded shift's with the shift: on a machine that has been up for a
    working day the shift's cards would be due for change.
    """

    ahead_s = 0.0
    set_at: datetime | None = None

    def now(self) -> float:
        return super().now() - BEGAN + self.ahead_s

    def stamp(self, at: float) -> Stamp:
        """As it is, or as on a board whose clock was set, at another time."""
        found = super().stamp(at)
        if self.set_at is None:
            return found
        return found._replace(utc=self.set_at.isoformat(timespec="milliseconds"), trusted=True)


class Shoe:
    """A device that answers at once, and well."""

    def __init__(self, name: str, post: Callable[[Event], None], now: Callable[[], float]) -> None:
        self.name = name
        self._post, self._now = post, now

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def perform(self, effect: Effect) -> None: ...

    def retest(self, fault: str) -> None:
        self._post(DeviceRetested(at=self._now(), source=self.name, device=self.name, fault=fault, good=True))

    def status(self) -> DeviceStatus:
        return DeviceStatus(self.name, "shoe", "/dev/shoe", is_up=True)

    async def test(self, say: Callable[[str], None]) -> bool:
        for step in ("motor", "eye"):
            say(step)
            await asyncio.sleep(0)
        return True


class Board:
    """The program."""

    name, is_simulated, law = "Table 7", True, PRINTED
    fault: SabotError | None = None
    troubles: Sequence[str] = ("clock cannot be trusted",)

    def __init__(self, root: Path, recording: Recording) -> None:
        self.rooms = Rooms(root)
        self.board = prepare(self.rooms, SIMULATED)
        self.clock = Watch()
        self.people = People(self.rooms.people, self.clock.now, CHEAP)
        self.storage = Storage(root, None, 400)
        self.keyring = EnrolledDevices(self.rooms.devices)
        self.runner: Runner | None = None
        self.recording = recording
        self.lines: set[str] = set()
        self.log_level = "info"
        self.drivers: list[Shoe] = []
        self.loop = asyncio.new_event_loop()
        self.lags: list[float] = []
        self.slips = SlipRegister.read(self.rooms.slips)
        self.supervisor = Supervisor(self)
        self.slipped_over: list[str] = []

    # ------------------------------------------------------------ as the console sees it

    @property
    def status(self) -> str:
        return "ready"

    def is_line_active(self, name: str) -> bool:
        return name in self.lines

    def figures(self) -> Mapping[str, object]:
        return {"inbox": 0, "devices": {"shoe": {"up": True}}}

    def configuration(self) -> Sequence[tuple[str, str]]:
        return (("chapter", "pa641a"),)

    def verify(self, challenge: bytes) -> Iterator[str]:
        yield from ("sabot 0", f"challenge {challenge.hex()}")

    def set_log_level(self, level: str) -> None:
        self.log_level = level

    def lift_slips(self, by: str, why: str) -> None:
        self.slips.lift(by, why, self.clock.stamp(self.clock.now()))

    def spawn(
        self, work: Coroutine[Any, Any, Any], name: str, *expects: type[Exception]
    ) -> asyncio.Task[Any]:
        return self.supervisor.spawn(work, name, *expects)

    def slipped(self, error: BaseException, over: str) -> None:
        """Hang up, as a program that slipped does."""
        self.slipped_over.append(f"{over}: {error!r}")
        for writer in self.server._lines.values():
            writer.transport.abort()

    def device_broke(self, device: str, error: BaseException) -> None:
        self.slipped(error, device)

    # ------------------------------------------------------------ the runner's keeper

    def durable(self, number: int) -> None:
        assert self.runner is not None
        self.runner.durable(number)

    def stuck(self, reason: str) -> None:
        assert self.runner is not None
        self.runner.stuck(reason)

    def broke(self, error: BaseException) -> None:
        self.slipped(error, "the journal's thread")

    def unstuck(self) -> None:
        assert self.runner is not None
        self.runner.unstuck()

    # ------------------------------------------------------------ as a test uses it

    @property
    def table(self) -> Table:
        assert self.runner is not None
        return self.runner.table

    @property
    def socket(self) -> Path:
        return self.rooms.root / "console.sock"

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the loop do something, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def post(self, event: Event) -> None:
        """An event, handled and on the medium."""

        async def post() -> None:
            assert self.runner is not None
            self.runner.post(event)
            await self.runner.written(self.writer.last)

        self.do(post())

    def play(self, count: int | None = None) -> None:
        """The recorded shift, or its first events."""
        for recorded in self.recording.events[:count]:
            self.post(recorded.event)

    def post_at_once(self, events: Sequence[Event]) -> None:
        """Events one upon the other: the table has handled all of them before one is on the medium."""

        async def post() -> None:
            assert self.runner is not None
            for event in events:
                self.runner.post(event)

        self.do(post())

    @contextmanager
    def stalled(self) -> Iterator[None]:
        """The medium takes nothing until the block ends."""
        with closing(sqlite3.connect(self.rooms.journal, isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                other.execute("ROLLBACK")

    def settle(self) -> None:
        """Whatever was handed to the journal is on the medium."""

        async def wait() -> None:
            assert self.runner is not None
            await self.runner.written(self.writer.last)

        self.do(wait())

    def entries(self, kind: str = "") -> list[Entry]:
        """The journal."""
        self.settle()
        db = store.open_for_reading(self.rooms.journal)
        try:
            return [entry for entry in store.entries(db) if not kind or entry.kind == kind]
        finally:
            db.close()

    def commands(self) -> list[dict[str, Any]]:
        """What the journal has of commands."""
        return [json.loads(entry.body) for entry in self.entries("command")]

    async def live(self, ready: threading.Event, end: asyncio.Event) -> None:
        opened = open_journal(self.rooms, self.recording.setup, self.board)
        self.writer = Writer(self.rooms.journal, self.loop, self)
        self.runner = Runner(opened.table, self.writer, self.board, self.clock)
        self.writer.start()
        start = start_entry(opened.table, self.clock.stamp(self.clock.now()), self.name, opened.seeded)
        self.runner.keep(lambda _number, _before: start)
        self.drivers.append(Shoe("shoe", self.runner.post, self.clock.now))
        self.server = ConsoleServer(self.socket, self)
        await self.server.start()
        beat = asyncio.create_task(self._beat())
        ready.set()
        await end.wait()
        beat.cancel()
        await self.server.stop()
        self.runner.stop()
        assert await asyncio.to_thread(self.writer.close)

    async def _beat(self) -> None:
        while True:
            due = self.loop.time() + 0.001
            await asyncio.sleep(0.001)
            self.lags.append(self.loop.time() - due)


@contextmanager
def at_the_table(root: Path, *, chapter: str = "pa641a", with_people: bool = True) -> Iterator[Board]:
    """A program that runs on a loop in a thread, until the test is over."""
    board = Board(root, read_recording(str(SHIFTS / f"{chapter}.jsonl")))
    store.create(board.rooms.journal)
    ready, end = threading.Event(), asyncio.Event()

    def live() -> None:
        asyncio.set_event_loop(board.loop)
        board.loop.run_until_complete(board.live(ready, end))

    thread = threading.Thread(target=live)
    thread.start()
    assert ready.wait(30)
    try:
        if with_people:
            for person in PEOPLE:
                board.do(board.people.enrol(person, PINS[person.number]))
        yield board
    finally:
        board.loop.call_soon_threadsafe(end.set)
        thread.join(30)
        assert not thread.is_alive()
        board.loop.close()


class Console:
    """A person at a console, with the real client."""

    def __init__(self, board: Board) -> None:
        self.client = Client(board.socket)
        self.said: list[dict[str, Any]] = []

    def __call__(self, line: str, **fields: str) -> dict[str, Any]:
        """A command; what it ended with."""
        self.said = list(self.client.ask(do=line.split(), **fields))
        return self.said[-1]

    @property
    def text(self) -> str:
        """What the last command said."""
        return "\n".join(said["text"] for said in self.said if "text" in said)

    def unlock(self, number: str) -> None:
        """Prove a role."""
        assert self(f"unlock {number}", pin=PINS[number])["end"] == "done"

    def dual(self, line: str, second: str, **fields: str) -> dict[str, Any]:
        """A command that a second person confirms."""
        assert self(line, **fields)["ask"] == "second", self.said
        assert self(line, second=second, **fields)["ask"] == "second_pin"
        return self(line, second=second, second_pin=PINS[second], **fields)


@contextmanager
def console(board: Board) -> Iterator[Console]:
    """A console that leaves in the end."""
    found = Console(board)
    try:
        yield found
    finally:
        found.client.close()


@contextmanager
def raw(board: Board) -> Iterator[socket.socket]:
    """Somebody at the socket who is no console."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(board.socket))
        with suppress(BrokenPipeError):
            yield connection
