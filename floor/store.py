"""The store of a floor, as the rest of it sees one: who leads, what is committed, what can be read.

Two stores are the same behind this: SQLite, embedded, for one pit on one machine, and PostgreSQL, which
people run and replicate already. Everything that follows from the ledger is committed with it in one
transaction, so a store is whole at every instant or is not the ledger at all.
"""

# Three kinds of rows. The ledger itself, entries and heads, is only ever added to. What follows from it is
# kept beside it so that nobody has to read it all: balances and facts (the state, each row replaced when it
# changes), the sums of each gaming day (which grow), and what tables have not heard yet (which goes when they
# have). And there is what no ledger has: how often a payload was wrong, and the gaming days by the tables'
# own word. ``verify`` makes the first two kinds again; a restored store lacks the third.

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sabot.floor.entry import FloorEntry, Last
from sabot.floor.errors import FloorError
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.state import FloorState, Json, Key, restore

Balances = Mapping[str, int]


class SentMessage(NamedTuple):
    """A message of the floor that its table has not heard yet."""

    table: str
    number: int
    entry: int
    body: bytes
    signature: bytes


class FloorDay(NamedTuple):
    """Wagers of a table on a gaming day, for one link and wager."""

    day: str
    table: str
    link: str
    wager: str


class Moved(NamedTuple):
    """An account and a cause on a gaming day."""

    day: str
    account: str
    cause: str


class StoreSeen(NamedTuple):
    """A kind of wrong payload that says it is of one table."""

    table: str
    verdict: str


class ToldDay(NamedTuple):
    """A gaming day of a table as its board said it: the key of the board, how much it counted, its word."""

    day: str
    table: str
    board: str
    counted: int
    body: bytes
    signature: bytes


@dataclass(slots=True)
class Batch:
    """Everything that one commit makes durable: the parts that changed, or what sums grow by."""

    at: str
    entries: Sequence[FloorEntry] = ()
    signature: bytes = b""
    balances: Balances = field(default_factory=dict)
    facts: Mapping[Key, Json | None] = field(default_factory=dict)
    sent: Sequence[SentMessage] = ()
    heard: Mapping[str, int] = field(default_factory=dict)
    handled: Mapping[FloorDay, tuple[int, int]] = field(default_factory=dict)
    moved: Mapping[Moved, int] = field(default_factory=dict)
    seen: Mapping[StoreSeen, int] = field(default_factory=dict)
    told: Sequence[ToldDay] = ()


class Loaded(NamedTuple):
    """The state beside the ledger, and how the ledger ends."""

    facts: Mapping[Key, Json]
    balances: Balances
    last: Last

    def state(self, laws: Laws = PRINTED_ALONE) -> FloorState:
        """Return the state that these parts make; raise FloorError where one is none."""
        try:
            return restore(self.facts, self.balances, laws)
        except (TypeError, KeyError, ValueError) as error:
            raise FloorError("E-FLOOR-015", "store", what=f"a part is none: {error}") from error


class Store(Protocol):
    """A store, for one thread at a time; its methods raise FloorError, never an error of a library."""

    def lead(self, known: Last) -> Loaded | None:
        """Hold the ledger alone from now on, and return what it holds; None while another process leads.

        Raise FloorError where the ledger does not have ``known``, the end that was acknowledged.
        """

    def commit(self, batch: Batch) -> None:
        """Make a batch durable, all or nothing; only for who leads."""

    def recall(self, table: str, message: int) -> bytes | None:
        """Return the content of a message that was applied."""

    def link(self, number: int) -> bytes | None:
        """Return the link of an entry, None where there is none."""

    def ordered(self, *kinds: str) -> list[FloorEntry]:
        """Return the entries that people ordered, of these kinds, in their order."""

    def moment(self) -> AbstractContextManager[None]:
        """Hold still: what is read inside is of one moment, whatever others commit."""

    def load(self) -> Loaded:
        """Return what is kept beside the ledger, all of it of one moment."""

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[FloorEntry]:
        """Yield entries in their order."""

    def heads(self) -> Generator[tuple[int, bytes]]:
        """Yield the entries at which commits ended, each with the floor's signature."""

    def sent(self, table: str = "", above: int = 0) -> list[SentMessage]:
        """Return the messages above a number that a table (or any) has not heard."""

    def handled(self, day: str = "") -> dict[FloorDay, tuple[int, int]]:
        """Return how many wagers of how many cents there were, on a day or on all."""

    def moved(self, day: str = "") -> dict[Moved, int]:
        """Return what each account gained or lost by each cause, on a day or on all."""

    def seen(self) -> dict[StoreSeen, tuple[int, str, str]]:
        """Return how often each kind of payload was wrong, and when first and last."""

    def told(self, day: str = "") -> list[ToldDay]:
        """Return how the gaming day of each table went by its own word, on a day or on all."""

    def close(self) -> None:
        """Let go of everything."""


# ---------------------------------------------------------------- rows that both stores have


def entry_row(entry: FloorEntry) -> tuple[object, ...]:
    """Return an entry as a row."""
    return tuple(entry)


def fact_rows(facts: Mapping[Key, Json | None]) -> list[tuple[str, str, str]]:
    """Return the parts that there are, as rows: those that are gone left out."""
    return [(*key, json.dumps(body)) for key, body in facts.items() if body is not None]


def gone(facts: Mapping[Key, Json | None]) -> list[Key]:
    """Return the parts that are no more."""
    return [key for key, body in facts.items() if body is None]


def verify_known(found: bytes | None, known: Last) -> None:
    """Raise FloorError where a store does not hold what was acknowledged."""
    if known.number and found != known.link:
        what = f"entry {known.number} is missing or another"
        raise FloorError("E-FLOOR-014", "store", what=what)
