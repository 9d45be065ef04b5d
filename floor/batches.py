"""A commit's batch out of what the desk has made, with the sums that reports are read from.

The sums of a day are kept with the entries that they are of, in one transaction: a report reads a few rows
and not the ledger, and ``verify`` makes them again from the entries with these very functions.
"""

from collections.abc import Iterable, Mapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor import wire
from sabot.floor.books import Movement
from sabot.floor.clock import day_of
from sabot.floor.core import FloorHandled, Made, Said
from sabot.floor.entry import FloorEntry, head_text
from sabot.floor.state import FloorHouse, FloorState
from sabot.floor.store import Batch, FloorDay, Moved, SentMessage, StoreSeen, ToldDay


def batch_of(
    state: FloorState,
    made: Made,
    at: str,
    key: Ed25519PrivateKey,
    heard: Mapping[str, int],
    seen: Mapping[StoreSeen, int],
    told: Sequence[ToldDay] = (),
) -> Batch:
    """Return everything that one commit makes durable."""
    # By the floor's clock, so that a commit is of one gaming day whatever its tables' clocks say.
    day = gaming_day(state.house, at)
    moved = made.movements
    accounts = {each.source for each in moved} | {each.target for each in moved}
    return Batch(
        at=at,
        entries=made.entries,
        signature=signed_head(made.entries, key),
        balances={account: state.books.balance(account) for account in sorted(accounts)},
        facts=state.changed(),
        sent=[signed(each, key) for each in made.said],
        heard=dict(sorted(heard.items())),
        handled=handled_sums(day, made.handled),
        moved=moved_sums(day, moved),
        seen=dict(sorted(seen.items())),
        told=told,
    )


def gaming_day(house: FloorHouse, at: str) -> str:
    """Return the gaming day of a moment; its minute is enough, and is found in a cache."""
    return day_of(at[:16], house.starts, house.zone)


def signed_head(entries: Sequence[FloorEntry], key: Ed25519PrivateKey) -> bytes:
    """Return the floor's signature of the last of these entries."""
    return key.sign(wire.HEAD + head_text(entries[-1].number, entries[-1].link)) if entries else b""


def signed(said: Said, key: Ed25519PrivateKey) -> SentMessage:
    """Return a message of the floor with its signature."""
    signature = key.sign(wire.FROM_FLOOR + said.body)
    return SentMessage(said.table, said.number, said.entry, said.body, signature)


def handled_sums(day: str, handled: Iterable[FloorHandled]) -> dict[FloorDay, tuple[int, int]]:
    """Return the sums of wagers and cents by table, link and wager."""
    sums: dict[FloorDay, tuple[int, int]] = {}
    for each in handled:
        key = FloorDay(day, each.table, each.link, each.wager)
        wagers, cents = sums.get(key, (0, 0))
        sums[key] = (wagers + each.wagers, cents + each.cents)
    return dict(sorted(sums.items()))


def moved_sums(day: str, moved: Iterable[Movement]) -> dict[Moved, int]:
    """Return what each account gained or lost, by cause."""
    sums: dict[tuple[str, str], int] = {}
    for source, target, units, cause, _ in moved:
        sums[source, cause] = sums.get((source, cause), 0) - units
        sums[target, cause] = sums.get((target, cause), 0) + units
    return {Moved(day, *key): units for key, units in sorted(sums.items())}
