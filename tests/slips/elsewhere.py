"""Slips beside the way of an event: in each driver's own code, in the console, and where a PIN is entered.

Real drivers at simulated devices on real pseudo-terminals and a simulated bus, a real console over its socket.
Only calls that come by way of the code in question are counted, so that the k-th is nearly the same one each
time; what is told of a place is the call that was really reached.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sabot.drivers.options import Value, defaults
from sabot.drivers.registry import load
from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.run.driver_guard import Guarded, GuardedDriver
from sabot.firmware.run.supervisor import of_device
from sabot.firmware.simulated import enrol
from sabot.hil.simulators import gpio
from sabot.hil.simulators.device_kinds import KINDS
from sabot.statemachine.vocabulary.effects import Effect, SetMeter, ShowPrompt
from sabot.statemachine.vocabulary.events import Key, KeyPressed
from tests.drivers.waiting import until
from tests.statemachine.walk.setups import WAYS

from .campaign import MEMORY, Count, forked
from .felt import Felt, prepare
from .injector import RUNNER, Injector
from .places import places
from .trial import Verdict

if TYPE_CHECKING:
    from .places import Place

STEADY_S, MOST_CALLS, STEP_OF = 0.15, 4_000, 8
CONSOLE, DESK, LINES = "console", "key desk", "lines"
COMMANDS = (
    "status",
    "devices",
    "faults",
    "meters",
    "decks",
    "events 5",
    "stats",
    "slips",
    "unlock 21",
    "help",
)
# Number 21 and the PIN of nobody: 1, 1, 1, 1, 1.
DIGITS_OF_A_PIN = (Key.TWO, Key.ONE, *[Key.ONE] * 5, Key.OK)
Stimulus = Callable[[], Awaitable[None]]


class Wire(NamedTuple):
    """A driver at its simulated device, and what makes the device speak."""

    driver: str
    simulator: str
    options: dict[str, Value]
    act: tuple[str, str]


WIRES = {
    "reading shoe": Wire("angel-eye", "angel-eye", {"shoe_game": "none"}, ("draw", "As")),
    "shuffler": Wire("sabot-link", "sabot-link", {"duty": "shuffle"}, ("door", "1 open")),
    "pads": Wire("sabot-pads", "sabot-pads", {"spots": "ante play", "seats": 2}, ("chips", "0 2500")),
    "wagering system": Wire(
        "sabot-accounts", "sabot-accounts", {"wagers": "hand_bonus_player", "seats": 2}, ("fault", "1")
    ),
    "meter sign": Wire("alpha", "alpha", {"meters": "prog4.main=MAIN"}, ("", "")),
    "dealer's display": Wire("escpos", "escpos", {}, ("", "")),
}
# A device that says nothing by itself is told something.
TOLD: dict[str, Effect] = {
    "alpha": SetMeter(meter="prog4", level="main", cents=123_456),
    "escpos": ShowPrompt(first="SEAT 1", second="PLAY OR FOLD"),
}
ELSEWHERE = (*WIRES, LINES, CONSOLE, DESK)


def slips_at(name: str, *, thin: int) -> Count:
    """Slip at the calls of one part, each in a process of its own."""
    count, step = Count(places=1), max(1, thin // STEP_OF)
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        place = _open_bets()
        for at in range(1, MOST_CALLS, step):
            root = Path(folder) / str(at)
            root.mkdir()
            verdict = forked(partial(_trial, root, place, name, at))
            if not verdict["has_raised"] and not verdict["objections"]:
                break
            count.take(name, verdict)
    return count


def _open_bets() -> Place:
    """A table where wagers may be placed: the lock output is energised."""
    way = next(way for way in WAYS if str(way) == "pa641a-hand-none")
    return next(place for place in places(way, 1, random.Random(1)) if place.kind == "LOCK while bets open")


def _trial(root: Path, place: Place, name: str, at: int) -> Verdict:
    prepare(root, place.table)
    if name == DESK:
        enrol(root, {})
    return asyncio.run(Part(root, place, name, at).play())


@dataclass
class Part:
    """One part of the program, and a slip in it."""

    root: Path
    place: Place
    name: str
    at: int

    async def play(self) -> Verdict:
        """Let the part work, slip in it, and judge what became of table and device."""
        verdict, within = Verdict(self.name, self.at), f"/{self._code}"
        felt = self.felt = Felt(self.root, self.place.table)
        beyond = (RUNNER,) if self.name == LINES else (RUNNER, "/drivers/lines/")
        self.injector = Injector(self.at, within=within, beyond=beyond)
        stimulus = await self._prepared()
        assert not felt.is_locked, "there is nothing to lock"
        with self.injector.here():
            await stimulus()
        if self.injector.has_raised:
            await asyncio.sleep(STEADY_S)
            self._judge(verdict)
        await felt.end()
        verdict.has_raised, verdict.place = self.injector.has_raised, self.injector.place
        return verdict

    @property
    def _code(self) -> str:
        if self.name == CONSOLE:
            return "firmware/console/"
        return "firmware/run/table_unlock.py" if self.name == DESK else "drivers/"

    def _judge(self, verdict: Verdict) -> None:
        slip = self.felt.program.safe_stop.slip
        lost = [driver.name for driver in self.felt.program.drivers if driver._broken or driver._breaks]
        costs_device = self.name in WIRES
        if costs_device and slip is not None:
            verdict.objections.append(f"the program ended over a driver: {slip.words}")
        if costs_device and not lost:
            verdict.objections.append("the exception vanished")
        # A console that asks a driver how it is costs that device where the driver breaks over it.
        if not (costs_device or lost) and not self.felt.program._end.is_set():
            verdict.objections.append("the program went on")
        if not self.felt.is_locked:
            verdict.objections.append("the lock output is open")
        verdict.lost_device = bool(lost)

    # ------------------------------------------------------------ what makes a part work

    async def _prepared(self) -> Stimulus:
        if self.name in WIRES:
            return await self._at_a_wire(WIRES[self.name])
        await self.felt.begin()
        await self.felt.program.console.start()
        pin = int(defaults(load("lines").schema)["key_ok"])
        stimuli: dict[str, Stimulus] = {
            CONSOLE: self._ask,
            DESK: self._enter_pin,
            LINES: partial(self._press, pin),
        }
        return stimuli[self.name]

    async def _at_a_wire(self, wire: Wire) -> Stimulus:
        path, chosen = self.root / "wire", {each.name: each.default for each in KINDS[wire.simulator].choices}
        running = KINDS[wire.simulator].start(path, 1, chosen)
        where = f"sabot.hil.simulators.usb_backend:over_socket:{path}"
        kind = load(wire.driver)
        port: dict[str, Value] = {"backend": where} if wire.driver == "sabot-pads" else {"port": str(path)}
        options = {**defaults(kind.schema), **port, **wire.options}
        program = self.felt.program
        if running.key:
            content = {"format": 1, "devices": {"device": running.key}}
            write_whole(Rooms(self.root).devices, json.dumps(content).encode())
            program.keyring.__init__(Rooms(self.root).devices)  # type: ignore[misc]
        guarded = GuardedDriver(
            Guarded("device", partial(kind.make, "device", options, program.host)), program
        )
        program.drivers.append(guarded)
        await self.felt.begin()
        await until(lambda: guarded.status().is_up, 10)
        actions = running.actions()
        if not wire.act[0]:
            return partial(_after, lambda: guarded.perform(TOLD[wire.driver]))
        return partial(_after, partial(actions[wire.act[0]][1], wire.act[1]))

    async def _press(self, pin: int) -> None:
        gpio.BOARD_CHIP.drive(pin, 0)
        await asyncio.sleep(STEADY_S)

    async def _enter_pin(self) -> None:
        program, soon = self.felt.program, asyncio.get_running_loop().call_soon
        turned = partial(program.line_changed, "key_switch", is_active=True)
        pressed = [partial(program.take, KeyPressed(at=0.0, key=key)) for key in DIGITS_OF_A_PIN]
        for event in (turned, *pressed):
            of_device("lines", soon, event)  # as the lines' driver does it
            await asyncio.sleep(0)
        await asyncio.sleep(STEADY_S)

    async def _ask(self) -> None:
        await asyncio.to_thread(_asked, str(self.felt.program.socket))


async def _after(act: Callable[[], object]) -> None:
    act()
    await asyncio.sleep(2 * STEADY_S)


def _asked(path: str) -> None:
    """Ask over a plain socket, from another thread, until every answer is there or the program is gone."""
    import socket  # noqa: PLC0415 - in the forked process only

    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(2.0)
        wire.connect(path)
        for number, words in enumerate(COMMANDS, 1):
            wire.sendall(json.dumps({"id": number, "do": words.split()}).encode() + b"\n")
            try:
                said = b""
                while b'"end"' not in said and b'"ask"' not in said:
                    more = wire.recv(65536)
                    if not more:
                        return
                    said += more
            except OSError:
                return
