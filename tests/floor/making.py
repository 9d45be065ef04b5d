"""A floor for tests: people, tables and links with keys that are always the same, and a desk that they speak to."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor import messages, orders
from sabot.floor.core import FloorCore, MessageTaken
from sabot.floor.entry import FloorEntry, Last
from sabot.floor.orders import Signature
from sabot.floor.state import FloorState
from sabot.floor.wire import hex_of

DAWN = "2026-11-20T06:00:00Z"
JOURNAL = "ab" * 32
PEOPLE = (("11", "Ada", "finance"), ("12", "Ben", "table_games"), ("13", "Cleo", "table_games"))

PROG5_D = """\
link = "{link}"
chapter = "pa641a"
meter = "prog5"
paytable = "D"
wagers = ["$1"]
tables = [{tables}]
begins = {begins}

[level.mega]
base = "$10,000"
reset = "$10,000"
rate = 10
reserve_rate = 0
threshold = "$20"

[level.major]
base = "$1,000"
reset = "$1,000"
rate = 8
reserve_rate = 0
threshold = "$20"

[level.minor]
base = "$250"
reset = "$250"
rate = 3
reserve_rate = 0
threshold = "$20"
"""


def key(name: str) -> Ed25519PrivateKey:
    """The key of somebody, always the same."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"for tests: {name}".encode()).digest())


def terms_text(*tables: str, link: str = "pit", begins: str = DAWN, of: str = PROG5_D) -> str:
    """A configuration."""
    return of.format(link=link, tables=", ".join(f'"{each}"' for each in tables), begins=begins)


def edited(text: str, *changes: tuple[str, str]) -> str:
    """A text with something replaced."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


@dataclass
class Teller:
    """A table that numbers and signs what it says."""

    name: str
    number: int = 0
    heard: int = 0
    link: str = "pit"
    key_of: str = ""

    def say(self, kind: str, **values: object) -> bytes:
        """The next message."""
        self.number += kind != messages.HEARTBEAT
        known = {
            "table": self.name, "number": self.number, "heard": self.heard, "at": self.clock(), "journal": JOURNAL,
            "link": self.link, "config": 1, "cause": "641a.13(a)", "by": "12 Ben",
        }  # fmt: skip
        return messages.up(
            key(self.key_of or self.name),
            kind,
            **{name: known[name] for name in messages.UP[kind] if name in known} | values,
        )

    def clock(self) -> str:
        """A minute for each message."""
        return f"2026-11-20T{6 + self.number // 60 % 18:02}:{self.number % 60:02}:00Z"

    def bets(self, number: int, *seats: int, cents: int = 100, wager: str = "prog5", **more: object) -> bytes:
        """Contributions of a round."""
        spots = [[seat, wager, cents] for seat in seats]
        return self.say(messages.CONTRIBUTION, round=number, spots=spots, **more)

    def void(self, number: int, *seats: int, wager: str = "prog5") -> bytes:
        """Wagers of a round that go back."""
        return self.say(messages.REVERSAL, round=number, spots=[[seat, wager] for seat in seats])

    def hit(self, number: int, *seats: int, row: str = "royal_flush", wager: str = "prog5") -> bytes:
        """A claim."""
        return self.say(messages.CLAIM, round=number, row=row, wager=wager, seats=list(seats))


@dataclass
class Floor:
    """A desk with people who order."""

    desk: FloorCore = field(default_factory=lambda: FloorCore(FloorState(), Last()))
    at: str = DAWN

    @property
    def state(self) -> FloorState:
        """The state of the floor."""
        return self.desk.state

    def order(self, kind: str, by: Sequence[str] = ("11", "12"), **values: object) -> FloorEntry:
        """An order, signed and carried out."""
        return self.desk.order(*self.signed(kind, by, **values), self.at)

    def signed(self, kind: str, by: Sequence[str], **values: object) -> tuple[bytes, list[Signature]]:
        """An order with its signatures."""
        body = orders.order(kind, **{"order": self.state.house.orders + 1, "cause": "for a test", **values})
        return body, [orders.sign(person, key(person), body) for person in by]

    def take(self, raw: bytes) -> MessageTaken:
        """A payload of a table."""
        return self.desk.take(raw, self.at)

    def units(self, account: str) -> int:
        """The balance of an account."""
        return self.state.books.balance(account)

    def last(self) -> dict[str, Any]:
        """The newest entry, as JSON."""
        return self.made()[-1].facts()

    def made(self) -> list[FloorEntry]:
        """Every entry that the desk has made."""
        return self.desk._made.entries

    def said(self) -> list[tuple[str, int, dict[str, Any]]]:
        """Messages of the floor to its tables."""
        return [(each.table, each.number, json.loads(each.body)) for each in self.desk._made.said]


def founded_order(floor: Floor) -> tuple[bytes, list[Signature]]:
    """The first order of a floor."""
    people = [[*each, hex_of(key(each[0]))] for each in PEOPLE]
    values = {"facility": "The Lantern Casino", "key": hex_of(key("floor")), "starts": "06:00", "zone": "UTC"}
    return floor.signed(orders.FOUNDED, ("11", "12"), **values, people=people)


def founded() -> Floor:
    """A floor with its first people."""
    floor = Floor()
    floor.desk.order(*founded_order(floor), floor.at)
    return floor


def linked(*tables: str, text: str = "", link: str = "pit") -> tuple[Floor, list[Teller]]:
    """A floor with tables on a link that runs."""
    floor = founded()
    for orders_of in opening(*tables, text=text, link=link):
        floor.order(orders_of.pop("kind"), **orders_of)
    return floor, [Teller(name, link=link) for name in tables]


def opening(*tables: str, text: str = "", link: str = "pit") -> Iterator[dict[str, Any]]:
    """The orders that put tables on a link."""
    yield from ({"kind": orders.TABLE, "table": name, "key": hex_of(key(name))} for name in tables)
    yield {"kind": orders.CONFIGURATION, "file": text or terms_text(*tables, link=link)}
    yield {"kind": orders.START, "link": link}
