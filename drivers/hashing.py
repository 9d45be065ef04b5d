"""SHA-256 without ``hashlib``: the program of a table carries one OpenSSL, not two.

``hashlib`` brings the system's own OpenSSL with it, 3.6 MB beside the one of cryptography. What is long is
hashed by cryptography, several times as fast as Python's own SHA-256. What is short, such as an entry of the
journal, is hashed by Python's own where there is one: at a table it comes alone, after a while in which
nothing ran, and then OpenSSL's long way to its first byte takes three times as long as all of the other.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from cryptography.hazmat.primitives.hashes import SHA256, Hash
from cryptography.hazmat.primitives.hmac import HMAC

KIND = SHA256()
# Bytes up to which Python's own is taken.
SHORT = 1024
# Where Python keeps its own, from version to version.
OWN = ("_sha256", "_sha2")


class _Hashed(Protocol):
    def digest(self) -> bytes:
        """Return the sum."""


def _own() -> Callable[[bytes], _Hashed] | None:
    """Return Python's own SHA-256; None where it was built without."""
    for name in OWN:
        try:
            found: Callable[[bytes], _Hashed] = import_module(name).sha256
        except (ImportError, AttributeError):
            continue
        return found
    return None


_OWN = _own()


class Sum:
    """A sum in the making, with the words that hashlib has for it."""

    __slots__ = ("_hash",)

    def __init__(self, data: bytes = b"") -> None:
        self._hash = Hash(KIND)
        self._hash.update(data)

    def update(self, data: bytes) -> None:
        """Take in more data."""
        self._hash.update(data)

    def digest(self) -> bytes:
        """Return the sum so far; more may come."""
        # A copy, for an object of cryptography takes nothing more once it is finalized.
        return self._hash.copy().finalize()

    def hexdigest(self) -> str:
        """Return the same in hexadecimal digits."""
        return self.digest().hex()


def sha256(data: bytes) -> bytes:
    """Return the SHA-256 of this data."""
    if _OWN is not None and len(data) <= SHORT:
        return _OWN(data).digest()
    found = Hash(KIND)
    found.update(data)
    return found.finalize()


def keyed(key: bytes, data: bytes) -> bytes:
    """Return the HMAC-SHA-256 of this data."""
    found = HMAC(key, KIND)
    found.update(data)
    return found.finalize()
