"""``sabot sign``: the payout sign to be posted at the table, from a Rules Submission that stands."""

import argparse
import json
from pathlib import Path

from sabot.config.submission import Submission, load_submission
from sabot.config.submission_problems import Problem, problem
from sabot.config.submission_rules import problems
from sabot.desk.plain_json import plain
from sabot.desk.sign.content import sign_content
from sabot.desk.sign.layout import PAPERS, lay_out
from sabot.desk.sign.render import draw, renderer_for
from sabot.desk.submission_page import problem_list
from sabot.firmware.common_arguments import add_law, law_of
from sabot.rules.chapter import Chapter

EPILOG = """\
The ending of the file decides what is drawn: .svg needs nothing more, .pdf and .png need the extra:
pip install 'sabot[sign]'. A submission that does not stand is not drawn; its problems are listed instead.

examples:
  sabot sign house.toml -o sign.pdf                    for the printer
  sabot sign house.toml -o sign.svg --size tabloid     11 by 17 inches
  sabot sign config/submissions/pa679a.toml -o sign.png
"""

DONE, NO = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "submission", metavar="SUBMISSION.toml", help="a Rules Submission, see docs/submission.md"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="sign.svg, sign.pdf or sign.png"
    )
    parser.add_argument("--size", choices=tuple(PAPERS), default="letter", help="the paper (default: letter)")
    parser.add_argument("--json", action="store_true", help="what was done as JSON")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Draw the sign, or list what keeps it from being drawn."""
    # First, for its refusals: an ending that nothing draws, an extra that is not installed.
    renderer_for(args.output)
    law = law_of(args)
    submission = load_submission(Path(args.submission), law)
    chapter = law.chapter(submission.chapter)
    found = [*problems(submission, chapter), *_simulated(submission, chapter)]
    if found:
        refused = json.dumps({"drawn": None, "problems": plain(found)})
        print(refused if args.json else problem_list(submission, found))
        return NO
    draw(lay_out(sign_content(chapter, submission), args.size), args.output)
    done = {"drawn": args.output, "size": args.size, "chapter": chapter.id, "house": submission.house}
    print(
        json.dumps(done) if args.json else f"{args.output}: {chapter.game}, {submission.house}, {args.size}"
    )
    return DONE


def _simulated(submission: Submission, chapter: Chapter) -> list[Problem]:
    """Refuse a simulated table: its sign could be taken for that of one that is played at."""
    return [problem("E-SUBM-002", "simulated", chapter.duties.sign)] if submission.simulated else []
