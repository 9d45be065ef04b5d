"""The devices of a table behind the plugs of an emulated board, in the words of the simulated table.

Serial devices hang on adapters that QEMU emulates, pads on its USB, contacts on lines of the board's kernel.
Each plug is a Unix socket of the emulator, in the table's folder, under the name of the device.

``python -m sabot.hil.board.world DIRECTORY`` runs the process of a simulated table (`sabot.hil.table`)
with these wires: the same files, the same socket.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sabot.hil.board.chip import BoardChip
from sabot.hil.board.usbip import ForwardedDevice
from sabot.hil.board.usbredir import RedirectedDevice
from sabot.hil.kernel.world import KernelLines, OnKernelAdapter, PadsOnBus
from sabot.hil.simulators.device_kinds import OnSerial
from sabot.hil.simulators.pty_port import CHUNK, ByteDevice, SimulatedPort
from sabot.hil.simulators.usb_bus import Behind
from sabot.hil.table.control_socket import serve
from sabot.hil.table.world import CLOSED, LOOKS, OPEN, DevicePart, OnItsWire, World, wait_for

PLUG, FINGER_S = ".plug", 0.05


def plug_of(root: Path, name: str) -> Path:
    """Return the socket of a device's plug."""
    return root / f"{name}{PLUG}"


def by_id(name: str) -> str:
    """Return the path at which the board finds the adapter of a device."""
    return f"/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_{name}-if00-port0"


class BoardPort(SimulatedPort):
    """A device on a serial adapter of the emulator."""

    def __init__(self, device: ByteDevice, plug: Path, name: str) -> None:
        super().__init__(device, path=Path(by_id(name)))
        self._plug = plug
        self._socket: socket.socket | None = None

    def plug_in(self) -> str:
        """Put the device on its adapter. Needs a running loop."""
        if not self.is_plugged_in:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.connect(str(self._plug))
            self._socket.setblocking(False)
            self._master = self._socket.fileno()
            asyncio.get_running_loop().add_reader(self._master, self._readable)
            self.device.attached(self._to_program.send)
        return self.name

    def forget(self) -> None:
        """Do nothing: the settings of the port are the board's own."""

    def unplug(self) -> None:
        """Take the device off; QEMU takes the adapter off its bus with it."""
        if self._socket is None or not self.is_plugged_in:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        self._to_program.clear()
        self._to_device.clear()
        self._socket.close()
        self._master = -1
        self.device.detached()

    def _readable(self) -> None:
        data = b""
        try:
            data = os.read(self._master, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            pass
        if data:
            self._to_device.send(data)
        else:
            # The emulator has closed its plug.
            self.unplug()


class OnBoardAdapter(OnKernelAdapter):
    """A device of the simulators behind an adapter of the emulator."""

    def __init__(self, kind: str, plug: Path, name: str, seed: int, chosen: Mapping[str, Any]) -> None:
        OnItsWire.__init__(self, kind, None, seed, chosen)
        running = self._running
        assert isinstance(running, OnSerial)  # the only kind that has a line
        running.port.unplug()
        running.port = BoardPort(running.device, plug, name)
        running.where = running.port.plug_in()

    def close(self) -> None:
        """Take the device off its adapter."""
        OnItsWire.close(self)


class PadsOnBoard(PadsOnBus):
    """Pads on the board's USB."""

    def __init__(self, plug: Path, chosen: Mapping[str, Any], wire: str = "usbredir") -> None:
        super().__init__(chosen, lambda pad: _WIRES[wire](pad, plug))

    def shows(self) -> dict[str, Any]:
        """Return the felt, and how many halts of an endpoint the board has yet to clear."""
        return {**super().shows(), "halts": sum(self.device.stalls.values())}

    def close(self) -> None:
        """Pull the cable for good."""
        self.device.close()  # type: ignore[attr-defined]


_WIRES: Mapping[str, Callable[[Behind, Path], RedirectedDevice | ForwardedDevice]] = {
    "usbredir": RedirectedDevice,
    "usbip": ForwardedDevice,
}


class BoardLines(KernelLines):
    """Contacts and lamps on lines of the board's kernel."""

    _chip: BoardChip  # type: ignore[assignment]

    def __init__(
        self, plug: Path, pins: Mapping[str, int], closed_at_rest: list[str], outputs: list[str]
    ) -> None:
        self._pins, self._at_rest, self._chip = pins, closed_at_rest, BoardChip(plug)
        self._names = {pin: name for name, pin in pins.items()}
        self._driven, self._told = [], 0
        inputs = {name: pin for name, pin in pins.items() if name not in outputs}
        self._chip.looks.know_order(list(inputs.values()))
        for name, pin in inputs.items():
            self._chip.drive(pin, CLOSED if name in closed_at_rest else OPEN)
        self._chip.ask("go")
        self._actions = {
            "press": self._press,
            "hold": self._turn,
            "let": self._turn_back,
            "bounce": self._bounce,
            "vanish": self._vanish,
            "back": self._back,
            "memory": self._ask_memory,
            "program": self._ask_program,
            "signal": lambda words: self._tell(f"signal {words}"),
            "first": lambda words: self._tell(f"first {words}"),
        }
        self.key = ""

    async def _until_settled(self, name: str, move: Callable[[str], None]) -> None:
        """Move a contact until the program has looked when it heard of it, and again when it had settled.

        One of the two may have been at all lines at the same moment: a key that was let go after 16 ms was
        not felt. So it takes as long as the fastest finger at the least.
        """
        pin, looks = self._pin(name), self._chip.looks
        before = looks.count[pin]
        move(name)
        await asyncio.sleep(FINGER_S)
        await wait_for(lambda: looks.count[pin] >= before + LOOKS)

    async def _ask_memory(self, _words: str) -> None:
        """Do ``memory``: the board says how much of its memory is taken, and the lines show it."""
        self._chip.used_kb = 0
        self._chip.ask("memory")
        await wait_for(lambda: self._chip.used_kb > 0)

    async def _ask_program(self, _words: str) -> None:
        """Do ``program``: the board says which process the program is, and with what rights it runs."""
        self._chip.program = None
        self._chip.ask("program")
        await wait_for(lambda: self._chip.program is not None)

    async def _tell(self, words: str) -> None:
        """Do ``signal KILL`` or ``first SEGV``: the program, or the first process, is sent that signal."""
        self._chip.ask(words)

    def shows(self) -> dict[str, Any]:
        """Return the level of every line that is wired, and what the board said of memory and program."""
        number, rights = self._chip.program or (0, "")
        said = {"used_kb": self._chip.used_kb, "program": number, "rights": rights}
        return {**super().shows(), **said}


class BoardWorld(World):
    """Every device of the table, by name."""

    look_s = 0.05

    def make(self, root: Path, name: str, _number: int, wanted: Mapping[str, Any], seed: int) -> DevicePart:
        """Return one device, in its plug."""
        plug, chosen = plug_of(root, name), wanted.get("chosen", {})
        if wanted["kind"] == "lines":
            return BoardLines(plug, wanted["pins"], wanted["closed_at_rest"], wanted["outputs"])
        if wanted["kind"] == "sabot-pads":
            return PadsOnBoard(plug, chosen, wanted.get("wire", "usbredir"))
        return OnBoardAdapter(wanted["kind"], plug, name, seed, chosen)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), BoardWorld))
