"""The proof of a ledger: everything that it says follows again, from nothing, out of what came in.

Each entry must follow from the one before it, be signed by whom it says, and come out of the desk byte for
byte as it is kept when it is done again; each head must be the floor's signature. At the end every account
must be what the store says, all accounts together nothing, and every part and every sum that the store keeps
beside the ledger the one that the ledger makes. It needs no key but the floor's public one, and no table.
"""

# Entries are proved as they are read and then let go, so ten million movements take the memory of one million
# (docs/scale.md): what grows is the state, which a floor has in memory anyway. The desk that does an entry
# again is the floor's own (``FloorCore``); what it cannot find out is a fault of its own, so the money is
# also held against the tables' journals, by other code (``uplink.reconciliation``).

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NoReturn

from sabot.floor import messages, orders, wire
from sabot.floor.batches import gaming_day, handled_sums, moved_sums
from sabot.floor.core import FloorCore, Made
from sabot.floor.entry import FloorEntry, Last, head_text, link_of, read_signatures
from sabot.floor.errors import FloorError
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.reported_days import is_theirs
from sabot.floor.state import FloorState
from sabot.floor.store import FloorDay, Moved, Store

Tick = Callable[[int], None]
# An entry of a table that is about to be done again, and the key that signed it.
Seen = Callable[[FloorEntry, str], None]
Heads = Iterator[tuple[int, bytes]]
REFUSED = '{"moved":[],"refused":'


@dataclass(slots=True)
class Verified:
    """The result of a proof."""

    entries: int = 0
    movements: int = 0
    heads: int = 0
    signed_until: int = 0
    refused: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


class FloorProof:
    """A ledger that is done again, entry by entry."""

    def __init__(
        self, key: str = "", laws: Laws = PRINTED_ALONE, seen: Seen = lambda _entry, _key: None
    ) -> None:
        self.desk = FloorCore(FloorState(laws=laws), Last())
        self.key = key
        self.seen = seen
        self.verified = Verified()
        self.handled: dict[FloorDay, tuple[int, int]] = {}
        self.moved: dict[Moved, int] = {}
        self.said: dict[tuple[str, int], bytes] = {}
        self.boards: set[tuple[str, str]] = set()

    def prove(self, entries: Iterable[FloorEntry], heads: Heads, tick: Tick = lambda _more: None) -> None:
        """Do every entry again; raise FloorError at the first that does not follow."""
        head = next(heads, None)
        for entry in entries:
            self._entry(entry)
            if head is not None and head[0] == entry.number:
                self._head(entry, head[1])
                head = next(heads, None)
            tick(1)
        if head is not None:
            _wrong(head[0], "a head signs it and it is not there")
        if self.verified.signed_until != self.desk.last.number:
            _wrong(self.desk.last.number, "no head signs it")

    def _entry(self, entry: FloorEntry) -> None:
        last = self.desk.last
        if entry.number != last.number + 1:
            _wrong(last.number + 1, "it is missing")
        if entry.link != link_of(last.link, entry[:-1]):
            _wrong(entry.number, "its content or its link was changed")
        try:
            again = self._again(entry)
        except (FloorError, KeyError, ValueError) as error:
            _wrong(entry.number, str(getattr(error, "what", error)))
        # Byte for byte, the outcome among it: a grant of another amount comes out otherwise.
        if again != entry:
            _wrong(entry.number, "done again it comes out otherwise")
        self._count(entry, self.desk.drain())

    def _again(self, entry: FloorEntry) -> FloorEntry:
        if not entry.table:
            body = entry.content.encode()
            return self.desk.order(body, read_signatures(entry.signatures), entry.at)
        body, signature = entry.content.encode(), bytes.fromhex(entry.signatures)
        message = messages.read_up(body)
        table = self.desk.state.tables[message["table"]]
        if not wire.is_signed(table.key, wire.FROM_TABLE, body, signature):
            _wrong(entry.number, "its table did not sign it")
        if message["number"] != table.applied + 1:
            _wrong(entry.number, f"message {table.applied + 1} of {entry.table} is missing")
        self.seen(entry, table.key)
        return self.desk.apply(message, body, signature, entry.at)

    def _count(self, entry: FloorEntry, made: Made) -> None:
        found, day = self.verified, gaming_day(self.desk.state.house, entry.at)
        found.entries += 1
        found.movements += len(made.movements)
        found.kinds[entry.kind] += 1
        found.refused += entry.outcome.startswith(REFUSED)
        if entry.kind == orders.TABLE:
            order = orders.read(entry.content.encode())
            self.boards.add((order["table"], order["key"]))
        for key, (wagers, cents) in handled_sums(day, made.handled).items():
            before = self.handled.get(key, (0, 0))
            self.handled[key] = (before[0] + wagers, before[1] + cents)
        for moved, units in moved_sums(day, made.movements).items():
            self.moved[moved] = self.moved.get(moved, 0) + units
        self.said.update(((said.table, said.number), said.body) for said in made.said)

    def _head(self, entry: FloorEntry, signature: bytes) -> None:
        key = self.key or self.desk.state.house.key
        if self.key not in ("", self.desk.state.house.key):
            _wrong(entry.number, "the floor's key is another than the one given")
        if not wire.is_signed(key, wire.HEAD, head_text(entry.number, entry.link), signature):
            _wrong(entry.number, "the floor did not sign its head")
        self.verified.heads += 1
        self.verified.signed_until = entry.number


