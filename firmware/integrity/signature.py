"""Signing a release, and checking who signed it: Ed25519, with a key that no board ever holds.

A board holds the public half alone, outside of any release, so that no update can bring its own. What is
signed begins with words of its own: a signature of a journal's head can never pass for one of a release.
"""

import re
from base64 import b64decode
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot.firmware.integrity.errors import VerifyError

PURPOSE = b"sabot release manifest 1\n"
SIGNATURE_BYTES = 64
PEM = re.compile(r"-----BEGIN PUBLIC KEY-----\s(.*?)-----END PUBLIC KEY-----", re.DOTALL)
# How the description of a public key begins that is one of Ed25519 (RFC 8410), and what follows is the key.
ED25519 = bytes.fromhex("302a300506032b6570032100")
KEY_BYTES = 32


def sign(content: bytes, key: Ed25519PrivateKey, purpose: bytes = PURPOSE) -> bytes:
    """Return the content of the signature file of a manifest."""
    return key.sign(purpose + content).hex().encode() + b"\n"


def verify(
    content: bytes, signature: bytes, key: Ed25519PublicKey, place: str, purpose: bytes = PURPOSE
) -> None:
    """Raise where this key did not sign this manifest."""
    try:
        raw = bytes.fromhex(signature.decode("ascii"))
    except ValueError as error:
        raise VerifyError("E-VERIFY-003", place, why="it is no signature") from error
    if len(raw) != SIGNATURE_BYTES:
        raise VerifyError("E-VERIFY-003", place, why=f"it has {len(raw)} bytes, not {SIGNATURE_BYTES}")
    try:
        key.verify(raw, purpose + content)
    except InvalidSignature as error:
        raise VerifyError("E-VERIFY-003", place, why="the pinned key did not make it") from error


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Read the pinned key: a PEM file, as `openssl pkey -pubout` writes it."""
    try:
        content = _content(path.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise VerifyError("E-VERIFY-004", str(path), why=_why(error)) from error
    if len(content) != len(ED25519) + KEY_BYTES or not content.startswith(ED25519):
        raise VerifyError("E-VERIFY-004", str(path), why="it is no Ed25519 key")
    return Ed25519PublicKey.from_public_bytes(content[len(ED25519) :])


def _content(text: str) -> bytes:
    """Return the key bytes of a PEM file; the library's reader of every kind takes a megabyte more."""
    found = PEM.search(text)
    if found is None:
        message = "no public key in it"
        raise ValueError(message)
    return b64decode("".join(found[1].split()), validate=True)


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read the release key, on the machine that makes releases: a PEM file of `openssl genpkey`."""
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - where releases are made
        load_pem_private_key,
    )

    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise VerifyError("E-VERIFY-013", str(path), why=_why(error)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise VerifyError("E-VERIFY-013", str(path), why="it is no Ed25519 key")
    return key


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or "it is no key in PEM form"
