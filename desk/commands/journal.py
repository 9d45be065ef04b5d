"""``sabot journal``: what was recorded, and the proof that nothing of it was altered."""

# The order of `verify`: the mark, which says how far the journal had come; the journal or the export, link by
# link and head by head; the second medium beside it; then, if they are asked for, the second opinion on
# procedure and the floor's ledger, which both read what was proved.

import argparse
import asyncio
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from sabot.config.table_file import LEAST_DAYS
from sabot.desk.commands import journal_floor, journal_procedure
from sabot.desk.procedure import command as opinion
from sabot.desk.procedure.check import Checker
from sabot.firmware.command_line import add_each
from sabot.firmware.commands.state_folder import (
    add_people,
    add_place,
    ask_two,
    place_of,
    print_json,
    print_page,
    whole,
)
from sabot.firmware.errors import CommandError
from sabot.firmware.journal import export, mark, mirror_file, retain, store, unseal, verify
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.export import ExportPart
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.journal.mirror_file import MirrorError
from sabot.firmware.journal.retain import setup_of
from sabot.firmware.journal.store import follow
from sabot.firmware.pages.journal_text import entry_words, round_page, unsealed_line
from sabot.firmware.progress_bar import ProgressBar
from sabot.firmware.run.clock import Clock
from sabot.floor.errors import FloorError

EPILOG = """\
A table is named by its file (--table) or by its state directory (--state). docs/journal.md has the format.

examples:
  sabot journal verify                                 every link, every signed head, the copy beside it
  sabot journal verify --file journal.jsonl --key HEX  the same of an export
  sabot journal verify --procedure                     and whether the five texts were followed
  sabot journal verify --floor floor.jsonl             and whether the floor of linked meters has it so
  sabot journal export journal.jsonl                   JSON lines with a signed end; sealed cards by digest
  sabot journal tail --follow                          what is recorded, as it comes
  sabot journal show 41                                the record of a round
  sabot journal unseal 41 --cause "dispute at seat 3"  its cards that never became public; two people
  sabot journal retain /mnt/archive --cause "yearly"   export what is old, then remove it; two people

`unseal` and `retain` write, and there is one writer: while the table's program runs they are commands of its
console (`sabot console`, then `unseal 41` or `retain second`), each by two people of different roles.

Exit codes: 0 done, 1 the journal is broken (the first broken link is named) or, with --procedure, a text was
not followed (each entry and paragraph is named), 2 bad input.
"""
DONE, NO = 0, 1
NEWEST = 20
# What no proof can see of a journal that is whole in itself.
UNSEEN = (
    "entries cut from the end together with the mark, and a whole journal put back from before: "
    "compare with heads that were kept elsewhere (`head` at the console, --heads); "
    "what the newest snapshot holds: `sabot selftest` opens it"
)
KEY_BYTES = 32
NOT_WHOLE = "E-FLOOR-015"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    for name, part in add_each(what, EPILOG, ((name, each[0]) for name, each in WHAT.items())):
        add_place(part)
        WHAT[name][2](part)


def run(args: argparse.Namespace) -> int:
    """Run the action that was named."""
    order: Callable[[argparse.Namespace], int] = WHAT[args.what][1]
    return order(args)


# ---------------------------------------------------------------- verify


def _verify_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("--file", type=Path, help="an export instead of the journal itself")
    part.add_argument("--key", type=_key, help="the board's public key, 64 hexadecimal digits")
    part.add_argument("--heads", type=Path, help="signed heads of the second medium (default: the table's)")
    part.add_argument("--procedure", action="store_true", help="a second opinion on procedure too")
    part.add_argument("--floor", type=Path, help="an export of the floor's ledger, to hold it against")
    part.add_argument("--floor-key", type=_key, help="the floor's public key (default: the table file's)")
    part.add_argument("--json", action="store_true", help="as JSON")


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        message = "not a key of 64 hexadecimal digits"
        raise argparse.ArgumentTypeError(message)
    return key


def _verify(args: argparse.Namespace) -> int:
    try:
        found, checker = _verify_export(args) if args.file else _verify_journal(args)
        agreed = journal_floor.agreed(args) if args.floor else None
    except (JournalError, MirrorError, FloorError) as error:
        # A broken ledger is an answer (exit code 1); any other trouble with the floor's export is an error.
        if isinstance(error, FloorError) and error.kind.code != NOT_WHOLE:
            raise
        if args.json:
            print_json({"good": False, "code": error.kind.code, "what": error.what})
        else:
            print(f"BROKEN: {error}")
        return NO
    is_good = (checker is None or not checker.objections) and (agreed is None or agreed.is_good)
    if args.json:
        said = {} if checker is None else {"procedure": opinion.as_json(checker)}
        print_json({"good": is_good, **found, **said, **(agreed.facts() if agreed else {})})
    else:
        print("\n".join((_covered(found), *(agreed.lines() if agreed else ()))))
        if checker is not None:
            print(f"PROCEDURE: {opinion.as_text(checker)}")
    return DONE if is_good else NO


