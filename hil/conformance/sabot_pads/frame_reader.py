"""The words of pads, cut into frames and read, with everything named that is against the page."""

import hashlib
import hmac
import struct
import zlib
from typing import Any, NamedTuple

MAGIC, HEADER, MAC, CRC, LONGEST = b"SP", 24, 16, 4, 612
IDENTITY, PROOF, STATE = 0x02, 0x04, 0x20
MACED, FIXED, RECORD, SEATS = 1, 36, 9, 8
TEXTS = ("maker", "model", "serial", "firmware")
NAMES = {IDENTITY: "IDENTITY", PROOF: "PROOF", STATE: "STATE"}


class ToldSpot(NamedTuple):
    """A record of STATE."""

    state: int
    changes: int
    light: int
    age: int
    cents: int


class PadsCame(NamedTuple):
    """A frame, when it came, and its fields."""

    at: float
    kind: int
    session: int
    sequence: int
    ack: int
    time: int
    fields: dict[str, Any]
    signed: bytes
    mac: bytes


class PadFrameReader:
    """Bytes of the pads; ``defects`` is what was wrong with them."""

    def __init__(self) -> None:
        self._held = b""
        self.defects: list[str] = []

    def clear(self) -> None:
        """Forget half a frame: the cable was out."""
        self._held = b""

    def hear(self, data: bytes, at: float) -> list[PadsCame]:
        """Return the good frames that are complete now."""
        self._held += data
        found = []
        while len(self._held) >= HEADER + CRC:
            wrong = _start_defect(self._held)
            size = 0 if wrong else _size(self._held)
            if not wrong and len(self._held) < size:
                break
            whole = self._held[:size]
            if wrong or zlib.crc32(whole[:-CRC]) != int.from_bytes(whole[-CRC:], "big"):
                self._skip(wrong or f"wrong CRC-32: {whole.hex()}")
                continue
            self._held = self._held[size:]
            found += self._read(whole, at)
        return found

    def _skip(self, words: str) -> None:
        """Note what was wrong, and go on at the next magic bytes."""
        self.defects.append(words)
        # Not behind the bad frame: its length may be what is wrong, and a good frame begin inside it.
        start = self._held.find(MAGIC, 1)
        self._held = self._held[start:] if start > 0 else b""

    def _read(self, whole: bytes, at: float) -> list[PadsCame]:
        end = HEADER + int.from_bytes(whole[6:8], "big")
        fields = _fields(whole[3], whole[HEADER:end])
        if fields is None:
            self.defects.append(
                f"{NAMES.get(whole[3], 'a frame')} whose payload makes no sense: {whole.hex()}"
            )
            return []
        session, sequence, ack, time_ms = struct.unpack(">4I", whole[8:HEADER])
        return [PadsCame(at, whole[3], session, sequence, ack, time_ms, fields, whole[:end], whole[end:-CRC])]


def _start_defect(data: bytes) -> str:
    rows = (
        (data[:2] != MAGIC, "bytes that are no frame"),
        (data[2] != 1, f"version {data[2]} in the header"),
        (data[4] & ~MACED, f"unknown flags {data[4]:02X}"),
        (data[5], f"zero is {data[5]}"),
        (int.from_bytes(data[6:8], "big") > LONGEST, "a length above 612"),
    )
    return next((f"{words}: {data[:HEADER].hex()}" for is_so, words in rows if is_so), "")


def _size(data: bytes) -> int:
    return HEADER + int.from_bytes(data[6:8], "big") + MAC * data[4] + CRC


def _fields(kind: int, payload: bytes) -> dict[str, Any] | None:
    """Return the fields of a payload; None if a known type has another shape than the page's."""
    if kind == IDENTITY:
        return _identity(payload)
    if kind == PROOF:
        return {"signature": payload} if len(payload) == 64 else None  # noqa: PLR2004 - Ed25519
    return _state(payload) if kind == STATE else {}


def _identity(payload: bytes) -> dict[str, Any] | None:
    if len(payload) < 108:  # noqa: PLR2004 - four empty texts
        return None
    names = ("version", "spots", "capabilities", "boot")
    found: dict[str, Any] = dict(zip(names, struct.unpack(">BBHI", payload[:8]), strict=True))
    found |= {"nonce": payload[8:40], "key": payload[40:72], "public": payload[72:104]}
    at = 104
    for name in TEXTS:
        size = payload[at] if at < len(payload) else 0
        found[name] = payload[at + 1 : at + 1 + size].decode("latin-1")
        at += 1 + size
    return found if at == len(payload) else None


def _state(payload: bytes) -> dict[str, Any] | None:
    if len(payload) < FIXED or len(payload) != FIXED + RECORD * payload[35]:
        return None
    masks = struct.unpack(">QQQ", payload[:24])
    found: dict[str, Any] = dict(zip(("locked", "expected", "lit"), masks, strict=True))
    found |= {"seats": list(payload[24:32]), "selflocks": int.from_bytes(payload[32:34], "big")}
    found |= {"flags": payload[34], "count": payload[35]}
    pieces = (payload[at : at + RECORD] for at in range(FIXED, len(payload), RECORD))
    found["spots"] = [ToldSpot(*struct.unpack(">BBBHI", piece)) for piece in pieces]
    return found


def code_of(key: bytes, signed: bytes) -> bytes:
    """Return the MAC of a frame."""
    return hmac.new(key, signed, hashlib.sha256).digest()[:MAC]
