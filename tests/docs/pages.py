"""Pages that are written from the program: the error codes and the readings.

Run with ``--write`` to write them, with nothing to check that they are up to date. A page that only a person kept
would be wrong by the second release.
"""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import sabot
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.desk.diagram.trouble import cures
from sabot.rules.errors import ErrorCode

DOCS = Path(__file__).resolve().parents[2] / "docs"
WHERE = {
    "ALPHA": "the meter sign",
    "CARD": "a card",
    "CLI": "the command line",
    "CONF": "a configuration file",
    "CONS": "the console",
    "DEAL": "a dealing plan",
    "EVENT": "recorded events",
    "EVID": "the evidence",
    "FLOOR": "linked meters",
    "HIL": "the rig",
    "HOUSE": "the operator's choices",
    "JRNL": "the journal",
    "KEEP": "what a board keeps",
    "LINE": "the lines",
    "LINK": "a port or a device",
    "MIRROR": "the mirror of the journal",
    "ODDS": "the odds",
    "PAD": "the pads",
    "REPLAY": "a replay",
    "ROUND": "a round",
    "RUN": "the running program",
    "SIGN": "the posted sign",
    "SNAPSHOT": "a snapshot of a table",
    "SUBM": "a Rules Submission",
    "TABLE": "a table's set-up",
    "UPDATE": "an update",
    "VERIFY": "the check of what is installed",
}


def error_codes() -> dict[str, ErrorCode]:
    """Every error code of the program, by code."""
    found: dict[str, ErrorCode] = {}
    for module in pkgutil.walk_packages(sabot.__path__, "sabot."):
        if module.name.endswith("__main__"):
            continue
        table = getattr(importlib.import_module(module.name), "ERRORS", {})
        found |= {code: each for code, each in table.items() if isinstance(each, ErrorCode)}
    return dict(sorted(found.items()))


CURE_HEADS = ("the display says", "done in this order, as far as it is due", "at the console")


def errors_page() -> str:
    """``docs/errors.md``."""
    rows = "\n".join(_error_entries())
    heads = [CURE_HEADS, ("---",) * len(CURE_HEADS)]
    cure_lines = "\n".join(f"| {' | '.join(cells)} |" for cells in (*heads, *cures()))
    return f"""# Errors

Every message of Sabot opens with a code and the place. Here each code says what happened (words in braces are filled
in), why that is likely, and what to do. This page is written from the program: `python tests/docs/pages.py --write`.
{rows}
## What holds a table

A fault has no code: the display says it, and `faults` at the console prints which of these steps are left to do at this table.

{cure_lines}
"""


def _error_entries() -> Iterator[str]:
    group = ""
    for code, each in error_codes().items():
        kind = code.split("-")[1]
        if kind != group:
            group = kind
            yield f"\n## E-{kind}: {WHERE[kind]}\n"
        yield f"### {code}\n\n**What:** {each.what}.\n\n**Why:** {each.cause}\n\n**Do:** {each.cure}\n"


def readings_page() -> str:
    """``docs/readings.md``."""
    parts = "\n".join(_readings_of(chapter) for chapter in CHAPTER_IDS)
    return f"""# Readings

Where a document is silent, ambiguous or contradicts itself, Sabot's answer is a named option of the chapter file, never a
choice hidden in code. The first answer is the default. `sabot settle --reading NAME=VALUE`, `options.readings` of a round
and `[readings]` of a submission take another; an outcome names the readings that decided something in it. A reading with
one answer says how the program understands the text. This page is written from the chapter files:
`python tests/docs/pages.py --write`.

{parts}"""


def _readings_of(chapter_id: str) -> str:
    chapter = load_chapter(chapter_id)
    lines = [
        f"## {chapter.document}",
        "",
        "| id | option | answers | paragraph | what is decided |",
        "|---|---|---|---|---|",
    ]
    for each in chapter.readings.values():
        option = f"`{each.name}`" if len(each.values) > 1 else ""
        answers = ", ".join(f"**{value}**" if not place else value for place, value in enumerate(each.values))
        lines.append(f"| {each.id} | {option} | {answers} | {each.cite} | {each.about} |")
    return "\n".join(lines) + "\n"


PAGES = {"errors.md": errors_page, "readings.md": readings_page}


def stale() -> list[str]:
    """The pages that do not say what the program says."""
    return [
        name
        for name, page in PAGES.items()
        if not (DOCS / name).exists() or (DOCS / name).read_text(encoding="utf-8") != page()
    ]


def main() -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the pages")
    if parser.parse_args().write:
        for name, page in PAGES.items():
            (DOCS / name).write_text(page(), encoding="utf-8")
    for name in stale():
        print(f"docs/{name} is not what the program says: python tests/docs/pages.py --write")
    return 1 if stale() else 0


if __name__ == "__main__":
    sys.exit(main())
