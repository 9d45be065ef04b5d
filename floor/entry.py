"""An entry of the floor's ledger, and how it is chained to the one before it.

An entry holds what came in, byte for byte, with its signatures, and what followed: its movements and, where
there are any, its grant, its held contributions or the reason why it was refused. Its link is SHA-256 over
the link before it in hexadecimal and the fields of the entry, a line each; none of them has a line break of
its own. A head is the floor's signature of the number and link of an entry: the chain until there is the
floor's word.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sabot.floor.books import Movement
from sabot.floor.orders import Signature
from sabot.floor.wire import compact

GENESIS = bytes(32)


class Last(NamedTuple):
    """The end of the ledger: the number of its newest entry and its link."""

    number: int = 0
    link: bytes = GENESIS


class FloorEntry(NamedTuple):
    """An entry as it is kept."""

    number: int
    at: str
    kind: str
    table: str
    message: int
    content: str
    signatures: str
    outcome: str
    link: bytes

    def movements(self) -> list[Movement]:
        """Return what the entry moved."""
        return [Movement(*each) for each in json.loads(self.outcome)["moved"]]

    def facts(self) -> dict[str, Any]:
        """Return the entry as plain values, for programs; what is JSON in it is unfolded."""
        value = self._asdict() | {"link": self.link.hex()}
        return value | {"content": json.loads(self.content), "outcome": json.loads(self.outcome)}


def link_of(before: bytes, fields: Sequence[object]) -> bytes:
    """Return the link of the fields of an entry."""
    text = "\n".join((before.hex(), *map(str, fields)))
    return hashlib.sha256(text.encode()).digest()


def follows(before: bytes, entry: FloorEntry) -> bool:
    """Return whether an entry's link is the one that its content makes."""
    return entry.link == link_of(before, entry[:-1])


def head_text(number: int, link: bytes) -> bytes:
    """Return what the signature of a head covers, after its purpose."""
    return f"{number}\n{link.hex()}".encode()


def signed_by(signatures: Sequence[Signature]) -> str:
    """Return the signatures of people in one line."""
    return " ".join(f"{each.person}:{each.signature}" for each in signatures)


def read_signatures(line: str) -> list[Signature]:
    """Return the signatures of a line."""
    return [Signature(*each.partition(":")[::2]) for each in line.split()]


def outcome_text(moved: Sequence[Movement], more: dict[str, object]) -> str:
    """Return an outcome as it is kept and chained."""
    return compact({"moved": moved, **more}).decode()
