"""Signed heads: the board's word for how long the journal is and how it ends.

A chain alone can be cut, or written anew from any entry on. So at each round's end, and whenever somebody
asks, the board signs the number and link of the newest entry with its Ed25519 key, and the signature becomes
an entry itself.
"""

import json
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sabot.firmware.journal.entry import Draft, Entry, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError

HEAD = "head"


class Signer(Protocol):
    """The board's key, as far as the journal needs it."""

    @property
    def public_key(self) -> bytes:
        """Return the key that verifies."""

    def sign(self, content: bytes) -> bytes:
        """Return a signature of the content."""


def signed_text(entries: int, link: bytes) -> bytes:
    """Return the text under a head's signature."""
    return f"sabot journal head\n{entries}\n{link.hex()}".encode()


def head(signer: Signer, stamp: Stamp, number: int, before: bytes) -> Draft:
    """Return the head that signs everything before entry ``number``."""
    signature = signer.sign(signed_text(number - 1, before))
    body = {
        "entries": number - 1,
        "link": before.hex(),
        "key": signer.public_key.hex(),
        "signature": signature.hex(),
    }
    return Draft(HEAD, stamp, json.dumps(body))


def verify_head(entry: Entry, before: bytes, key: bytes | None = None) -> bytes:
    """Raise where a head is not the board's word for the link before it; return the key that verified it."""
    try:
        body = json.loads(entry.body)
        # The key that a file brings with it proves only that the file agrees with itself.
        used = key or bytes.fromhex(body["key"])
        said = (body["entries"], body["link"], body["key"])
        signature = bytes.fromhex(body["signature"])
    except (ValueError, KeyError, TypeError) as error:
        raise _bad(entry, "it is no head") from error
    if said != (entry.number - 1, before.hex(), used.hex()):
        raise _bad(entry, "it speaks of other entries or of another key")
    if not is_signed(used, signature, signed_text(entry.number - 1, before)):
        raise _bad(entry, "the signature is wrong")
    return used


def is_signed(key: bytes, signature: bytes, content: bytes) -> bool:
    """Return whether content carries the signature of this key."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _bad(entry: Entry, why: str) -> JournalError:
    return JournalError(ERRORS["E-JRNL-005"], "journal", number=entry.number, why=why)
