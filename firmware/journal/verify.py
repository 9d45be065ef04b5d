"""Proof of a whole journal: every link, every signed head, every round's end signed.

The same steps prove a journal's file and an export. What breaks first is named, and nothing after it is
looked at: from there on everything is unproven anyway.
"""

import json
import sqlite3
from collections.abc import Callable

from sabot.firmware.journal import anchor, store
from sabot.firmware.journal.checkpoints import HEAD
from sabot.firmware.journal.content import LIFTED, SLIP, START
from sabot.firmware.journal.entry import GENESIS, Entry
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.recover import verify_next
from sabot.rules.frozen import mutable

TICK = 1000
# What may stand between the record of a round and its head: the program ended there, and says why; and a
# start writes what it was told of slips before it.
BEFORE_A_HEAD = (START, SLIP, LIFTED)


@mutable
class Verifier:
    """Takes entries one after the other; ``key`` is the board's, None to take the one in the first head."""

    number: int
    link: bytes
    key: bytes | None = None
    first: int = 0
    entries: int = 0
    heads: int = 0
    rounds: int = 0
    untrusted: int = 0
    signed: int = 0
    _unsigned_round: int = 0

    def take(self, entry: Entry) -> None:
        """Take one entry; raise where it breaks the chain."""
        used = verify_next(entry, self.number, self.link, self.key)
        self._verify_signed(entry)
        self.first = self.first or entry.number
        self.number, self.link = entry.number, entry.link
        self.entries += 1
        self.untrusted += not entry.stamp.trusted
        if used is not None:
            self.key, self.signed, self.heads = used, entry.number - 1, self.heads + 1

    def _verify_signed(self, entry: Entry) -> None:
        """Raise where the head after a round's record is left out; a start or a slip may come before it."""
        if entry.kind == HEAD:
            self._unsigned_round = 0
        # Else heads could be left out of a journal that was rewritten.
        elif self._unsigned_round and entry.kind not in BEFORE_A_HEAD:
            why = f"the end of round {self._unsigned_round} was never signed"
            raise JournalError(ERRORS["E-JRNL-005"], "journal", number=entry.number, why=why)
        elif number := round_of(entry):
            self._unsigned_round = number
            self.rounds += 1


def round_of(entry: Entry) -> int:
    """Return the round whose record an entry holds, 0 where it holds none."""
    # Nearly no entry has one: its text is searched before it is read as JSON.
    if '"record":' not in entry.body:
        return 0
    record = json.loads(entry.body).get("record")
    return int(record["number"]) if record else 0


def verify_journal(db: sqlite3.Connection, key: bytes, tick: Callable[[int], None]) -> Verifier:
    """Prove the whole journal, from its first entry or from the anchor that retention left."""
    number, link = beginning(db, key)
    verifier = Verifier(number, link, key)
    heads: list[tuple[int, int]] = []
    rounds: list[tuple[int, int]] = []
    snapshot = store.newest_snapshot(db)
    for entry in store.entries(db, number + 1):
        verifier.take(entry)
        if snapshot is not None and snapshot[0] == entry.number:
            _verify_snapshot(entry, snapshot[1])
        if entry.kind == HEAD:
            heads.append((entry.number, 0))
        elif found := round_of(entry):
            rounds.append((entry.number, found))
        if not verifier.entries % TICK:
            tick(TICK)
    proved = range(verifier.first, verifier.number + 1)  # a running program has written more meanwhile
    listed = [(each, 0) for each in store.numbers(db, "head", verifier.first, verifier.number)]
    # The lists are no part of the chain: they are held against the entries.
    _verify_list("head", listed, heads)
    listed = [(entry, number) for number, entry in store.rounds(db) if entry in proved]
    _verify_list("round", listed, rounds)
    tick(verifier.entries % TICK)
    return verifier


def _verify_snapshot(entry: Entry, link: bytes) -> None:
    """Raise where a snapshot has another link, which the next start would refuse to go on from."""
    if entry.link != link:
        why = "its snapshot has another link"
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=entry.number, why=why)


def beginning(db: sqlite3.Connection, key: bytes) -> tuple[int, bytes]:
    """Return the number and link that the first entry follows, both proved."""
    first, noted = store.first_of(db), store.anchor_entry(db)
    if first <= 1:
        return 0, GENESIS
    entry = store.entry(db, noted) if noted is not None else None
    if entry is None:
        why = "what stood before it is gone, and no anchor says that it was exported"
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=first, why=why)
    return anchor.verify(entry, key)


def _verify_list(name: str, listed: list[tuple[int, int]], found: list[tuple[int, int]]) -> None:
    """Raise where a list that entries are found by does not agree with the entries themselves."""
    wrong = sorted(set(listed) ^ set(found))
    if wrong:
        why = f"the list of {name}s does not agree with it"
        raise JournalError(ERRORS["E-JRNL-004"], "journal", number=wrong[0][0], why=why)