def _verify_export(args: argparse.Namespace) -> tuple[dict[str, object], Checker | None]:
    size = max(1, args.file.stat().st_size) if args.file.exists() else 1
    reader = ImportedExport(args.file, args.key)
    found = reader.verify(ProgressBar().stage("the export", size))
    whose = "given" if args.key else "the export's own: compare it with the board's"
    beside = {"mark": None, "second_medium": "not asked", "unseen": UNSEEN}
    facts = _facts(found) | {"board": reader.key.hex(), "key": whose, **beside}
    if not args.procedure:
        return facts, None
    return facts, journal_procedure.of_export(args.file, ProgressBar().stage("procedure", size))


def _verify_journal(args: argparse.Namespace) -> tuple[dict[str, object], Checker | None]:
    place = place_of(args)
    key = args.key or place.board.public_key
    heads = args.heads or (place.second / mirror_file.HEADS if place.second else None)
    with place.journal() as db:
        # The mark first: it says how far the journal had come, which a chain that was cut off cannot know.
        marked = mark.verify(place.rooms.journal, db)
        last = max(1, store.last_of(db)[0])
        found = verify.verify_journal(db, key, ProgressBar().stage("the journal", last))
        beside = _beside(heads, db, key)
        size = max(1, found.entries)
        asked = args.procedure
        checker = journal_procedure.of_journal(db, ProgressBar().stage("procedure", size)) if asked else None
    whose = "given" if args.key else "the board's"
    facts = {"board": key.hex(), "key": whose, "mark": marked, "second_medium": beside, "unseen": UNSEEN}
    return _facts(found) | facts, checker


def _beside(heads: Path | None, db: Connection, key: bytes) -> str:
    """Return how the second medium agrees: its signed heads, and its copy."""
    if heads is None:
        return "none is named"
    if not heads.exists():
        return f"{heads} is not there"
    count = mirror_file.verify_heads(heads, db, key)
    copy = mirror_file.read_copy(heads.parent, key)
    if copy is None:
        return f"{count} signed heads agree; there is no copy"
    mirror_file.verify_copy(copy, db, str(heads.parent))
    return f"{count} signed heads agree, the copy stands at entry {copy.entries}"


def _facts(found: verify.Verifier) -> dict[str, object]:
    return {
        "first": found.first,
        "last": found.number,
        "entries": found.entries,
        "rounds": found.rounds,
        "heads": found.heads,
        "signed_until": found.signed,
        "untrusted_times": found.untrusted,
        "link": found.link.hex(),
    }


def _covered(found: dict[str, object]) -> str:
    last, signed = found["last"], found["signed_until"]
    assert isinstance(last, int)
    assert isinstance(signed, int)
    return "\n".join(
        (
            "THE JOURNAL IS WHOLE",
            f"  entries        {found['first']} to {last}, every link proved ({found['rounds']} rounds)",
            f"  signed heads   {found['heads']}, the newest covers entry {signed}",
            f"  after it       {last - signed} entries, chained and not yet covered",
            f"  board          {found['board']} (key: {found['key']})",
            f"  ends with      {found['link']}",
            f"  mark           {_marked(found['mark'])}",
            f"  second medium  {found['second_medium']}",
            f"  clock          {found['untrusted_times']} entries have a time that nobody vouched for",
            f"  not seen here  {found['unseen']}",
        )
    )


def _marked(entry: object) -> str:
    return "none: nothing beside it says how far it reached" if entry is None else f"it reached entry {entry}"


# ---------------------------------------------------------------- export, tail, show


def _export_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("target", type=Path, help="a new file, or - for standard output")
    part.add_argument("--sealed", action="store_true", help="with the sealed card data")
    part.add_argument("--first", type=whole(1), help="the first entry")
    part.add_argument("--last", type=whole(1), help="the last entry")
    part.add_argument("--json", action="store_true", help="say in JSON what was written")


