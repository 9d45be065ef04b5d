"""``sabot meters``: what every meter shows, what moved it, and that the journal explains every cent."""

import argparse
import csv
import sys
from collections.abc import Mapping

from sabot.firmware.commands.state_folder import add_place, place_of, print_json, print_page
from sabot.firmware.journal import money, store
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.recover import recover
from sabot.firmware.journal.retain import setup_of
from sabot.firmware.progress_bar import ProgressBar
from sabot.statemachine.state.ledger import UNITS
from sabot.statemachine.state.ledger import money as amount
from sabot.statemachine.table import Table

EPILOG = """\
Amounts are kept in hundredths of a cent, because a percentage of a cent is a whole number of them; a sign
shows whole cents. The reconciliation reads the whole journal, proves its chain, adds up what each entry moved
and compares: each sign at each entry, each account at the end, and all accounts together, which sum to
nothing.

examples:
  sabot meters                     values, ledger by cause, reconciliation
  sabot meters --csv > meters.csv  account, cause, hundredths of a cent
  sabot meters --json

Exit code 1: something is not explained; the account, and the entry where a sign was wrong, are named.
"""
DONE, NO = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_place(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--csv", action="store_true", help="as CSV: account, cause, units")


def run(args: argparse.Namespace) -> int:
    """Add up the journal, and compare it with the table's own ledger."""
    place = place_of(args)
    board = place.board
    with place.journal() as db:
        last = store.last_of(db)[0]
        table = recover(db, setup_of(db, place.law), board.seal, board.public_key).table
        balances = {name: units for name, units in table.state.books.ledger.balances.items() if units}
        try:
            found = money.explain(
                db, board.public_key, ProgressBar().stage("the journal", max(1, last)), last
            )
            found.verify(balances)
        except JournalError as error:
            print_json({"explained": False, "what": str(error)}) if args.json else print(
                f"NOT EXPLAINED: {error}"
            )
            return NO
    if args.csv:
        _print_csv(found)
    elif args.json:
        print_json({"simulated": place.is_simulated, **_as_json(table.rooms.shares.meters(), found)})
    else:
        print_page(place, _lines(table, found))
    return DONE


def _as_json(meters: Mapping[str, Mapping[str, int]], found: money.Explained) -> dict[str, object]:
    return {
        "explained": True,
        "meters_cents": meters,
        "balances_units": found.balances,
        "moves_units": found.moves,
        "entries": found.entries,
    }


def _print_csv(found: money.Explained) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("account", "cause", "hundredths_of_a_cent"))
    for account, causes in sorted(found.moves.items()):
        out.writerows((account, what, units) for what, units in causes.items())
        out.writerow((account, "balance", sum(causes.values())))


def _lines(table: Table, found: money.Explained) -> list[str]:
    lines = ["METERS"]
    for meter, levels in table.rooms.shares.meters().items():
        lines += [
            f"  {f'{meter} {level}':<28}{amount(cents * UNITS)[:-2]:>20}" for level, cents in levels.items()
        ]
    lines += ["", "LEDGER by cause"]
    for account, causes in sorted(found.moves.items()):
        lines += [f"  {account}", *(f"    {what:<26}{amount(units):>20}" for what, units in causes.items())]
        lines.append(f"    {'balance':<26}{amount(sum(causes.values())):>20}")
    lines += ["", "RECONCILIATION"]
    lines.append(f"  {found.entries} entries, chain proved; every sign showed what the ledger said")
    lines.append("  every account is what the journal explains, and all of them sum to nothing")
    return lines
