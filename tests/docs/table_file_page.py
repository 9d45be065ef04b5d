"""The options of every driver in docs/table-file.md, written from the schemas that the drivers bring.

Run with ``--write`` to write them, with nothing to check that they are up to date. The rest of the page is a person's.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from sabot.config.driver_options import bound_of
from sabot.drivers.options import Option
from sabot.drivers.registry import installed, load

PAGE = Path(__file__).resolve().parents[2] / "docs" / "table-file.md"
MARKED = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- end of options -->)", re.DOTALL)
OURS = "sabot.drivers."


def options() -> str:
    """A table for each driver of ours."""
    ours = [name for name, point in installed().items() if point.value.startswith(OURS)]
    return "\n".join(line for name in ours for line in _driver(name))


def _driver(name: str) -> Iterator[str]:
    kind = load(name)
    yield f"### `{name}`: {kind.title}\n"
    yield "| option | what it says | values | default |\n|---|---|---|---|"
    yield from (_row(option) for option in kind.schema)
    yield ""


def _row(option: Option) -> str:
    words = option.words.rstrip(".").replace("|", "\\|")
    return f"| `{option.name}` | {words} | {bound_of(option)} | {_default(option.default)} |"


def _default(value: object) -> str:
    if value is None:
        return "needed"
    if value == "":
        return "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def page() -> str:
    """The page as the program would have it."""
    return MARKED.sub(lambda _found: options() + "\n", PAGE.read_text(encoding="utf-8"))


def main() -> int:
    """Write the tables, or say that they are stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the tables")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    is_stale = PAGE.read_text(encoding="utf-8") != page()
    if is_stale:
        print("docs/table-file.md is not what the program says: python tests/docs/table_file_page.py --write")
    return int(is_stale)


if __name__ == "__main__":
    sys.exit(main())
