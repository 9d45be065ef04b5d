"""``sabot floor``: linked meters, read and proved from their store; the service and orders beside them."""

import argparse
import csv
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sabot.desk.commands import floor_config as config
from sabot.desk.commands import floor_journals
from sabot.desk.commands import floor_orders as orders
from sabot.desk.commands.floor_orders import add_store, laws
from sabot.desk.commands.floor_orders import floor as _floor
from sabot.firmware.command_line import add_each
from sabot.firmware.commands.state_folder import print_json, whole
from sabot.firmware.errors import CommandError
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.progress_bar import ProgressBar

if TYPE_CHECKING:
    from sabot.floor.store import Store
    from sabot.floor.verify import FloorProof

EPILOG = """\
The store is a file, or a database of PostgreSQL as libpq names one (a password belongs into ~/.pgpass).
What shows or proves only reads, also while the service runs. docs/floor.md has the store and the orders,
docs/link.md the messages and the ledger.

examples:
  sabot floor meters                                 what every linked meter shows, and what stands beside it
  sabot floor tables --json                          how far each table was heard, and what was wrong
  sabot floor hits                                   the newest 25 hits
  sabot floor report --date 2026-11-20 --csv         a gaming day
  sabot floor report --html                          the same as a page, to look at and to print
  sabot floor verify                                 the whole ledger done again, every signature
  sabot floor export floor.jsonl                     the ledger as a file
  sabot floor verify --file floor.jsonl --key HEX    the same of a file, without a store
  sabot floor verify --journals t1.jsonl t2.jsonl    and the journals of its tables held against it
  sabot floor restore floor.jsonl --key floor.key    a new store out of an export, proved as it is made
  sabot floor restore copy.db --key floor.key        the same out of a plain copy of a store
  sabot floor config pit.toml                        a link's configuration against its chapter
  sabot floor config pit.toml --order pit.json --cause 'a new limit'
  sabot floor run                                    the service, by /etc/sabot-floor/floor.toml
  sabot floor key ada.key                            a person's key; its public half is printed
  sabot floor found first.json --key floor.key       a new store, by the signed order of its first people
  sabot floor order table t1.json table=T1 key=HEX cause='table 1 opens'
  sabot floor sign t1.json --person 11 --key ada.key   and the second person after the first
  sabot floor pin --person 11                        who may look at the page of the pit
  sabot floor give t1.json                           to the service that runs here

Exit codes: 0 done, 1 an order was refused or the ledger is broken (the first entry that does not follow is
named), 2 bad input.
"""
DONE, NO = 0, 1
KEY_DIGITS = 64


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    for name, part in add_each(what, EPILOG, ((name, each[0]) for name, each in WHAT.items())):
        part.add_argument("--json", action="store_true", help="as JSON")
        WHAT[name][2](part)


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    order: Callable[[argparse.Namespace], int] = WHAT[args.what][1]
    return order(args)


def _store(args: argparse.Namespace) -> "closing[Store]":
    # For reading alone: these commands run beside a service, which is the store's one writer.
    return closing(_floor("open_store").open_store(args.store, reading=True))


def _print(what: str, found: object) -> None:
    print("\n".join(getattr(_floor("report_text"), what)(found)))


# ---------------------------------------------------------------- what there is


def _meters(args: argparse.Namespace) -> int:
    with _store(args) as store:
        found = _floor("reports").meters(store.load().state(laws(args)))
    print_json(found) if args.json else _print("meters", found)
    return DONE


def _tables(args: argparse.Namespace) -> int:
    # One moment for both reads: the service may write an entry between them.
    with _store(args) as store, store.moment():
        found = _floor("reports").tables(store.load().state(laws(args)), store)
    print_json(found) if args.json else _print("tables", found)
    return DONE


def _hits_options(part: argparse.ArgumentParser) -> None:
    add_store(part)
    part.add_argument("-n", "--newest", type=whole(1), default=25, help="how many (default 25)")


def _hits(args: argparse.Namespace) -> int:
    with _store(args) as store:
        found = _floor("reports").hits(store.load().state(), args.newest)
    print_json(found) if args.json else _print("hits", found)
    return DONE


def _report_options(part: argparse.ArgumentParser) -> None:
    add_store(part)
    part.add_argument("--date", type=date.fromisoformat, help="the day on which it began, YYYY-MM-DD")
    part.add_argument("--table", default="", help="of this table alone")
    form = part.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="as CSV, money in cents")
    form.add_argument("--html", action="store_true", help="as a page of its own, to look at, keep and print")


def _wrong(option: str, text: str, wanted: str) -> NoReturn:
    raise CommandError("E-CLI-003", option, text=text, wanted=wanted, command="floor report")


def _report(args: argparse.Namespace) -> int:
    reading = _floor("reports")
    if args.json and (args.csv or args.html):
        _wrong("--json", "--csv" if args.csv else "--html", "a form beside JSON: choose one")
    with _store(args) as store, store.moment():
        state = store.load().state(laws(args))
        if args.table and args.table not in state.tables:
            _wrong("--table", args.table, f"one of {' '.join(sorted(state.tables)) or 'no tables'}")
        day = args.date.isoformat() if args.date else reading.today(state)
        found = reading.report(state, store, day, args.table)
    if args.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(reading.rows(found))
    elif args.html:
        sys.stdout.write(_floor("report_page").page(found))
    else:
        print_json(found) if args.json else _print("report", found)
    return DONE


