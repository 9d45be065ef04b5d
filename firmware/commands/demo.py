"""``sabot demo``: one worked round of each chapter, settled and explained.

The rounds travel with the program. They are the shortest answer to "what does it do?", and a smoke test of
the whole way from JSON to a sentence with its paragraph.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from importlib.resources import files

from sabot.config import load_chapter
from sabot.firmware.commands.settle_table import outcome_table
from sabot.rules.outcomeform import outcome_json
from sabot.rules.roundform import chapter_id, read_round
from sabot.rules.settlement import KeptSettlements

EPILOG = """\
examples:
  sabot demo           at a pace a person can follow
  sabot demo --fast    without waiting
"""

_PAUSE_S = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--fast", action="store_true", help="do not wait between the rounds")
    parser.add_argument("--json", action="store_true", help="the outcomes as JSON, one a line")


def run(args: argparse.Namespace) -> int:
    """Settle and print the worked rounds."""
    waits = sys.stdout.isatty() and not args.fast and not args.json
    for number, (story, value) in enumerate(worked_rounds()):
        if waits and number:
            time.sleep(_PAUSE_S)
        print(_shown(story, value, as_json=args.json), flush=True)
    return 0


def worked_rounds() -> Iterator[tuple[str, object]]:
    """The story and the JSON of each round."""
    text = (files("sabot.firmware.demo") / "rounds.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        each = json.loads(line)
        yield each["story"], each["round"]


def _shown(story: str, value: object, *, as_json: bool) -> str:
    chapter = load_chapter(chapter_id(value))
    round_, settlement = read_round(value, chapter, KeptSettlements(), {})
    outcome = settlement.settle(round_)
    if as_json:
        return json.dumps(outcome_json(outcome))
    rule = "=" * 78
    return f"{rule}\n{story}.\n{rule}\n{outcome_table(chapter, round_, outcome)}\n"
