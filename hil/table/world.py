"""The devices of a simulated table, and what a person at the table could do to them or see of them.

Everything is told and asked by the name of a device: an action as a technician would type it, or what the
device shows. The dealer's keys are contacts on lines: a press closes one for as long as a finger would.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from sabot.hil.simulators.device_kinds import KINDS, OnSerial, OnUsb
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.gpio.chip import Chip
from sabot.hil.simulators.gpio.remote import ChipServer
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort
from sabot.hil.table import own_time
from sabot.hil.table.diary import LOOK_S as LOOK_OFTEN_S
from sabot.hil.table.diary import Edge, RigDiary

# A contact stays as it is until the program has read it settled, at most as long as a slow finger takes: it
# looks when it hears of the move, and once more when a contact should have settled.
SETTLED_S, LONGEST_S, LOOK_S, LOOKS = 0.008, 10.0, 0.001, 2
# All lines are read in a round now and then. Where nobody tells of the program's turns, so long a pause ends
# what began as one: a shorter one took the round of a busy machine for looks, and the finger that was let go
# too soon was never felt. A longer one only keeps LOCK, the first of the lines, down for longer.
ROUND_S = 0.1
CLOSED, OPEN = 0, 1
LEAST_S = 1e-6


class DevicePart(Protocol):
    """One device of the table."""

    has_pictures: bool
    news: Callable[[], None]

    @property
    def key(self) -> str:
        """Return the key with which it is enrolled; empty if it has none."""

    async def act(self, name: str, words: str) -> None:
        """Do something to it; raise ValueError if it cannot be done."""

    def shows(self) -> dict[str, Any]:
        """Return what a person could see of it."""

    def edges(self) -> "list[Edge]":
        """Return its timed changes since the last call."""

    def kept(self) -> Any:  # noqa: ANN401 - plain values
        """Return its contents when the table is put away."""

    def lay_back(self, kept: Any) -> None:  # noqa: ANN401 - plain values
        """Lay the kept contents into it again."""

    async def program_gone(self) -> None:
        """Let go of all that a killed program held; return when nothing of it is held any more."""

    def close(self) -> None:
        """Take it away."""


class OnItsWire:
    """A device of the simulators, under its name at this table."""

    # A pseudo-terminal hands on a write as it was made; on a real line its bytes come one after the other.
    has_whole_writes = True

    def __init__(self, kind: str, path: Path | None, seed: int, chosen: Mapping[str, Any]) -> None:
        made = KINDS[kind]
        known = {choice.name: choice.default for choice in made.choices}
        self._running = made.start(path, seed, {**known, **chosen})
        self.key = self._running.key
        self.news: Callable[[], None] = nobody_listens
        self._pictures: list[Edge] = []
        self._pictured_s, self._looked, self._seen = 0.0, ("", ""), ("", "")
        self.has_pictures = self.display is not None
        if self.display is not None:
            self._picture(self.display.lines())
            if self.has_whole_writes:
                self.display.on_picture = self._see_picture

    async def act(self, name: str, words: str) -> None:
        """Do one of the actions that `sabot sim` has; raise ValueError for another."""
        actions = self._running.actions()
        if name not in actions:
            message = f"there is no {name!r}; there are {' '.join(actions)}"
            raise ValueError(message)
        actions[name][1](words)

    def shows(self) -> dict[str, Any]:
        """Return what a person could see of it, by the kind of device."""
        running = self._running
        if isinstance(running, OnUsb):
            return pad_shows(running.pad)
        assert isinstance(running, OnSerial)  # the only other kind
        return _SHOWS[type(running.device).__name__](running.device)

    @property
    def display(self) -> EscposDisplay | None:
        """Return the display that it is, if it is one."""
        device = getattr(self._running, "device", None)
        return device if isinstance(device, EscposDisplay) else None

    def _see_picture(self, lines: tuple[str, str]) -> None:
        """Write down at once a picture that stood on the glass."""
        self._picture(lines)
        self.news()

    def _picture(self, lines: tuple[str, str]) -> None:
        """Keep a picture under a time that no other has, for two of one time would be one."""
        self._pictured_s = at = max(time.monotonic(), self._pictured_s + LEAST_S)
        self._seen = lines
        self._pictures += [(at, f"lines.{number}", line) for number, line in enumerate(lines)]

    def edges(self) -> list[Edge]:
        """Return the pictures of a display; what else there is shows, and is looked at."""
        if self.display is not None and not self.has_whole_writes:
            self._look_at_glass(self.display.lines())
        pictures, self._pictures = self._pictures, []
        return pictures

    def _look_at_glass(self, lines: tuple[str, str]) -> None:
        """Look at the glass twice: a picture that stood at the last look too is no half of one."""
        was, self._looked = self._looked, lines
        if lines == was != self._seen:
            self._picture(lines)

    @property
    def _machine(self) -> Any:  # noqa: ANN401 - simulators have no common face
        device = getattr(self._running, "device", None)
        return device.device.works if isinstance(device, DeviceOnPort) else None

    def kept(self) -> Any:  # noqa: ANN401 - plain values
        """Return the cards in a machine, the money in a wagering system."""
        return self._machine.kept() if self._machine else None

    def lay_back(self, kept: Any) -> None:  # noqa: ANN401 - plain values
        """Lay them back."""
        self._machine.lay_back(kept)

    @property
    def running(self) -> Any:  # noqa: ANN401 - simulators have no common face
        """Return the simulator that it is."""
        return self._running

    @property
    def port(self) -> SimulatedPort | None:
        """Return the port that its cable is plugged into; None if it has no serial port."""
        port = getattr(self._running, "port", None)
        return port if isinstance(port, SimulatedPort) else None

    def swap_with(self, other: "OnItsWire") -> None:
        """Pull both cables, and put each into the port of the other."""
        mine, theirs = self.port, other.port
        assert mine is not None  # two devices on serial lines
        assert theirs is not None
        for port in (mine, theirs):
            port.unplug()
        mine.path, theirs.path = theirs.path, mine.path
        for port in (mine, theirs):
            port.plug_in()

    async def program_gone(self) -> None:
        """Let a port forget what the program had set, and a bus have its devices back."""
        if self.port is not None:
            self.port.forget()
        if isinstance(self._running, OnUsb):
            server = self._running.server
            await wait_for(lambda: not server.serves_the_dead)

    def close(self) -> None:
        """Pull the cable."""
        self._running.close()


def pad_shows(pad: Any) -> dict[str, Any]:  # noqa: ANN401 - simulators have no common face
    """Return the felt as a person sees it."""
    with pad.condition:
        pad.look_at_clock()
        return {
            "locked": pad.locked,
            "lit": pad.lit,
            "seats": list(pad.seats),
            "covers": [spot.cover for spot in pad.spots],
            "cents": [spot.cents for spot in pad.spots],
        }


async def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait until it is so, for ``LONGEST_S`` at most."""
    end = time.monotonic() + LONGEST_S
    while not is_so() and time.monotonic() < end:  # noqa: ASYNC110 - neither a chip nor a socket tells
        await asyncio.sleep(LOOK_S)


