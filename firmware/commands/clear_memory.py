"""``sabot clear-memory``: let a table begin anew, all exported and its final meters printed."""

import argparse
import asyncio
import json
from pathlib import Path

from sabot.firmware.commands.state_folder import add_people, add_place, ask_two, place_of
from sabot.firmware.journal import export, mark, money, renew, store
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.journal.recover import recover
from sabot.firmware.journal.retain import setup_of
from sabot.firmware.progress_bar import ProgressBar
from sabot.firmware.run.clock import Clock
from sabot.statemachine.state.ledger import money as amount
from sabot.statemachine.state.phases import Phase

EPILOG = """\
The table must be closed and its program stopped. The whole journal is exported with its sealed data and read
back, the final meters are explained and printed, and kept in the first entry of the new journal; the old file
is set aside. The meters then begin at their seeds: what players are owed goes on by `meters adjust` of two
people.

examples:
  sabot clear-memory --export /mnt/archive/final.jsonl --cause "table 7 moves to the other pit"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_place(parser)
    parser.add_argument("--export", type=Path, required=True, help="a new file for the whole journal")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_people(parser)


def run(args: argparse.Namespace) -> int:
    """Export the journal, begin a new one, and print the final meters."""
    place = place_of(args)
    place.verify_stopped()
    board = place.board
    with place.journal() as db:
        # A journal that lost its end would be exported as if it were whole.
        mark.verify(place.rooms.journal, db)
        last = store.last_of(db)
        table = recover(db, setup_of(db, place.law), board.seal, board.public_key).table
        if table.state.play.phase is not Phase.CLOSED:
            phase = table.state.play.phase.value.replace("_", " ")
            raise JournalError(ERRORS["E-JRNL-015"], str(place.rooms.journal), phase=phase)
        found = money.explain(db, board.public_key, ProgressBar().stage("the journal", max(1, last[0])))
        found.verify({name: units for name, units in table.state.books.ledger.balances.items() if units})
        # Two people are asked only now, when all that could stand against it was looked at.
        authority = ask_two(place, args.cause)
        written = export.export(db, args.export, export.whole(db, with_sealed=True), board)
    # Read back from the medium before the journal is set aside.
    ImportedExport(args.export, board.public_key).verify(lambda _more: None)
    clock = Clock()
    first = renew.cleared(found.balances, last, written, authority, clock.stamp(clock.now()))
    done = asyncio.run(renew.renew(place.rooms, board, first, "cleared"))
    aside = [*done.aside, *(renew.set_copy_aside(place.second) if place.second else [])]
    if args.json:
        print(
            json.dumps(
                {"final_units": found.balances, "export": str(args.export), "aside": list(map(str, aside))}
            )
        )
        return 0
    print("CLEARED. FINAL METERS")
    for name, units in found.balances.items():
        print(f"  {name:<32}{amount(units):>20}")
    print(f"  export: {args.export}, digest {written.closing.digest}")
    print("\n".join(f"  set aside: {path}" for path in aside))
    return 0
