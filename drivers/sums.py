"""SHA-256 by the library that signs and seals already: the program of a table carries one OpenSSL, not two.

``hashlib`` brings the system's own OpenSSL with it, 3.6 MB beside the one of cryptography; Python's own
SHA-256, which it has without, takes seven times as long. What is hashed often or in bulk is hashed here.
"""

from cryptography.hazmat.primitives.hashes import SHA256, Hash
from cryptography.hazmat.primitives.hmac import HMAC

KIND = SHA256()


class Sum:
    """A sum in the making, with the words that hashlib has for it."""

    __slots__ = ("_hash",)

    def __init__(self, data: bytes = b"") -> None:
        self._hash = Hash(KIND)
        self._hash.update(data)

    def update(self, data: bytes) -> None:
        """Take more in."""
        self._hash.update(data)

    def digest(self) -> bytes:
        """Return the sum so far; more may come."""
        return self._hash.copy().finalize()

    def hexdigest(self) -> str:
        """Return the same in hexadecimal digits."""
        return self.digest().hex()


def sha256(data: bytes) -> bytes:
    """Return the sum of all that there is."""
    found = Hash(KIND)
    found.update(data)
    return found.finalize()


def keyed(key: bytes, data: bytes) -> bytes:
    """Return the HMAC-SHA-256 of all that there is."""
    found = HMAC(key, KIND)
    found.update(data)
    return found.finalize()
