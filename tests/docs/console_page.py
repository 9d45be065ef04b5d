"""The table of commands in docs/console.md, written from the rows of the console's catalogue.

Run with ``--write`` to write it, with nothing to check that it is up to date. The rest of the page is a person's.
"""

import argparse
import re
import sys
from pathlib import Path

from sabot.firmware.console.catalogue import COMMANDS
from sabot.firmware.console.command import Command, role_words

PAGE = Path(__file__).resolve().parents[2] / "docs" / "console.md"
MARKED = re.compile(r"(?<=\|---\|---\|---\|---\|\n).*?(?=\n\n\*Two\*)", re.DOTALL)


def rows() -> str:
    """A row for each command."""
    return "\n".join(_row(command) for command in COMMANDS.values())


def _row(command: Command) -> str:
    by = role_words(command.roles).replace(" or ", ", ") if command.roles else "anybody"
    wants = ["two"] * bool(command.second) + ["a reason"] * command.needs_why + ["a PIN"] * bool(command.asks)
    return f"| `{command.usage}` | {command.help} | {by} | {', '.join(wants)} |"


def page() -> str:
    """The page as the program would have it."""
    return MARKED.sub(lambda _found: rows(), PAGE.read_text(encoding="utf-8"))


def main() -> int:
    """Write the table, or say that it is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the table")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    is_stale = PAGE.read_text(encoding="utf-8") != page()
    if is_stale:
        print("docs/console.md is not what the program says: python tests/docs/console_page.py --write")
    return int(is_stale)


if __name__ == "__main__":
    sys.exit(main())
