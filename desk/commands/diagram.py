"""``sabot diagram``: the life of a table as a picture, drawn from the rows that the program runs by."""

import argparse
from pathlib import Path

from sabot.config import CHAPTER_IDS
from sabot.desk.diagram.mermaid import mermaid
from sabot.desk.diagram.picture import picture
from sabot.desk.sign.render import replace_file
from sabot.firmware.common_arguments import add_law, law_of
from sabot.firmware.errors import CommandError
from sabot.statemachine.state.phases import Phase

EPILOG = """\
The phases, the ways between them, the irregularities and the faults are the rows of the table's own state
machine; with --chapter each has that chapter's paragraph, and what its wagers cannot lead to is left out.

examples:
  sabot diagram                                         Mermaid text, for a page that draws it
  sabot diagram --format svg -o table.svg               a picture
  sabot diagram --chapter pa683a --format svg -o t.svg  Cajun Stud's, with its paragraphs
  sabot diagram --phase settling                        one phase: ways in and out, what can go wrong
"""

FORMATS = {"mermaid": mermaid, "svg": picture}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--chapter", metavar="ID", help=" ".join(CHAPTER_IDS))
    parser.add_argument("--phase", metavar="NAME", help=" ".join(phase.value for phase in Phase))
    parser.add_argument("--format", choices=tuple(FORMATS), default="mermaid", help="default: mermaid")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a file instead of standard output")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Draw the picture."""
    law = law_of(args)
    chapter = law.chapter(args.chapter) if args.chapter else None
    only = _phase(args.phase) if args.phase else None
    drawn = FORMATS[args.format]([law.chapter(name) for name in law.ids], chapter, only)
    if args.output is None:
        print(drawn, end="")
        return 0
    try:
        replace_file(Path(args.output), drawn.encode())
    except OSError as error:
        raise CommandError("E-CLI-005", args.output, why=error.strerror or str(error)) from error
    print(f"{args.output}: {args.format}, {_about(args)}")
    return 0


def _phase(text: str) -> Phase:
    known = {phase.value: phase for phase in Phase}
    found = known.get(text.lower().replace(" ", "_"))
    if found is None:
        wanted = "a phase: " + " ".join(known)
        raise CommandError("E-CLI-003", "--phase", text=text, wanted=wanted, command="diagram")
    return found


def _about(args: argparse.Namespace) -> str:
    return ", ".join((args.chapter or "every chapter", args.phase or "the whole life"))
