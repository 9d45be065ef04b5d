"""The signed list of digests of what was built: written by the build, held against the files by anybody."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot.image.errors import ImageError

# Stands before the list when it is signed, so that the signature of a list is none of anything else.
PURPOSE = b"sabot image 1\n"


def write(files: Sequence[Path], key: Ed25519PrivateKey, to: Path) -> None:
    """Write the list, in the form of sha256sum, and its signature beside it."""
    said = "".join(f"{digest(each)}  {each.name}\n" for each in files)
    to.write_text(said, encoding="ascii")
    signature_of(to).write_text(f"{key.sign(PURPOSE + said.encode()).hex()}\n", encoding="ascii")


def verify(listed: Path, key: Ed25519PublicKey) -> None:
    """Raise ImageError where the list is not signed by this key, or a file of it is another one."""
    said = listed.read_bytes()
    try:
        key.verify(bytes.fromhex(signature_of(listed).read_text(encoding="ascii")), PURPOSE + said)
    except (InvalidSignature, ValueError) as error:
        raise ImageError(f"{listed.name} is not signed by the release key") from error
    for row in said.decode("ascii").splitlines():
        wanted, _, name = row.partition("  ")
        if digest(listed.with_name(name)) != wanted:
            raise ImageError(f"{name} is not the file that was signed")


def signature_of(listed: Path) -> Path:
    """Return the path of the signature of a list."""
    return listed.with_name(f"{listed.name}.sig")


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
