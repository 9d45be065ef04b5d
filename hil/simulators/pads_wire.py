"""The bytes of Sabot pads as the pad's own firmware would make and read them, written from the page.

Nothing here comes from the driver's codec: a wrong byte there must not agree with itself.
"""

import hashlib
import hmac
import struct
import zlib
from collections.abc import Iterator
from typing import Any

HELLO, IDENTITY, PROVE, PROOF, ORDER, STATE = 0x01, 0x02, 0x03, 0x04, 0x10, 0x20
HEADER_BYTES, MAC_BYTES, CRC_BYTES, LONGEST = 24, 16, 4, 612
_LENGTHS = {HELLO: 67, PROVE: 0, ORDER: 34}


def put_together(
    kind: int,
    payload: bytes,
    *,
    session: int,
    sequence: int = 0,
    ack: int = 0,
    time_ms: int = 0,
    key: bytes = b"",
) -> bytes:
    """Return a whole frame."""
    frame = bytearray(b"SP\x01")
    frame += bytes((kind, 1 if key else 0, 0))
    frame += len(payload).to_bytes(2, "big")
    for number in (session, sequence, ack, time_ms % 2**32):
        frame += number.to_bytes(4, "big")
    frame += payload
    if key:
        frame += hmac.new(key, frame, hashlib.sha256).digest()[:MAC_BYTES]
    return bytes(frame) + zlib.crc32(frame).to_bytes(4, "big")


def state_payload(report: dict[str, Any]) -> bytes:
    """Return the payload of a STATE."""
    data: bytes = b"".join(report[mask].to_bytes(8, "big") for mask in ("locked", "expected", "lit"))
    data += bytes(report["seats"]) + report["selflocks"].to_bytes(2, "big")
    data += bytes((report["flags"], len(report["spots"])))
    for cover, changes, light, age, cents in report["spots"]:
        data += bytes((cover, changes, light)) + age.to_bytes(2, "big") + cents.to_bytes(4, "big")
    return data


def identity_payload(who: dict[str, Any]) -> bytes:
    """Return the payload of an IDENTITY."""
    data: bytes = struct.pack(">BBHI", who["version"], who["spots"], who["capabilities"], who["boot"])
    data += who["nonce"] + who["key"] + who["public"]
    for name in ("maker", "model", "serial", "firmware"):
        data += bytes((len(who[name]),)) + who[name].encode("ascii")
    return data


class PadsWireEar:
    """Bytes of the host, cut into frames."""

    def __init__(self) -> None:
        self._held = b""
        self.bad = 0

    def hear(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Yield each good frame, as its fields."""
        self._held += data
        while (start := self._held.find(b"SP")) >= 0 and len(self._held) - start >= HEADER_BYTES + CRC_BYTES:
            size = self._size(self._held[start:])
            if size and len(self._held) - start < size:
                break
            whole = self._held[start : start + size]
            if size and zlib.crc32(whole[:-4]) == int.from_bytes(whole[-4:], "big"):
                self._held = self._held[start + size :]
                yield from _fields(whole)
            else:
                self.bad += 1
                # One byte on, not a whole frame: a good one may begin inside what was no frame.
                self._held = self._held[start + 1 :]
        self._held = self._held[-700:]

    @staticmethod
    def _size(data: bytes) -> int:
        length = int.from_bytes(data[6:8], "big")
        if data[2] != 1 or data[4] > 1 or data[5] or length > LONGEST:
            return 0
        return HEADER_BYTES + length + MAC_BYTES * data[4] + CRC_BYTES


def _fields(whole: bytes) -> Iterator[dict[str, Any]]:
    """Yield the fields of a frame of the host; nothing if it makes no sense."""
    kind, length = whole[3], int.from_bytes(whole[6:8], "big")
    end = HEADER_BYTES + length
    payload = whole[HEADER_BYTES:end]
    if _LENGTHS.get(kind) != length:
        return
    head: dict[str, Any] = {
        "kind": kind,
        "session": int.from_bytes(whole[8:12], "big"),
        "sequence": int.from_bytes(whole[12:16], "big"),
    }
    head |= {"signed": whole[:end], "mac": whole[end:-4]}
    if kind == HELLO:
        head |= {"lowest": payload[0], "highest": payload[1], "wants": payload[2]}
        head |= {"nonce": payload[3:35], "key": payload[35:67]}
    if kind == ORDER:
        masks = (int.from_bytes(payload[at : at + 8], "big") for at in (0, 8, 16))
        head |= dict(zip(("locked", "expected", "lit"), masks, strict=True))
        head |= {"seats": list(payload[24:32]), "seen": int.from_bytes(payload[32:34], "big")}
        if max(payload[24:32]) > 3:  # noqa: PLR2004 - the fastest way to blink
            return
    yield head
