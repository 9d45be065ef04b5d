"""Entries of the journal as people read them."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from sabot.firmware.journal import store
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.unseal import UnsealedRound
from sabot.firmware.pages.replay_text import When, plain, round_table, words
from sabot.statemachine.state.books import RoundRecord
from sabot.statemachine.state.ledger import money
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.vocabulary import codec

LONGEST = 60


def entry_words(entry: Entry, *, as_json: bool = False) -> Iterator[str]:
    """Yield an entry in lines: when and what, then what followed."""
    body = json.loads(entry.body)
    if as_json:
        stamp = {"utc": entry.stamp.utc, "trusted": entry.stamp.trusted}
        yield json.dumps({"number": entry.number, "kind": entry.kind, **stamp, "body": body})
        return
    doubt = "" if entry.stamp.trusted else "?"
    seal = "  (cards sealed)" if entry.sealed else ""
    first, *more = _said(entry.kind, body)
    yield plain(f"{entry.number:>8}  {entry.stamp.utc}{doubt}  {first}{seal}")
    yield from (plain(f"{'':>10}{line}") for line in more)


def _said(kind: str, body: dict[str, object]) -> list[str]:
    if kind != EVENT:
        return [kind, *(f"{name} {_short(value)}" for name, value in body.items())]
    event, effects, moves = body["event"], body["effects"], body.get("moves", {})
    if not (isinstance(event, dict) and isinstance(effects, list) and isinstance(moves, dict)):
        message = "an event is not what it was"
        raise TypeError(message)
    moved = [f"moved {name}: {_causes(causes)}" for name, causes in moves.items()]
    record = ["record of the round complete"] if "record" in body else []
    return [words(event), *(words(each) for each in effects), *moved, *record]


def _causes(causes: dict[str, int]) -> str:
    return ", ".join(f"{what} {money(units)}" for what, units in causes.items())


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def round_page(
    db: sqlite3.Connection, number: int, setup_of: Callable[[int], Setup]
) -> tuple[str, dict[str, object]]:
    """Return the record of a round: for people, and as it stands in the journal."""
    span = store.entries_of_round(db, number)
    entry = store.entry(db, span[1]) if span else None
    if entry is None:
        raise JournalError(ERRORS["E-JRNL-008"], "journal", what=f"round {number}")
    record = json.loads(entry.body)["record"]
    read = codec.read(RoundRecord, record, f"entry {entry.number}")
    assert span is not None  # there was an entry
    page = round_table(setup_of(entry.number), read, _utc(entry, store.times(db, *span)))
    where = f"entries {span[0]} to {span[1]}, recorded {entry.stamp.utc}"
    return f"{page}\n{where}", {"first": span[0], "last": span[1], "utc": entry.stamp.utc, "record": record}


def _utc(record: Entry, times: Mapping[str, str]) -> When:
    """Return a function that words a time by UTC: by its own entry, else by its distance from the record."""
    end = datetime.fromisoformat(record.stamp.utc)

    def when(at: float) -> str:
        # Spelt as stamps are (run/clock.py).
        exact = times.get(f"{at:.6f}")
        ago = timedelta(seconds=float(record.stamp.at) - at)
        return f"{datetime.fromisoformat(exact) if exact else end - ago:%H:%M:%S}Z"

    return when


def unsealed_line(opened: UnsealedRound) -> str:
    """Return an event with its cards in a line."""
    return plain(f"{opened.number:>8}  {opened.utc}  {words(opened.event)}")
