"""A page of text for people: headings, facts with their paragraph at the right, tables of letters.

One width for every page, so that pages of different chapters can be laid side by side.
"""

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 96
_LABEL = 26
_GAP = "  "


class Page:
    """Lines of text, growing downwards."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)

    def title(self, text: str, right: str = "") -> None:
        """Add the heading of the whole page."""
        self.lines += [*_beside(text, right), "═" * WIDTH]

    def section(self, text: str, cite: str = "") -> None:
        """Add a heading with a rule under it."""
        self.lines += ["", *_beside(text.upper(), _bracketed(cite)), "─" * WIDTH]

    def note(self, text: str, indent: int = 2) -> None:
        """Add running text."""
        self.lines += textwrap.wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)

    def fact(self, label: str, text: str, cite: str = "") -> None:
        """Add a label with its text, and the paragraph that says it."""
        head = f"{_GAP}{label}"
        if len(head) > _LABEL - len(_GAP):
            self.lines.append(head)
            head = ""
        rows = textwrap.wrap(text, WIDTH - _LABEL) or [""]
        rows[-1:] = _beside(rows[-1], _bracketed(cite), WIDTH - _LABEL)
        self.lines += [f"{head if row is rows[0] else '':<{_LABEL}}{row}" for row in rows]

    def facts(self, label: str, facts: Iterable[tuple[str, str]]) -> None:
        """Add several facts under one label."""
        for text, cite in facts:
            self.fact(label, text, cite)
            label = ""

    def table(self, caption: str, cite: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a caption, then rows whose first cell may be long and whose others stand in columns."""
        self.lines += ["", *_beside(f"{_GAP}{caption}", _bracketed(cite))]
        widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(1, len(heads))]
        first = min(
            max(len(row[0]) for row in (heads, *rows)),
            WIDTH - 2 * len(_GAP) - sum(width + len(_GAP) for width in widths),
        )
        for row in (heads, *rows):
            parts = textwrap.wrap(row[0], first) or [""]
            cells = "".join(f"{_GAP}{cell:>{width}}" for cell, width in zip(row[1:], widths, strict=True))
            self.lines += [_GAP * 2 + part for part in parts[:-1]]
            self.lines.append(f"{_GAP * 2}{parts[-1]:<{first}}{cells}")


def _bracketed(cite: str) -> str:
    return f"[{cite}]" if cite else ""


def _beside(left: str, right: str, width: int = WIDTH) -> list[str]:
    """Return two texts at the two ends of a line, or of two lines where one is too short."""
    if len(left) + len(_GAP) + len(right) > width:
        return [left, right.rjust(width)]
    return [left + right.rjust(width - len(left))]
