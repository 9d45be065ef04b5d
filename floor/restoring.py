"""A store out of an export or a copy: a new one, or a backup that is brought forward to where that ends.

Every entry is done again and proved as it is taken, so it becomes the very ledger: the same links, the same
heads, and everything beside them. What tables have heard is in no ledger; the floor keeps all that it ever
said to them until their next heartbeat says how far they are.
"""

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor.batches import batch_of
from sabot.floor.core import Made
from sabot.floor.entry import FloorEntry, Last
from sabot.floor.errors import FloorError
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.open_store import is_there, open_store
from sabot.floor.store import Store
from sabot.floor.verify import FloorProof, Tick, heads_until
from sabot.floor.wire import hex_of


class LedgerSource(Protocol):
    """A ledger that is restored from: an export, or a copy of a store."""

    def entries(self) -> Iterator[FloorEntry]:
        """Return its entries."""

    def heads(self) -> Generator[tuple[int, bytes]]:
        """Return its heads."""


class FloorCopy:
    """A copy of a store, as a plain backup makes one: its ledger as it ended when this was made."""

    def __init__(self, store: Store) -> None:
        self._store, self.size = store, store.load().last.number

    def entries(self) -> Iterator[FloorEntry]:
        """Return its entries."""
        return self._store.entries(1, self.size)

    def heads(self) -> Generator[tuple[int, bytes]]:
        """Return its heads."""
        return heads_until(self._store, self.size)


class Restoring(FloorProof):
    """A proof of a ledger whose entries are committed as they are proved."""

    def __init__(self, store: Store, last: Last, key: Ed25519PrivateKey, laws: Laws) -> None:
        super().__init__(hex_of(key), laws)
        self._store, self._last, self._signer = store, last, key
        self._made = Made()

    def _count(self, entry: FloorEntry, made: Made) -> None:
        super()._count(entry, made)
        # Where the store and what it is restored from part, no program can say which of them is the ledger.
        if entry.number == self._last.number and entry.link != self._last.link:
            what = f"its entry {entry.number} is another than that of what it is restored from"
            raise FloorError("E-FLOOR-014", "store", what=what)
        self._made.entries += made.entries
        self._made.said += made.said
        self._made.handled += made.handled
        self._made.movements += made.movements

    def _head(self, entry: FloorEntry, signature: bytes) -> None:
        super()._head(entry, signature)
        made, self._made = self._made, Made()
        state = self.desk.state
        if entry.number <= self._last.number:
            # The store has these already: what they touched is forgotten, so that it is not written again.
            state.changed()
            return
        self._store.commit(batch_of(state, made, entry.at, self._signer, {}, {}))


def restore(
    where: str,
    source: LedgerSource,
    key: Ed25519PrivateKey,
    tick: Tick = lambda _more: None,
    laws: Laws = PRINTED_ALONE,
) -> tuple[Last, Last]:
    """Bring a store to where a source ends; return where it ended before, and where it ends now."""
    new = not _has_store(where)
    with closing(open_store(where, new=new)) as store, closing(source.heads()) as heads:
        # Known to be older than what was acknowledged, which is why it is restored: nothing is asked of its
        # end.
        loaded = store.lead(Last())
        if loaded is None:
            raise FloorError("E-FLOOR-012", where)
        proof = Restoring(store, loaded.last, key, laws)
        proof.prove(source.entries(), heads, tick)
        if proof.desk.last.number < loaded.last.number:
            what = f"the store has entry {loaded.last.number}, the source ends with {proof.desk.last.number}"
            raise FloorError("E-FLOOR-014", where, what=what)
        return loaded.last, proof.desk.last


def _has_store(where: str) -> bool:
    """Return whether there is a store: in a database that has to be asked."""
    if not is_there(where):
        return False
    try:
        open_store(where, reading=True).close()
    except FloorError as error:
        # A database without a store in it has no code of its own: E-FLOOR-010 is also one that is not
        # reached.
        if "there is no store" in str(error):
            return False
        if error.kind.code != "E-FLOOR-011":  # an older one is brought forward
            raise
    return True
