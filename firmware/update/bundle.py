"""A bundle: the wheels, the units and the manifest of one release, in one file.

It comes from outside, so nothing in it is believed before the signature is: not even how long it says that
its members are, for whoever reads what a header announces has asked for the memory first. The first two
members are the manifest and its signature; only when the pinned key has signed it is the rest read, each
member by the name, the size and the digest that the manifest gives it, into a folder that nobody else can
write.
"""

import hashlib
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sabot.firmware.integrity import signature
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.manifest import CHUNK, MANIFEST, SIGNATURE, Listed, Manifest, from_bytes
from sabot.firmware.update.errors import UpdateError

MOST_HEAD_BYTES = 16_000_000
MOST_BYTES, MOST_MEMBERS = 512_000_000, 2_000
# Headers that a reader of archives takes in whole before it knows what they are for: a long name, as a rule.
NOTES, PLAIN_NOTE, MOST_NOTE_BYTES = b"xgLKSX", b"x", 4_096
NO_HEADER = "it has a header that no bundle has"
BLOCK = 512
# Fields of a header of an archive (POSIX ustar): the size in octal digits, and the kind.
_SIZE, _KIND = slice(124, 136), slice(156, 157)
_OCTAL = re.compile(rb"[0-7]{1,12}")
WHEELS, UNITS = "wheels", "systemd"


class Bundle(NamedTuple):
    """A bundle whose every byte is the one that was signed."""

    manifest: Manifest
    folder: Path
    is_signed: bool


def unpack(file: Path, key: Ed25519PublicKey | None, into: Path) -> Bundle:
    """Check a bundle and lay its members into a folder; without a key an unsigned one (for development)."""
    try:
        # Before tarfile reads a header: it takes in what a header
        # announces before anybody can ask how much that is.
        verify_sizes(file)
        with tarfile.open(file, "r:") as tar:
            return _unpack(str(file), tar, key, into)
    except (OSError, ValueError, tarfile.TarError, EOFError) as error:
        raise UpdateError("E-UPDATE-001", str(file), why=error) from error


def verify_sizes(file: Path) -> None:
    """Raise where a header announces more than there is, or more than a bundle has; nothing else is read."""
    whole, at, members, was_note = file.stat().st_size, 0, 0, False
    if whole > MOST_BYTES:
        raise UpdateError("E-UPDATE-001", str(file), why=f"it has more than {MOST_BYTES:,} bytes")
    with file.open("rb") as stream:
        # An archive ends with blocks of zeros, and whatever follows them is no member.
        while at < whole and (head := stream.read(BLOCK)).strip(b"\0"):
            members += 1
            length, is_note = _length(str(file), head), head[_KIND] == PLAIN_NOTE
            if is_note and was_note:  # a reader goes one call deeper for each, until it has no stack left
                raise UpdateError("E-UPDATE-001", str(file), why=NO_HEADER)
            was_note = is_note
            if members > MOST_MEMBERS or length > whole - at - BLOCK:
                raise UpdateError("E-UPDATE-001", str(file), why="it announces more than it has")
            at += BLOCK + -(-length // BLOCK) * BLOCK
            stream.seek(at)


def _length(place: str, head: bytes) -> int:
    """Return the length that a header gives its member."""
    kind, size = head[_KIND], head[_SIZE].strip(b" \0") or b"0"
    is_note = bool(kind) and kind in NOTES
    if not _OCTAL.fullmatch(size) or (is_note and (kind != PLAIN_NOTE or int(size, 8) > MOST_NOTE_BYTES)):
        raise UpdateError("E-UPDATE-001", place, why=NO_HEADER)
    return int(size, 8)


def _unpack(place: str, tar: tarfile.TarFile, key: Ed25519PublicKey | None, into: Path) -> Bundle:
    members = iter(tar)
    content = _head(place, tar, next(members, None), MANIFEST)
    made = _head(place, tar, next(members, None), SIGNATURE)
    try:
        if key is not None:
            signature.verify(content, made, key, place)
        manifest = from_bytes(content, place)
    except VerifyError as error:
        raise UpdateError("E-UPDATE-002", place, why=error.what) from error
    _lay(place, tar, members, {each.path: each for each in manifest.bundle}, into)
    (into / MANIFEST).write_bytes(content)
    if key is not None:
        (into / SIGNATURE).write_bytes(made)
    return Bundle(manifest, into, key is not None)


def _head(place: str, tar: tarfile.TarFile, member: tarfile.TarInfo | None, name: str) -> bytes:
    """Return one of the two members at the front."""
    if member is None or member.name != name or not member.isreg() or member.size > MOST_HEAD_BYTES:
        raise UpdateError("E-UPDATE-001", place, why=f"it does not begin with {MANIFEST} and {SIGNATURE}")
    with _stream(tar, member) as stream:
        return stream.read(member.size)


def _stream(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    stream = tar.extractfile(member)
    assert stream is not None  # only regular members are asked for
    return stream


def _lay(
    place: str,
    tar: tarfile.TarFile,
    members: Iterator[tarfile.TarInfo],
    wanted: dict[str, Listed],
    into: Path,
) -> None:
    for member in members:
        listed = wanted.pop(member.name, None)
        if listed is None or not member.isreg():
            raise UpdateError("E-UPDATE-003", place, name=repr(member.name), why="is not in its manifest")
        if member.size != listed.size:
            raise UpdateError("E-UPDATE-003", place, name=member.name, why="has another size than was signed")
        _copy(place, _stream(tar, member), listed, into / listed.path)
    for name in wanted:
        raise UpdateError("E-UPDATE-003", place, name=name, why="is missing")


def _copy(place: str, stream: IO[bytes], listed: Listed, to: Path) -> None:
    """Copy one member, digested as it is written."""
    digest = hashlib.sha256()
    to.parent.mkdir(parents=True, exist_ok=True)
    with stream, to.open("xb") as file:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
            file.write(chunk)
    if digest.hexdigest() != listed.sha256:
        raise UpdateError("E-UPDATE-003", place, name=listed.path, why="has another content than was signed")
