"""``sabot demo``: a short shift of each chapter, played on the felt with everything that may go wrong.

On a terminal the felt is redrawn in place at a pace that a person can follow; anywhere else the same shift
comes as plain lines. The rounds of ``--rounds`` are the shortest answer to "what does it settle?".
"""

import argparse
import os
import sys
from collections.abc import Sequence

from sabot.config import CHAPTER_IDS
from sabot.firmware.demo.book import Book, read_book
from sabot.firmware.demo.canvas import HEIGHT, WIDTH
from sabot.firmware.demo.felt import Felt
from sabot.firmware.demo.glyphs import glyphs_of
from sabot.firmware.demo.keyboard import LeaveError, NextShiftError
from sabot.firmware.demo.picture import write_picture
from sabot.firmware.demo.rounds import print_rounds
from sabot.firmware.demo.screen import Screen, can_draw, styles_of
from sabot.firmware.demo.stage import Lines, Stage, Theatre
from sabot.firmware.demo.titles import summary
from sabot.firmware.demo.verbs import crew_of, play_shift

EPILOG = """\
examples:
  sabot demo                      five shifts, at a pace a person can follow
  sabot demo --chapter pa683a     one chapter's shift
  sabot demo --fast | less        the same as plain lines, without waiting
  sabot demo --rounds             a worked round of each chapter, settled and explained

On a terminal: space holds, Enter goes on, n goes to the next shift, q leaves. NO_COLOR is respected; a
terminal smaller than 80 x 24 gets plain lines.
"""

_TOO_SMALL = f"(The felt itself wants a terminal of {WIDTH} x {HEIGHT} that can place its cursor.)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--fast", action="store_true", help="do not wait")
    parser.add_argument(
        "--chapter", choices=CHAPTER_IDS, metavar="ID", help=f"one chapter: {' '.join(CHAPTER_IDS)}"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="other cards, where the script wants none"
    )
    parser.add_argument("--lines", action="store_true", help="plain lines also on a terminal")
    parser.add_argument("--picture", metavar="FILE", help="the last irregularity of a shift, as an SVG file")
    parser.add_argument("--rounds", action="store_true", help="worked rounds instead, settled and explained")
    parser.add_argument("--json", action="store_true", help="the worked rounds' outcomes as JSON, one a line")


def run(args: argparse.Namespace) -> int:
    """Play the shifts, or settle the worked rounds."""
    if args.rounds or args.json:
        print_rounds(as_json=args.json)
        return 0
    book = read_book()
    chapters = [args.chapter] if args.chapter else list(book.shifts)
    if args.picture:
        write_picture(book, chapters[0], args.picture)
    elif args.lines or not can_draw(sys.stdout, os.environ):
        _end(book, _shifts(book, chapters, Lines(sys.stdout), args.seed))
        if sys.stdout.isatty() and not args.lines:
            print(_TOO_SMALL)
    else:
        with Screen(sys.stdout, styles_of(os.environ), waits=not args.fast) as screen:
            felts = _shifts(book, chapters, Theatre(screen), args.seed)
        _end(book, felts)
    return 0


def _end(book: Book, felts: Sequence[Felt]) -> None:
    for line in summary(book, felts):
        print(glyphs_of(sys.stdout)(line))


def _shifts(book: Book, chapters: Sequence[str], stage: Stage, seed: int) -> list[Felt]:
    """Play a shift of each chapter; what was seen of each."""
    felts: list[Felt] = []
    for number, chapter in enumerate(chapters, 1):
        crew = crew_of(book, chapter, stage, seed)
        felts.append(crew.felt)
        try:
            stage.open(crew.felt, number, len(chapters))
            play_shift(crew)
        except NextShiftError:
            continue
        except LeaveError:
            break
    return felts
