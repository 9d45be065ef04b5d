"""The arguments of commands that work on a journal: its place, and the two people whom some of them ask."""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

from sabot.config import PRINTED, ChapterLaw
from sabot.config.table_file import DaySettings
from sabot.firmware.common_arguments import TABLE, add_law, asked_law, law_of
from sabot.firmware.credentials.board import SIMULATED, Board, Rooms, kind_of, load
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.errors import CommandError
from sabot.firmware.journal import lock, store
from sabot.firmware.journal.authority import Authority, two
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.run.table_check import read
from sabot.rules.frozen import frozen

ROLES = ("first", "second")
NOT_FOR_PLAY = "NOT FOR PLAY: a simulated table"


@frozen
class StatePlace:
    """A table's state directory, and what its table file says beside it."""

    rooms: Rooms
    second: Path | None
    days: int
    day: DaySettings
    law: ChapterLaw = PRINTED
    floor_key: str = ""

    @property
    def board(self) -> Board:
        """The board's keys."""
        return load(self.rooms, kind_of(self.rooms))

    @property
    def is_simulated(self) -> bool:
        """Return whether the table is not for play."""
        return kind_of(self.rooms) == SIMULATED

    @contextmanager
    def journal(self) -> Iterator[Connection]:
        """Open the journal for reading; an entry whose content makes no sense is damage, not a slip."""
        if not self.rooms.journal.exists():
            raise JournalError(ERRORS["E-JRNL-001"], str(self.rooms.journal), why="there is no such file")
        try:
            with closing(store.open_for_reading(self.rooms.journal)) as db:
                yield db
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise store.wrong(self.rooms.journal, error) from error

    def verify_stopped(self) -> None:
        """Raise where the table's program runs."""
        if lock.is_written(self.rooms.journal):
            pid = lock.path_of(self.rooms.journal).read_text(encoding="ascii").strip()
            raise JournalError(ERRORS["E-JRNL-010"], str(self.rooms.journal), pid=pid)


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a state directory."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--table", type=Path, default=TABLE, help=f"the table file (default {TABLE})")
    where.add_argument("--state", type=Path, help="a state directory, without its table file")
    add_law(parser)


def place_of(args: argparse.Namespace) -> StatePlace:
    """Return the place that was named."""
    if args.state is not None:
        # The defaults of a table file (config/table_file.py): what the house chose stands in that file alone.
        return StatePlace(Rooms(args.state), None, 400, DaySettings(6 * 60, "UTC"), law_of(args))
    if args.table == TABLE and not TABLE.exists():
        raise CommandError("E-CLI-019", str(TABLE), file=TABLE)
    file, _ = read(args.table, law=asked_law(args))
    storage = file.storage
    key = file.floor.key if file.floor else ""
    return StatePlace(Rooms(storage.state), storage.second, storage.retention_days, file.day, file.law, key)


def whole(least: int) -> Callable[[str], int]:
    """Return a reader of an option that is a whole number, and not less than this."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and int(text) >= least):
            message = f"not a whole number from {least}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return read


# ---------------------------------------------------------------- people


def add_people(parser: argparse.ArgumentParser) -> None:
    """Add the option for the cause; the two people are asked for number and PIN."""
    parser.add_argument("--cause", required=True, help="why, in words; it is kept in the journal")


def ask_two(place: StatePlace, cause: str) -> Authority:
    """Ask both people for number and PIN; return them with the cause."""
    people = People(place.rooms.people, time.monotonic)
    return two([asyncio.run(_prove(people, which)) for which in ROLES], cause)


async def _prove(people: People, which: str) -> Person:
    # Wrong PINs are counted with those of the same user at the console.
    return await people.check(*_asked(which), door=f"user-{os.getuid()}")


def _asked(which: str) -> tuple[str, str]:
    """Ask for number and PIN: unseen on a terminal, else as a line with both on standard input."""
    if sys.stdin.isatty():
        number = input(f"number of the {which} person: ").strip()
        import getpass  # noqa: PLC0415 - the running program asks nobody

        return number, getpass.getpass("PIN: ")
    number, _, pin = sys.stdin.readline().strip().partition(" ")
    if not pin:
        raise CommandError(
            "E-CLI-003", "standard input", text=number, wanted="a line of number and PIN", command="journal"
        )
    return number, pin


def print_page(place: StatePlace, lines: Iterable[str]) -> None:
    """Print lines for people; those of a simulated table say so above everything else."""
    if place.is_simulated:
        print(f"{NOT_FOR_PLAY}\n")
    print("\n".join(lines))


def print_json(value: object) -> None:
    """Print a value for programs."""
    print(json.dumps(value, ensure_ascii=False))
