"""A simulated bus behind a Unix socket, so that the pad lives in another process than the program.

One line of JSON asks, one answers. Each thread has a connection of its own, for a read waits. When
the simulator's process is gone, so are its devices.
"""

import errno
import io
import json
import select
import socket
import threading
from contextlib import suppress
from socketserver import StreamRequestHandler
from typing import Any

from sabot.hil.simulators.far_end import FarEnd
from sabot.hil.simulators.usb_bus import Bus, UsbFailure

_QUESTIONS = frozenset(("devices", "configuration", "read", "write", "control"))
_CALLS = _QUESTIONS | {"open", "close", "configure", "claim", "release", "clear_halt"}


class BusServer(FarEnd):
    """A bus at the end of a socket."""

    def __init__(self, bus: Bus, path: str) -> None:
        super().__init__(path, _Handler)
        self.bus = bus


class _Handler(StreamRequestHandler):
    server: BusServer

    def handle(self) -> None:
        """Answer every line; what a connection had opened goes with it, as with a program that is killed."""
        self._opened: set[int] = set()
        try:
            with suppress(OSError):
                for line in self.rfile:
                    answer = json.dumps(self._answer(json.loads(line)))
                    self.wfile.write(answer.encode() + b"\n")
        finally:
            for handle in self._opened:
                self.server.bus.close(handle)

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked["call"] not in _CALLS:
            return {"errno": errno.EIO}
        try:
            value = getattr(self.server.bus, asked["call"])(*map(_in, asked["with"]))
        except UsbFailure as failure:
            return {"errno": failure.number}
        if asked["call"] == "open":
            self._opened.add(value)
        return {"is": _out(value)}


def _out(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _in(value: Any) -> Any:  # noqa: ANN401 - JSON
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


class RemoteBus:
    """A bus in another process, with the calls of ``Bus``."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._mine = threading.local()

    def devices(self) -> list[int]:
        """Return the addresses of what is plugged in; none if no simulator runs."""
        try:
            return list(self._ask("devices"))
        except UsbFailure:
            return []

    def open(self, address: int) -> int:
        """Return a handle."""
        return int(self._ask("open", address))

    def close(self, handle: int) -> None:
        """Let go of a device."""
        self._ask("close", handle)

    def configure(self, handle: int, value: int) -> None:
        """Select the configuration."""
        self._ask("configure", handle, value)

    def configuration(self, handle: int) -> int:
        """Return the selected configuration."""
        return int(self._ask("configuration", handle))

    def claim(self, handle: int) -> None:
        """Take the interface."""
        self._ask("claim", handle)

    def release(self, handle: int) -> None:
        """Give it back."""
        self._ask("release", handle)

    def clear_halt(self, handle: int, endpoint: int) -> None:
        """End a stall."""
        self._ask("clear_halt", handle, endpoint)

    def read(self, handle: int, endpoint: int, size: int, timeout_s: float) -> bytes:
        """Return the data of an interrupt transfer to the host."""
        return bytes(self._ask("read", handle, endpoint, size, timeout_s))

    def write(self, handle: int, endpoint: int, data: bytes) -> int:
        """Carry a bulk transfer to the device, and return its size."""
        return int(self._ask("write", handle, endpoint, data))

    def control(self, handle: int, request_type: int, request: int, value: int) -> bytes:
        """Return a string descriptor."""
        return bytes(self._ask("control", handle, request_type, request, value))

    def _ask(self, call: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON
        try:
            stream = self._stream()
            stream.write(
                json.dumps({"call": call, "with": [_out(each) for each in arguments]}).encode() + b"\n"
            )
            stream.flush()
            # A read of a Unix stream also wakes when the other side has taken the question; a wait for input
            # does not. No transfer has that second wake-up, and the figures of a table at rest count each.
            select.select((self._mine.raw,), (), ())
            line = stream.readline()
        except OSError as error:
            self._mine.stream = None
            raise UsbFailure(errno.ENODEV) from error
        if not line:
            self._mine.stream = None
            raise UsbFailure(errno.ENODEV)
        answer = json.loads(line)
        if "errno" in answer:
            raise UsbFailure(answer["errno"])
        return _in(answer["is"])

    def _stream(self) -> Any:  # noqa: ANN401 - a socket's file
        if getattr(self._mine, "stream", None) is None:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(self._path)
            self._mine.raw = connection.makefile("rwb", buffering=0)
            self._mine.stream = io.BufferedRWPair(self._mine.raw, self._mine.raw)
            connection.close()  # the file keeps it open
        return self._mine.stream
