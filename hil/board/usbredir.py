"""A USB device in software on the bus of an emulated board: QEMU's usb-redir, spoken over a Unix socket.

The device is the simulators', as behind USB/IP; what differs is the wire. Numbers and layouts are those of
the usbredir protocol 0.7: a head of type, length and id, the id 32 bits in the hello and 64 after it.
"""

import socket
import struct
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.hil.kernel.devices.usbip import (
    MODEL,
    PAD_CLASS,
    VENDOR,
    configuration_descriptor,
    device_descriptor,
    exactly,
    string_descriptor,
)
from sabot.hil.simulators.usb_bus import IN, OUT, Behind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HELLO, _CONNECT, _DISCONNECT, _INTERFACES, _ENDPOINTS = 0, 1, 2, 4, 5
_SET_CONFIGURATION, _GET_CONFIGURATION, _CONFIGURATION = 6, 7, 8
_SET_ALTERNATIVE, _GET_ALTERNATIVE, _ALTERNATIVE = 9, 10, 11
_START_INTERRUPT, _STOP_INTERRUPT, _INTERRUPT_STATUS = 15, 16, 17
_CONTROL, _BULK, _INTERRUPT = 100, 101, 103
_GOOD, _STALL = 0, 4
# connect_device_version, ep_info_max_packet_size, 64bits_ids, 32bits_bulk_length: xHCI wants all of them.
_CAPABILITIES = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6
_FULL_SPEED, _NO_ENDPOINT, _IS_BULK, _IS_INTERRUPT, _PACKET = 1, 255, 2, 3, 64
_FIRST_HEAD, _HEAD = struct.Struct("<III"), struct.Struct("<IIQ")
_DEVICE_TO_HOST, _GET_DESCRIPTOR, _GET_STATUS = 0x80, 6, 0
_CLEAR_HALT = (0x02, 1)
_KIND_DEVICE, _KIND_CONFIGURATION, _KIND_STRING = 1, 2, 3
_WAIT_S, _HALTED_S = 0.25, 0.01


