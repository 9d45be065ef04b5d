"""A floor in a store: its committer, people and tables, as tests speak to it."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from sabot.floor import messages, orders
from sabot.floor.committer import CommitAnswer, Committer
from sabot.floor.entry import FloorEntry, Last
from sabot.floor.errors import FloorError
from sabot.floor.open_store import open_store
from sabot.floor.orders import Signature
from sabot.floor.store import Store
from sabot.floor.wire import hex_of, opened

from .making import DAWN, PEOPLE, Teller, key, opening

SOON_S = 30.0


@dataclass
class Clock:
    """A clock that somebody sets."""

    at: str = DAWN

    def __call__(self) -> str:
        return self.at


@dataclass
class Kept:
    """A store with a committer that leads."""

    where: str
    store: Store
    reader: Store
    committer: Committer
    clock: Clock = field(default_factory=Clock)
    orders: int = 0
    tellers: list[Teller] = field(default_factory=list)

    @classmethod
    @contextmanager
    def linked(cls, where: str, *tables: str, text: str = "") -> Iterator["Kept"]:
        """A new store, founded, with tables on one link."""
        kept = cls.begin(where, new=True)
        try:
            kept.found()
            for each in opening(*tables, text=text):
                kept.order(each.pop("kind"), **each)
            kept.tellers = [Teller(name) for name in tables]
            yield kept
        finally:
            kept.end()

    @classmethod
    def begin(cls, where: str, *, new: bool = False) -> "Kept":
        """A store that is opened, by a committer that wants to lead."""
        clock = Clock()
        store = open_store(where, new=new)
        committer = Committer(store, key("floor"), clock)
        committer.start()
        return cls(where, store, open_store(where), committer, clock)

    def end(self) -> None:
        """Stop and close."""
        self.committer.stop()
        self.store.close()
        self.reader.close()

    def again(self) -> "Kept":
        """The same store, opened by another committer; this one ends first."""
        self.end()
        return self.beside()

    def beside(self) -> "Kept":
        """The same store, opened by another committer."""
        other = Kept.begin(self.where)
        other.orders, other.tellers = self.orders, self.tellers
        return other

    # ------------------------------------------------------------ speaking

    def found(self) -> None:
        """The first order."""
        people = [[*each, hex_of(key(each[0]))] for each in PEOPLE]
        facility = {
            "facility": "The Lantern Casino",
            "key": hex_of(key("floor")),
            "starts": "06:00",
            "zone": "UTC",
        }
        self.order(orders.FOUNDED, **facility, people=people)

    def ordered(self, kind: str, **values: Any) -> "Future[CommitAnswer | FloorEntry]":
        """An order under way."""
        body = orders.order(kind, **{"order": self.orders + 1, "cause": "for a test", **values})
        signatures: list[Signature] = [orders.sign(person, key(person), body) for person in ("11", "12")]
        return self.committer.order(body, signatures)

    def order(self, kind: str, **values: Any) -> FloorEntry:
        """An order that is carried out."""
        entry = self.ordered(kind, **values).result(SOON_S)
        assert isinstance(entry, FloorEntry)
        self.orders += 1
        return entry

    def take(self, raw: bytes) -> CommitAnswer:
        """A payload, and its answer."""
        answer = self.committer.take(raw).result(SOON_S)
        assert isinstance(answer, CommitAnswer)
        return answer

    def insist(self, raw: bytes) -> CommitAnswer:
        """A payload, said until there is an answer, as a table says it."""
        until = time.monotonic() + SOON_S
        while True:
            try:
                return self.take(raw)
            except FloorError:
                assert time.monotonic() < until
                time.sleep(0.05)

    def tell(self, *raws: bytes) -> list[CommitAnswer]:
        """Payloads that arrive together."""
        return [each.result(SOON_S) for each in [self.committer.take(raw) for raw in raws]]  # type: ignore[misc]

    # ------------------------------------------------------------ looking

    def units(self, account: str) -> int:
        """The balance of an account in the store."""
        return self.reader.load().balances.get(account, 0)

    @property
    def last(self) -> Last:
        """How the ledger ends in the store."""
        return self.reader.load().last


def save_key(file: Path, key: Ed25519PrivateKey) -> None:
    """Write a key as the service reads it."""
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def told(answer: CommitAnswer) -> list[dict[str, Any]]:
    """Return the messages in an answer."""
    floor_key = hex_of(key("floor"))
    return [messages.read_down(raw, floor_key) for raw in answer.payloads]


def body(raw: bytes) -> dict[str, Any]:
    """The fields of a payload."""
    found: dict[str, Any] = json.loads(opened(raw)[1])
    return found
