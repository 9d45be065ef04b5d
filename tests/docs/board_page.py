"""What of ``docs/board.md`` is written from the program: the list to tick, and the drawing of the example.

Run with ``--write`` to write both, with nothing to check that they are up to date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.desk.wiring.picture import picture
from sabot.desk.wiring.sheet import sheet_of
from sabot.firmware.run.board_checklist import LOOK, board_list
from sabot.firmware.run.table_check import read

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "config" / "tables" / "pa641a-manual_shoe.toml"
PAGE, PICTURE = ROOT / "docs" / "board.md", ROOT / "docs" / "pictures" / "board-wiring.svg"
MARKED = re.compile(r"(?<=<!-- board -->\n).*?(?=<!-- /board -->)", re.DOTALL)


def files() -> Iterator[tuple[Path, str]]:
    """Return page and picture as they should be."""
    file, _setup = read(EXAMPLE)
    text = PAGE.read_text(encoding="utf-8")
    yield PAGE, MARKED.sub(lambda _: rows(), text)
    yield PICTURE, picture(sheet_of(file.name, file.devices, is_simulated=file.is_simulated))


def rows() -> str:
    """Return the list as a table, whatever machine this is."""
    file, _setup = read(EXAMPLE)
    lines = ["| | who looks | to be seen | command |", "|---|---|---|---|"]
    for tick in board_list(file):
        who = "a person" if tick.stands == LOOK else "the program"
        command = tick.command.replace(str(EXAMPLE), "/etc/sabot/table.toml")
        lines.append(f"| {tick.name} | {who} | {tick.wanted} | {command} |")
    return "\n".join([*lines, "", f"The rows of devices are those of `{EXAMPLE.name}`.", ""])


def main() -> int:
    """Write both, or say which is stale."""
    stale = [path for path, text in files() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--write" in sys.argv[1:]:
        for path, text in files():
            path.write_text(text, encoding="utf-8")
        return 0
    for path in stale:
        print(f"docs: {path.name} is not what the program says: python -m tests.docs.board_page --write")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
