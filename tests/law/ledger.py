"""The ledger of the law: one entry a paragraph, kept in `coverage/*.toml`.

An entry says what the paragraph asks in our own words and which of three things became of it: it is
held (in data or code, and by named tests), it is not ours (with the reason), or it is not yet (with
the part to come, and what of it will hold the paragraph). Nothing else may be said, so that nothing
can be left unsaid.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims import ROOT
from outline import MARYLAND, PENNSYLVANIA, mark_of
from split import FILES, split

COVERAGE = Path(__file__).resolve().parent / "coverage"
TEXTS = ROOT.parent / "shared" / "rules"

PARTS = (
    "cards",
    "rankings",
    "wagers",
    "plan",
    "settle",
    "payouts",
    "void",
    "chapter",
    "sign",
    "odds",
    "table",
)
GIST_MOST = 90

TO_COME = re.compile(r"(drivers|device): .{10,}")
SHA256_PREFIX = re.compile(r"[0-9a-f]{12}")
ID = re.compile(r"(ch|\d{3}a)\.(\d+)((?:\.[A-Z])?(?:\(\w+\))*)")


@dataclass(frozen=True)
class Entry:
    """What became of one paragraph."""

    id: str
    sha256: str
    gist: str
    part: str = ""
    held: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    not_ours: str = ""
    not_yet: str = ""

    @property
    def state(self) -> str:
        """Which of the states the entry is in; `to hold` is held without tests so far."""
        if self.not_ours:
            return "not ours"
        if self.not_yet:
            return "not yet"
        return "held" if self.held and self.tests else "to hold"


@dataclass(frozen=True)
class Ledger:
    """The entries of one document."""

    name: str
    title: str
    entries: tuple[Entry, ...]


def raw(document: str) -> dict[str, Any]:
    """Return the file of a document as TOML has it."""
    return tomllib.loads((COVERAGE / f"{document}.toml").read_text(encoding="utf-8"))


def load(document: str) -> Ledger:
    """Return the ledger of a document; the files are to be free of faults."""
    data = raw(document)
    return Ledger(document, data["document"], tuple(map(_entry, data["paragraph"])))


def _entry(row: dict[str, Any]) -> Entry:
    lists = {key: tuple(row.get(key, ())) for key in ("held", "tests")}
    return Entry(**{**row, **lists})


def load_all() -> list[Ledger]:
    """Return all ledgers in the order of the documents."""
    return [load(document) for document in FILES]


def faults(row: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the form of one entry."""
    states = [key for key in ("tests", "not_ours", "not_yet") if key in row]
    wanted = {"id", "sha256", "gist"} | ({"part", "held"} if states == ["tests"] else set())
    allowed = wanted | set(states)
    if len(states) != 1:
        yield f"one of tests, not_ours, not_yet wanted, {states or 'none'} found"
    if missing := wanted - row.keys():
        yield f"lacks {', '.join(sorted(missing))}"
    if unknown := row.keys() - allowed:
        yield f"cannot have {', '.join(sorted(unknown))}"
    yield from _bad_values(row)


def _bad_values(row: dict[str, Any]) -> Iterator[str]:
    if "part" in row and row["part"] not in PARTS:
        yield f"part = {row['part']!r} is none of {', '.join(PARTS)}"
    if "not_yet" in row and not TO_COME.fullmatch(row["not_yet"]):
        yield f"not_yet = {row['not_yet']!r} is not a part to come and what will hold it"
    for key in ("held", "tests"):
        if not all(isinstance(value, str) for value in row.get(key, [])):
            yield f"{key} is no list of strings"
    if not SHA256_PREFIX.fullmatch(row.get("sha256", "")):
        yield "sha256 is not 12 hex digits"
    if not 3 < len(row.get("gist", "")) <= GIST_MOST:
        yield f"gist is empty or longer than {GIST_MOST} characters"
    if "not_ours" in row and len(row["not_ours"]) < 10:
        yield "not_ours gives no reason"
    if bool(row.get("held")) != bool(row.get("tests")):
        yield "held and tests go together"


def differences(document: str, folder: Path) -> Iterator[str]:
    """Yield where the ledger of a document and its text in a folder do not agree."""
    law = {p.id: p.sha256[:12] for p in split(folder, document)}
    ours = {entry.id: entry.sha256 for entry in load(document).entries}
    yield from (f"{key}: in the text, not in the ledger" for key in law if key not in ours)
    yield from (f"{key}: in the ledger, not in the text" for key in ours if key not in law)
    for key, read in ours.items():
        if law.get(key, read) != read:
            yield f"{key}: the text is another one than was read (now {law[key]})"
    if law.keys() == ours.keys() and list(law) != list(ours):
        yield f"{document}: the ledger has not the order of the text"


def position(paragraph: str) -> tuple[int, ...] | None:
    """Return where an id stands in its document, or None for ids that are not numbered."""
    found = ID.fullmatch(paragraph)
    if not found:
        return None
    kinds = MARYLAND if found[1] == "ch" else PENNSYLVANIA
    marks = re.findall(r"\(\w+\)|[A-Z](?=\(|$)", found[3])
    marks = [m if m[0] == "(" else f"{m}." for m in marks]
    return int(found[2]), *(_nth(kind, m) for kind, m in zip(kinds, marks, strict=False))


def _nth(kind: str, wanted: str) -> int:
    return next(n for n in range(1, 40) if mark_of(kind, n) == wanted)
