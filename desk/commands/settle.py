"""``sabot settle``: rounds in, outcomes out, one at a time.

One JSON value is settled and shown; JSON Lines are settled line by line, each answered and flushed before
the next is read, so that the command can stand in a pipe for as long as a table is open. A line that is
refused is answered with its error and the others go on.
"""

import argparse
import json
import sys
from collections.abc import Iterator

from sabot.config import ChapterLaw
from sabot.desk.json_input import Input, open_input, parse_json
from sabot.firmware.common_arguments import add_law, law_of
from sabot.firmware.errors import CommandError
from sabot.firmware.pages.settle_table import outcome_table
from sabot.rules.errors import SabotError
from sabot.rules.round import outcome_json
from sabot.rules.round_json import chapter_id, read_round
from sabot.rules.settlement import KeptSettlements

EPILOG = """\
The JSON of a round and of an outcome is described in docs/round-schema.md.

A file with one JSON value is one round. A file with a JSON object a line is a stream: each line is
answered in order with one line, a refused one with {"error": ...}, and the exit code is 2 if any was refused.

examples:
  sabot settle round.json                           a table for people
  sabot settle --json round.json                    the outcome as JSON
  sabot settle --json - < shift.jsonl > out.jsonl   a stream
  sabot settle --reading aces_bonus=four round.json another reading of the text (see `sabot chapter`)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", nargs="?", default="-", help="a file of rounds, or - for standard input")
    parser.add_argument("--json", action="store_true", help="outcomes as JSON, one a line")
    add_law(parser)
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="take another reading of the text; may repeat; goes before the round's own",
    )


def run(args: argparse.Namespace) -> int:
    """Settle every round of the file."""
    readings = dict(_reading(text) for text in args.reading)
    settler = _Settler(law_of(args), readings, as_json=args.json)
    with open_input(args.file) as stream:
        source = Input(stream)
        if source.text is None:
            return settler.answer_stream(source.lines)
    print(settler.answer(source.text, args.file))
    return 0


def _reading(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name or not value:
        wanted = "a reading such as aces_bonus=four"
        raise CommandError("E-CLI-003", "--reading", text=text, wanted=wanted, command="settle")
    return name, value


class _Settler:
    """Settles the rounds of one call."""

    def __init__(self, law: ChapterLaw, readings: dict[str, str], *, as_json: bool) -> None:
        self.law = law
        self.readings = readings
        self.as_json = as_json
        self.settlements = KeptSettlements()

    def answer(self, text: str, place: str) -> str:
        """Return the outcome of one round, as a line of JSON or as a table."""
        value = parse_json(text, place)
        chapter = self.law.chapter(chapter_id(value))
        round_, settlement = read_round(value, chapter, self.settlements, self.readings)
        outcome = settlement.settle(round_)
        return json.dumps(outcome_json(outcome)) if self.as_json else outcome_table(chapter, round_, outcome)

    def answer_stream(self, lines: Iterator[str]) -> int:
        """Answer line by line; a refused line spoils the exit code and nothing else."""
        code = 0
        for number, line in enumerate(lines, 1):
            try:
                answer = self.answer(line, "round")
            except SabotError as error:
                code = 2
                print(f"sabot settle: line {number}: {error}", file=sys.stderr)
                answer = json.dumps({"error": str(error)}) if self.as_json else f"line {number}: refused"
            # At once: whoever writes the next line may wait for this answer.
            print(answer, flush=True)
        return code
