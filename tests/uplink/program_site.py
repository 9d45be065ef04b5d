"""A table's program with a real journal, thread, memory and socket of the link; the uplink is played by the test."""

from __future__ import annotations

import asyncio
import socket as socket_module
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from journal.shifts import Kept as Devices
from journal.shifts import StillClock
from sabot.config.table_file import DaySettings, FloorTerms
from sabot.firmware.credentials.board import SIMULATED, Board, Rooms, load, prepare
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.floor_link import FloorLink
from sabot.firmware.run.open_journal import open_journal
from sabot.firmware.run.runner import Runner
from sabot.floor import messages, signs
from sabot.floor.wire import hex_of
from sabot.statemachine.vocabulary import events as ev
from sabot.uplink import packets
from tests.floor.keeping import Kept
from tests.floor.making import key
from tests.statemachine.tables import table_setup
from tests.statemachine.test_linked import BET, LOW, ROYAL, Linked, setup_of

PATIENCE_S = 30.0
SETUP = setup_of(letters={**table_setup("pa641a").options.paytables, "prog5": "D"})


class Uplink:
    """The uplink, and the broker behind it, as short as can be; ``is_cut`` loses whatever is said either way."""

    def __init__(self, socket: Path, floor: Kept) -> None:
        self.floor, self.is_cut = floor, False
        self.states: list[bytes] = []
        self.line = self._connected(str(socket))

    @staticmethod
    def _connected(name: str) -> socket_module.socket:
        """Connect to the link's thread: its socket has a name a moment before it listens."""
        end = time.monotonic() + PATIENCE_S
        while True:
            line = packets.packet_socket()
            try:
                line.connect(name)
            except ConnectionRefusedError:
                line.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
            else:
                return line

    def carry(self) -> None:
        while True:
            word = packets.receive(self.line, packets.OF_TABLE)
            if word is None:
                break
            what, said = word
            if what == packets.STATE:
                self.states.append(said)
            if what == packets.SAY and not self.is_cut:
                for payload in self.floor.tell(said)[-1].payloads:
                    packets.send(self.line, packets.HEARD, payload)
        if not self.is_cut:
            packets.send(self.line, packets.BROKER, b"")
            for each in signs.values(self.floor.reader.load().state(), self.floor.last):
                value = messages.down(key("floor"), messages.VALUE, {**each, "at": self.floor.clock()})
                packets.send(self.line, packets.HEARD, value)


class Site:
    """One table, from its journal on, and the floor."""

    def __init__(self, root: Path, floor: Kept, board: Board) -> None:
        self.rooms, self.floor = Rooms(root), floor
        self.devices = Devices()
        opened = open_journal(self.rooms, SETUP, board)
        self.table = opened.table
        self.writer = Writer(self.rooms.journal, asyncio.get_running_loop(), self.devices)
        self.runner = Runner(self.table, self.writer, board, StillClock())
        self.runner.performers.append(self.devices)
        self.devices.runner = self.runner
        self.writer.start()
        terms = FloorTerms(hex_of(key("floor")), self.rooms.root / "link", {"prog5": "pit"})
        self.broke: list[BaseException] = []
        self.link = FloorLink(
            "T1",
            terms,
            DaySettings(360, "UTC"),
            board,
            self.rooms,
            self.runner,
            StillClock(),
            self.broke.append,
            lambda: (),
        )
        self.uplink: Uplink | None = None

    async def until(self, what: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not what():
                assert not self.broke, self.broke
                if self.uplink is not None:
                    self.uplink.carry()
                await asyncio.sleep(0.01)

    def call(self) -> None:
        self.uplink = Uplink(self.rooms.root / "link", self.floor)

    def play(self, events: list[ev.Event]) -> None:
        for event in events:
            self.runner.post(event)

    def seen(self, kind: Any) -> list[Any]:
        return [each for each in self.devices.seen if isinstance(each, kind)]

    @property
    def is_open(self) -> bool:
        now = self.table.state.books.linked.links.get("pit")
        return now is not None and not now.why


@asynccontextmanager
async def site(root: Path, floor: Kept) -> AsyncIterator[Site]:
    rooms = Rooms(root)
    if not rooms.journal.exists():
        prepare(rooms, SIMULATED)
        (rooms.keys / "sign.key").write_bytes(key("T1").private_bytes_raw())
    found = Site(root, floor, load(rooms, SIMULATED))
    found.link.begin()
    try:
        yield found
    finally:
        found.link.stop()
        found.runner.stop()
        if found.uplink is not None:
            found.uplink.line.close()
        found.writer.close()


class Played(Linked):
    """A shift of which the events are taken away in portions."""

    def taken(self) -> list[ev.Event]:
        """The events since the last time, but for those that the link itself brings."""
        own = (ev.MeterLinkChanged, ev.HitGranted)
        found, self.events = [each for each in self.events if not isinstance(each, own)], []
        return found


def to_the_hit(shift: Played) -> tuple[list[ev.Event], list[ev.Event]]:
    """A table up to where bets are open, and a round up to its hit's turn to be paid."""
    opening = shift.taken()
    shift.bet(2, **BET)
    shift.lock()
    shift.deal(seat2=ROYAL, dealer=LOW)
    shift.reveal({})
    while not shift.claims:
        shift.ok()
    return opening, shift.taken()
