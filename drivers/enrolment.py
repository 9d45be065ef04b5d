"""The proof of a device: its signature over the greeting, and the keys of the session that follows.

Two people enrol the device's Ed25519 key once. At each connection it signs the transcript of the whole
greeting, so that nothing said there can be changed on the way; both sides derive one key each way (X25519,
HKDF-SHA256 salted with the transcript), and each later frame carries a MAC over all of it, its sequence
number among it, so that a frame can be neither forged, nor sent back, nor sent again. Conventions differ only
in the label that they hash in: a proof made for one is worth nothing in another.
"""

import hmac
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sabot.drivers import hashing

KEY_BYTES = 32
# HMAC-SHA-256 cut to half: one forgery in 2**128 passes, and a frame of 200 bytes grows by 16 instead of 32.
MAC_BYTES = 16


class SessionKeys(NamedTuple):
    """One key each way: a frame sent back to its sender proves nothing."""

    to_device: bytes
    to_host: bytes

    # Keys of a session are in no log, whatever prints this.
    def __repr__(self) -> str:
        return "SessionKeys(**)"


class EnrolledProof(NamedTuple):
    """The proof of identity in one convention; ``label`` is the convention and its version."""

    label: str

    def transcript_of(self, *said: bytes) -> bytes:
        """Return the hash of a greeting, just as it went over the wire."""
        return hashing.sha256(f"{self.label} transcript".encode() + b"".join(said))

    def is_proved(self, public: bytes, signature: bytes, transcript: bytes) -> bool:
        """Return whether the holder of this key signed this greeting."""
        signed = f"{self.label} proof".encode() + transcript
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)
        # A key of a wrong form proves as little as a wrong signature.
        except (InvalidSignature, ValueError):
            return False
        return True

    def agree(self, own: bytes, other: bytes, transcript: bytes) -> SessionKeys | None:
        """Return the keys of the session; None where the other side's key gives no secret."""
        try:
            private = X25519PrivateKey.from_private_bytes(own)
            secret = private.exchange(X25519PublicKey.from_public_bytes(other))
        # X25519 refuses keys of which every secret would be zero.
        except ValueError:
            return None
        # Salted with the whole greeting: a greeting that was
        # changed on its way gives two sides different keys.
        both = HKDF(SHA256(), 2 * KEY_BYTES, transcript, f"{self.label} session".encode()).derive(secret)
        return SessionKeys(both[:KEY_BYTES], both[KEY_BYTES:])


def public_of(own: bytes) -> bytes:
    """Return the half of a session key that the other side is told."""
    return X25519PrivateKey.from_private_bytes(own).public_key().public_bytes_raw()


def mac(key: bytes, signed: bytes) -> bytes:
    """Return the code that proves a frame to be of this session."""
    return hashing.keyed(key, signed)[:MAC_BYTES]


def is_of(key: bytes, signed: bytes, code: bytes) -> bool:
    """Return whether a frame is of this session, in a time that does not depend on the answer."""
    return hmac.compare_digest(mac(key, signed), code)


def fingerprint(public: bytes) -> str:
    """Return the fingerprint that two people compare with the device's label when they enrol it."""
    return hashing.sha256(public).hex()[:16]
