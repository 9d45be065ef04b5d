"""A USB device in software, plugged into the running kernel: the far end of USB/IP, over a pair of sockets.

The kernel's own host controller for devices of other machines gets one end of the pair, this serves the
other; no network and no tool has part in it. What libusb sees is a device of the kernel like any other:
descriptors, an address, transfers that wait, stall, time out, or end because the cable was pulled. Pulled
means told (``unplug``) or cut in the middle (``cut``), as a broken cable is.
"""

import errno
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sabot.hil.simulators.usb_bus import IN, OUT, Behind

HUB = Path("/sys/devices/platform/vhci_hcd.0")
FULL_SPEED, _FREE = 2, "004"
VENDOR, MODEL = 0x1209, 0x0001
PAD_CLASS = (0xFF, 0x53, 0x01)
PACKET = 64
_SUBMIT, _UNLINK, _DONE, _UNLINKED = 1, 2, 3, 4
_HEAD, _HEAD_BYTES = struct.Struct(">5I"), 48
_DEVICE_TO_HOST, _GET_DESCRIPTOR, _GET_STATUS, _CLEAR = 0x80, 6, 0, 1
_STANDARD = (0x00, 0x01, 0x02)
_WAIT_S = 0.25


def device_descriptor() -> bytes:
    """Return the descriptor of the device: one configuration, the class stated at the interface."""
    return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, PACKET, VENDOR, MODEL, 0x0100, 1, 2, 3, 1)


def configuration_descriptor() -> bytes:
    """Return the descriptor of one interface, interrupt in and bulk out."""
    body = struct.pack("<9B", 9, 4, 0, 0, 2, *PAD_CLASS, 0)
    body += struct.pack("<BBBBHB", 7, 5, IN, 3, PACKET, 1)
    body += struct.pack("<BBBBHB", 7, 5, OUT, 2, PACKET, 0)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 1, 1, 0, 0x80, 50) + body


def string_descriptor(strings: tuple[str, ...], number: int) -> bytes | None:
    """Return the languages, or one string; None if there is none of this number."""
    if not number:
        return struct.pack("<BBH", 4, 3, 0x0409)
    if number > len(strings):
        return None
    text = strings[number - 1].encode("utf-16-le")
    return bytes((2 + len(text), 3)) + text


def exactly(wire: socket.socket, count: int) -> bytes:
    """Return that many bytes from a socket, however they come; raise EOFError if it ends before."""
    data = b""
    while len(data) < count:
        more = wire.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


class Transfer(NamedTuple):
    """A transfer that the host asked for."""

    number: int
    endpoint: int
    length: int
    setup: bytes
    data: bytes


class UsbipDevice:
    """One device on the kernel's bus, for as long as it is plugged in."""

    def __init__(self, behind: Behind) -> None:
        self._behind = behind
        self._cable: Cable | None = None
        self.stalls: dict[int, int] = {}

    @property
    def is_plugged_in(self) -> bool:
        """Return whether the kernel has it."""
        return self._cable is not None

    def plug(self) -> None:
        """Give it to the kernel, which looks at it and makes it known to programs."""
        if self._cable is None:
            self.stalls.clear()
            self._cable = Cable(self._behind, self.stalls)

    def unplug(self) -> None:
        """Pull the cable."""
        self._off(lambda cable: cable.detach())

    def cut(self) -> None:
        """Break the cable: nothing is said, the wire is dead."""
        self._off(lambda cable: cable.close())

    def _off(self, how: Callable[["Cable"], None]) -> None:
        cable, self._cable = self._cable, None
        if cable is not None:
            how(cable)
            cable.wait_until_gone()

    def stall(self, endpoint: int, times: int = 1) -> None:
        """Let an endpoint halt, and again as often after the host has cleared it."""
        self.stalls[endpoint] = times