def nobody_listens() -> None:
    """Take the news of a device whose diary has not begun."""


_SHOWS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "EscposDisplay": lambda display: display.shows(),
    "AlphaSign": lambda sign: sign.shows(),
    "AngelEyeShoe": lambda shoe: {"locked": shoe.is_locked, "error": shoe.error},
    "DeviceOnPort": lambda port: port.device.works.shows(port.device.now),
}


class SimulatedLines:
    """The chip with the contacts and lamps of the table."""

    has_pictures = False
    news: Callable[[], None] = staticmethod(nobody_listens)

    def __init__(self, path: Path, pins: Mapping[str, int], at_rest: list[str], outputs: list[str]) -> None:
        self._pins, self._chip = pins, Chip()
        self._chip.looks.know_order([pin for name, pin in pins.items() if name not in outputs])
        self._turned = own_time.turns_of(own_time.of(path.parent), ROUND_S)
        self._names = {pin: name for name, pin in pins.items()}
        self._driven: list[tuple[float, int, int]] = []
        self._told = 0
        self._at_rest = at_rest
        for name, pin in pins.items():
            # An output that nobody drives is held low by the board's own resistor: a relay rests.
            self._chip.drive(pin, CLOSED if name in (*at_rest, *outputs) else OPEN)
        self._server = ChipServer(self._chip, str(path))
        self._server.serve()
        self._actions: Mapping[str, Callable[[str], Awaitable[None]]] = {
            "press": self._press,
            "hold": self._turn,
            "let": self._turn_back,
            "vanish": self._vanish,
        }
        self.key = ""

    async def act(self, name: str, words: str) -> None:
        """Do ``press key_ok``, ``hold key_switch`` or ``let key_switch``."""
        if name not in self._actions:
            message = f"there is no {name!r}; there are {' '.join(self._actions)}"
            raise ValueError(message)
        await self._actions[name](words)

    def _pin(self, name: str) -> int:
        if name not in self._pins:
            message = f"there is no line {name!r}; there are {' '.join(self._pins)}"
            raise ValueError(message)
        return self._pins[name]

    async def _press(self, words: str) -> None:
        for name in words.split():
            await self._turn(name)
            await self._turn_back(name)

    async def _turn(self, name: str) -> None:
        await self._until_settled(name, self._hold)

    async def _turn_back(self, name: str) -> None:
        await self._until_settled(name, self._let)

    async def _until_settled(self, name: str, move: Callable[[str], None]) -> None:
        """Move a contact, and wait until the program has read it settled.

        The looks are counted before the contact moves: the program may look before this thread goes on.
        """
        pin, looks = self._pin(name), self._chip.looks
        before = looks.count[pin]
        move(name)
        await wait_for(lambda: self._looks_at(pin) >= before + LOOKS)

    def _looks_at(self, pin: int) -> int:
        """Return how often the program has looked at a line by itself."""
        self._chip.looks.turned(self._turned())
        return self._chip.looks.count[pin]

    def _hold(self, name: str) -> None:
        pin = self._pin(name)
        # LOCK has two contacts, one of them closed at rest: it opens before the other closes.
        if name == "key_lock":
            self._drive(self._pins.get("lock_at_rest", pin), OPEN)
        self._drive(pin, OPEN if name in self._at_rest else CLOSED)

    def _let(self, name: str) -> None:
        pin = self._pin(name)
        self._drive(pin, CLOSED if name in self._at_rest else OPEN)
        if name == "key_lock" and "lock_at_rest" in self._pins:
            self._drive(self._pins["lock_at_rest"], CLOSED)

    def _drive(self, pin: int, level: int) -> None:
        self._driven.append((time.monotonic(), pin, level))
        self._chip.drive(pin, level)

    async def _vanish(self, _words: str) -> None:
        self._chip.vanish()

    def shows(self) -> dict[str, Any]:
        """Return the level of every line that is wired."""
        return {name: self._chip.level(pin) for name, pin in self._pins.items()}

    def edges(self) -> list[Edge]:
        """Return every edge, of contacts and of outputs, with its time."""
        driven, self._driven = self._driven, []
        switched = self._chip.history[self._told :]
        self._told += len(switched)
        edges = [
            (at, self._names[pin], level) for at, pin, level in (*driven, *switched) if pin in self._names
        ]
        return sorted(edges)

    def kept(self) -> Any:  # noqa: ANN401 - plain values
        """Return nothing: contacts keep nothing."""
        return None

    def lay_back(self, kept: Any) -> None:  # noqa: ANN401 - plain values
        """Do nothing: there is nothing to lay back."""

    async def program_gone(self) -> None:
        """Wait until its connection has ended, and its claims with it."""
        await wait_for(lambda: not self._server.serves_the_dead)

    def close(self) -> None:
        """Take the chip away."""
        self._server.shutdown()
        self._server.server_close()


