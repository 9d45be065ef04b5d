"""Private keys as files: a person's under a passphrase, the floor's own for its service alone to read.

PKCS#8 in PEM, as OpenSSL writes and reads it, so that a key can be made or moved to better custody elsewhere.
"""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from sabot.floor.errors import FloorError
from sabot.floor.wire import hex_of

PRIVATE = 0o600


def make_key(path: Path, passphrase: str = "") -> str:
    """Write a new key to a new file; return its public half in hexadecimal digits."""
    key = Ed25519PrivateKey.generate()
    how = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    content = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how)
    try:
        # With its rights from the first instant, and never over a key that is there.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise FloorError("E-FLOOR-019", str(path), why=error.strerror or error) from error
    return hex_of(key)


def read_key(path: Path, passphrase: str = "") -> Ed25519PrivateKey:
    """Return the key of a file; raise FloorError where it is none, or under another passphrase."""
    try:
        key = load_pem_private_key(path.read_bytes(), passphrase.encode() or None)
    except OSError as error:
        raise FloorError("E-FLOOR-019", str(path), why=error.strerror or error) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        why = "it is none, or it has another passphrase"
        raise FloorError("E-FLOOR-019", str(path), why=why) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise FloorError("E-FLOOR-019", str(path), why="it is a key of another kind than Ed25519")
    return key
