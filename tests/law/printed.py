"""How the rule documents print their paytables, in three ways, and what is read from each.

641a, 679a and 682a have tabs between the cells, 125-204 has only spaces, Maryland writes a sentence
for every row. Nothing here knows what a chapter should say: a value is found by how it is printed,
and a table that does not fit its header is refused rather than guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from split import Paragraph

ONLY = "only"
LETTER = re.compile(r"Paytable ([A-Z])\b")
UNIT = re.compile(r"(\$\d+) Progressive Payout Wager")
GROUPS = ("Seed/reseed", "Incrementation rate")
SPACED_HEADER = re.compile(r"Hand (?=Payout\b|Paytable [A-Z]\b)")
SPACED_VALUE = re.compile(r"\d[\d,]* (?:to|for) \d+|Push|Loss", re.IGNORECASE)
SENTENCE = re.compile(r"For (?:an? )?(.+?) the payout (?:is|shall be) (.+?)[;.,]?(?: and| or)?$")
MINIMUM = re.compile(r"(\$[\d,]+) for (?:Paytable ([A-Z])|(\w+) Progressive)")
ODDS = re.compile(r"odds of (\d+ to \d+)")
LIMIT = re.compile(r"payout limit .* less than (\$[\d,]+)")


class Key(NamedTuple):
    """Where a value is printed."""

    cite: str
    letter: str
    row: str


Tables = dict[Key, str]


def plain(text: str) -> str:
    """Return a printed label or value in one form: lower case, one kind of dash and space."""
    one_dash = re.sub(r"\s*[\u2014\u2013]\s*", "-", text)
    return re.sub(r"\s+", " ", one_dash).strip().lower()


# ------------------------------------------------------------------------------ with tabs


@dataclass
class _Tabbed:
    """A reader of the tables that are printed with tabs, line by line."""

    cite: str
    letters: list[str] = field(default_factory=lambda: [ONLY])
    unit: str = ""
    group: str = ""

    def read(self, lines: list[str]) -> Iterator[tuple[Key, str]]:
        """Yield the cells of the tables among the lines of a paragraph."""
        for line in lines:
            cells = line.split("\t")
            if len(cells) == 1:
                self._heading(line)
            elif cells[0] in ("", "Hand"):
                self.letters = [m[1] if (m := LETTER.match(c)) else ONLY for c in cells[1:]]
                self.group = ""
            else:
                yield from self._row(cells)

    def _heading(self, line: str) -> None:
        if unit := UNIT.match(line):
            self.unit = f"{unit[1]} "
        elif line in GROUPS:
            self.group = f"{plain(line)} "

    def _row(self, cells: list[str]) -> Iterator[tuple[Key, str]]:
        if len(cells) != len(self.letters) + 1:
            raise ValueError(f"{self.cite}: {cells}: {len(self.letters)} cells wanted")
        row = f"{self.unit}{self.group}{plain(cells[0])}"
        for letter, cell in zip(self.letters, cells[1:], strict=True):
            if cell:
                yield Key(self.cite, letter, row), plain(cell)


# ---------------------------------------------------------------------------- with spaces


def _spaced(paragraph: Paragraph) -> Iterator[tuple[Key, str]]:
    """Yield the cells of tables whose columns are only spaces apart."""
    for table in SPACED_HEADER.split(paragraph.text)[1:]:
        letters = LETTER.findall(table) or [ONLY]
        body = table[table.rindex("Paytable") + len("Paytable X") :] if letters != [ONLY] else table
        for label, values in _runs(body.removeprefix("Payout")):
            yield from _aligned(paragraph.id, letters, label, values)


def _runs(body: str) -> Iterator[tuple[str, list[str]]]:
    """Cut `label value value label value value` into its rows."""
    label, values, end = "", list[str](), 0
    for found in SPACED_VALUE.finditer(body):
        if between := body[end : found.start()].strip():
            if values:
                yield label, values
            label, values = between, []
        values.append(found[0])
        end = found.end()
    yield label, values


def _aligned(cite: str, letters: list[str], label: str, values: list[str]) -> Iterator[tuple[Key, str]]:
    """Yield a row; the cells that it lacks are empty ones on the left."""
    if len(values) > len(letters):
        raise ValueError(f"{cite}: {label}: {len(values)} values under {len(letters)} letters")
    for letter, value in zip(letters[-len(values) :], values, strict=True):
        yield Key(cite, letter, plain(label)), plain(value)


# --------------------------------------------------------------------------- as sentences


class _Heading(NamedTuple):
    """What the paragraphs above a sentence say of it."""

    cite: str
    letter: str
    unit: str


def _heading(paragraph: str, texts: dict[str, str]) -> _Heading:
    """Find the citation, letter and unit of a sentence among the paragraphs above it."""
    cite = above = paragraph.rpartition("(")[0]
    letter, unit = ONLY, ""
    while above in texts:
        if found := LETTER.match(texts[above]):
            letter, cite = found[1], above.rpartition("(")[0]
        if found := UNIT.search(texts[above]):
            unit = f"{found[1]} "
        above = above.rpartition("(")[0]
    return _Heading(cite, letter, unit)


def sentence_tables(paragraphs: list[Paragraph]) -> Iterator[tuple[Key, str]]:
    """Yield Maryland's values, one a paragraph."""
    texts = {p.id: p.text for p in paragraphs}
    for paragraph in paragraphs:
        cite, letter, unit = _heading(paragraph.id, texts)
        if found := SENTENCE.match(paragraph.text):
            value = plain(found[2]).replace(" percent of ", "% of ")
            yield Key(cite, letter, unit + plain(found[1])), value
        elif found := MINIMUM.match(paragraph.text):
            level = f" {found[3].lower()}" if found[3] else ""
            yield Key(cite, found[2] or letter, f"minimum{level}"), found[1]


# ------------------------------------------------------------------------- in all of them


def _prose(paragraph: Paragraph) -> Iterator[tuple[Key, str]]:
    """Yield the odds and limits that are printed in a sentence of their own."""
    if odds := set(ODDS.findall(paragraph.text)):
        yield Key(paragraph.id, ONLY, "odds"), " / ".join(sorted(odds))
    if limit := LIMIT.search(paragraph.text):
        yield Key(paragraph.id, ONLY, "least payout limit"), limit[1]


def paragraph_tables(paragraph: Paragraph) -> Iterator[tuple[Key, str]]:
    """Yield the values that are printed in one paragraph of Pennsylvania."""
    yield from _prose(paragraph)
    if any("\t" in line for line in paragraph.lines):
        yield from _Tabbed(paragraph.id).read(paragraph.lines)
    else:
        yield from _spaced(paragraph)


def gathered(pairs: Iterator[tuple[Key, str]]) -> Tables:
    """Return the pairs as a dict; a key that comes twice is an error of the reading."""
    tables: Tables = {}
    for key, value in pairs:
        if key in tables:
            raise ValueError(f"{' '.join(key)} is printed twice")
        tables[key] = value
    return tables
