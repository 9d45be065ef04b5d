"""Bodies as messages and back: the header of Sabot Link, strict in what it takes.

The codec checks what needs no session (version, flags, length) and keeps the signed bytes and the MAC beside
the message, so that the session can check them before it believes a word.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import field

from sabot.drivers.convention import Statistics
from sabot.drivers.options import Value
from sabot.drivers.sabot_link.frame import HEADER, MAC, PAYLOAD_MOST, Deframer, enclose
from sabot.drivers.sabot_link.messages import RELIABLE_FROM, Message, read, write
from sabot.rules.frozen import frozen

VERSION = 1
RELIABLE, SIGNED = 1, 2
# Version, type, flags, length; session, sequence, ack.
_HEADER = struct.Struct(">BBBBIII")
Signer = Callable[[bytes], bytes]


@frozen
class Frame:
    """A message with its place in a session; ``signed`` are the bytes that the MAC is of."""

    message: Message
    session: int = 0
    sequence: int = 0
    ack: int = 0
    mac: bytes = b""
    signed: bytes = field(default=b"", repr=False, compare=False)

    @property
    def is_reliable(self) -> bool:
        """Return whether it wants an acknowledgement."""
        return self.sequence > 0


def head(frame: Frame, *, is_signed: bool) -> bytes:
    """Return header and payload of a frame."""
    code, payload = write(frame.message)
    flags = (RELIABLE if code >= RELIABLE_FROM else 0) | (SIGNED if is_signed else 0)
    return (
        _HEADER.pack(VERSION, code, flags, len(payload), frame.session, frame.sequence, frame.ack) + payload
    )


def seal(frame: Frame, signer: Signer | None) -> bytes:
    """Return a frame as it goes over the wire, with a MAC where there is a key to make it."""
    signed = head(frame, is_signed=signer is not None)
    return enclose(signed + (signer(signed) if signer else b""))


def open_body(body: bytes) -> Frame | None:
    """Return the frame of a body whose CRC was right; None where its header is not one of version 1."""
    version, code, flags, length, session, sequence, ack = _HEADER.unpack_from(body)
    end = HEADER + length
    size = end + (MAC if flags & SIGNED else 0)
    is_reliable = bool(flags & RELIABLE)
    if (
        version != VERSION
        or flags > RELIABLE | SIGNED
        or length > PAYLOAD_MOST
        or len(body) != size
        or is_reliable != (code >= RELIABLE_FROM)
        or is_reliable != (sequence > 0)
    ):
        return None
    return Frame(read(code, body[HEADER:end]), session, sequence, ack, body[end:], body[:end])


class SabotLinkCodec:
    """The codec of one line."""

    def __init__(self, options: Mapping[str, Value] | None = None) -> None:
        self.options = options or {}
        self.statistics = Statistics()
        self._deframer = Deframer(self.statistics)

    def receive(self, data: bytes) -> list[Frame]:
        """Return the frames that these bytes complete."""
        frames = [open_body(body) for body in self._deframer.receive(data)]
        good = [frame for frame in frames if frame is not None]
        self.statistics.frames_in += len(good)
        self.statistics.refused += len(frames) - len(good)
        return good

    def encode(self, message: Frame) -> bytes:
        """Return a frame as it goes over the wire; its MAC, where it has one, is taken as it is."""
        mac = message.mac
        self.statistics.frames_out += 1
        return seal(message, (lambda _signed: mac) if mac else None)
