"""The beginning of a floor: its store, and in it the order of its first people; the number of the next."""

from contextlib import closing

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor.clock import utc
from sabot.floor.committer import Committer
from sabot.floor.core import FloorCore
from sabot.floor.entry import FloorEntry, Last
from sabot.floor.errors import FloorError
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.open_store import open_store
from sabot.floor.order_file import OrderFile
from sabot.floor.orders import FOUNDED
from sabot.floor.state import FloorState
from sabot.floor.wire import hex_of

# For the first commit, which may wait for a synchronous standby.
PATIENCE_S = 60.0
FIRST = 1


def state_of(where: str, laws: Laws = PRINTED_ALONE) -> FloorState:
    """Return the state of a store."""
    with closing(open_store(where, reading=True)) as store:
        return store.load().state(laws)


def next_number(where: str, kind: str = "") -> int:
    """Return the number of the next order of a store; for the founding, which has no store yet, the first."""
    return FIRST if kind == FOUNDED else state_of(where).house.orders + 1


def found(where: str, order: OrderFile, key: Ed25519PrivateKey) -> FloorEntry:
    """Make a store, enter its first order and return the entry; or raise FloorError, with nothing made."""
    # Tried on an empty floor first: a store with no entry in it could not be founded again.
    FloorCore(FloorState(), Last()).order(order.body, order.signatures, utc())
    # Every head is signed with this key, and whoever proves the ledger looks for the one in its first entry.
    if order.fields["key"] != hex_of(key):
        raise FloorError("E-FLOOR-019", "order 1", why="the order names another as the floor's")
    with closing(open_store(where, new=True)) as store:
        committer = Committer(store, key, utc)
        committer.start()
        try:
            entry = committer.order(order.body, order.signatures).result(PATIENCE_S)
        finally:
            committer.stop()
    assert isinstance(entry, FloorEntry)
    return entry
