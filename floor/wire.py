"""Messages as bytes: a body of JSON in one form only, behind the signature of who says it.

A payload is the 64 bytes of an Ed25519 signature and then the body. What is signed begins with words of its
own for each direction, so that no signature can pass for another. The body is JSON without blanks, its
fields in the order of its kind: whatever differs in a single byte is another message, and is refused. What a
field may hold is a check in the table of its kind; nothing else decides what is understood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot.floor.errors import FloorError

if TYPE_CHECKING:
    from typing import Protocol

    class MessageSigner(Protocol):
        """A signer: a private key, or a board that keeps its own."""

        def sign(self, data: bytes, /) -> bytes:
            """Return the Ed25519 signature of these bytes."""


VERSION = 1
SIGNATURE = 64
MOST_BYTES = 65_536
MOST = 2**53 - 1  # whole numbers that every JSON reader keeps
MOST_SEATS = 99
MOST_SPOTS = 500

FROM_TABLE = b"sabot link table 1\n"
TABLE_STATE = b"sabot link state 1\n"
FROM_FLOOR = b"sabot link floor 1\n"
ORDER = b"sabot floor order 1\n"
HEAD = b"sabot floor head 1\n"

Check = Callable[[Any], bool]
Fields = Mapping[str, Check]


# ---------------------------------------------------------------- fields


def text(most: int) -> Check:
    """Return the check of a printable text that is not empty."""
    return lambda value: type(value) is str and 0 < len(value) <= most and value.isprintable()


def words(most: int) -> Check:
    """Return the check of a printable text that may be empty."""
    return lambda value: type(value) is str and len(value) <= most and value.isprintable()


def number(least: int, most: int = MOST) -> Check:
    """Return the check of a whole number within its bounds."""
    # By its exact type: ``True`` is an int to Python.
    return lambda value: type(value) is int and least <= value <= most


def matching(form: str) -> Check:
    """Return the check of a text of a form."""
    found = re.compile(form)
    return lambda value: type(value) is str and found.fullmatch(value) is not None


def flag(value: object) -> bool:
    """Return whether a value is true or false."""
    return type(value) is bool


def listed(each: Check, most: int, least: int = 1) -> Check:
    """Return the check of a list."""
    return lambda value: type(value) is list and least <= len(value) <= most and all(map(each, value))


def row(*checks: Check) -> Check:
    """Return the check of a list with a check for each place."""
    return lambda value: (
        type(value) is list
        and len(value) == len(checks)
        and all(check(each) for check, each in zip(checks, value, strict=True))
    )


digest = matching("[0-9a-f]{64}")
moment = matching(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")
date = matching(r"(\d{4}-\d\d-\d\d)?")
# Made once, however many fields have them: a table's program keeps them all.
count, ordinal = number(0), number(1)
name = text(20)
word = matching("[a-z0-9_]{1,40}")
seat, seat_or_none = number(1, MOST_SEATS), number(0, MOST_SEATS)
seats = listed(seat, MOST_SEATS)


# ---------------------------------------------------------------- bodies

_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def compact(value: object) -> bytes:
    """Return a value as JSON in its one form: no blanks, characters as they are."""
    return _COMPACT.encode(value).encode()


def body_of(kind: str, values: Mapping[str, object]) -> bytes:
    """Return the body of a message."""
    return compact({"v": VERSION, "kind": kind, **values})


def read_body(body: bytes, kinds: Mapping[str, Fields], place: str) -> dict[str, Any]:
    """Return the fields of a body that is one of these kinds to the last byte; else raise FloorError."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise malformed(place, "it is no JSON") from error
    kind = value.get("kind") if isinstance(value, dict) else None
    fields = kinds.get(kind) if isinstance(kind, str) else None
    if fields is None or value.get("v") != VERSION:
        raise malformed(place, f"no message of version {VERSION} is called {kind!r}")
    for key, check in fields.items():
        if key not in value or not check(value[key]):
            raise malformed(place, f"{kind}: {key} is {value.get(key)!r}")
    # Written again it must be the same bytes: one message has one form, so ``again`` is told by comparing.
    if len(value) != len(fields) + 2 or compact(value) != body or list(value)[2:] != list(fields):
        raise malformed(place, f"{kind}: its fields are {' '.join(fields)}, in this order and without blanks")
    return dict(value)


def malformed(place: str, what: str) -> FloorError:
    """Return the error for a message that is none."""
    return FloorError("E-FLOOR-005", place, what=what)


# ---------------------------------------------------------------- signatures


# Kept, for each message would make its key anew from the digits.
@lru_cache(maxsize=4096)
def public_key(key: str) -> Ed25519PublicKey:
    """Return the key of 64 hexadecimal digits; raise ValueError where they are none."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))


def hex_of(key: Ed25519PrivateKey) -> str:
    """Return the public half of a key in hexadecimal digits."""
    return key.public_key().public_bytes_raw().hex()


def is_signed(key: str, purpose: bytes, body: bytes, signature: bytes) -> bool:
    """Return whether a body carries the signature of a key."""
    try:
        public_key(key).verify(signature, purpose + body)
    except (InvalidSignature, ValueError):
        return False
    return True


def sealed(key: MessageSigner, purpose: bytes, body: bytes) -> bytes:
    """Return the payload of a body: its signature, then the body itself."""
    return key.sign(purpose + body) + body


def opened(raw: bytes) -> tuple[bytes, bytes]:
    """Return the signature and the body of a payload; raise FloorError where its length is wrong."""
    if not SIGNATURE < len(raw) <= MOST_BYTES:
        raise malformed("payload", f"it has {len(raw)} bytes, a payload has {SIGNATURE + 1} to {MOST_BYTES}")
    return raw[:SIGNATURE], raw[SIGNATURE:]