class World:
    """Every device of the table, by name."""

    look_s = LOOK_OFTEN_S

    def __init__(
        self,
        root: Path,
        plan: Mapping[str, Mapping[str, Any]],
        seed: int,
        found: Mapping[str, Any] | None = None,
    ) -> None:
        self.parts: dict[str, DevicePart] = {}
        self.keys: dict[str, str] = {}
        for number, (name, wanted) in enumerate(plan.items()):
            self.parts[name] = part = self.make(root, name, number, wanted, seed + number)
            if part.key:
                self.keys[name] = part.key
        self.diary = RigDiary(self.parts, self.look_s)
        for each in self.parts.values():
            each.news = self.diary.look
        # What is asked of the whole table.
        self._whole: Mapping[str, Callable[[Any], dict[str, Any]]] = {
            "diary": self._since,
            "keep": self._keep,
            "pause": self._pause,
            "swap": self._swap,
        }
        for name, kept in (found or {}).items():
            self.parts[name].lay_back(kept)

    def make(
        self,
        root: Path,
        _name: str,
        _number: int,
        wanted: Mapping[str, Any],
        seed: int,
    ) -> DevicePart:
        """Return one device, on its wire."""
        if wanted["kind"] == "lines":
            return SimulatedLines(
                root / wanted["at"], wanted["pins"], wanted["closed_at_rest"], wanted["outputs"]
            )
        return OnItsWire(wanted["kind"], root / wanted["at"], seed, wanted.get("chosen", {}))

    def _since(self, first: int) -> dict[str, Any]:
        return {"diary": self.diary.since(int(first))}

    def _keep(self, _word: object) -> dict[str, Any]:
        return {"kept": {name: kept for name, part in self.parts.items() if (kept := part.kept())}}

    def _pause(self, _word: object) -> dict[str, Any]:
        return {"pause": self.diary.longest_pause_s}

    def _swap(self, names: list[str]) -> dict[str, Any]:
        one, other = (self.parts.get(name) for name in names)
        if not isinstance(one, OnItsWire) or not isinstance(other, OnItsWire):
            return {"error": f"{names} are not two devices on serial lines"}
        for name in names:
            self.diary.did(name, "unplug")
        one.swap_with(other)
        return {"done": True}

    async def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Do or show what was asked; if there is nothing new, wait for it as long as was said."""
        if "wait" in asked:
            return {"diary": await self.diary.until(int(asked["diary"]), float(asked["wait"]))}
        if "gone" in asked:
            for part in self.parts.values():
                await part.program_gone()
            return {"done": True}
        return await self._answer(asked)

    async def _answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        name = str(asked.get("device", ""))
        for word, whole in self._whole.items():
            if word in asked:
                return whole(asked[word])
        if not name:
            return {"shows": {each: part.shows() for each, part in self.parts.items()}}
        if name not in self.parts:
            return {"error": f"there is no device {name!r}; there are {' '.join(self.parts)}"}
        part = self.parts[name]
        if "do" not in asked:
            return {"shows": part.shows()}
        action, _, words = str(asked["do"]).partition(" ")
        # Written before it is done: all that comes of it stands behind it in the diary.
        row = self.diary.did(name, str(asked["do"]))
        try:
            await part.act(action, words)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            return {"error": f"{name}: {action} was not done: {error}"}
        return {"done": True, "row": row}

    def close(self) -> None:
        """Take everything away."""
        for part in self.parts.values():
            part.close()
