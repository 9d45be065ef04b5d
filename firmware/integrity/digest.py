"""One digest over everything that is covered, and one that answers a challenge.

Both run over the same bytes: for each file a line with its group, name and size, then its content. A keyed
digest over contents cannot be computed beforehand by whoever does not know the challenge; that the board
tells its own digest is no proof all the same (docs/verify.md).
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

from sabot.firmware.integrity.covered_files import Covered, groups
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation
from sabot.firmware.integrity.manifest import CHUNK
from sabot.rules.frozen import frozen

# Of a challenge. SHA-256 works on blocks of 64 bytes: a longer key is digested first and gains nothing.
LEAST_BYTES, MOST_BYTES = 16, 64
# What the program loads at work: the same libraries are covered whoever asks, and whatever ran before.
AT_WORK = ("asyncio", "bz2", "ctypes", "decimal", "hashlib", "lzma", "sqlite3", "ssl", "zlib", "zoneinfo",
           "cryptography.hazmat.bindings._rust")  # fmt: skip


class Sink(Protocol):
    """A digest under way."""

    def update(self, data: bytes, /) -> None:
        """Take more."""


class Group(NamedTuple):
    """The covered files of one kind."""

    name: str
    files: int
    size: int
    sha256: str


@frozen
class Digest:
    """The covered files and their digest; ``hmac`` is empty where nobody has challenged."""

    groups: tuple[Group, ...]
    sha256: str
    hmac: str
    native: tuple[str, ...]

    @property
    def files(self) -> int:
        """Return how many files."""
        return sum(group.files for group in self.groups)

    @property
    def size(self) -> int:
        """Return how many bytes."""
        return sum(group.size for group in self.groups)


def read_challenge(text: str) -> bytes:
    """Read a challenge as it is typed."""
    try:
        challenge = bytes.fromhex(text)
    except ValueError as error:
        raise VerifyError("E-VERIFY-008", "challenge", text=text) from error
    if not LEAST_BYTES <= len(challenge) <= MOST_BYTES:
        raise VerifyError("E-VERIFY-008", "challenge", text=text)
    return challenge


def digest(where: Installation, challenge: bytes = b"", also: Iterable[Path] = ()) -> Digest:
    """Cover everything; it takes its time, so where a table runs in another process (``digest_process``)."""
    for name in AT_WORK:
        import_module(name)
    whole = hashlib.sha256()
    keyed = hmac.new(challenge, digestmod=hashlib.sha256) if challenge else None
    covered = dict(groups(where, also))
    sinks: list[Sink] = [whole, keyed] if keyed else [whole]
    parts = tuple(_cover(name, rows, sinks) for name, rows in covered.items())
    native = tuple(row.name for row in covered["native"])
    return Digest(parts, whole.hexdigest(), keyed.hexdigest() if keyed else "", native)


def _cover(name: str, rows: list[Covered], sinks: Sequence[Sink]) -> Group:
    """Put one group into every digest."""
    part, size = hashlib.sha256(), 0
    for row in rows:
        for data in _stream(name, row):
            for each in (part, *sinks):
                each.update(data)
        size += row.path.stat().st_size
    return Group(name, len(rows), size, part.hexdigest())


def _stream(group: str, row: Covered) -> Iterator[bytes]:
    """Yield a file as it is digested."""
    try:
        with row.path.open("rb", buffering=0) as file:
            size = row.path.stat().st_size
            # Name and length before the content: no two sets of files give the same stream.
            yield f"{group}\n{row.name}\n{size}\n".encode()
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as error:
        raise VerifyError("E-VERIFY-009", str(row.path), why=error.strerror) from error


def lines(found: Digest, where: Installation) -> Iterator[str]:
    """Yield a digest in lines for people."""
    if where.is_development:
        yield "DEVELOPMENT, NOT FOR A FLOOR: nobody has signed for this program."
    yield f"{'group':<13}{'files':>7}{'bytes':>13}  SHA-256"
    for group in found.groups:
        yield f"{group.name:<13}{group.files:>7}{group.size:>13,}  {group.sha256}"
    yield f"{'all':<13}{found.files:>7}{found.size:>13,}  {found.sha256}"
    if found.hmac:
        yield f"answer to the challenge (HMAC-SHA-256): {found.hmac}"
    yield "A board that tells its own digest proves nothing; docs/verify.md says how to check from outside."
