"""The seal of a draw: what holds a system to what it drew before anybody knew it."""

import hashlib
import struct

_DRAWN = struct.Struct(">IIBB")


def seal_of(draw: int, round_: int, kind: int, value: int, salt: bytes) -> bytes:
    """Return the seal that such a draw must have had."""
    return hashlib.sha256(b"sabot-accounts/1 draw" + _DRAWN.pack(draw, round_, kind, value) + salt).digest()
