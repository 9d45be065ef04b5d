"""``sabot demo``: a short shift of each chapter, played on the felt with everything that may go wrong.

On a terminal the felt is redrawn in place at a pace that a person can follow; anywhere else the same shift
comes as plain lines. The rounds of ``--rounds`` are the shortest answer to "what does it settle?".
"""

import argparse
import os
import random
import sys
from collections.abc import Sequence

from sabot.config import CHAPTER_IDS
from sabot.firmware.demo.book import Book, read_book
from sabot.firmware.demo.crew import Crew
from sabot.firmware.demo.felt import Felt
from sabot.firmware.demo.rounds import print_rounds
from sabot.firmware.demo.screen import NextShiftError, Screen, can_draw, styles_of
from sabot.firmware.demo.stage import Lines, Stage, Theatre
from sabot.firmware.demo.titles import summary
from sabot.firmware.demo.verbs import play

EPILOG = """\
examples:
  sabot demo                      five shifts, at a pace a person can follow
  sabot demo --chapter pa683a     one chapter's shift
  sabot demo --fast | less        the same as plain lines, without waiting
  sabot demo --rounds             a worked round of each chapter, settled and explained

On a terminal: space holds, n goes to the next shift, q leaves. NO_COLOR is respected; a terminal smaller
than 80 x 24 gets plain lines.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--fast", action="store_true", help="do not wait")
    parser.add_argument(
        "--chapter", choices=CHAPTER_IDS, metavar="ID", help=f"one chapter: {' '.join(CHAPTER_IDS)}"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other cards where the script wants none")
    parser.add_argument("--lines", action="store_true", help="plain lines also on a terminal")
    parser.add_argument("--rounds", action="store_true", help="worked rounds instead, settled and explained")
    parser.add_argument("--json", action="store_true", help="the worked rounds' outcomes as JSON, one a line")


def run(args: argparse.Namespace) -> int:
    """Play the shifts, or settle the worked rounds."""
    if args.rounds or args.json:
        print_rounds(as_json=args.json)
        return 0
    book = read_book()
    chapters = [args.chapter] if args.chapter else list(book.shifts)
    if args.lines or not can_draw(sys.stdout, os.environ):
        felts = _shifts(book, chapters, Lines(sys.stdout), args.seed)
    else:
        with Screen(sys.stdout, styles_of(os.environ), waits=not args.fast) as screen:
            felts = _shifts(book, chapters, Theatre(screen), args.seed)
    for line in summary(felts, book):
        print(line)
    return 0


def _shifts(book: Book, chapters: Sequence[str], stage: Stage, seed: int) -> list[Felt]:
    """Play a shift of each chapter; what was seen of each."""
    felts = []
    for number, chapter in enumerate(chapters, 1):
        shift = book.shifts[chapter]
        crew = Crew(shift, book, stage, random.Random(f"{seed} {chapter}"))  # noqa: S311 (a demo's cards)
        felts.append(crew.felt)
        try:
            stage.open(crew.felt, number, len(chapters))
            for step in shift.steps:
                play(crew, step.verb, step.words)
        except NextShiftError:
            continue
    return felts
