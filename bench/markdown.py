"""The figures and curves as the page of the docs has them: tables of markdown between two marks.

A table that people copy is a table of last year. The command that measures writes its own part of the
page and leaves the rest, which is a person's, as it was.
"""

import re
from collections.abc import Mapping, Sequence

from figure import Figure, Section, cells, machine_line, notes_of
from fresh import ROOT

PAGE = ROOT / "docs" / "performance.md"
MARKED = "(?<=<!-- begin {part} -->\n).*?(?=<!-- end {part} -->)"
HEAD = ("goal", "median", "best", "worst", "")


def of_figures(facts: Mapping[str, object], sections: Sequence[Section], took_s: float) -> str:
    """The machine and how long it took, then a table for each section with its notes under it."""
    words = f"{machine_line(facts)}; measured in {took_s / 60:.0f} minutes."
    return "\n\n".join([words, *(of_section(*section) for section in sections)]) + "\n"


def of_section(title: str, figures: Sequence[Figure]) -> str:
    """One table; a note that several figures have stands once."""
    rows = [tuple(cell.replace("MISSED", "**missed**") for cell in cells(figure)) for figure in figures]
    words = [f"- {name}: {note}" for note, name in notes_of(figures).items()]
    return "\n".join([table((title, *HEAD), rows), *(["", *words] if words else [])])


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as markdown has it, numbers to the right."""
    rule = ("---", *("---:" for _ in head[1:]))
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def put(page: str, part: str, text: str) -> str:
    """A page with one of its marked parts written anew."""
    marked = re.compile(MARKED.format(part=re.escape(part)), re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"no part {part!r} is marked in the page")
    return marked.sub(lambda _found: f"\n{text}\n", page)


def write(part: str, text: str) -> None:
    """The same, to the page of the docs."""
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), part, text), encoding="utf-8")
