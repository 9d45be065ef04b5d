"""Every cent of every meter, explained from the journal alone: its moves, and the amounts of its sign."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from sabot.firmware.journal import anchor, store, verify
from sabot.firmware.journal.books import Moves, add
from sabot.firmware.journal.content import EVENT, RESTORED, START
from sabot.firmware.journal.entry import Entry
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.rules.frozen import mutable
from sabot.statemachine.state.ledger import UNITS, account, money

MOVING = (EVENT, START, RESTORED)


@mutable
class Explained:
    """Sums by account and cause; the players, the house and the winners are accounts like the meters."""

    moves: Moves = field(default_factory=dict)
    entries: int = 0

    @property
    def balances(self) -> dict[str, int]:
        """Return the balance of each account."""
        return {name: sum(causes.values()) for name, causes in sorted(self.moves.items())}

    def take(self, entry: Entry) -> None:
        """Add the moves of a proved entry; raise where the sign showed another amount than the ledger had."""
        self.entries += 1
        if entry.kind not in MOVING:
            return
        body = json.loads(entry.body)
        add(self.moves, body.get("moves", {}))
        for effect in body.get("effects", ()):
            if effect["effect"] == "SetMeter":
                self._verify_shown(entry.number, effect)

    def _verify_shown(self, number: int, effect: Mapping[str, object]) -> None:
        name = account(str(effect["meter"]), str(effect["level"]))
        units = sum(self.moves.get(name, {}).values())
        # At that very entry: a sign that ever showed another amount than the ledger had is found.
        if effect["cents"] != units // UNITS:
            found = f"shown as {effect['cents']} cents"
            raise JournalError(
                ERRORS["E-JRNL-014"], f"entry {number}", account=name, found=found, explained=money(units)
            )

    def verify(self, balances: Mapping[str, int]) -> None:
        """Raise where the table's own ledger has another sum, or all sums together are not nothing."""
        own = self.balances
        for name in sorted(own.keys() | balances):
            ours, theirs = own.get(name, 0), balances.get(name, 0)
            if ours != theirs:
                raise _unexplained(name, theirs, ours)
        if sum(own.values()):
            raise _unexplained("of all accounts together", sum(own.values()), 0)


def _unexplained(name: str, found: int, explained: int) -> JournalError:
    return JournalError(
        ERRORS["E-JRNL-014"], "meters", account=name, found=money(found), explained=money(explained)
    )


def explain(
    db: sqlite3.Connection, key: bytes, tick: Callable[[int], None], last: int | None = None
) -> Explained:
    """Explain every account up to an entry, proving the chain on the way."""
    number, link = verify.beginning(db, key)
    verifier, found = verify.Verifier(number, link, key), Explained(carried(db, number))
    for entry in store.entries(db, number + 1, last):
        verifier.take(entry)
        found.take(entry)
        tick(1)
    return found


def carried(db: sqlite3.Connection, number: int) -> Moves:
    """Return the moves of entries that retention removed."""
    noted = store.anchor_entry(db) if number else None
    entry = store.entry(db, noted) if noted is not None else None
    return anchor.carried(entry) if entry is not None else {}


def explain_entries(entries: Iterable[Entry], carried: Moves | None = None) -> Explained:
    """Explain every account from entries that were proved elsewhere."""
    found = Explained(carried or {})
    for entry in entries:
        found.take(entry)
    return found
