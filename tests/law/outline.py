"""The numbering of a rule document, and what it allows to come next.

Scans and drafts break lines anywhere, so a mark such as `(i)` at the start of a line may be a new
paragraph, or a reference, or the roman one, or the letter after h. The numbering decides: only what
continues a list that is open, or begins one, is a paragraph; of two places that are possible the
way the text before it ends tells which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PENNSYLVANIA = ("a", "1", "i", "A")
MARYLAND = ("A.", "1", "a", "i", "1")
DEFINED_TERM = ("i",)

CLAUSE_END = re.compile(r";(?: and| or)?$")


def _roman(n: int) -> str:
    tens, ones = divmod(n, 10)
    digits = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    return "x" * tens + digits[ones]


def mark_of(kind: str, n: int) -> str:
    """Return the mark of the nth paragraph of a list of that kind."""
    if kind == "1":
        return f"({n})"
    if kind == "i":
        return f"({_roman(n)})"
    letter = chr(ord(kind[0]) + n - 1)
    return f"{letter}." if kind == "A." else f"({letter})"


@dataclass
class Outline:
    """The numbering of one section: it knows which marks may come next, and where."""

    prefix: str
    kinds: tuple[str, ...]
    path: list[int] = field(default_factory=list)
    in_clauses: list[bool] = field(default_factory=list)  # whether a list's items end with ";"

    def _continues(self, mark: str, depth: int) -> bool:
        return mark_of(self.kinds[depth], self.path[depth] + 1) == mark

    def _places(self, mark: str, text: str) -> Iterator[int]:
        """Yield the depths at which the mark may stand, the likeliest first.

        A colon announces a list. An item that ends with a full stop after items that end with
        semicolons has closed its list.
        """
        depth = len(self.path)
        child = depth < len(self.kinds) and mark_of(self.kinds[depth], 1) == mark
        if child and text.endswith(":"):
            yield depth
        levels = [d for d in range(depth - 1, -1, -1) if self._continues(mark, d)]
        closed = [d for d in levels if self.in_clauses[d] and text.endswith(".")]
        yield from (d for d in levels if d not in closed)
        yield from closed
        if child:
            yield depth

    def take(self, mark: str, text: str) -> str | None:
        """Return the id of the paragraph which the mark opens after `text`, or None."""
        depth = next(self._places(mark, text), None)
        if depth is None:
            return None
        index = self.path[depth] + 1 if depth < len(self.path) else 1
        del self.path[depth:], self.in_clauses[depth:]
        self.path.append(index)
        self.in_clauses.append(index > 1 and bool(CLAUSE_END.search(text)))
        return self.id

    @property
    def id(self) -> str:
        """The id of the paragraph where the outline stands."""
        marks = [mark_of(kind, n) for kind, n in zip(self.kinds, self.path, strict=False)]
        return self.prefix + "".join(m if m[0] == "(" else f".{m[0]}" for m in marks)
