"""`sabot run`: the program of the device."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from sabot.firmware.run import lean  # noqa: F401 (before asyncio)

# isort: split
import asyncio

from sabot.firmware.commands.check import read
from sabot.firmware.errors import CommandError
from sabot.firmware.run.log import LEVELS, configure
from sabot.firmware.run.program import Program

EPILOG = """\
examples:
  sabot run /etc/sabot/table.toml           the table of this file, until SIGTERM
  sabot run --sim pa641a                    the same program against simulated devices, NOT FOR PLAY
  sabot run --sim pa683a --method auto_shoe --state ./shift
                                            another way of dealing, kept in a directory and gone on from

The log goes to standard output, one JSON object a line. Watch and operate the table with `sabot console`.
Exit codes: 0 stopped as asked, 1 not everything could be written, 2 the table file is wrong.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", type=Path, nargs="?", help="the table file")
    parser.add_argument("--sim", metavar="CHAPTER", help="simulate every device of a table of this chapter")
    parser.add_argument(
        "--method", help="with --sim: how it is dealt (default: the first that the chapter has)"
    )
    parser.add_argument("--state", type=Path, help="with --sim: where it is kept (default: a new directory)")
    parser.add_argument("--log-level", choices=list(LEVELS), default="info", help="how much is logged")


def run(args: argparse.Namespace) -> int:
    """Run a table."""
    configure(args.log_level)
    if args.sim is not None:
        if find_spec("sabot.hil") is None:
            raise CommandError("E-CLI-010", "run --sim", why="this is the program for a floor")
        from sabot.firmware.run.simulated import run_simulated  # noqa: PLC0415 (the rig is no part of a floor)

        return run_simulated(args.sim, args.method, args.state)
    if args.file is None:
        raise CommandError(
            "E-CLI-003", "run", text="", wanted="a table file, or --sim CHAPTER", command="run"
        )
    file, _setup = read(args.file)
    return asyncio.run(Program(file).run())
