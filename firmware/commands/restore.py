"""``sabot restore``: a fresh board takes over the meters of a lost one, from its second medium."""

import argparse
import asyncio
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from sabot.firmware.commands.state_folder import (
    StatePlace,
    add_people,
    add_place,
    ask_two,
    place_of,
    print_json,
)
from sabot.firmware.errors import CommandError
from sabot.firmware.journal import mark, mirror_file, renew, store, verify
from sabot.firmware.journal.mirror_file import Copy, MirrorError
from sabot.firmware.run.clock import Clock
from sabot.rules.errors import SabotError
from sabot.statemachine.state.ledger import UNITS, money

EPILOG = """\
The copy must carry its board's signature; an export given with --export must be of the same journal, and
where it reaches as far as the copy it must explain the same meters. Enrol two people on this board first.
Cards that were sealed stay sealed: their key died with the board. What lay in the state directory is set
aside under a dated name.

examples:
  sabot restore --from /media/second --export journal.jsonl --cause "board 7 burnt out"

With the table file the second medium that it names is taken. Both people are asked for number and PIN.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_place(parser)
    parser.add_argument(
        "--from", dest="copy", type=Path, help="the folder of the copy (default: the table's)"
    )
    parser.add_argument(
        "--export", type=Path, action="append", default=[], help="an export that explains the meters"
    )
    parser.add_argument("--key", help="the lost board's public key, if it is known")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_people(parser)


def run(args: argparse.Namespace) -> int:
    """Begin a journal on this board with the meters of a lost one, and set aside what lay here."""
    place = place_of(args)
    place.verify_stopped()
    folder = args.copy or place.second
    copy = _copy(folder, args.key)
    _verify_needed(place, copy)
    # Before two people are asked: they agree to what can be done.
    ends = [renew.verify_export(copy, path) for path in args.export]
    authority = ask_two(place, args.cause)
    clock = Clock()
    first = renew.restored(copy, authority, clock.stamp(clock.now()))
    done = asyncio.run(renew.renew(place.rooms, place.board, first, "damaged"))
    has_devices = renew.bring_devices(place.rooms, copy)
    aside = [*done.aside, *(renew.set_copy_aside(folder) if folder else [])]
    if args.json:
        print_json({"balances_units": copy.balances, "rounds": copy.rounds, "aside": list(map(str, aside))})
    else:
        print("\n".join(_lines(copy, ends, aside, has_devices=has_devices)))
    return 0


def _copy(folder: Path | None, key: str | None) -> Copy:
    if folder is None:
        facts = {"missing": "the folder of the second medium", "example": "sabot restore --from /mnt/sabot"}
        raise CommandError("E-CLI-016", "--from", **facts, command="sabot restore")
    found = mirror_file.read_copy(folder, bytes.fromhex(key) if key else None)
    if found is None:
        raise MirrorError("E-MIRROR-001", str(folder), why="there is none")
    return found


def _verify_needed(place: StatePlace, copy: Copy) -> None:
    """Raise where the journal here is whole and agrees with the copy: it is not to be replaced."""
    try:
        with closing(store.open_for_reading(place.rooms.journal)) as db:
            reason = mirror_file.compare(copy, db, place.board.public_key, copy.balances)
            whole = store.last_of(db)[0] > 0 and _is_whole(place, db)
    # A journal that cannot be read is exactly what a restore is for.
    except SabotError:
        return
    if whole and reason is None:
        raise MirrorError("E-MIRROR-006", str(place.rooms.journal))


def _is_whole(place: StatePlace, db: Connection) -> bool:
    mark.verify(place.rooms.journal, db)
    return verify.verify_journal(db, place.board.public_key, lambda _more: None).entries > 0


def _lines(copy: Copy, ends: list[int], aside: list[Path], *, has_devices: bool) -> list[str]:
    lines = [f"RESTORED from the copy of {copy.made}, entry {copy.entries} of board {copy.key.hex()[:16]}..."]
    for name, units in sorted(copy.balances.items()):
        lines.append(f"  {name:<32}{money(units):>20}")
    shown = sum(units // UNITS for name, units in copy.balances.items() if name.count(".") == 1)
    lines.append(f"  {'all signs together':<32}{money(shown * UNITS)[:-2]:>18}")
    lines += [f"  the export that ends at entry {end} is of the same journal" for end in ends]
    lines += [f"  set aside: {path}" for path in aside]
    lines.append(f"  devices: {'their keys came back' if has_devices else 'enrol them again'}")
    lines.append("  people: enrol those who are not enrolled here")
    if copy.content.get("open_round"):
        lines.append("  A ROUND WAS OPEN: finish it by hand; `sabot journal tail` shows what is known of it")
    return lines
