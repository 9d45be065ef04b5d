"""The devices of a table behind devices of the kernel, told and asked in the words of the simulated table.

The works of pads, shoe, shuffler, display and sign are the simulators'; what differs is the wire. So
whoever plays a simulated table plays this one unchanged, while the program has the system's own libraries
beneath it.

``python -m sabot.hil.kernel.world DIRECTORY`` runs the process of a simulated table (`sabot.hil.table`)
with these wires: the same files, the same socket.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from sabot.drivers.lines.plan import OUTPUTS
from sabot.hil.kernel.devices.chip import KernelChip
from sabot.hil.kernel.devices.gadget import GadgetPort
from sabot.hil.kernel.devices.usbip import UsbipDevice
from sabot.hil.simulators.device_kinds import KINDS, OnSerial
from sabot.hil.simulators.usb_bus import IN, OUT
from sabot.hil.table.control_socket import serve
from sabot.hil.table.diary import Edge
from sabot.hil.table.world import (
    CLOSED,
    OPEN,
    SETTLED_S,
    DevicePart,
    OnItsWire,
    SimulatedLines,
    World,
    nobody_listens,
    pad_shows,
    wait_for,
)

# The file in which the program's surroundings find the number of the chip.
CHIP_FILE = "chip"
_WAYS = {"in": IN, "out": OUT}


class KernelLines(SimulatedLines):
    """Contacts and lamps on a chip of the kernel."""

    _chip: KernelChip  # type: ignore[assignment]

    def __init__(self, root: Path, pins: Mapping[str, int], closed_at_rest: list[str]) -> None:
        self._pins, self._at_rest, self._chip = pins, closed_at_rest, KernelChip()
        self._names = {pin: name for name, pin in pins.items()}
        self._driven, self._told = [], 0
        (root / CHIP_FILE).write_text(str(self._chip.number), encoding="ascii")
        inputs = {name: pin for name, pin in pins.items() if name not in OUTPUTS}
        self._chip.looks.know_order(list(inputs.values()))
        for name, pin in inputs.items():
            self._chip.drive(pin, CLOSED if name in closed_at_rest else OPEN)
        self._actions = {
            "press": self._press,
            "hold": self._turn,
            "let": self._turn_back,
            "bounce": self._bounce,
            "vanish": self._vanish,
            "back": self._back,
        }
        self.key = ""

    async def _until_settled(self, name: str, move: Callable[[str], None]) -> None:
        """Move a contact, until the program has looked at it, and once more when it had settled."""
        pin, looks = self._pin(name), self._chip.looks
        before, moved = looks.count[pin], time.monotonic()
        move(name)
        await wait_for(lambda: looks.count[pin] > before + 1 and looks.at[pin] >= moved + SETTLED_S)

    async def _bounce(self, words: str) -> None:
        """Do ``bounce key_ok 7``: a worn contact closes and opens that often before it stays."""
        name, times = words.split()
        for _ in range(int(times)):
            self._hold(name)
            self._let(name)
        await self._turn(name)
        for _ in range(int(times)):
            self._let(name)
            self._hold(name)
        await self._turn_back(name)

    async def _back(self, _words: str) -> None:
        self._chip.come_back()

    async def program_gone(self) -> None:
        """Do nothing: the kernel has let go of the lines."""

    def close(self) -> None:
        """Take the chip away."""
        self._chip.close()


class OnKernelAdapter(OnItsWire):
    """A device of the simulators behind a serial adapter of the kernel."""

    has_whole_writes = False

    def __init__(self, kind: str, name: str, number: int, seed: int, chosen: Mapping[str, Any]) -> None:
        super().__init__(kind, None, seed, chosen)
        running = self._running
        assert isinstance(running, OnSerial)  # the only kind that has a line
        running.port.unplug()
        running.port = GadgetPort(running.device, name, number)
        running.where = running.port.plug_in()
        self._port = running.port

    def close(self) -> None:
        """Take the adapter away for good."""
        self._port.remove()


class PadsPlug(Protocol):
    """The cable of the pads, whatever bus it leads to."""

    @property
    def stalls(self) -> Mapping[int, int]:
        """Return how often each endpoint has yet to be cleared."""

    def plug(self) -> None:
        """Put it in."""

    def unplug(self) -> None:
        """Pull it out."""

    def cut(self) -> None:
        """Let it go dead."""

    def stall(self, endpoint: int, times: int = 1) -> None:
        """Let an endpoint halt that often."""


class PadsOnBus:
    """Pads on the kernel's USB."""

    has_pictures = False
    news: Callable[[], None] = staticmethod(nobody_listens)

    def __init__(self, chosen: Mapping[str, Any], plug_of: Callable[[Any], PadsPlug] = UsbipDevice) -> None:
        pads = import_module("sabot.hil.simulators.pads")
        known = {choice.name: choice.default for choice in KINDS["sabot-pads"].choices} | dict(chosen)
        build = pads.Build(spots=known["spots"], has_values=known["has_values"], serial=known["serial"])
        self.pad, self.key = pads.Pad(build), build.public.hex()
        self.device = plug_of(self.pad)
        self._actions: Mapping[str, Callable[[str], None]] = {
            **{name: act for name, (_words, act) in self.pad.actions().items()},
            "unplug": lambda _: self.device.unplug(),
            "cut": lambda _: self.device.cut(),
            "plug": lambda _: self.device.plug(),
            "stall": self._stall,
        }

    def _stall(self, words: str) -> None:
        """Do ``stall in 2``: the endpoint halts, and again after it was cleared once."""
        way, _, times = words.strip().partition(" ")
        self.device.stall(_WAYS[way], int(times or 1))

    async def act(self, name: str, words: str) -> None:
        """Do one of the actions of the pads, or of their cable; raise ValueError for another."""
        if name not in self._actions:
            message = f"there is no {name!r}; there are {' '.join(self._actions)}"
            raise ValueError(message)
        # The kernel may take its time with a cable, and the other devices must not stand still for it.
        await asyncio.to_thread(self._actions[name], words)

    def shows(self) -> dict[str, Any]:
        """Return the felt as a person sees it."""
        return pad_shows(self.pad)

    def edges(self) -> list[Edge]:
        """Return none: pads show how they are, and are looked at."""
        return []

    def kept(self) -> None:
        """Return nothing: pads keep nothing."""

    def lay_back(self, kept: object) -> None:
        """Do nothing: there is nothing to lay back."""

    async def program_gone(self) -> None:
        """Do nothing: the kernel has let go of them."""

    def close(self) -> None:
        """Pull the cable for good."""
        self.device.unplug()


class KernelWorld(World):
    """Every device of the table, by name."""

    # Looking at devices of the kernel costs calls, and an emulated processor has few to spare.
    look_s = 0.05

    def make(self, root: Path, name: str, number: int, wanted: Mapping[str, Any], seed: int) -> DevicePart:
        """Return one device, behind one of the kernel's."""
        if wanted["kind"] == "lines":
            return KernelLines(root, wanted["pins"], wanted["closed_at_rest"])
        chosen = wanted.get("chosen", {})
        if wanted["kind"] == "sabot-pads":
            pads = PadsOnBus(chosen)
            pads.device.plug()
            return pads
        return OnKernelAdapter(wanted["kind"], name, number, seed, chosen)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), KernelWorld))
