"""The citations of the chapter files, spelt out: which paragraphs `641a.7(d)(2)-(3), (5)` means.

A citation is written as a lawyer would: a later part leaves out what it shares with the one before. Each
part is completed from its predecessor, and a range stands for its two ends.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from claims import ROOT

CHAPTERS = ROOT / "config" / "chapters"

MARK = re.compile(r"\(\w+\)|\.[A-Z]")
LETTER = re.compile(r"[A-Z]\b")


def cited(chapter: str) -> Iterator[tuple[str, str]]:
    """Yield each citation of a chapter file with the key that has it, but that of the document itself."""
    data = tomllib.loads((CHAPTERS / f"{chapter}.toml").read_text(encoding="utf-8"))
    for key, value in data.items():
        if key != "cite":
            yield from _cited(key, value)


def _cited(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        value = dict(enumerate(value))
    if not isinstance(value, dict):
        return
    for name, each in value.items():
        if name in ("cite", "forfeit"):
            yield from ((key, text) for text in ([each] if isinstance(each, str) else each))
        else:
            yield from _cited(f"{key}.{name}", each)


def spelt_out(citation: str) -> list[str]:
    """Return the paragraphs that a citation names, each in full."""
    named: list[str] = []
    for part in re.split(r", |-", citation):
        named.append(_completed(part, named[-1] if named else ""))
    return named


def _completed(part: str, before: str) -> str:
    """Complete a part from the one before it: it replaces as many last marks as it has."""
    if part[0].isdigit():
        return f"ch.{part}" if before.startswith("ch.") else part
    if not before or not (part[0] == "(" or LETTER.match(part)):
        return part
    marks = MARK.findall(part if part[0] == "(" else f".{part}")
    cut = [found.start() for found in MARK.finditer(before)][-len(marks)]
    return before[:cut] + "".join(marks)


def is_paragraph(named: str, known: frozenset[str]) -> bool:
    """Tell whether a document has a paragraph, or a section that holds paragraphs."""
    return named in known or any(each.startswith((f"{named}(", f"{named}.", f'{named} "')) for each in known)
