"""Frames of Sabot Link: COBS between zeros, closed by a CRC-32.

COBS keeps the zero for the end of a frame, so a receiver that lost its place is back in step with the next
zero: there is no state that noise could wedge. What does not fit is thrown away without a word; the sender
asks again.
"""

import zlib

from sabot.drivers.convention import Statistics

END = b"\0"
HEADER, PAYLOAD_MOST, MAC, CRC = 16, 200, 16, 4
SHORTEST, LONGEST = HEADER + CRC, HEADER + PAYLOAD_MOST + MAC + CRC
# The page's bound. The longest frame has 236 bytes and one of COBS, so no good one is thrown away.
BUFFER_MOST = 255


def cobs(data: bytes) -> bytes:
    """Return the data without zeros in it; it is shorter than 254 bytes, so no piece needs the long form."""
    return b"".join(bytes((len(piece) + 1,)) + piece for piece in data.split(END))


def uncobs(data: bytes) -> bytes | None:
    """Undo ``cobs``; return None where a code byte points beyond the end."""
    pieces, at, end = [], 0, len(data)
    while at < end:
        then = at + data[at]
        pieces.append(data[at + 1 : then])
        at = then
    return END.join(pieces) if at == end else None


def enclose(body: bytes) -> bytes:
    """Return a body as it goes over the wire."""
    return cobs(body + zlib.crc32(body).to_bytes(CRC, "big")) + END


def disclose(data: bytes) -> bytes | None:
    """Return the body of what stood between two zeros, None where it is damaged."""
    plain = uncobs(data)
    if plain is None or not SHORTEST <= len(plain) <= LONGEST:
        return None
    body = plain[:-CRC]
    return body if zlib.crc32(body) == int.from_bytes(plain[-CRC:], "big") else None


class Deframer:
    """Bytes as they come, bodies as they are complete; never more than one frame is kept."""

    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self._buffer = b""
        self._is_lost = False

    def receive(self, data: bytes) -> list[bytes]:
        """Return the bodies that these bytes complete."""
        *ended, self._buffer = (self._buffer + data).split(END)
        bodies = [body for piece in ended if (body := self._end(piece)) is not None]
        if len(self._buffer) > BUFFER_MOST:
            # All up to the next zero is thrown away, for its beginning is lost.
            self._buffer, self._is_lost = b"", True
        self.statistics.buffer_high_water = max(self.statistics.buffer_high_water, len(self._buffer))
        return bodies

    def _end(self, piece: bytes) -> bytes | None:
        """Return the body of a piece that has ended; None for nothing, and for what noise left."""
        if self._is_lost:
            self._is_lost = False
            self.statistics.resyncs += 1
            return None
        # Two zeros behind each other: a sender flushes noise with one.
        if not piece:
            return None
        body = disclose(piece)
        if body is None:
            self.statistics.crc_errors += 1
        return body
