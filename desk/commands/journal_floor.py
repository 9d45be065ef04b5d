"""``sabot journal verify --floor``: a table's journal held against the ledger of the floor."""

import argparse
from typing import TYPE_CHECKING

from sabot.desk.commands.floor_journals import Agreed, Ledgers, held_against, taken
from sabot.desk.commands.floor_orders import floor
from sabot.firmware.commands.state_folder import place_of
from sabot.firmware.errors import CommandError
from sabot.firmware.journal import store
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.progress_bar import ProgressBar

if TYPE_CHECKING:
    from sabot.floor.verify import FloorProof
    from sabot.uplink.reconciliation import BoardJournal


def agreed(args: argparse.Namespace) -> Agreed:
    """Return how the proved journal agrees with an export of the floor's ledger."""
    journal, key = _journal(args)
    key = args.floor_key.hex() if args.floor_key else key
    if not key:
        wanted = "the floor's public key: --floor-key, or that of the table file"
        raise CommandError("E-CLI-003", "--floor", text="", wanted=wanted, command="journal verify")
    ledgers = Ledgers()
    proof = _proved(args, key, ledgers)
    found = held_against([journal], ledgers, proof)
    # Only this board's: the journals of the other tables were not asked for.
    missing = {board: numbers for board, numbers in found.missing.items() if board[1] == journal.board}
    return found._replace(missing=missing)


def _proved(args: argparse.Namespace, key: str, ledgers: Ledgers) -> "FloorProof":
    """Return the proof of the floor's export."""
    proof: FloorProof = floor("verify").FloorProof(
        key, floor("law_folders").Laws([args.law] if args.law else []), ledgers.take
    )
    export = floor("export").FloorExport(args.floor)
    proof.prove(export.entries(), export.heads(), ProgressBar().stage("the floor", max(1, export.size)))
    return proof


def _journal(args: argparse.Namespace) -> "tuple[BoardJournal, str]":
    """Return what the journal says of linked meters, and the floor's key if the table file has it."""
    if args.file:
        export = ImportedExport(args.file, args.key)
        found = taken(str(args.file), export.entries())
        found.board = export.key.hex()
        return found, ""
    place = place_of(args)
    with place.journal() as db:
        found = taken(
            str(place.rooms.journal), store.entries(db, store.first_of(db)), place.board.public_key.hex()
        )
    return found, place.floor_key
