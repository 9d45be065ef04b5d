"""The cryptography of the page, on the host's side."""

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY = 32


def transcript(hello: bytes, identity: bytes, page: bytes = b"sabot-link/1") -> bytes:
    """Return the hash over what both sides have said, each message as header and payload."""
    return hashlib.sha256(page + b" transcript" + hello + identity).digest()


def is_right(public: bytes, signature: bytes, said: bytes, page: bytes = b"sabot-link/1") -> bool:
    """Return whether this key has signed the transcript."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, page + b" proof" + said)
    except (InvalidSignature, ValueError):
        return False
    return True


def session_keys(shared: bytes, said: bytes, page: bytes = b"sabot-link/1") -> tuple[bytes, bytes]:
    """Return the key from host to device, and the one back."""
    keys = HKDF(SHA256(), 2 * KEY, said, page + b" session").derive(shared)
    return keys[:KEY], keys[KEY:]


def fingerprint(public: bytes) -> str:
    """Return the fingerprint that two people compare with the label."""
    return hashlib.sha256(public).hexdigest()[:16]
