"""The frames of Sabot pads: bytes in, frames out, and never an exception, a wedge or more memory for noise.

Both ways are streams of bytes, for a read may end in the middle of a frame. A frame is believed when its
CRC-32 is right; else the search goes on one byte further, since a good frame may begin inside a bad one.
"""

import struct
import zlib
from typing import Final

from sabot.drivers.convention import Statistics
from sabot.drivers.enrolment import MAC_BYTES
from sabot.drivers.pads.messages import Message, PadFrame
from sabot.drivers.pads.payloads import read_payload, write_payload

VERSION: Final = 1
MAGIC: Final = b"SP"
# Magic, version, type, flags, zero, length; session, sequence, ack, time.
_HEADER = struct.Struct(">2sBBBBHIIII")
_CRC = struct.Struct(">I")
_HAS_MAC = 1
# After eight bytes the length of a frame is known. The longest payload is a STATE of 64 spots: 36 + 64 * 9.
_PREFIX, _LONGEST_PAYLOAD = 8, 612
LONGEST: Final = _HEADER.size + _LONGEST_PAYLOAD + MAC_BYTES + _CRC.size


class PadCodec:
    """The bytes of one link, as frames and back."""

    def __init__(self) -> None:
        self.statistics = Statistics()
        self._buffer = bytearray()

    def receive(self, data: bytes) -> list[PadFrame]:
        """Return the frames that these bytes complete; less than one frame is ever kept."""
        frames: list[PadFrame] = []
        for start in range(0, len(data), LONGEST):
            self._buffer += data[start : start + LONGEST]
            held = len(self._buffer)
            self.statistics.buffer_high_water = max(self.statistics.buffer_high_water, held)
            while (found := self._next()) is not None:
                frames += found
        return frames

    def forget(self) -> None:
        """Forget half a frame from before the port was opened anew."""
        self._buffer.clear()

    def encode(self, frame: PadFrame) -> bytes:
        """Return the bytes of a frame."""
        self.statistics.frames_out += 1
        return sealed(signed_bytes(frame, with_mac=bool(frame.mac)), frame.mac)

    def _next(self) -> list[PadFrame] | None:
        """Return one frame, or an empty list where one was passed over; None when more bytes are needed."""
        size = self._seek()
        if size is None:
            return None
        whole = bytes(self._buffer[:size])
        if zlib.crc32(whole[: -_CRC.size]) != _CRC.unpack(whole[-_CRC.size :])[0]:
            self.statistics.crc_errors += 1
            # One byte, not the whole: its length may be what was damaged, and a good frame lie inside.
            self._skip(1)
            return []
        del self._buffer[:size]
        return self._understood(whole)

    def _seek(self) -> int | None:
        """Bring what may be a frame to the front, and return its length; None while it is not whole."""
        while True:
            start = self._buffer.find(MAGIC)
            if start < 0:
                # The last byte may be the first half of the next frame's magic.
                start = len(self._buffer) - self._buffer.endswith(MAGIC[:1])
            if start:
                self._skip(start)
            if len(self._buffer) < _PREFIX:
                return None
            if size := _size(self._buffer):
                return size if len(self._buffer) >= size else None
            self._skip(1)

    def _skip(self, count: int) -> None:
        self.statistics.resyncs += 1
        del self._buffer[:count]

    def _understood(self, whole: bytes) -> list[PadFrame]:
        """Return the frame of these whole bytes, or nothing where the page does not know its content."""
        _, _, number, flags, _, length, session, sequence, ack, time_ms = _HEADER.unpack_from(whole)
        end = _HEADER.size + length
        message = read_payload(number, whole[_HEADER.size : end])
        # Whole and not understood: a later version may send it, and nothing depends on it. 0 is no session.
        if message is None or not session:
            self.statistics.refused += 1
            return []
        self.statistics.frames_in += 1
        mac = whole[end : end + MAC_BYTES] if flags else b""
        return [PadFrame(message, session, sequence, ack, time_ms, mac, whole[:end])]


def _size(data: bytearray) -> int:
    """Return the length of the frame that begins here, 0 when none can."""
    _, version, _, flags, zero, length = struct.unpack_from(">2sBBBBH", data)
    if version != VERSION or flags & ~_HAS_MAC or zero or length > _LONGEST_PAYLOAD:
        return 0
    return int(_HEADER.size + length + MAC_BYTES * flags + _CRC.size)


def signed_bytes(frame: PadFrame, *, with_mac: bool) -> bytes:
    """Return header and payload, which a MAC and a transcript are made of."""
    number, payload = write_payload(frame.message)
    numbers = (frame.session, frame.sequence, frame.ack, frame.time_ms)
    return _HEADER.pack(MAGIC, VERSION, number, with_mac * _HAS_MAC, 0, len(payload), *numbers) + payload


def sealed(signed: bytes, mac: bytes) -> bytes:
    """Return the whole frame from what was signed."""
    body = signed + mac
    return body + _CRC.pack(zlib.crc32(body))


def frame_of(message: Message, session: int, sequence: int = 0) -> PadFrame:
    """Return a frame of the host, whose time is 0."""
    return PadFrame(message, session, sequence)
