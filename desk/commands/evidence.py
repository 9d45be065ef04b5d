"""``sabot evidence``: one round or one fault, packed so that a stranger can check it; and the check."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from sabot.desk.evidence.pack import EvidenceError, about_fault, about_round, check, collect, write
from sabot.firmware.commands.state_folder import add_place, place_of, print_json
from sabot.firmware.errors import CommandError
from sabot.firmware.integrity.digest import digest, lines
from sabot.firmware.integrity.installation import here
from sabot.firmware.journal.errors import JournalError

EPILOG = """\
A fault has the number of the entry in which it was latched; `sabot journal tail` shows it. Cards that never
became public are not in a pack; see `sabot journal unseal`.

examples:
  sabot evidence --round 41 -o round41.zip
  sabot evidence --fault 1207 -o fault.zip
  sabot evidence verify round41.zip --key HEX     exit code 1 where it does not hold
"""
DONE, NO = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("what", nargs="?", choices=["verify"], help="check a pack instead of making one")
    parser.add_argument("pack", nargs="?", type=Path, help="the pack to check")
    about = parser.add_mutually_exclusive_group()
    about.add_argument("--round", type=int, help="a closed round")
    about.add_argument("--fault", type=int, metavar="ID", help="the entry in which a fault was latched")
    parser.add_argument("-o", "--output", type=Path, help="a new file")
    parser.add_argument("--key", type=bytes.fromhex, help="the board's public key, 64 hexadecimal digits")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Make a pack, or check one."""
    if args.what == "verify":
        return _verify(args)
    if args.output is None or (args.round is None) == (args.fault is None):
        raise _missing(
            "--round N or --fault ID, and -o PACK.zip", "sabot evidence --round 12 -o round-12.zip"
        )
    place = place_of(args)
    board = place.board
    with place.journal() as db:
        is_round = args.round is not None
        about = about_round(db, args.round) if is_round else about_fault(db, args.fault)
        pack = collect(db, about, board, _digests)
    size = write(args.output, pack, board)
    if args.json:
        print_json({"file": str(args.output), "bytes": size, "about": about._asdict()})
    else:
        print(f"{args.output}: {about.what} {about.number}, entries {about.first} to {about.last}")
        print(f"  {size:,} bytes, signed by board {board.public_key.hex()}")
    return DONE


def _missing(what: str, example: str) -> CommandError:
    return CommandError("E-CLI-016", "evidence", missing=what, example=example, command="sabot evidence")


def _digests() -> Iterator[str]:
    where = here()
    yield from lines(digest(where), where)


def _verify(args: argparse.Namespace) -> int:
    if args.pack is None:
        raise _missing("the pack to check", "sabot evidence verify round-12.zip")
    try:
        found = check(args.pack, args.key)
    except (EvidenceError, JournalError) as error:
        print_json({"good": False, "why": str(error)}) if args.json else print(f"DOES NOT HOLD: {error}")
        return NO
    chain = found.chain
    if args.json:
        print_json({"good": True, "board": found.board, "about": found.about, "files": found.files})
        return DONE
    print(f"THE PACK HOLDS: {found.about['what']} {found.about['number']}")
    print(f"  {len(found.files)} files, each as the board signed it: {', '.join(found.files)}")
    print(f"  entries {chain.first} to {chain.number}, every link proved, {chain.heads} signed heads")
    # Without a key the pack is proved by the key that it brings itself: sound in itself, whoever made it.
    print(f"  board {found.board}" + ("" if args.key else "  <- compare it with the one you know"))
    return DONE