class UsbipWire:
    """The far end of one plugging-in: it answers for the device what the kernel asks on a wire."""

    def __init__(self, behind: Behind, stalls: dict[int, int], wire: socket.socket) -> None:
        self._behind, self._stalls, self._wire = behind, stalls, wire
        self._lock = threading.Lock()
        self._asked = threading.Condition(self._lock)
        self._waiting: list[Transfer] = []
        self._rest = b""
        self._is_gone = False
        for work in (self._serve, self._feed):
            threading.Thread(target=work, name="usbip", daemon=True).start()

    def close(self) -> None:
        """Let the wire be dead, and end both threads."""
        with self._asked:
            self._is_gone = True
            self._asked.notify_all()
        with self._behind.condition:
            self._behind.condition.notify_all()
        with suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)

    def say_nonsense(self) -> None:
        """Send what is no word of the protocol: a kernel that hears it gives the device up."""
        with self._lock:
            self._wire.sendall(bytes(_HEAD_BYTES))

    # ---------------------------------------------------------------- the wire

    def _serve(self) -> None:
        with suppress(OSError, EOFError):
            while True:
                self._take(exactly(self._wire, _HEAD_BYTES))
        self.close()

    def _take(self, head: bytes) -> None:
        command, number, _device, is_in, endpoint = _HEAD.unpack_from(head)
        if command == _UNLINK:
            (victim,) = struct.unpack_from(">I", head, 20)
            self._unlink(number, victim)
            return
        (length,) = struct.unpack_from(">I", head, 24)
        data = b"" if is_in or not length else exactly(self._wire, length)
        self._submit(Transfer(number, endpoint | is_in << 7, length, head[40:48], data))

    def _submit(self, asked: Transfer) -> None:
        if asked.endpoint & 0x7F == 0:
            self._control(asked)
        elif self._stalls.get(asked.endpoint):
            self._reply(asked, -errno.EPIPE)
        elif asked.endpoint == IN:
            with self._asked:
                self._waiting.append(asked)
                self._asked.notify_all()
        else:
            self._behind.write(asked.data)
            self._reply(asked, 0, actual=len(asked.data))

    def _unlink(self, number: int, victim: int) -> None:
        """Take a wish back; what was answered already stays answered."""
        with self._lock:
            found = [each for each in self._waiting if each.number == victim]
            self._waiting = [each for each in self._waiting if each.number != victim]
            status = -errno.ECONNRESET if found else 0
            self._wire.sendall(_HEAD.pack(_UNLINKED, number, 0, 0, 0) + struct.pack(">i24x", status))

    def _reply(self, asked: Transfer, status: int, data: bytes = b"", actual: int | None = None) -> None:
        with self._lock:
            self._answer(asked, status, data, actual)

    def _answer(self, asked: Transfer, status: int, data: bytes, actual: int | None = None) -> None:
        length = len(data) if actual is None else actual
        head = _HEAD.pack(_DONE, asked.number, 0, 0, 0)
        self._wire.sendall(head + struct.pack(">iiiii8x", status, length, 0, 0, 0) + data)

    # ---------------------------------------------------------------- reports

    def _feed(self) -> None:
        """Give the device's reports to whoever waits for them, as they are made."""
        with suppress(OSError):
            while not self._is_gone:
                with self._asked:
                    self._asked.wait_for(lambda: self._waiting or self._is_gone)
                data = self._rest or self._behind.wait(_WAIT_S, lambda: self._is_gone or not self._waiting)
                if data:
                    self._rest = self._deliver(data)

    def _deliver(self, data: bytes) -> bytes:
        """Answer the oldest wish with a report, and return what is left of it."""
        with self._lock:
            if not self._waiting:
                return data
            asked = self._waiting.pop(0)
            if self._stalls.get(IN):
                self._answer(asked, -errno.EPIPE, b"")
                return data
            self._answer(asked, 0, data[: asked.length])
            # A wish may be for fewer bytes: the rest answers the next one.
            return data[asked.length :]

    # ---------------------------------------------------------------- control transfers

    def _control(self, asked: Transfer) -> None:
        kind, request, value, index, _length = struct.unpack("<BBHHH", asked.setup)
        answer: bytes | None = b""
        if (kind, request) == (_DEVICE_TO_HOST, _GET_DESCRIPTOR):
            answer = self._descriptor(value >> 8, value & 0xFF)
        elif (kind, request) == (0x02, _CLEAR):
            self._stalls[index] = max(0, self._stalls.get(index, 0) - 1)
        elif kind & 0x7F in _STANDARD and request == _GET_STATUS:
            answer = b"\0\0"
        elif kind not in _STANDARD:
            answer = None
        self._reply(asked, 0 if answer is not None else -errno.EPIPE, (answer or b"")[: asked.length])

    def _descriptor(self, kind: int, number: int) -> bytes | None:
        if kind == 1:
            return device_descriptor()
        if kind == 2:  # noqa: PLR2004 - the numbers of the USB specification
            return configuration_descriptor()
        return string_descriptor(self._behind.strings, number) if kind == 3 else None  # noqa: PLR2004


class Cable(UsbipWire):
    """One plugging-in at this machine's own kernel: from its port to its end."""

    def __init__(self, behind: Behind, stalls: dict[int, int]) -> None:
        self.port = _free_port()
        ours, theirs = socket.socketpair()
        super().__init__(behind, stalls, ours)
        with theirs:
            (HUB / "attach").write_text(attachment(self.port, theirs.fileno()), encoding="ascii")

    def detach(self) -> None:
        """Tell the kernel that the device is gone."""
        with suppress(OSError):
            (HUB / "detach").write_text(str(self.port), encoding="ascii")
        self.close()

    def wait_until_gone(self) -> None:
        """Wait until the kernel has its port back, so that the next cable finds it free."""
        for _ in range(200):
            if _state_of(self.port) == _FREE:
                return
            threading.Event().wait(0.02)


def attachment(port: int, descriptor: int) -> str:
    """Return the words by which a kernel takes a connection as the cable of a device."""
    # Port, descriptor, bus and device number (bus 1, numbers from 2 on), and speed.
    return f"{port} {descriptor} {1 << 16 | 2 + port} {FULL_SPEED}"


def _rows() -> list[list[str]]:
    return [line.split() for line in (HUB / "status").read_text(encoding="ascii").splitlines()[1:]]


def _free_port() -> int:
    for hub, port, state, *_ in _rows():
        if hub == "hs" and state == _FREE:
            return int(port)
    raise OSError(errno.EBUSY, "every port of the kernel's virtual hub is taken")


def _state_of(port: int) -> str:
    return next((state for _hub, number, state, *_ in _rows() if int(number) == port), _FREE)
