"""The ledger of the law: one entry a clause, kept in `coverage/clauses/*.toml`, section by section.

An entry says in our own words what a clause asks, in which documents it stands (one that several documents have alike
is one entry, so it cannot be held here and none of ours there), and what became of it: it is held, in data or code and
by named tests; it is held in part, with what is missing, or with the reason why the rest is none of the controller's;
it is none of the controller's as a whole, with a reason out of `coverage/reasons.toml`; or it is not yet held, with
what is missing. Nothing else may be said, so that nothing can be left unsaid. A reason has a name and stands once,
so it is the same wherever it is given. The paragraphs of each document stand in `coverage/DOCUMENT.toml` with their fingerprints and those of
their clauses: what is not in the text cannot be in the ledger, and the other way round, whether the texts are there or
not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from claims import ROOT
from clauses import Clause, clauses, names_of, paragraph_of, whole
from outline import MARYLAND, PENNSYLVANIA, mark_of
from split import FILES, Paragraph, split

COVERAGE = Path(__file__).resolve().parent / "coverage"
TEXTS = ROOT.parent / "shared" / "rules"
HELD, PART, YET, NOT_OURS = "held", "in part", "not yet", "not the controller's"
STATES = (HELD, PART, YET, NOT_OURS)
LEAST_WORDS, MOST_WORDS = 3, 110
LEAST_REASON = 10
LISTS = ("of", "held", "tests", "mutants", "rest_not_ours")
# The preamble and the earlier 682a bind nobody: they are accounted for paragraph by paragraph.
NOT_CUT = frozenset({"pa125_204"})
METHODS = {"8": "manual_shoe", "9": "hand", "10": "auto_shoe"}

SHA256_PREFIX = re.compile(r"[0-9a-f]{12}")
ID = re.compile(r"(ch|\d{3}a)\.(\d+)((?:\.[A-Z])?(?:\(\w+\))*)(?: \".+\"(?:\(\w+\))*)?")


@dataclass(frozen=True)
class Kept:
    """A paragraph as it was read: its fingerprint, and those of its clauses."""

    id: str
    sha256: str
    clauses: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The ids of its clauses."""
        return names_of(self.id, len(self.clauses))


@dataclass(frozen=True)
class Entry:
    """What became of one clause, wherever it stands."""

    of: tuple[str, ...]
    says: str
    held: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    own: dict[str, tuple[str, ...]] = field(default_factory=dict)
    mutants: tuple[str, ...] = ()
    lacks: str = ""
    rest_not_ours: tuple[str, ...] = ()
    not_yet: str = ""
    not_ours: str = ""

    @property
    def state(self) -> str:
        """Which of the four states the clause is in."""
        if self.not_ours:
            return NOT_OURS
        if self.not_yet:
            return YET
        return PART if self.lacks or self.rest_not_ours else HELD

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why all of it, or the rest of it, is none of the controller's."""
        return (self.not_ours,) if self.not_ours else self.rest_not_ours

    def where(self, clause: str) -> list[str]:
        """Return what holds the clause in one of its documents."""
        return list(dict.fromkeys(named(each, clause) for each in self.held))

    def tests_of(self, clause: str) -> list[str]:
        """Return the tests that hold the clause in one of its documents."""
        shared = [named(each, clause) for each in self.tests]
        return list(dict.fromkeys([*shared, *self.own.get(document_of(clause), ())]))


@dataclass(frozen=True)
class Ledger:
    """The paragraphs of one document, each with its clauses."""

    name: str
    title: str
    paragraphs: tuple[Kept, ...]


def named(name: str, clause: str) -> str:
    """Return a place or a test of the document in which a clause stands, and of its method of dealing."""
    method = METHODS.get(section_of(clause), "")
    return name.replace("{chapter}", document_of(clause)).replace("{method}", method)


def section_of(clause: str) -> str:
    """Return the number of the section a clause stands in, empty where it has none."""
    found = ID.fullmatch(paragraph_of(clause))
    return found[2] if found else ""


def document_of(clause: str) -> str:
    """Return the document in which a clause stands."""
    head = clause.partition(".")[0]
    return {"ch": "md4cp", "125-204:preamble": "pa125_204", "125-204:682a": "pa125_204"}.get(
        head, f"pa{head}"
    )


@cache
def load(document: str) -> Ledger:
    """Return the paragraphs of a document as they were read."""
    data = tomllib.loads((COVERAGE / f"{document}.toml").read_text(encoding="utf-8"))
    rows = (Kept(row["id"], row["sha256"], tuple(row["clauses"])) for row in data["paragraph"])
    return Ledger(document, data["document"], tuple(rows))


def load_all() -> list[Ledger]:
    """Return all documents, in their order."""
    return [load(document) for document in FILES]


@cache
def raw() -> tuple[dict[str, Any], ...]:
    """Return all entries as TOML has them."""
    files = sorted((COVERAGE / "clauses").glob("*.toml"))
    return tuple(row for file in files for row in tomllib.loads(file.read_text(encoding="utf-8"))["clause"])


@cache
def reasons() -> dict[str, str]:
    """Return why a clause may be none of the controller's, by the name of the reason."""
    found: dict[str, str] = tomllib.loads((COVERAGE / "reasons.toml").read_text(encoding="utf-8"))["reason"]
    return found


