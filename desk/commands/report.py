"""``sabot report``: a gaming day as finance reads it, and its rounds; in words, JSON or CSV.

CSV has one fact a line, money in cents, for a spreadsheet to add up.
"""

import argparse
import csv
import json
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from sqlite3 import Connection
from typing import IO, Any

from sabot.desk import gaming_day
from sabot.desk.gaming_day import ALL, SUMS, ByWager, DayReport
from sabot.firmware.commands.state_folder import add_place, place_of, print_json, print_page
from sabot.firmware.journal import money, store, verify
from sabot.firmware.journal.retain import setup_at, setup_of
from sabot.firmware.pages.replay_text import plain
from sabot.firmware.progress_bar import ProgressBar
from sabot.rules.payouts import dollars
from sabot.statemachine.state.ledger import money as amount

EPILOG = """\
The gaming day begins when the table file says ([day] starts, zone). Entries belong to it by their UTC; how
many of them had a clock that nobody vouched for is said. The chain is not proved here: that is `sabot journal
verify`.

examples:
  sabot report day                      the gaming day that is running
  sabot report day --date 2026-01-31    the one that began on this day
  sabot report day --json
  sabot report day --csv > day.csv      gaming day, part, name, what, value
  sabot report rounds --csv > rounds.csv  each wager that was settled, a line each

Handle, win and hold are defined in docs/journal.md.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("what", choices=["day", "rounds"], help="which report")
    parser.add_argument("--date", type=date.fromisoformat, help="the day on which it began, YYYY-MM-DD")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--csv", action="store_true", help="as CSV, money in cents")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Report a gaming day, or its rounds."""
    place = place_of(args)
    when = args.date or gaming_day.day_of(place.day, datetime.now(UTC))
    with place.journal() as db:
        tick = ProgressBar().stage("the journal", max(1, store.last_of(db)[0]))
        number, _ = verify.beginning(db, place.board.public_key)
        span = gaming_day.bounds(place.day, when)
        if args.what == "rounds":
            return _rounds(args, db, span)
        chapter = setup_of(db, place.law).chapter if setup_at(db, store.last_of(db)[0]) else None
        found = gaming_day.report(db, span, money.carried(db, number), tick, chapter)
    if args.csv:
        write_day(sys.stdout, when.isoformat(), found)
    elif args.json:
        print_json({"date": when.isoformat(), "simulated": place.is_simulated, **found.as_json()})
    else:
        print_page(place, map(plain, _lines(when, found)))
    return 0


def _rounds(args: argparse.Namespace, db: Connection, span: tuple[str, str]) -> int:
    """Print every settled wager: as CSV unless JSON is wanted."""
    if args.json:
        print_json(list(rounds(db, span)))
    else:
        write_rounds(sys.stdout, db, span)
    return 0


def _lines(when: date, found: DayReport) -> Iterator[str]:
    yield f"GAMING DAY {when.isoformat()}"
    entries = f"entries {found.first} to {found.last}" if found.first else "no entry in the journal"
    yield f"  {found.begins} to {found.ends}, {entries}"
    if found.untrusted:
        yield f"  {found.untrusted} of them have a time that nobody vouched for"
    yield ""
    yield from (f"  {what:<18}{count:>8}" for what, count in sorted(found.counts.items()) if count)
    yield from (f"    {kind:<16}{count:>8}" for kind, count in sorted(found.faults.items()))
    if found.rounds_an_hour is not None:
        yield f"  {'rounds an hour':<18}{found.rounds_an_hour:>8}"
    if found.money is not None and found.money.wagers:
        yield ""
        yield from _money(found.money)
    for account in sorted(found.opened.keys() | found.moves):
        causes, opened = found.moves.get(account, {}), found.opened.get(account, 0)
        yield ""
        yield f"  {account:<32}{amount(opened):>20}"
        yield from (f"    {what:<30}{amount(units):>20}" for what, units in causes.items())
        yield f"    {'at the end':<30}{amount(opened + sum(causes.values())):>20}"
    for number, lines in enumerate(found.closing, 1):
        yield ""
        yield f"  closing report {number}"
        yield from (f"    {line}" for line in lines)
    yield from (f"  adjusted, {cause}" for cause in found.causes)


def _money(found: ByWager) -> Iterator[str]:
    """Yield handle, win and hold by wager, as docs/journal.md defines them."""
    heads = ("stakes", "handle", "returned", "paid", "meters", "envy", "win", "hold %")
    yield f"  {'wager':<18}{heads[0]:>7}" + "".join(f"{head:>12}" for head in heads[1:])
    for name, each in [*sorted(found.wagers.items()), (ALL, found.whole)]:
        sums = (each.handle_cents, each.returned_cents, each.paid_cents, each.from_meters_cents)
        cells = [dollars(cents) for cents in (*sums, each.envy_cents, each.win_cents)]
        hold = str(each.as_json()["hold_percent"] or "-")
        yield f"  {name:<18}{each.stakes:>7}" + "".join(f"{cell:>12}" for cell in (*cells, hold))
    whole = found.whole
    if whole.undone_cents:
        yield f"  handed back undone {dollars(whole.undone_cents)} ({found.void} void rounds)"
    if whole.unknown:
        yield f"  in no sum: {whole.unknown} stakes of unknown value"
    if found.by_hand:
        yield f"  {found.by_hand} rounds finished by hand: their lines are as the floor entered them"


HEADS = ("round", "entry", "utc", "void", "by_hand", "seat", "wager", "stake_cents", "result")
ROUND_HEADS = (*HEADS, "paid_cents", "back_cents", "row", "cite")
Row = tuple[object, ...]


def write_day(out: IO[str], date: str, found: DayReport) -> None:
    """Write a line for each figure: gaming day, part, name, what, value."""
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
    """Write a line for each settled wager."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(ROUND_HEADS)
    for row in rounds(db, span):
        writer.writerow(["" if row[name] is None else row[name] for name in ROUND_HEADS])


def rounds(db: sqlite3.Connection, span: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """Yield every settled wager of a day, as its record has it."""
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
