"""The wires of real devices: a serial port, and the two endpoints of pads.

Reads wait with a deadline in the kit's own thread: a kit talks to one device at a time and has nothing else
to do. A port is found and opened as the program does it, for that is not what is judged here.
"""

import errno
import os
import select
import stat
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from sabot.drivers.convention import LineSettings
from sabot.drivers.errors import ERRORS as LINK_ERRORS
from sabot.drivers.errors import LinkError
from sabot.drivers.pads.usb import backend_of
from sabot.drivers.serial_port import close_port, modem_lines, open_port
from sabot.hil.conformance.kit import KitLine
from sabot.hil.table import own_time

CHUNK = 4096
BACK_S = 20.0
RETRY_S = 0.1
# The two endpoints of the page, a whole frame, and how long a write may take.
IN, OUT, READ_MOST, WRITE_MS = 0x81, 0x02, 1024, 500


def _when_back(opened: Callable[[], Any], now: Callable[[], float]) -> Any:  # noqa: ANN401 - pyusb has no types
    """Return what could be opened, trying again for as long as a device may be away."""
    end = now() + BACK_S
    while True:
        try:
            return opened()
        except LinkError:
            if now() > end:
                raise
            time.sleep(RETRY_S)


class SerialLine:
    """A serial port."""

    def __init__(self, name: str, settings: LineSettings) -> None:
        self._name, self._settings = name, settings
        self._port: Any = open_port(name, settings)

    def now(self) -> float:
        """Return seconds of the clock that never jumps."""
        return time.monotonic()

    def send(self, data: bytes) -> None:
        """Write all of it."""
        while data:
            select.select([], [self._port.fileno()], [])
            data = data[os.write(self._port.fileno(), data) :]

    def read(self, until: float) -> bytes:
        """Return what has come; raise OSError when the port is gone."""
        ready, _, _ = select.select([self._port.fileno()], [], [], max(0.0, until - self.now()))
        if not ready:
            return b""
        data = os.read(self._port.fileno(), CHUNK)
        # Ready and nothing to read: that is how a pulled adapter shows.
        if not data:
            raise OSError(errno.EIO, "the port hung up")
        return data

    def reopen(self) -> None:
        """Open it anew; an adapter that was without power may need a moment to be back."""
        close_port(self._port)
        self._port = _when_back(lambda: open_port(self._name, self._settings), self.now)

    def facts(self) -> dict[str, Any]:
        """Return its modem lines, if it has any."""
        lines = modem_lines(self._port)
        return {} if lines is None else {"modem": lines._asdict()}

    def close(self) -> None:
        """Let go of it."""
        close_port(self._port)


class UsbLine:
    """Pads on USB: ``VID:PID``, ``VID:PID:SERIAL``, or the socket of a simulated bus."""

    def __init__(self, name: str, backend: str = "") -> None:
        self._name = name
        # The socket of a simulated bus is the short way to say its backend.
        self._backend = f"sabot.hil.simulators.usb_backend:over_socket:{name}" if is_socket(name) else backend
        self._usb, self._util = import_module("usb.core"), import_module("usb.util")
        self._device = self._opened()

    def _opened(self) -> Any:  # noqa: ANN401 - pyusb has no types
        device = next(self._found(), None)
        if device is None:
            raise LinkError(LINK_ERRORS["E-LINK-001"], self._name, why="no such device on the bus")
        try:
            device.set_configuration()
            self._util.claim_interface(device, 0)
        except OSError as error:
            raise LinkError(LINK_ERRORS["E-LINK-001"], self._name, why=error) from error
        return device

    def _found(self) -> Iterator[Any]:
        wanted: dict[str, Any] = {}
        serial = ""
        if not is_socket(self._name):
            vendor, product, serial = usb_name(self._name)
            wanted = {"idVendor": vendor, "idProduct": product}
        try:
            for each in self._usb.find(find_all=True, backend=backend_of(self._backend), **wanted):
                if not serial or _serial_of(each) == serial:
                    yield each
        except (self._usb.NoBackendError, ImportError, AttributeError) as error:
            raise LinkError(LINK_ERRORS["E-LINK-001"], self._name, why=f"no USB library: {error}") from error

    def now(self) -> float:
        """Return seconds of the clock that never jumps."""
        return time.monotonic()

    def send(self, data: bytes) -> None:
        """Send one frame as one transfer, ended by a short packet."""
        self._device.write(OUT, data, WRITE_MS)

    def read(self, until: float) -> bytes:
        """Return what has come; a timeout is nothing, a stall is cleared."""
        timeout_ms = max(1, round((until - self.now()) * 1000))
        try:
            return bytes(self._device.read(IN, READ_MOST, timeout_ms))
        except OSError as error:
            if error.errno == errno.EPIPE:
                self._device.clear_halt(IN)
            elif error.errno != errno.ETIMEDOUT:
                raise
            return b""

    def reopen(self) -> None:
        """Find it anew: it may be back under another address, and need a moment for that."""
        self.close()
        self._device = _when_back(self._opened, self.now)

    def facts(self) -> dict[str, Any]:
        """Return the facts of the descriptors."""
        device = self._device
        interface = device[0][(0, 0)]
        return {
            "device_class": device.bDeviceClass,
            "configurations": device.bNumConfigurations,
            "interface": (
                interface.bInterfaceClass,
                interface.bInterfaceSubClass,
                interface.bInterfaceProtocol,
            ),
            "endpoints": sorted(
                (each.bEndpointAddress, each.bmAttributes & 3, each.wMaxPacketSize, each.bInterval)
                for each in interface
            ),
            "serial": _serial_of(device),
        }

    def close(self) -> None:
        """Let go of it, also of one that is gone."""
        try:
            self._util.dispose_resources(self._device)
        except OSError:
            return


class InOwnTime:
    """The wire of a simulator with a time of its own: the two wait for each other, and so do deadlines."""

    def __init__(self, line: KitLine, file: Path) -> None:
        self._line, self._time = line, own_time.Follower(file)
        self.send, self.reopen, self.facts = line.send, line.reopen, line.facts

    def now(self) -> float:
        """Return seconds of the simulator's time."""
        return self._time.now()

    def read(self, until: float) -> bytes:
        """Return what has come."""
        while True:
            # All that came before is done, so the simulator's time may go on.
            self._time.turn()
            left_s = max(0.0, min(own_time.TURN_S, until - self.now()))
            data = self._line.read(self._line.now() + left_s)
            if data or self.now() >= until:
                return data

    def close(self) -> None:
        """Let go of both."""
        self._time.leave()
        self._line.close()


def _serial_of(device: Any) -> str:  # noqa: ANN401 - pyusb has no types
    """Return the serial number of its descriptor; empty if this user may not ask."""
    try:
        return str(device.serial_number)
    except (OSError, ValueError):
        return ""


def is_socket(name: str) -> bool:
    """Return whether this is the socket of a simulated bus."""
    try:
        return stat.S_ISSOCK(Path(name).stat().st_mode)
    except OSError:
        return False


def usb_name(name: str) -> tuple[int, int, str]:
    """Return vendor, product and serial number; raise ValueError for anything else."""
    vendor, product, *rest = name.split(":", 2)
    return int(vendor, 16), int(product, 16), rest[0] if rest else ""