# ---------------------------------------------------------------- proof


def _verify_options(part: argparse.ArgumentParser) -> None:
    add_store(part)
    part.add_argument("--file", type=Path, help="an export instead of the store itself")
    part.add_argument("--key", type=_key, help="the floor's public key, 64 hexadecimal digits")
    part.add_argument(
        "--journals",
        type=Path,
        nargs="+",
        metavar="EXPORT",
        default=[],
        help="exports of tables' journals: each is proved, and held against the ledger",
    )


def _key(text: str) -> str:
    if len(text) != KEY_DIGITS or set(text) - set("0123456789abcdef"):
        message = "not a key of 64 small hexadecimal digits"
        raise argparse.ArgumentTypeError(message)
    return text


def _verify(args: argparse.Namespace) -> int:
    errors = _floor("errors")
    ledgers = floor_journals.Ledgers(is_wanted=bool(args.journals))
    try:
        proof = _proof(args, ledgers)
        agreed = floor_journals.agreements(args.journals, ledgers, proof)
    except (errors.FloorError, JournalError) as error:
        # This code says that the ledger is broken, which is an answer (exit code 1). Any other is an error.
        if isinstance(error, errors.FloorError) and error.kind.code != "E-FLOOR-015":
            raise
        said = {"good": False, "code": error.kind.code, "place": error.place, "what": error.what}
        print_json(said) if args.json else print(f"BROKEN: {error}")
        return NO
    found, is_good = _facts(proof, args), agreed is None or agreed.is_good
    if args.json:
        print_json({"good": is_good, **found, **(agreed.facts() if agreed else {})})
    else:
        _print("verified", found)
        print("\n".join(agreed.lines() if agreed else ()))
    return DONE if is_good else NO


def _proof(args: argparse.Namespace, ledgers: floor_journals.Ledgers) -> "FloorProof":
    bar = ProgressBar()
    proof: FloorProof = _floor("verify").FloorProof(args.key or "", laws(args), ledgers.take)
    if args.file:
        export = _floor("export").FloorExport(args.file)
        proof.prove(export.entries(), export.heads(), bar.stage("the export", max(1, export.size)))
        return proof
    with _store(args) as store:
        last = max(1, store.load().last.number)
        _floor("verify").verify(store, args.key or "", bar.stage("the ledger", last), proof)
    return proof


def _facts(proof: "FloorProof", args: argparse.Namespace) -> dict[str, Any]:
    found, state = proof.verified, proof.desk.state
    return {
        "entries": found.entries,
        "movements": found.movements,
        "heads": found.heads,
        "refused": found.refused,
        "kinds": dict(sorted(found.kinds.items())),
        "tables": len(state.tables),
        "floor": state.house.key,
        "key": "given" if args.key else "the ledger's own: compare it with the floor's",
        "link": proof.desk.last.link.hex(),
        "beside": "not in an export" if args.file else "every account, part and sum is as the ledger has it",
    }


def _export_options(part: argparse.ArgumentParser) -> None:
    add_store(part)
    part.add_argument("file", type=Path, help="a new file, or - for standard output")


def _export(args: argparse.Namespace) -> int:
    export = _floor("export")
    with _store(args) as store:
        if str(args.file) == "-":
            sys.stdout.writelines(f"{line}\n" for line in export.lines(store))
            return DONE
        last = max(1, store.load().last.number)
        written = export.export(store, args.file, ProgressBar().stage("the ledger", last))
    if args.json:
        print_json(written._asdict() | {"file": str(written.file)})
    else:
        print(f"{written.file}: {written.entries} entries, {written.bytes:,} bytes, ends with {written.link}")
    return DONE


WHAT: dict[
    str,
    tuple[str, Callable[[argparse.Namespace], int], Callable[[argparse.ArgumentParser], None]],
] = {
    "meters": ("what every linked meter shows, and what stands beside it", _meters, add_store),
    "tables": ("every table: how far it was heard, and what was wrong", _tables, add_store),
    "hits": ("the newest hits", _hits, _hits_options),
    "report": (
        "a gaming day: wagers, win and hold, rounds an hour, faults, meters, hits",
        _report,
        _report_options,
    ),
    "verify": ("do the whole ledger again, with every signature and sum", _verify, _verify_options),
    "restore": (
        "make a new store out of an export or a copy, or bring an older one forward",
        orders.restore,
        orders.restore_options,
    ),
    "export": ("write the ledger to a new file of JSON lines", _export, _export_options),
    "config": (
        "check a link's configuration against its chapter, draw it as an order; those kept",
        config.run,
        config.options,
    ),
    "run": ("the service: takes what tables say, until it is told to stop", orders.run, orders.run_options),
    "key": ("make a key of a person, or of the service", orders.key, orders.key_options),
    "order": ("draw an order for people to sign", orders.order, orders.order_options),
    "sign": ("show an order, and sign it", orders.sign, orders.sign_options),
    "found": ("begin a floor: a new store, by its first people", orders.found, orders.found_options),
    "pin": ("set the PIN by which a person looks at the page of the pit", orders.pin, orders.pin_options),
    "give": ("hand a signed order to the service", orders.give, orders.give_options),
}
