"""The wires of a bench: serial adapters of the rig's computer, and its outputs on the controller's inputs.

The works of the devices are the simulators'; here they get real lines. A serial device sits on an adapter
that is crossed with one of the controller's ports. A key is a relay or an open collector that one of the
rig's own pins closes; the controller's outputs are read on others. A bench cannot know when the controller
has read a contact, so a finger stays as long as a person's does.

``python -m sabot.hil.bench.wires DIRECTORY`` runs the process of a simulated table (`sabot.hil.table`)
with these wires: the same files, the same socket.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import serial

from sabot.hil.simulators.device_kinds import OnSerial
from sabot.hil.simulators.pty_port import CHUNK, ByteDevice, SimulatedPort
from sabot.hil.table.control_socket import serve
from sabot.hil.table.diary import Edge
from sabot.hil.table.world import CLOSED, OPEN, OnItsWire, SimulatedLines, World

FINGER_S = 0.06


class AdapterPort(SimulatedPort):
    """A device on a serial adapter. Unplugged it is silent: no bench pulls a cable by itself."""

    def __init__(self, device: ByteDevice, adapter: Mapping[str, Any]) -> None:
        super().__init__(device, path=Path(adapter["port"]))
        bits, parity, stop = adapter.get("frame", "8N1")
        self._settings = {
            "baudrate": int(adapter["baud"]),
            "bytesize": int(bits),
            "parity": parity,
            "stopbits": int(stop),
        }
        self._serial: serial.Serial | None = None

    @property
    def terminal(self) -> str:
        """Return the adapter's path, by the name that stays the same."""
        return str(self.path)

    @property
    def is_plugged_in(self) -> bool:
        """Return whether the device is on the line."""
        return self._serial is not None

    def plug_in(self) -> str:
        """Put the device on the line. Needs a running loop."""
        if self._serial is None:
            self._serial = serial.Serial(
                self.terminal, **self._settings, timeout=0, write_timeout=0, exclusive=True
            )
            asyncio.get_running_loop().add_reader(self._serial.fileno(), self._readable)
            self.device.attached(self._to_program.send)
        return self.name

    def unplug(self) -> None:
        """Take the device off the line: whoever asks it hears nothing."""
        if self._serial is None:
            return
        asyncio.get_running_loop().remove_reader(self._serial.fileno())
        self._serial.close()
        self._serial = None
        self.device.detached()

    def _readable(self) -> None:
        with suppress(OSError, serial.SerialException):
            if self._serial is not None and (data := self._serial.read(CHUNK)):
                self._to_device.send(data)

    def _write_master(self, data: bytes) -> None:
        """Write to the adapter; what it does not take is lost, as on a line without handshake."""
        written = 0
        with suppress(OSError, serial.SerialException):
            if self._serial is not None:
                written = self._serial.write(data) or 0
        self.lost_bytes += len(data) - written


class OnAdapter(OnItsWire):
    """A device of the simulators on an adapter."""

    has_whole_writes = False

    def __init__(self, wanted: Mapping[str, Any], seed: int) -> None:
        super().__init__(wanted["kind"], None, seed, wanted.get("chosen", {}))
        running = self._running
        assert isinstance(running, OnSerial)  # the plan of a bench has no other kind on an adapter
        # The pseudo-terminal of a simulated table: the device moves from it to the adapter.
        running.port.unplug()
        running.port = AdapterPort(running.device, wanted)
        running.where = running.port.plug_in()


class Relays:
    """The rig's own pins, by a module with the face of RPi.GPIO: contacts are driven, outputs are read."""

    def __init__(self, module: str, contacts: list[int], outputs: list[int]) -> None:
        self._gpio = gpio = import_module(module)
        self.history: list[tuple[float, int, int]] = []
        self._levels = dict.fromkeys(outputs, -1)
        gpio.setwarnings(False)
        gpio.setmode(gpio.BCM)
        for pin in contacts:
            gpio.setup(pin, gpio.OUT, initial=OPEN)
        for pin in outputs:
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_DOWN)

    def drive(self, pin: int, level: int) -> None:
        """Close or open a contact."""
        self._gpio.output(pin, level)

    def level(self, pin: int) -> int:
        """Return the level of a pin; an output of the controller that changed goes into the history."""
        level = int(self._gpio.input(pin))
        if pin in self._levels and self._levels[pin] != level:
            self._levels[pin] = level
            self.history.append((time.monotonic(), pin, level))
        return level

    def close(self) -> None:
        """Let every relay rest."""
        self._gpio.cleanup()


class RelayLines(SimulatedLines):
    """Keys and lamps of the controller, by relays."""

    _chip: Relays  # type: ignore[assignment]

    def __init__(self, wanted: Mapping[str, Any]) -> None:
        self._pins, self._at_rest = wanted["pins"], wanted["closed_at_rest"]
        self._names = {pin: name for name, pin in self._pins.items()}
        self._driven: list[tuple[float, int, int]] = []
        self._told, self.key = 0, ""
        outputs = [self._pins[name] for name in wanted["outputs"]]
        contacts = [pin for pin in self._pins.values() if pin not in outputs]
        self._outputs = outputs
        self._chip = Relays(wanted.get("module", "RPi.GPIO"), contacts, outputs)
        for name in self._at_rest:
            self._chip.drive(self._pins[name], CLOSED)
        self._actions = {"press": self._press, "hold": self._turn, "let": self._turn_back}

    async def _until_settled(self, name: str, move: Callable[[str], None]) -> None:
        """Move a contact, and wait as long as a finger would."""
        self._pin(name)
        move(name)
        await asyncio.sleep(FINGER_S)

    def edges(self) -> list[Edge]:
        """Return the edges since the last look: outputs have no interrupts here, so they are read now."""
        for pin in self._outputs:
            self._chip.level(pin)
        return super().edges()

    def close(self) -> None:
        """Let every relay rest."""
        self._chip.close()


class BenchWorld(World):
    """The devices of a bench, by name; a bench has no pads."""

    def make(
        self, _root: Path, name: str, _number: int, wanted: Mapping[str, Any], seed: int
    ) -> RelayLines | OnAdapter:
        """Return one device on its wire."""
        if wanted["kind"] == "lines":
            return RelayLines(wanted)
        if "port" not in wanted:
            message = f"{name}: a device of a bench needs the port of an adapter"
            raise ValueError(message)
        return OnAdapter(wanted, seed)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), BenchWorld))
