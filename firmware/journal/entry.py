"""One entry of the journal, and how it is chained to the one before it.

The chain is meant to be checked by a program that is not ours: an entry is one text of lines, a field each,
and its link is SHA-256 over the link before it in hexadecimal, a line break, and that text. What is sealed
enters by its digest, so that an export without sealed data proves the same chain.
"""

from typing import NamedTuple

from sabot.drivers import hashing
from sabot.rules.frozen import frozen

# The first entry follows a link of zeros.
GENESIS = bytes(32)


class Stamp(NamedTuple):
    """The time of an entry: the boot, its monotonic clock, UTC, and whether UTC is trusted."""

    boot: str
    # Monotonic seconds as text, for the very digits are hashed: a number might be written otherwise.
    at: str
    utc: str
    trusted: bool


class Draft(NamedTuple):
    """An entry that has neither number nor link yet; ``round`` where it holds the record of one."""

    kind: str
    stamp: Stamp
    body: str
    sealed: bytes = b""
    round: int = 0


@frozen
class Entry:
    """An entry as it is kept."""

    number: int
    kind: str
    stamp: Stamp
    body: str
    sealed: bytes
    link: bytes
    seal_digest: str = ""

    @property
    def digest_of_seal(self) -> str:
        """The digest of what is sealed, also where the sealed data itself was left out of an export."""
        return self.seal_digest or digest(self.sealed)


def digest(sealed: bytes) -> str:
    """Return SHA-256 of sealed data, empty where nothing is sealed."""
    return hashing.sha256(sealed).hex() if sealed else ""


def text_of(number: int, kind: str, stamp: Stamp, body: str, seal: str) -> str:
    """Return the text of an entry that is hashed.

    JSON has no line breaks of its own, so no field can run into the next.
    """
    trusted = "trusted" if stamp.trusted else "untrusted"
    return "\n".join((str(number), kind, stamp.boot, stamp.at, stamp.utc, trusted, body, seal))


def link(before: bytes, text: str) -> bytes:
    """Return the link of an entry to the one before it."""
    return hashing.sha256(f"{before.hex()}\n{text}".encode())


def chained(number: int, before: bytes, draft: Draft) -> Entry:
    """Return a draft with its number and its link."""
    text = text_of(number, draft.kind, draft.stamp, draft.body, digest(draft.sealed))
    return Entry(number, draft.kind, draft.stamp, draft.body, draft.sealed, link(before, text))


def follows(before: bytes, entry: Entry) -> bool:
    """Return whether an entry's link is the one that its content makes."""
    text = text_of(entry.number, entry.kind, entry.stamp, entry.body, entry.digest_of_seal)
    return entry.link == link(before, text)
