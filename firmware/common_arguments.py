"""Arguments that many commands share: the usual table file, and `--law DIR`."""

from pathlib import Path
from typing import TYPE_CHECKING

from sabot.config.loader import PRINTED, ChapterLaw

if TYPE_CHECKING:
    import argparse

# The program of the service loads this too, and nothing of what reads a command line.
TABLE = Path("/etc/sabot/table.toml")


# ------------------------------------------------------------ the chapters of a folder


def add_law(parser: "argparse.ArgumentParser") -> None:
    """Declare `--law`, the same at every command."""
    parser.add_argument(
        "--law", type=Path, metavar="DIR", help="with the chapters of a folder (docs/own-chapters.md)"
    )


def asked_law(args: "argparse.Namespace") -> ChapterLaw | None:
    """Return the law that was asked for, None where the option is not given."""
    return ChapterLaw(args.law) if args.law else None


def law_of(args: "argparse.Namespace") -> ChapterLaw:
    """Return the law in force: the program's own, or that of the folder that was named."""
    return asked_law(args) or PRINTED
