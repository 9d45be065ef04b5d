"""``sabot enrol board``: make the state directory of a table, with the board's own new keys.

People and devices are enrolled at the console of the running program, by those who may; a board is enrolled
once, before the program can run at all.
"""

import argparse
import os
from pathlib import Path

from sabot.drivers.enrolment import fingerprint
from sabot.firmware.common_arguments import TABLE, add_law, asked_law
from sabot.firmware.credentials.board import FLOOR, SIMULATED, Rooms, prepare
from sabot.firmware.credentials.errors import ERRORS, KeepError
from sabot.firmware.run.table_check import read

EPILOG = """\
examples:
  sudo -u sabot sabot enrol board           the state directory of /etc/sabot/table.toml
  sabot enrol board table.toml              that of another table file

A directory that is prepared stays as it is: run it as the user that runs Sabot. What is printed is the public
half of the board's key; whoever checks exports and evidence keeps it. People and devices are enrolled at the
console: `sabot console`, then `help enrol`.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("what", choices=["board"])
    parser.add_argument("file", type=Path, nargs="?", default=TABLE)
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Prepare the state directory."""
    file, _ = read(args.file, law=asked_law(args))
    rooms = Rooms(file.storage.state)
    try:
        rooms.root.mkdir(parents=True, exist_ok=True, mode=0o750)
        board = prepare(rooms, SIMULATED if file.is_simulated else FLOOR)
    except OSError as error:
        why = f"cannot be made ({os.strerror(error.errno or 0)})"
        raise KeepError(ERRORS["E-KEEP-001"], str(rooms.root), why=why) from error
    key = f"{board.public_key.hex()}, fingerprint {fingerprint(board.public_key)}"
    print(f"{rooms.root} is the state of a {board.kind} table; the board's key is {key}")
    return 0
