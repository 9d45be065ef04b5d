"""A device of another program as a bus: its two endpoints are the two ways of one Unix socket.

Who connects to the socket has plugged the cable in: three lines come, the strings of the descriptors (maker,
product, serial number), then the bytes of the IN endpoint; what is written goes to the OUT endpoint. When the
socket closes the device is gone. For makers whose device has no USB yet, in whatever language it is written.
"""

import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from sabot.hil.simulators.usb_bus import Bus

STRINGS, READ_MOST, LOOK_S = 3, 4096, 0.05


class StreamDevice:
    """The device behind a socket."""

    def __init__(self, path: str) -> None:
        self.condition = threading.Condition()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(1.0)
        self._socket.connect(path)
        self._rest = b""
        while self._rest.count(b"\n") < STRINGS:
            if not (more := self._socket.recv(READ_MOST)):
                raise ConnectionError(path)
            self._rest += more
        *names, self._rest = self._rest.split(b"\n", STRINGS)
        self._strings = tuple(name.decode("ascii", "replace") for name in names)
        self.is_gone = False

    @property
    def strings(self) -> tuple[str, str, str]:
        """Return maker, product and serial number."""
        maker, product, serial = self._strings
        return maker, product, serial

    def write(self, data: bytes) -> None:
        """Send bytes of the host; if nobody takes them the device is gone."""
        try:
            self._socket.sendall(data)
        except OSError:
            self.is_gone = True

    def wait(self, timeout_s: float, is_gone: Callable[[], bool]) -> bytes | None:
        """Return bytes for the host; None if none came in time or the device is gone."""
        left = timeout_s
        while not self._rest and not is_gone() and left > 0:
            ready, _, _ = select.select([self._socket], [], [], min(left, LOOK_S))
            left -= LOOK_S
            if ready and not self._receive():
                self.is_gone = True
                return None
        data, self._rest = self._rest, b""
        return data or None

    def _receive(self) -> bool:
        with suppress(OSError):
            self._rest = self._socket.recv(READ_MOST)
        return bool(self._rest)

    def close(self) -> None:
        """Let go of the cable."""
        self._socket.close()


class StreamBus(Bus):
    """A bus on which one device is, while its socket is open."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._device: StreamDevice | None = None

    def devices(self) -> list[int]:
        """Return the device's address if it is there now."""
        self._look()
        return super().devices()

    def read(self, handle: int, endpoint: int, size: int, timeout_s: float) -> bytes:
        """Return what came; a device whose socket closed is gone."""
        try:
            return super().read(handle, endpoint, size, timeout_s)
        finally:
            self._drop_what_is_gone()

    def _drop_what_is_gone(self) -> None:
        if self._device is not None and self._device.is_gone:
            self.unplug(self._device)
            self._device.close()
            self._device = None

    def _look(self) -> None:
        self._drop_what_is_gone()
        if self._device is None:
            with suppress(OSError):
                self._device = StreamDevice(self._path)
                self.plug(self._device)


@cache
def stream_bus(path: str) -> StreamBus:
    """Return the bus at this socket: one, for there is one cable."""
    return StreamBus(path)
