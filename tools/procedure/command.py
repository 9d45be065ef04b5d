"""The command line: one file, one verdict. Exit codes: 0 nothing to object to, 1 objections, 2 unreadable."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .check import ROUND_RULES, STEP_RULES, Checker
from .law import CHAPTERS
from .reading import UnreadableError, items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .finding import RoundRule, StepRule

EVERY = 5000


def main(words: Sequence[str] | None = None) -> int:
    """Check one file."""
    parser = argparse.ArgumentParser(prog="procedure", description="A second opinion on a table's procedure.")
    parser.add_argument(
        "file", type=Path, nargs="?", help="a journal's export or an event stream, JSON lines"
    )
    parser.add_argument("--json", action="store_true", help="one object, for a program")
    parser.add_argument(
        "--rules", action="store_true", help="what is asked, with the paragraphs, and no more"
    )
    args = parser.parse_args(words)
    if args.rules or args.file is None:
        print("\n".join(rules()))
        return 0 if args.rules else 2
    checker = Checker()
    try:
        with args.file.open("rb") as lines:
            for item in items(lines):
                checker.take(item)
                if sys.stderr.isatty() and checker.steps % EVERY == 1:
                    print(f"  {checker.steps} events ...", file=sys.stderr)
    except OSError as error:
        print(f"{args.file}: {error.strerror}", file=sys.stderr)
        return 2
    except UnreadableError as error:
        print(f"{args.file}, {error}", file=sys.stderr)
        return 2
    print(json.dumps(as_json(checker)) if args.json else as_text(checker))
    return 1 if checker.objections else 0


def rules() -> list[str]:
    """Return a row for each rule: its name, what it asks, and its paragraph in each chapter that has one."""
    rows = []
    every: list[StepRule | RoundRule] = [*STEP_RULES, *ROUND_RULES]
    for rule in every:
        cites = [law.paragraph(rule.about) for law in CHAPTERS.values() if law.knows(rule.about)]
        rows.append(f"| {rule.name} | {rule.asks} | {', '.join(dict.fromkeys(cites))} |")
    return rows


def as_json(checker: Checker) -> dict[str, object]:
    """Return the verdict as plain values."""
    return {
        "good": not checker.objections,
        "events": checker.steps,
        "rounds": checker.rounds,
        "open_since": checker.open_round,
        "objections": [each.as_json() for each in checker.objections],
    }


def as_text(checker: Checker) -> str:
    """Return the verdict as a person reads it."""
    counted = f"{checker.rounds} rounds, {checker.steps} events"
    head = f"OBJECTIONS: {len(checker.objections)}" if checker.objections else "NOTHING TO OBJECT TO"
    lines = [f"{head} ({counted})", *(f"  {each}" for each in checker.objections)]
    if checker.open_round:
        lines.append(f"  the round since entry {checker.open_round} has no record yet and was not judged")
    return "\n".join(lines)
