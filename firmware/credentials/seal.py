"""Sealing: what nobody may read without two roles is encrypted before it reaches a medium.

AES-GCM with a key of the board. The place it belongs to (an entry's number, a snapshot's) is authenticated
with it, so that a seal cannot be moved to another entry.
"""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12


class Seal:
    """The key that seals and opens."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def close(self, content: bytes, place: str) -> bytes:
        """Content, sealed for its place."""
        # Fresh for each seal: the same one twice under one key would open both.
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, place.encode())

    def open(self, sealed: bytes, place: str) -> bytes:
        """Content out of its seal; ValueError where it is not what was sealed there."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
        except InvalidTag as error:
            message = "key or content differs"
            raise ValueError(message) from error
