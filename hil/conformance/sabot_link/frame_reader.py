"""A device's words on Sabot Link, cut into frames, with everything named that is against the page.

A receiver of the convention passes damage over without a word. A judge must not: each byte that is no good
frame is kept as a defect.
"""

import hashlib
import hmac
from typing import NamedTuple

from sabot.hil.simulators.sabot_link.wire import NAMES, WireHeard, crc32, heard, unstuff

HEADER, CRC, MOST = 16, 4, 255
RELIABLE_FROM, RELIABLE, MACED = 0x10, 1, 2
GREETINGS = ("IDENTITY", "PROOF")
FROM_DEVICE = frozenset(name for code, name in NAMES.items() if code in (2, 4, 5, 6, 8) or code >= 0x20)  # noqa: PLR2004


class Came(NamedTuple):
    """A good frame, when it came, and its body as sent."""

    at: float
    message: WireHeard
    body: bytes

    @property
    def payload(self) -> bytes:
        """Return the body without header and MAC."""
        return self.body[HEADER : HEADER + self.body[3]]


class LinkFrameReader:
    """Bytes of the device; ``defects`` is what was wrong with them."""

    def __init__(self) -> None:
        self._held = bytearray()
        self.defects: list[str] = []

    def clear(self) -> None:
        """Forget half a frame: a device without power is not to blame for it."""
        self._held.clear()

    def hear(self, data: bytes, at: float) -> list[Came]:
        """Return the good frames that these bytes complete."""
        self._held += data
        *pieces, rest = bytes(self._held).split(b"\0")
        self._held = bytearray(rest)
        # A receiver needs no more room than for a whole frame, so a device that sends
        # more without an end is wrong.
        if len(rest) > MOST:
            self.defects.append(f"{len(rest)} bytes without a 00")
            self._held.clear()
        return [came for piece in pieces if piece and (came := self._frame(piece, at))]

    def _frame(self, piece: bytes, at: float) -> Came | None:
        plain = unstuff(piece)
        if plain is None or len(plain) < HEADER + CRC:
            self.defects.append(f"no frame: {piece.hex()}")
            return None
        body = plain[:-CRC]
        if crc32(body) != int.from_bytes(plain[-CRC:], "big"):
            self.defects.append(f"wrong CRC-32: {piece.hex()}")
            return None
        wrong = defect_of(body)
        if wrong:
            self.defects.append(f"{wrong}: {piece.hex()}")
            return None
        message = heard(body)
        assert message is not None  # defect_of has looked at all that it looks at
        return Came(at, message, body)


def defect_of(body: bytes) -> str:
    """Return what is wrong with a body whose CRC is right; empty if nothing is."""
    end = HEADER + body[3] + (HEADER if body[2] & MACED else 0)
    name = NAMES.get(body[1], "")
    rows = (
        (body[0] != 1, f"version {body[0]} in the header"),
        (body[2] & ~(RELIABLE | MACED), f"unknown flags {body[2]:02X}"),
        (len(body) != end, f"a length of {body[3]} in a body of {len(body)} bytes"),
        (bool(body[2] & RELIABLE) != (body[1] >= RELIABLE_FROM), "a reliable bit that is not the type's"),
        (any(body[8:12]) != (body[1] >= RELIABLE_FROM), "a sequence that is not the type's"),
        (name and name not in FROM_DEVICE, f"{name}, which only a host sends"),
    )
    found = next((words for is_so, words in rows if is_so), "")
    if found or not name:
        return found
    message = heard(body)
    return f"{name} with a payload of {body[3]} bytes" if message is None or message.is_nonsense else ""


def code_of(key: bytes, signed: bytes) -> bytes:
    """Return the MAC of a frame."""
    return hmac.new(key, signed, hashlib.sha256).digest()[:16]
