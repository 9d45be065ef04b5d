"""``sabot demo``: a short shift of each chapter by the running program, with everything that may go wrong.

The program is the one of the device, `sabot run --sim` in a process of its own with its journal and its
console; the people at its table follow the display, and the felt is drawn from what its console publishes. On
a terminal the felt is redrawn in place at a pace that a person can follow; anywhere else the same shift comes
as plain lines. The rounds of ``--rounds`` are the shortest answer to "what does it settle?".
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import FrameType, ModuleType

from sabot.config import CHAPTER_IDS, ChapterLaw
from sabot.desk.demo.canvas import HEIGHT, WIDTH, glyphs_of
from sabot.desk.demo.felt import DemoFelt
from sabot.desk.demo.picture import Album
from sabot.desk.demo.program import FAILED, RunningDemo, folder, how_to_look
from sabot.desk.demo.screen import LeaveError, NextShiftError, Screen, can_draw, styles_of
from sabot.desk.demo.script import DemoScript, read_book
from sabot.desk.demo.show import Show
from sabot.desk.demo.stage import DemoStage, PlainStage, Theatre, summary
from sabot.firmware.common_arguments import add_law, law_of
from sabot.firmware.errors import CommandError
from sabot.firmware.pages.settle_table import outcome_table
from sabot.rules.round import outcome_json
from sabot.rules.round_json import chapter_id, read_round
from sabot.rules.settlement import KeptSettlements

EPILOG = """\
examples:
  sabot demo                      five shifts, at a pace a person can follow
  sabot demo --chapter pa683a     one chapter's shift
  sabot demo --fast | less        the same as plain lines, without waiting
  sabot demo --keep ./evening     keep what the program wrote, and say how to look at it
  sabot demo --rounds             a worked round of each chapter, settled and explained

NOT FOR PLAY. Each shift is `sabot run --sim` in a process of its own, with its journal and its console; its
devices are simulated in another. On a terminal: space holds, Enter goes on, n goes to the next shift, q
leaves. NO_COLOR is respected; a terminal smaller than 80 x 24 gets plain lines.
Exit codes: 0 done, 1 the program or its devices ended in the middle of it (the message names the log).
"""

YOURSELF = "To sit down and deal yourself, in a browser: make practice, or sabot practice."
_TOO_SMALL = f"(The felt itself wants a terminal of {WIDTH} x {HEIGHT} that can place its cursor.)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--fast", action="store_true", help="do not wait")
    parser.add_argument("--chapter", metavar="ID", help=f"one chapter: {' '.join(CHAPTER_IDS)}")
    add_law(parser)
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="other cards, where the script wants none"
    )
    parser.add_argument("--lines", action="store_true", help="plain lines also on a terminal")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep journals and logs in this new folder, to look at them"
    )
    parser.add_argument("--picture", metavar="FILE", help="the last irregularity of a shift, as an SVG file")
    parser.add_argument("--rounds", action="store_true", help="worked rounds instead, settled and explained")
    parser.add_argument("--json", action="store_true", help="the worked rounds' outcomes as JSON, one a line")


def run(args: argparse.Namespace) -> int:
    """Play the shifts, or settle the worked rounds."""
    if args.rounds or args.json:
        print_rounds(law_of(args), as_json=args.json)
        return 0
    # Asked before anything is made: without the rig nothing of the shifts can be played.
    _rig()
    law = law_of(args)
    if args.chapter:
        law.chapter(args.chapter)
    book = read_book(law)
    # As an exit, not a death: the folder, the program and its devices are put away on the way out.
    signal.signal(signal.SIGTERM, _terminate)
    signal.signal(signal.SIGHUP, _terminate)
    try:
        with folder(args.keep) as place:
            _show(args, book, place)
    except CommandError as error:
        if error.kind.code != FAILED:
            raise
        print(f"sabot demo: {error}", file=sys.stderr)
        return 1
    if args.keep:
        print(how_to_look(args.keep, _chapters(args, book)[0]))
    return 0


def _rig() -> ModuleType:
    """Return the people at the table, whom the bundle for the floor leaves out."""
    try:
        return import_module("sabot.hil.demo.verbs")
    except ModuleNotFoundError as error:
        raise CommandError("E-CLI-010", "demo", why=f"{error}; --rounds needs none") from error


def _terminate(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


# ---------------------------------------------------------------- where it is shown


def _show(args: argparse.Namespace, book: DemoScript, place: Path) -> None:
    chapters = _chapters(args, book)
    # A picture is of one shift, and what decides whether a terminal can draw is no matter then.
    if args.picture:
        album = Album(args.picture)
        _shifts(args, book, chapters[:1], album, place)
        album.write()
    elif args.lines or not can_draw(sys.stdout, os.environ):
        if sys.stdout.isatty() and not args.lines:
            print(_TOO_SMALL)
        _end(book, _shifts(args, book, chapters, PlainStage(sys.stdout), place))
    else:
        with Screen(sys.stdout, styles_of(os.environ), waits=not args.fast) as screen:
            felts = _shifts(args, book, chapters, Theatre(screen), place)
        _end(book, felts)


def _chapters(args: argparse.Namespace, book: DemoScript) -> list[str]:
    return [args.chapter] if args.chapter else list(book.shifts)


def _end(book: DemoScript, felts: Sequence[DemoFelt]) -> None:
    for line in summary(book, felts):
        print(glyphs_of(sys.stdout)(line))
    print(YOURSELF)


# ---------------------------------------------------------------- the shifts


def _shifts(
    args: argparse.Namespace, book: DemoScript, chapters: Sequence[str], stage: DemoStage, place: Path
) -> list[DemoFelt]:
    """Play a shift of each chapter, and return what was seen of each."""
    felts: list[DemoFelt] = []
    for number, chapter in enumerate(chapters, 1):
        felts.append(DemoFelt(book.shifts[chapter], book))
        show = Show(RunningDemo(place, chapter, book.shifts[chapter].method, args.law), felts[-1], stage)
        try:
            _play(show, args.seed, number, len(chapters))
        except NextShiftError:
            continue
        except LeaveError:
            break
    return felts


def _play(show: Show, seed: int, number: int, shifts: int) -> None:
    try:
        show.begin()
        show.stage.open(show.felt, number, shifts)
        _rig().play(show, seed)
    finally:
        show.end()
    # After the end and only if nothing else went wrong: this says how the program itself ended.
    show.program.verify_end()


def print_rounds(law: ChapterLaw, *, as_json: bool) -> None:
    """Settle and print each worked round."""
    for story, value in worked_rounds():
        print(_shown(law, story, value, as_json=as_json), flush=True)


def worked_rounds() -> Iterator[tuple[str, object]]:
    """Yield the story and the JSON of each worked round."""
    text = (files("sabot.desk.demo") / "rounds.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        each = json.loads(line)
        yield each["story"], each["round"]


def _shown(law: ChapterLaw, story: str, value: object, *, as_json: bool) -> str:
    chapter = law.chapter(chapter_id(value))
    round_, settlement = read_round(value, chapter, KeptSettlements(), {})
    outcome = settlement.settle(round_)
    if as_json:
        return json.dumps(outcome_json(outcome))
    rule = "=" * 78
    return f"{rule}\n{story}.\n{rule}\n{outcome_table(chapter, round_, outcome)}\n"
