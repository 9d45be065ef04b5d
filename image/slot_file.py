"""The slot file: which root a slot has, signed, checked by the initramfs before dm-verity is opened.

It is written in lines of ``key=value`` because a shell of the initramfs reads it, character by character by
the same rules as here; its signature is one of Ed25519 over the bytes as they stand, as ``openssl pkeyutl
-rawin`` checks it. Beside kernel and initramfs it is the whole of a slot's boot files.
"""

import re
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot.image.errors import ImageError

NAME, SIGNATURE = "slot.conf", "slot.sig"
# The first row, and signed with the rest: the release key signs lists and bundles too, and none of those
# reads as a slot file.
PURPOSE = "sabot slot 1"
_ROWS = {
    "purpose": re.compile(PURPOSE),
    "compatible": re.compile(r"[a-z0-9-]{1,40}"),
    "version": re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}"),
    "root_hash": re.compile(r"[0-9a-f]{64}"),
    "hash_offset": re.compile(r"[0-9]{1,15}"),
    "initramfs": re.compile(r"[0-9a-f]{64}"),
    "kernel": re.compile(r"[0-9a-f]{64}"),
}


class SlotFile(NamedTuple):
    """A slot's statement about itself."""

    compatible: str
    version: str
    root_hash: str
    hash_offset: int
    kernel: str
    initramfs: str


def to_bytes(slot: SlotFile) -> bytes:
    """Return the bytes of the file, its rows in their one order; raise ImageError for a wrong value."""
    found = {"purpose": PURPOSE, **{key: str(value) for key, value in slot._asdict().items()}}
    return "".join(f"{key}={_valid(key, found[key])}\n" for key in _ROWS).encode()


def from_bytes(data: bytes) -> SlotFile:
    """Return a slot file that is understood to the last row; raise ImageError for any other."""
    try:
        rows = [row.partition("=") for row in data.decode("ascii").splitlines()]
    except UnicodeDecodeError as error:
        raise ImageError("the slot file is no text") from error
    if [key for key, _, _ in rows] != list(_ROWS) or not data.endswith(b"\n"):
        raise ImageError(f"the slot file has other rows than {', '.join(_ROWS)}")
    found = {key: _valid(key, value) for key, _, value in rows}
    del found["purpose"]
    return SlotFile(**{**found, "hash_offset": int(found["hash_offset"])})  # type: ignore[arg-type]


def sign(data: bytes, key: Ed25519PrivateKey) -> bytes:
    """Return the signature of a slot file."""
    return key.sign(data)


def read_signed(data: bytes, signature: bytes, key: Ed25519PublicKey) -> SlotFile:
    """Return a slot file that this key has signed; raise ImageError for any other."""
    try:
        key.verify(signature, data)
    except InvalidSignature as error:
        raise ImageError("the slot file is not signed by the release key") from error
    return from_bytes(data)


def _valid(key: str, value: str) -> str:
    if not _ROWS[key].fullmatch(value):
        raise ImageError(f"the slot file says {key}={value!r}")
    return value
