"""The devices of a simulated table, and what a person at the table could do to them or see of them.

Everything is told and asked by the name of a device: an action as a technician would type it, or what the
device shows. The dealer's keys are contacts on lines: a press closes one for as long as a finger would.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from sabot.hil.simulators.gpio.chip import Chip
from sabot.hil.simulators.gpio.remote import ChipServer
from sabot.hil.simulators.kinds import KINDS, OnSerial, OnUsb

# A contact stays as it is until the program has read it settled, at most as long as a slow finger takes.
SETTLED_S, LONGEST_S, LOOK_S = 0.0079, 3.0, 0.001
CLOSED, OPEN = 0, 1


class Part(Protocol):
    """One device of the table."""

    async def act(self, name: str, words: str) -> None:
        """Do something to it; ValueError where it cannot be done."""

    def shows(self) -> dict[str, Any]:
        """What a person could see of it."""

    def close(self) -> None:
        """Take it away."""


class OnItsWire:
    """A device of the simulators, under its name at this table."""

    def __init__(self, kind: str, path: Path, seed: int, chosen: Mapping[str, Any]) -> None:
        made = KINDS[kind]
        known = {choice.name: choice.default for choice in made.choices}
        self._running = made.start(path, seed, {**known, **chosen})
        self.key = self._running.key

    async def act(self, name: str, words: str) -> None:
        """One of the actions that `sabot sim` has."""
        actions = self._running.actions()
        if name not in actions:
            message = f"there is no {name!r}; there are {' '.join(actions)}"
            raise ValueError(message)
        actions[name][1](words)

    def shows(self) -> dict[str, Any]:
        """By the kind of device."""
        running = self._running
        if isinstance(running, OnUsb):
            return _pad_shows(running.pad)
        assert isinstance(running, OnSerial)  # the only other kind
        return _SHOWS[type(running.device).__name__](running.device)

    def close(self) -> None:
        """Pull the cable."""
        self._running.close()


def _pad_shows(pad: Any) -> dict[str, Any]:  # noqa: ANN401 - simulators have no common face
    with pad.condition:
        pad.look_at_clock()
        return {
            "locked": pad.locked,
            "lit": pad.lit,
            "seats": list(pad.seats),
            "covers": [spot.cover for spot in pad.spots],
            "cents": [spot.cents for spot in pad.spots],
        }


_SHOWS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "EscposDisplay": lambda display: {"lines": ["".join(row) for row in display.cells]},
    "AlphaSign": lambda sign: {"pages": sign.shown()},
    "AngelEyeShoe": lambda shoe: {"locked": shoe.is_locked, "error": shoe.error},
    "DeviceOnPort": lambda port: {
        **port.device.machine.state(port.device.now),
        "ready": len(port.device.machine.ready),
        "intake": len(port.device.machine.intake),
        "held": port.device.machine.held,
    },
}


class Lines:
    """The chip with the contacts and lamps of the table."""

    def __init__(self, path: Path, pins: Mapping[str, int], closed_at_rest: list[str]) -> None:
        self._pins, self._chip = pins, Chip()
        self._at_rest = closed_at_rest
        for name, pin in pins.items():
            self._chip.drive(pin, CLOSED if name in closed_at_rest else OPEN)
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
        """``press key_ok``, ``hold key_switch``, ``let key_switch``."""
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
            await self._hold(name)
            await self._wait_until_read(self._pin(name))
            await self._let(name)
            await self._wait_until_read(self._pin(name))

    async def _turn(self, name: str) -> None:
        await self._hold(name)
        await self._wait_until_read(self._pin(name))

    async def _turn_back(self, name: str) -> None:
        await self._let(name)
        await self._wait_until_read(self._pin(name))

    async def _wait_until_read(self, pin: int) -> None:
        """Until the program has looked, and has looked again when the contact had settled."""
        moved = time.monotonic()
        await self._wait_for(lambda: self._chip.read_at[pin] > moved)
        seen = self._chip.read_at[pin]
        await self._wait_for(lambda: self._chip.read_at[pin] >= seen + SETTLED_S)

    async def _wait_for(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST_S
        while not is_so() and time.monotonic() < end:  # noqa: ASYNC110 - a chip has no event for a read
            await asyncio.sleep(LOOK_S)

    async def _hold(self, name: str) -> None:
        pin = self._pin(name)
        if name == "key_lock":
            self._chip.drive(self._pins.get("lock_at_rest", pin), OPEN)
        self._chip.drive(pin, OPEN if name in self._at_rest else CLOSED)

    async def _let(self, name: str) -> None:
        pin = self._pin(name)
        self._chip.drive(pin, CLOSED if name in self._at_rest else OPEN)
        if name == "key_lock" and "lock_at_rest" in self._pins:
            self._chip.drive(self._pins["lock_at_rest"], CLOSED)

    async def _vanish(self, _words: str) -> None:
        self._chip.vanish()

    def shows(self) -> dict[str, Any]:
        """The level of every line that is wired."""
        return {name: self._chip.level(pin) for name, pin in self._pins.items()}

    def close(self) -> None:
        """No more lines."""
        self._server.shutdown()
        self._server.server_close()


class World:
    """Every device of the table, by name."""

    def __init__(self, root: Path, plan: Mapping[str, Mapping[str, Any]], seed: int) -> None:
        self.parts: dict[str, Part] = {}
        self.keys: dict[str, str] = {}
        for number, (name, wanted) in enumerate(plan.items()):
            part: Lines | OnItsWire
            if wanted["kind"] == "lines":
                part = Lines(root / wanted["at"], wanted["pins"], wanted["closed_at_rest"])
            else:
                part = OnItsWire(wanted["kind"], root / wanted["at"], seed + number, wanted.get("chosen", {}))
            self.parts[name] = part
            if part.key:
                self.keys[name] = part.key

    async def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Do or show what was asked."""
        name = str(asked.get("device", ""))
        if not name:
            return {"shows": {each: part.shows() for each, part in self.parts.items()}}
        if name not in self.parts:
            return {"error": f"there is no device {name!r}; there are {' '.join(self.parts)}"}
        part = self.parts[name]
        if "do" not in asked:
            return {"shows": part.shows()}
        action, _, words = str(asked["do"]).partition(" ")
        try:
            await part.act(action, words)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            return {"error": f"{name}: {action} was not done: {error}"}
        return {"done": True}

    def close(self) -> None:
        """Take everything away."""
        for part in self.parts.values():
            part.close()
