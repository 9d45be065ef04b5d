"""`sabot run`: the program of the device."""

from sabot.firmware.run import slim_imports  # noqa: F401 (before asyncio, which it makes smaller)

# isort: split
import asyncio
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.config.loader import ChapterLaw
from sabot.config.salvage import Salvaged, salvage
from sabot.config.table_file import Device, TableFile
from sabot.firmware.common_arguments import TABLE, add_law, asked_law, law_of
from sabot.firmware.errors import CommandError
from sabot.firmware.integrity.drivers import load
from sabot.firmware.program import Program
from sabot.firmware.run import garbage
from sabot.firmware.run.service_manager import LEVELS, configure
from sabot.firmware.run.table_check import read
from sabot.rules.errors import SabotError

if TYPE_CHECKING:
    import argparse

LOG_LEVEL = "info"
# What means nothing at the table of a file.
OF_SIM = ("method", "state")
EPILOG = """\
examples:
  sabot run /etc/sabot/table.toml           the table of this file, until SIGTERM
  sabot run --sim pa641a                    the same program against simulated devices, NOT FOR PLAY
  sabot run --sim pa683a --method auto_shoe --state ./shift
                                            another way of dealing, kept in a directory and gone on from
  sabot run --sim tcp --law ./ours          a chapter of your own

The log goes to standard output, one JSON object a line. Watch and operate the table with `sabot console`.
A table file that is wrong, or any other failure of the self-test, keeps the table closed: the program stays,
with its pads locked and the code on the display, and its console says why.
Exit codes: 0 stopped as asked, 1 not everything could be written, 2 a table file that names not even its
state directory, 75 start it again: only a new process can have its lines back.
"""


def add_arguments(parser: "argparse.ArgumentParser") -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", type=Path, nargs="?", help="the table file")
    parser.add_argument("--sim", metavar="CHAPTER", help="simulate every device of a table of this chapter")
    parser.add_argument(
        "--method", help="with --sim: how it is dealt (default: the first that the chapter has)"
    )
    parser.add_argument("--state", type=Path, help="with --sim: where it is kept (default: a new directory)")
    parser.add_argument("--log-level", choices=list(LEVELS), default=LOG_LEVEL, help="how much is logged")
    add_law(parser)


def run(args: "argparse.Namespace") -> int:
    """Run a table."""
    _verify_words(args)
    configure(args.log_level)
    if args.sim is not None:
        if find_spec("sabot.hil") is None:
            raise CommandError("E-CLI-010", "run --sim", why="this is the program for a floor")
        from sabot.firmware.simulated import run_simulated  # noqa: PLC0415 (the rig is no part of a floor)

        return run_simulated(args.sim, args.method, args.state, law_of(args))
    if args.file is None:
        facts = {"missing": "the table file, or --sim CHAPTER", "example": f"sabot run {TABLE}"}
        raise CommandError("E-CLI-016", "run", **facts, command="sabot run")
    return _run_table(args.file, asked_law(args))


def _verify_words(args: "argparse.Namespace") -> None:
    """Raise where a word would be passed over: whoever named a file must not find another table running."""
    why = ""
    if args.sim is None:
        given = (name for name in OF_SIM if getattr(args, name) is not None)
        why = next((f"--{name} goes with --sim alone" for name in given), "")
    elif args.file is not None:
        why = f"--sim writes a table file of its own, and {args.file} was named too"
    if why:
        raise CommandError("E-CLI-018", "run", why=why, command="sabot run")


def run_file(path: str) -> int:
    """Run the table of this file with nothing else asked for, as the service does."""
    configure(LOG_LEVEL)
    return _run_table(Path(path))


def _run_table(path: Path, law: ChapterLaw | None = None) -> int:
    return asyncio.run(Program(table_of(path, law), started=garbage.put_start_aside).run())


def table_of(path: Path, law: ChapterLaw | None = None) -> TableFile | Salvaged:
    """Return the table file; where it is wrong, what can be salvaged of it to say so at the table."""
    try:
        return read(path, law=law)[0]
    except SabotError as wrong:
        # Where nothing can be salvaged it is raised from there, and said once.
        left = salvage(path, wrong, lambda driver, place: load(driver, place).schema, _verify, _state())
        print(f"sabot run: {wrong}", file=sys.stderr)
        return left


def _verify(place: str, device: Device) -> None:
    load(device.driver).speaks_of(place, device.options)


def _state() -> Path | None:
    """Return where the service keeps its state, by the service manager's word."""
    named = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(named) if named else None