def heads_until(store: Store, last: int) -> Generator[tuple[int, bytes]]:
    """Yield the heads up to an entry; whoever stops before their end closes this before the store."""
    with closing(store.heads()) as heads:
        yield from takewhile(lambda head: head[0] <= last, heads)


def verify(
    store: Store, key: str = "", tick: Tick = lambda _more: None, proof: FloorProof | None = None
) -> FloorProof:
    """Return the proof of a store, its ledger and what is kept beside it; raise FloorError if it fails."""
    # All of one moment: the floor may commit while it is proved.
    with store.moment():
        loaded, handled, moved, sent = store.load(), store.handled(), store.moved(), store.sent()
        told = store.told()
    proof, last = proof or FloorProof(key), loaded.last.number
    with closing(heads_until(store, last)) as heads:
        proof.prove(store.entries(1, last), heads, tick)
    if proof.desk.last != loaded.last:
        _wrong(loaded.last.number, "the ledger ends otherwise")
    state = proof.desk.state
    _same("account", state.books.balances, loaded.balances)
    _same("part", dict(state.facts()), dict(loaded.state(state.laws).facts()))
    _same("sum of wagers", proof.handled, handled)
    _same("sum of movements", proof.moved, moved)
    for each in sent:
        is_ours = wire.is_signed(state.house.key, wire.FROM_FLOOR, each.body, each.signature)
        if proof.said.get((each.table, each.number)) != each.body or not is_ours:
            _wrong(each.entry, f"message {each.number} to {each.table} is another")
    for day in told:
        if (day.table, day.board) not in proof.boards or not is_theirs(day):
            what = f"no board of {day.table} said this of {day.day}"
            raise FloorError("E-FLOOR-015", "store", what=what)
    return proof


def _same(what: str, made: Mapping[Any, object], kept: Mapping[Any, object]) -> None:
    """Raise FloorError where two mappings differ; a zero need not be kept."""
    ours = {key: each for key, each in made.items() if each}
    theirs = {key: each for key, each in kept.items() if each}
    for key in ours.keys() | theirs.keys():
        if ours.get(key) != theirs.get(key):
            message = f"{what} {key} is {theirs.get(key)}, the ledger makes it {ours.get(key)}"
            raise FloorError("E-FLOOR-015", "store", what=message)


def _wrong(number: int, what: str) -> NoReturn:
    raise FloorError("E-FLOOR-015", f"entry {number}", what=what)