def _export(args: argparse.Namespace) -> int:
    place = place_of(args)
    with place.journal() as db:
        found = export.whole(db, with_sealed=args.sealed)
        part = ExportPart(args.first or found.first, args.last or found.last, args.sealed)
        if not found.first <= part.first <= part.last <= found.last:
            wanted = f"within {found.first} to {found.last}"
            raise CommandError(
                "E-CLI-003", "export", text=f"{part.first}-{part.last}", wanted=wanted, command="journal"
            )
        if str(args.target) == "-":
            sys.stdout.buffer.writelines(export.lines(db, part, place.board))
            return DONE
        written = export.export(db, args.target, part, place.board)
    closing = written.closing
    if args.json:
        print_json({"file": str(written.file), "bytes": written.bytes, "digest": closing.digest})
    else:
        sealed = "with" if args.sealed else "without"
        print(f"{written.file}: entries {closing.first} to {closing.last}, {sealed} sealed data")
        print(f"  {written.bytes:,} bytes, digest {closing.digest}, signed by the board")
    return DONE


def _tail_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("-n", "--newest", type=whole(1), default=NEWEST, help=f"how many (default {NEWEST})")
    part.add_argument("--follow", action="store_true", help="go on until Ctrl-C")
    part.add_argument("--json", action="store_true", help="one JSON object a line")


def _tail(args: argparse.Namespace) -> int:
    place = place_of(args)
    with place.journal() as db:
        for entry in follow(db, args.newest, is_endless=args.follow):
            for line in entry_words(entry, as_json=args.json):
                print(line, flush=args.follow)
    return DONE


def _show_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("round", type=whole(1), metavar="ROUND", help="the number of the round")
    part.add_argument("--json", action="store_true", help="as JSON")


def _show(args: argparse.Namespace) -> int:
    place = place_of(args)
    with place.journal() as db:
        page, value = round_page(db, args.round, lambda number: setup_of(db, place.law, number))
    print_json({"simulated": place.is_simulated, **value}) if args.json else print_page(place, [page])
    return DONE


# ---------------------------------------------------------------- unseal, retain


def _unseal_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("round", type=whole(1), metavar="ROUND", help="the number of a closed round")
    part.add_argument("--json", action="store_true", help="one JSON object a line")
    add_people(part)


def _unseal(args: argparse.Namespace) -> int:
    place = place_of(args)
    # A journal has one writer: a running program would go on from an entry that is no longer the last.
    place.verify_stopped()
    with place.journal() as db:
        # Before two people are asked for their PINs.
        unseal.verify_closed(db, args.round)
    authority = ask_two(place, args.cause)
    clock = Clock()

    async def opened() -> list[unseal.UnsealedRound]:
        async with direct(place.rooms.journal) as appender:
            with place.journal() as db:
                stamp = clock.stamp(clock.now())
                return await unseal.unseal(appender, db, place.board.seal, args.round, authority, stamp)

    for each in asyncio.run(opened()):
        print_json(each._asdict()) if args.json else print(unsealed_line(each))
    return DONE


def _retain_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("folder", type=Path, help="where the export goes; another medium than the journal's")
    part.add_argument("--days", type=whole(LEAST_DAYS), help="how many days stay (default: the table file's)")
    part.add_argument("--json", action="store_true", help="as JSON")
    add_people(part)


def _retain(args: argparse.Namespace) -> int:
    place = place_of(args)
    place.verify_stopped()
    days = args.days if args.days is not None else place.days
    authority, clock = ask_two(place, args.cause), Clock()
    # Taken when both have given their PINs: it is the time of the order.
    stamp = clock.stamp(clock.now())
    order = retain.RetentionOrder(args.folder, retain.oldest_to_keep(stamp.utc, days), authority, stamp)

    async def work() -> retain.Retained | None:
        async with direct(place.rooms.journal) as appender:
            with closing(store.open_for_reading(place.rooms.journal)) as db:
                return await retain.retain(appender, db, place.board, order)

    found = asyncio.run(work())
    if args.json:
        print_json(None if found is None else {"file": str(found.written.file), "removed": found.removed})
    elif found is None:
        print(f"nothing is surely older than {days} days; nothing was removed")
    else:
        print(f"{found.removed} entries are in {found.written.file}, read back and proved, and removed here")
        print(f"  entry {found.anchor} is the signed anchor that the rest is proved from")
    return DONE


WHAT: dict[
    str,
    tuple[str, Callable[[argparse.Namespace], int], Callable[[argparse.ArgumentParser], None]],
] = {
    "verify": ("prove every link and every signed head", _verify, _verify_options),
    "export": ("write entries to a new file of JSON lines", _export, _export_options),
    "tail": ("the newest entries", _tail, _tail_options),
    "show": ("the record of a round", _show, _show_options),
    "unseal": ("the sealed cards of a closed round, by two people", _unseal, _unseal_options),
    "retain": ("export old entries, then remove them, by two people", _retain, _retain_options),
}
