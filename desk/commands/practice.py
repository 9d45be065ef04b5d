"""``sabot practice``: a simulated table in a browser, to sit down at and deal. NOT FOR PLAY."""

import argparse
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sabot.config import CHAPTER_IDS
from sabot.firmware.common_arguments import add_law
from sabot.firmware.errors import CommandError

EPILOG = """\
examples:
  sabot practice                        Four Card Poker, at the address that is printed
  sabot practice pa683a                 another chapter
  sabot practice pa679a --method hand   dealt from the hand
  sabot practice --keep ./evening       keep journal and log in this folder
  sabot practice --lesson '641a.13(c) lesson' --learner 'A. Dealer'
  sabot practice --learner 'A. Dealer' --record > record.html

The page is the hardware: keys, chips, cards and cables go to simulated devices, and what they show is drawn.
The program is the real one, in a process of its own. The page is served on this machine alone, to whoever has
the whole address. Ctrl-C ends it. NOT FOR PLAY.
Exit codes: 0 ended as asked, 2 bad input, or a part that is not installed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "chapter",
        nargs="?",
        default=CHAPTER_IDS[0],
        metavar="CHAPTER",
        help=f"{' '.join(CHAPTER_IDS)} (default: {CHAPTER_IDS[0]})",
    )
    parser.add_argument("--method", help="how it is dealt (default: as the example submission has it)")
    parser.add_argument("--port", type=int, default=0, help="of the page (default: any that is free)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other cards")
    parser.add_argument(
        "--speed", type=float, default=20.0, metavar="N", help="machines work N times as fast as real ones"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep what the program writes in this new folder"
    )
    add_law(parser)
    parser.add_argument(
        "--lesson",
        metavar="WORDS",
        help="begin with the lesson, or the scenario of the rig, that has these words",
    )
    parser.add_argument(
        "--learner", default="learner", metavar="NAME", help="whose progress is kept (default: learner)"
    )
    parser.add_argument(
        "--progress",
        type=Path,
        metavar="DIR",
        help="where it is kept (default: sabot-practice in the user's data)",
    )
    parser.add_argument(
        "--record", action="store_true", help="print the learner's training record, a page of HTML, and end"
    )
    parser.add_argument("--no-open", action="store_true", help="print the address and open no browser")


def run(args: argparse.Namespace) -> int:
    """Serve the table until somebody ends it."""
    served: int = _practice().serve_table(args)
    return served


def _practice() -> ModuleType:
    """Return the room of the practice table, which is no part of a board."""
    try:
        return import_module("sabot.practice.command")
    except ModuleNotFoundError as error:
        if error.name == "websockets":
            raise CommandError(
                "E-CLI-004", "practice", package="websockets", what="The practice table", extra="practice"
            ) from error
        raise CommandError("E-CLI-010", "practice", why="this is the program for a floor") from error
