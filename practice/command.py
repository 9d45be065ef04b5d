"""The practice table from its start to its end, as ``sabot practice`` serves it."""

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.config import ChapterLaw
from sabot.config.submission import example_submission
from sabot.firmware.common_arguments import law_of
from sabot.firmware.errors import CommandError
from sabot.practice.house import PracticeHouse
from sabot.practice.lesson import shelf
from sabot.practice.school import School
from sabot.practice.server import PageServer
from sabot.practice.training import LearnerProgress, folder

# The path of a socket has at most a hundred letters: nothing deeper than this.
PLACE = "/tmp"  # noqa: S108 - the folder in it is this user's alone
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def serve_table(args: argparse.Namespace) -> int:
    """Serve the table until SIGINT or SIGTERM; or print a learner's training record."""
    progress = LearnerProgress(args.learner, (args.progress or folder()).resolve())
    if args.record:
        print(progress.page(), end="")  # noqa: T201
        return 0
    law = law_of(args)
    lesson = _lesson(args.lesson) if args.lesson else None
    method = _method(law, args.chapter, args.method)
    with _folder(args.keep) as root:
        return asyncio.run(_serve(root, method, law, progress, lesson, args))


async def _serve(
    root: Path,
    method: str,
    law: ChapterLaw,
    progress: LearnerProgress,
    lesson: str | None,
    args: argparse.Namespace,
) -> int:
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    house = PracticeHouse(root, args.chapter, method, seed=args.seed, speed=args.speed, law=law)
    school = School(house, progress)
    server = PageServer(house, school)
    try:
        await house.begin()
        await server.begin(args.port)
        print(f"NOT FOR PLAY: the practice table of {args.chapter} is at\n{server.address}", flush=True)  # noqa: T201
        if not args.no_open and any(map(os.environ.get, SCREENS)):
            await asyncio.to_thread(webbrowser.open, server.address)
        if lesson is not None:
            await school.order({"word": "begin", "name": lesson})
        await over.wait()
    finally:
        # Lessons first: a lesson's thread plays at the table of the house.
        await school.end()
        await server.end()
        await house.end()
    return 0


def _lesson(wanted: str) -> str:
    """Return the one lesson whose name contains these words."""
    names = [name for name in shelf().lessons if wanted.lower() in name.lower()]
    # A whole name wins even where it is part of another lesson's.
    if wanted in names:
        return wanted
    if len(names) != 1:
        ways = f"words that one lesson has; {len(names)} have these" if names else "words that a lesson has"
        raise CommandError("E-CLI-003", "--lesson", text=wanted, wanted=ways, command="practice")
    return names[0]


def _method(law: ChapterLaw, chapter: str, wanted: str | None) -> str:
    plans = law.chapter(chapter).plans
    method = wanted or example_submission(law, chapter).method
    if method not in plans:
        ways = f"a way to deal: {' '.join(plans)}"
        raise CommandError("E-CLI-003", "--method", text=method, wanted=ways, command="practice")
    return method


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    """Provide the folder of the program's files: one that goes with the table, or one that stays."""
    if kept is not None:
        if kept.exists():
            raise CommandError("E-CLI-005", str(kept), why="it is there already")
        kept.mkdir(parents=True)
        print(f"journal and log: {kept}", file=sys.stderr)  # noqa: T201
        yield kept.resolve()
        return
    made = Path(tempfile.mkdtemp(prefix="practice-", dir=PLACE))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
