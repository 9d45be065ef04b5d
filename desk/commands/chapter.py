"""``sabot chapter``: the chapters, one of them whole, or a Rules Submission held against it."""

import argparse
import json
from pathlib import Path

from sabot.config import CHAPTER_IDS, ChapterLaw
from sabot.config.submission import load_submission
from sabot.config.submission_rules import problems
from sabot.desk.chapter_page import chapter_list, chapter_text
from sabot.desk.plain_json import plain
from sabot.desk.submission_page import problem_list, summary
from sabot.firmware.common_arguments import add_law, law_of
from sabot.rules.chapter import Chapter

EPILOG = """\
A Rules Submission is the file in which a house says what it chose among what a chapter leaves open: see
docs/submission.md. The check prints everything that is wrong with it, each with its paragraph; a submission
that stands is summed up on a page to be signed.

examples:
  sabot chapter                                        the chapters there are
  sabot chapter pa679a                                 one of them, readable
  sabot chapter pa679a --json                          the same as data
  sabot chapter pa679a --check config/submissions/pa679a.toml
  sabot chapter --law ./ours                           with the chapters of a folder of your own
"""

DONE, NO = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("chapter", metavar="ID", nargs="?", help=" ".join(CHAPTER_IDS))
    parser.add_argument("--check", metavar="SUBMISSION.toml", help="hold a Rules Submission against it")
    parser.add_argument("--json", action="store_true", help="the answer as JSON")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Print what was asked for."""
    law = law_of(args)
    if args.check is not None:
        return _check(args, law)
    if args.chapter is None:
        chapters = [law.chapter(name) for name in law.ids]
        print(json.dumps(_list(chapters)) if args.json else chapter_list(chapters))
    else:
        chapter = law.chapter(args.chapter)
        print(json.dumps(plain(chapter)) if args.json else chapter_text(chapter))
    return DONE


def _list(chapters: list[Chapter]) -> list[dict[str, object]]:
    return [
        {
            "id": chapter.id,
            "game": chapter.game,
            "document": chapter.document,
            "seats": chapter.seats,
            "wagers": list(chapter.order),
        }
        for chapter in chapters
    ]


def _check(args: argparse.Namespace, law: ChapterLaw) -> int:
    submission = load_submission(Path(args.check), law)
    # A chapter named on the command line wins, so that a submission for another one is told so.
    chapter = law.chapter(args.chapter or submission.chapter)
    found = problems(submission, chapter)
    if args.json:
        answer = {"chapter": chapter.id, "submission": args.check, "stands": not found}
        print(json.dumps({**answer, "problems": plain(found), "options": plain(submission.options())}))
    elif found:
        print(problem_list(submission, found))
    else:
        print(summary(submission, chapter))
    return NO if found else DONE