class RedirectedDevice:
    """One device on the board's bus, for as long as it is plugged in."""

    def __init__(self, behind: Behind, path: Path) -> None:
        self._behind, self._path = behind, path
        self._lock = threading.Lock()
        self._is_plugged, self._is_read = False, False
        self._is_gone, self._is_halt_said = False, False
        self._halting = threading.Lock()
        self._read_id = 0
        self.stalls = {IN: 0, OUT: 0}
        self._answers: Mapping[int, Callable[[int, bytes], None]] = {
            _HELLO: lambda _number, _body: self.plug(),
            _SET_CONFIGURATION: lambda number, body: self._send(_CONFIGURATION, number, b"\0" + body[:1]),
            _GET_CONFIGURATION: lambda number, _: self._send(_CONFIGURATION, number, b"\0\1"),
            _SET_ALTERNATIVE: lambda number, body: self._send(_ALTERNATIVE, number, b"\0" + body[:2]),
            _GET_ALTERNATIVE: lambda number, body: self._send(_ALTERNATIVE, number, b"\0" + body[:1] + b"\0"),
            _START_INTERRUPT: self._start_reading,
            _STOP_INTERRUPT: self._stop_reading,
            _CONTROL: self._control,
            _BULK: self._bulk,
            _INTERRUPT: self._interrupt,
        }
        self._connect()
        threading.Thread(target=self._feed, name="usbredir", daemon=True).start()

    def _connect(self) -> None:
        """Put the wire into the emulator's plug."""
        self._wire, self._is_cut = socket.socket(socket.AF_UNIX), False
        self._wire.connect(str(self._path))
        # The device is on the bus only when both ends have said hello (`_HELLO` in the table of answers).
        threading.Thread(target=self._serve, args=(self._wire,), name="usbredir", daemon=True).start()

    def plug(self) -> None:
        """Put the device on the bus."""
        if self._is_cut:
            self._connect()
        elif not self._is_plugged:
            self._tell_of_itself()

    def _tell_of_itself(self) -> None:
        self._is_plugged, self._is_halt_said = True, False
        self.stalls = dict.fromkeys(self.stalls, 0)
        rest = bytes(31)
        kinds = (0, *PAD_CLASS)
        body = struct.pack("<I", 1) + b"".join(bytes((each,)) + rest for each in kinds)
        self._send(_INTERFACES, 0, body)
        self._send(_ENDPOINTS, 0, _endpoints())
        self._send(_CONNECT, 0, struct.pack("<BBBBHHH", _FULL_SPEED, 0, 0, 0, VENDOR, MODEL, 0x0100))

    def unplug(self) -> None:
        """Pull the cable."""
        if self._is_plugged:
            self._is_plugged = self._is_read = False
            self._send(_DISCONNECT, 0)

    def cut(self) -> None:
        """Break the cable: nothing is said, the wire is dead."""
        self._is_plugged = self._is_read = False
        self._is_cut = True
        with suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)

    def stall(self, endpoint: int, times: int = 1) -> None:
        """Let an endpoint halt, and again as often after the board has cleared it."""
        self.stalls[endpoint] = times
        self._halt(endpoint)

    def _halt(self, endpoint: int) -> None:
        """Report that the way in has halted, if it has."""
        # The way out reports its halt when it is written to (`_bulk`).
        with self._halting:
            if endpoint == IN and self.stalls[IN] and self._is_read and not self._is_halt_said:
                self._is_halt_said = True
                self._report(b"", _STALL)

    def _clear(self, endpoint: int) -> None:
        """Take note that the board has cleared a halt."""
        self.stalls[endpoint] = max(0, self.stalls.get(endpoint, 0) - 1)
        self._is_halt_said = False if endpoint == IN else self._is_halt_said
        self._halt(endpoint)

    def close(self) -> None:
        """Take the device away for good."""
        self._is_gone = True
        with self._behind.condition:
            self._behind.condition.notify_all()
        self._wire.close()

    # ---------------------------------------------------------------- the wire

    def _send(self, kind: int, number: int, body: bytes = b"") -> None:
        head = _FIRST_HEAD if kind == _HELLO else _HEAD
        with self._lock, suppress(OSError):
            self._wire.sendall(head.pack(kind, len(body), number) + body)

    def _serve(self, wire: socket.socket) -> None:
        self._send(_HELLO, 0, b"sabot rig".ljust(64, b"\0") + struct.pack("<I", _CAPABILITIES))
        # Ids have 32 bits until both have said what they are capable of, that is in the hello alone.
        head = _FIRST_HEAD
        with suppress(OSError, EOFError):
            while True:
                kind, length, number = head.unpack(exactly(wire, head.size))
                head = _HEAD
                body = exactly(wire, length)
                if kind in self._answers:
                    self._answers[kind](number, body)

    # ---------------------------------------------------------------- transfers

    def _start_reading(self, number: int, body: bytes) -> None:
        # Before the answer: an endpoint that halts as soon as that is heard has to say so.
        self._is_read = True
        self._send(_INTERRUPT_STATUS, number, bytes((_GOOD, body[0])))
        # It may have been cleared while nobody read, and be halted again.
        self._halt(IN)

    def _stop_reading(self, number: int, body: bytes) -> None:
        # What was said and not read yet is forgotten there.
        self._is_read = self._is_halt_said = False
        self._send(_INTERRUPT_STATUS, number, bytes((_GOOD, body[0])))

    def _feed(self) -> None:
        """Give the device's reports to the board as they are made, in packets."""
        while not self._is_gone:
            data = self._behind.wait(_WAIT_S, lambda: self._is_gone)
            while self.stalls[IN] and self._is_read:
                time.sleep(_HALTED_S)
            for start in range(0, len(data or b""), _PACKET):
                if self._is_read and data:
                    self._report(data[start : start + _PACKET], _GOOD)

    def _report(self, piece: bytes, status: int) -> None:
        self._read_id += 1
        self._send(_INTERRUPT, self._read_id, struct.pack("<BBH", IN, status, len(piece)) + piece)

    def _interrupt(self, number: int, body: bytes) -> None:
        endpoint, _, length = struct.unpack_from("<BBH", body)
        self._behind.write(body[4:])
        self._send(_INTERRUPT, number, struct.pack("<BBH", endpoint, _GOOD, length))

    def _bulk(self, number: int, body: bytes) -> None:
        endpoint, _, low, stream, high = struct.unpack_from("<BBHIH", body)
        # Pads are read by interrupt, so a bulk read is an endpoint that they do not have.
        status = _GOOD if endpoint == OUT and not self.stalls[OUT] else _STALL
        if status == _GOOD:
            self._behind.write(body[10:])
        self._send(_BULK, number, struct.pack("<BBHIH", endpoint, status, low, stream, high))

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, kind, _, value, index, length = struct.unpack_from("<BBBBHHH", body)
        answer: bytes | None = b""
        if (kind, request) == (_DEVICE_TO_HOST, _GET_DESCRIPTOR):
            answer = self._descriptor(value >> 8, value & 0xFF)
        elif (kind, request) == _CLEAR_HALT:
            self._clear(index)
        elif kind & _DEVICE_TO_HOST and request == _GET_STATUS:
            answer = b"\0\0"
        status = _STALL if answer is None else _GOOD
        data = (answer or b"")[:length]
        count = len(data) if kind & _DEVICE_TO_HOST else length
        head = struct.pack("<BBBBHHH", endpoint, request, kind, status, value, index, count)
        self._send(_CONTROL, number, head + data)

    def _descriptor(self, kind: int, number: int) -> bytes | None:
        if kind == _KIND_STRING:
            return string_descriptor(self._behind.strings, number)
        return {_KIND_DEVICE: device_descriptor(), _KIND_CONFIGURATION: configuration_descriptor()}.get(kind)


def _endpoints() -> bytes:
    """Return the endpoints, control both ways, interrupt in and bulk out, as usbredir lists all 32."""
    kinds, pauses, sizes = [_NO_ENDPOINT] * 32, [0] * 32, [0] * 32
    rows = ((0, 0, 0), (16, 0, 0), (16 + (IN & 15), _IS_INTERRUPT, 1), (OUT & 15, _IS_BULK, 0))
    for place, kind, pause in rows:
        kinds[place], pauses[place], sizes[place] = kind, pause, _PACKET
    return bytes(kinds) + bytes(pauses) + bytes(32) + struct.pack("<32H", *sizes)