@cache
def entries() -> tuple[Entry, ...]:
    """Return all entries; the files are to be free of faults."""
    return tuple(_entry(row) for row in raw())


def _entry(row: dict[str, Any]) -> Entry:
    lists = {key: tuple(row.get(key, ())) for key in LISTS}
    own = {document: tuple(tests) for document, tests in row.get("own", {}).items()}
    return Entry(**{**row, **lists, "own": own})


@cache
def by_clause() -> dict[str, Entry]:
    """Return the entry of each clause."""
    return {clause: entry for entry in entries() for clause in entry.of}


def faults(row: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the form of one entry."""
    states = [key for key in ("held", "not_ours", "not_yet") if key in row]
    if len(states) != 1:
        yield f"one of held, not_ours, not_yet wanted, {states or 'none'} found"
    allowed = {"of", "says", *states} | (
        {"tests", "own", "mutants", "lacks", "rest_not_ours"} if states == ["held"] else set()
    )
    if missing := {"of", "says"} - row.keys():
        yield f"lacks {', '.join(sorted(missing))}"
    if unknown := row.keys() - allowed:
        yield f"cannot have {', '.join(sorted(unknown))}"
    yield from _bad_values(row)


def _bad_values(row: dict[str, Any]) -> Iterator[str]:
    for key in LISTS:
        if not all(isinstance(value, str) and value for value in row.get(key, [])) or row.get(key) == []:
            yield f"{key} is no list of texts"
    if not LEAST_WORDS < len(row.get("says", "")) <= MOST_WORDS:
        yield f"says is empty or longer than {MOST_WORDS} characters"
    for why in [row["not_ours"]] if "not_ours" in row else row.get("rest_not_ours", []):
        if why not in reasons():
            yield f"{why!r} is no reason of reasons.toml"
    for key in ("lacks", "not_yet"):
        if key in row and len(row[key]) < LEAST_REASON:
            yield f"{key} does not say what is missing"
    if "held" in row and not (row.get("tests") or row.get("own")):
        yield "what is held has a test"


def accounts(kept: tuple[Ledger, ...], found: tuple[Entry, ...]) -> Iterator[str]:
    """Yield where entries and clauses do not agree: a clause without entry, or with two, or one that is not there."""
    seen: dict[str, int] = {}
    for entry in found:
        for clause in entry.of:
            seen[clause] = seen.get(clause, 0) + 1
    law = [name for ledger in kept for paragraph in ledger.paragraphs for name in paragraph.names]
    yield from (f"{clause}: a clause without an entry" for clause in law if clause not in seen)
    yield from (f"{clause}: an entry for what is no clause" for clause in sorted(seen.keys() - set(law)))
    yield from (f"{clause}: {times} entries" for clause, times in seen.items() if times > 1)


def unlike(kept: tuple[Ledger, ...], found: dict[str, Entry]) -> Iterator[str]:
    """Yield the clauses that are alike, word for word, and are not accounted for alike."""
    alike: dict[str, list[str]] = {}
    for ledger in kept:
        for paragraph in ledger.paragraphs:
            for name, digest in zip(paragraph.names, paragraph.clauses, strict=True):
                alike.setdefault(digest, []).append(name)
    for names in alike.values():
        states = {name: (found[name].state, *found[name].reasons) for name in names if name in found}
        if len(set(states.values())) > 1:
            yield ", ".join(f"{name} {' '.join(state)}" for name, state in states.items())


def clauses_in(document: str, paragraph: Paragraph) -> list[Clause]:
    """Return the clauses of a paragraph as its document is accounted for."""
    return [whole(paragraph)] if document in NOT_CUT else clauses(paragraph)


def differences(document: str, folder: Path) -> Iterator[str]:
    """Yield where a document as it was read and its text in a folder do not agree."""
    law = {
        p.id: (p.sha256[:12], tuple(c.digest for c in clauses_in(document, p)))
        for p in split(folder, document)
    }
    ours = {kept.id: (kept.sha256, kept.clauses) for kept in load(document).paragraphs}
    yield from (f"{key}: in the text, not in the ledger" for key in law if key not in ours)
    yield from (f"{key}: in the ledger, not in the text" for key in ours if key not in law)
    for key, (sha256, digests) in ours.items():
        found = law.get(key, (sha256, digests))
        if found[0] != sha256:
            yield f"{key}: the text is another one than was read (now {found[0]})"
        elif found[1] != digests:
            yield f"{key}: its clauses are others than were read"
    if law.keys() == ours.keys() and list(law) != list(ours):
        yield f"{document}: the ledger has not the order of the text"


def position(clause: str) -> tuple[int, ...] | None:
    """Return where a paragraph or clause stands in its document, or None for ids that are not numbered."""
    paragraph, _, number = clause.partition(":") if clause[-1].isdigit() else (clause, "", "")
    found = ID.fullmatch(paragraph)
    if not found or '"' in paragraph:
        return None
    kinds = MARYLAND if found[1] == "ch" else PENNSYLVANIA
    marks = re.findall(r"\(\w+\)|[A-Z](?=\(|$)", found[3])
    marks = [m if m[0] == "(" else f"{m}." for m in marks]
    return int(found[2]), *(_nth(kind, m) for kind, m in zip(kinds, marks, strict=False)), int(number or 0)


def _nth(kind: str, wanted: str) -> int:
    return next(n for n in range(1, 40) if mark_of(kind, n) == wanted)
