"""A gaming day and its rounds as CSV: one fact a line, money in cents, for a spreadsheet to add up."""

import csv
import json
import sqlite3
from collections.abc import Iterator
from typing import IO, Any

from sabot.desk.report.figures import ALL, SUMS
from sabot.desk.report.gaming_day import DayReport
from sabot.firmware.journal import store

HEADS = ("round", "entry", "utc", "void", "by_hand", "seat", "wager", "stake_cents", "result")
ROUND_HEADS = (*HEADS, "paid_cents", "back_cents", "row", "cite")
Row = tuple[object, ...]


def write_day(out: IO[str], date: str, found: DayReport) -> None:
    """One line for each figure: gaming day, part, name, what, value."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("gaming_day", "part", "name", "what", "value"))
    writer.writerows((date, *row) for row in _day(found))


def _day(found: DayReport) -> Iterator[Row]:
    yield from (("count", name, "number", count) for name, count in sorted(found.counts.items()) if count)
    yield from (("fault", kind, "number", count) for kind, count in sorted(found.faults.items()))
    yield "rounds", "", "an_hour", "" if found.rounds_an_hour is None else found.rounds_an_hour
    if found.money is not None:
        yield "rounds", "", "void", found.money.void
        yield "rounds", "", "by_hand", found.money.by_hand
        for name, figures in [*sorted(found.money.wagers.items()), (ALL, found.money.whole)]:
            yield from (("wager", name, what, getattr(figures, what)) for what in SUMS)
            hold = figures.as_json()["hold_percent"]
            yield "wager", name, "hold_percent", "" if hold is None else hold
    yield from (("meter", name, "cents", cents) for name, cents in found.meters.items())
    for account, causes in sorted(found.moves.items()):
        yield from (("ledger", account, what, units) for what, units in causes.items())


def write_rounds(out: IO[str], db: sqlite3.Connection, span: tuple[str, str]) -> None:
    """One line for each wager that was settled."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(ROUND_HEADS)
    for row in rounds(db, span):
        writer.writerow(["" if row[name] is None else row[name] for name in ROUND_HEADS])


def rounds(db: sqlite3.Connection, span: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """Every settled wager of a day, as its record has it."""
    for _, number in store.rounds(db):
        entry = store.entry(db, number)
        if entry is None or not span[0] <= entry.stamp.utc < span[1]:
            continue
        record = json.loads(entry.body)["record"]
        about = {"round": record["number"], "entry": number, "utc": entry.stamp.utc}
        about |= {"void": record["void"], "by_hand": int(record["by_hand"])}
        for line in record["lines"]:
            sums = {f"{what}_cents": line[what] for what in ("stake", "paid", "back")}
            yield about | sums | {what: line[what] for what in ("seat", "wager", "result", "row", "cite")}
