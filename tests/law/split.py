"""Split the five rule documents into their paragraphs, each with a stable id.

"Every paragraph is accounted for" can only be proved against a list of the paragraphs, and the
list has to come from the documents, not from our memory of them. The texts are scans, exports and
drafts: page headers, "Authority" and "Source" blocks, list dashes and broken lines are noise. What
can be trusted is the numbering. A mark such as `(i)` is taken for a new paragraph only where the
numbering allows it at that place, so that a reference at the start of a line stays text, and a
roman one and the letter i are told apart. The hash of a paragraph ignores layout, hence it changes
when the law changes, and not when a page is set anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from outline import DEFINED_TERM, MARYLAND, PENNSYLVANIA, Outline

FILES = {
    "pa641a": "pa641a*.txt",
    "md4cp": "md*.txt",
    "pa679a": "pa679a*.txt",
    "pa682a": "pa682a*.txt",
    "pa683a": "pa125-204*.txt",
    "pa125_204": "pa125-204*.txt",
}
MARK = re.compile(r"(\(\w{1,5}\)|[A-Z]\.)\s+")
INLINE_MARK = re.compile(r"(?<=[;:.]) (?=\()|(?<=; or) (?=\()|(?<=; and) (?=\()")
NOISE = re.compile(
    r"""\d{1,3}                                  # the page number of a print
    | \d{3}a-\d+                                 # the page number of the Code
    | \(\d{6}\)\ No\.\ \d+\ \w+\.\ \d+           # its serial page
    | \[Next\ page\ is\ .*\]
    | MLGCA\ Version\ .*\ Page\ \d+\ of\ \d+""",
    re.VERBOSE,
)
SECTION = re.compile(r"§ (\d{3}a)\.(\d+)\. (\S.*)")
CHAPTER = re.compile(r"Chapter (\d+) - (\S.*)")
EDITORIAL = {"Authority", "Source", "Cross References"}
TERM = re.compile(r"([A-Z][A-Za-z -]{2,60}?) ?[\u2014\u2013] ?(?=[A-Z])")
PLAIN = str.maketrans(
    {
        "\u2019": "'",
        "\u2018": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00a0": " ",
        **dict.fromkeys("\\*`"),
    }
)
LAYOUT = re.compile(r"[\s\u2014\u2013-]+")

PREAMBLE = {
    "Purpose of the Proposed Rulemaking": "purpose",
    "Explanation": "explanation",
    "Fiscal Impact": "fiscal",
    "Paperwork Requirements": "paperwork",
    "Effective Date": "effective",
    "Public Comments": "comments",
    "Contact Person": "contact",
    "Regulatory Review": "review",
    "In Four Card Prime, the approved": "hold-682a",
    "In Cajun Stud, the approved": "hold-683a",
}


@dataclass
class Paragraph:
    """One numbered paragraph, without the paragraphs below it but with its paytables."""

    id: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words as one line; a table's cells stay apart."""
        joined = " ".join(line.replace("\t", " | ") for line in self.lines)
        return re.sub(r"(?<=\w)- (?=\w)", "-", re.sub(r"\s+", " ", joined)).strip()

    @property
    def sha256(self) -> str:
        """The fingerprint of the words, whatever their layout."""
        words = "".join(line.replace("\t", "|") for line in self.lines)
        return hashlib.sha256(LAYOUT.sub("", words).encode()).hexdigest()


class Section(NamedTuple):
    """A numbered section or chapter with its lines, title and noise taken away."""

    number: int
    lines: list[str]


def _tidy(line: str) -> str:
    """Take away what the scan or export added to a line; the tabs of a table stay."""
    line = re.sub(r"</?i>", "", line.translate(PLAIN)).replace("''", '"').rstrip()
    return re.sub(r"^(?:\s*#+|\s*-(?=\s)| )\s*| +$", "", line) if line[:1] != "\t" else line


def _lines(folder: Path, document: str) -> list[str]:
    files = sorted(folder.glob(FILES[document]))
    if len(files) != 1:
        raise FileNotFoundError(f"{folder}: one file {FILES[document]} wanted, {len(files)} found")
    tidied = map(_tidy, files[0].read_text(encoding="utf-8").splitlines())
    return [line for line in tidied if line and not NOISE.fullmatch(line)]


def _heading(line: str, name: str, number: int) -> re.Match[str] | None:
    """Match the heading of section `number` of chapter `name` (or of Maryland's chapters)."""
    found = CHAPTER.fullmatch(line) if name == "ch" else SECTION.fullmatch(line)
    wanted = (str(number),) if name == "ch" else (name, str(number))
    return found if found and found.groups()[:-1] == wanted else None


def _sections(lines: list[str], name: str) -> list[Section]:
    """Cut one chapter (or Maryland's whole document) into its sections, in their order."""
    sections: list[Section] = []
    title, skip = "", True
    for line in lines:
        if found := _heading(line, name, len(sections) + 1):
            sections.append(Section(len(sections) + 1, []))
            title, skip = found.groups()[-1], False
        elif skip or line in EDITORIAL or line.startswith("CHAPTER "):
            skip = True
        elif name != "ch" and not title.endswith("."):
            title = f"{title} {line}"
        else:
            sections[-1].lines.append(line)
    return sections


def _pieces(lines: list[str]) -> Iterator[str]:
    """Yield the lines, cut where a line may hold more than one paragraph."""
    for line in lines:
        yield from [line] if "\t" in line else INLINE_MARK.split(line)


def _numbered(lines: list[str], outline: Outline, first: Paragraph) -> list[Paragraph]:
    """Cut lines into the paragraphs of an outline; what comes before the first is `first`'s."""
    found = [first]
    for piece in _pieces(lines):
        mark = MARK.match(piece)
        opened = outline.take(mark[1], found[-1].text) if mark else None
        if mark and opened:
            found.append(Paragraph(opened, [piece[mark.end() :]]))
        else:
            found[-1].lines.append(piece)
    return found


def _definitions(section: Section, prefix: str) -> list[Paragraph]:
    """Cut a list of definitions: one paragraph a term, and one for what introduces them."""
    terms: dict[str, list[str]] = {}
    name = prefix
    for line in section.lines:
        if term := TERM.match(line):
            name = f'{prefix} "{term[1]}"'
        terms.setdefault(name, []).append(line)
    cut = (_numbered(ls, Outline(n, DEFINED_TERM), Paragraph(n)) for n, ls in terms.items())
    return [paragraph for term in cut for paragraph in term]


def _pennsylvania(lines: list[str], name: str) -> list[Paragraph]:
    found: list[Paragraph] = []
    for section in _sections(lines, name):
        prefix = f"{name}.{section.number}"
        if section.number == 1:
            found += _definitions(section, prefix)
        else:
            found += _numbered(section.lines, Outline(prefix, PENNSYLVANIA), Paragraph(prefix))
    return found


def _maryland(lines: list[str]) -> list[Paragraph]:
    found: list[Paragraph] = []
    for section in _sections(lines, "ch"):
        prefix = f"ch.{section.number}"
        found += _numbered(section.lines, Outline(prefix, MARYLAND), Paragraph(prefix))
    return found


def _proposal(lines: list[str]) -> list[Paragraph]:
    """Return the preamble of 125-204 by its headings, and proposed 682a by its sections."""
    found = [Paragraph("125-204:preamble.proposal")]
    for line in lines[: lines.index("Annex A")]:
        heading = next((PREAMBLE[h] for h in PREAMBLE if line.startswith(h)), None)
        if heading:
            found.append(Paragraph(f"125-204:preamble.{heading}"))
        found[-1].lines.append(line)
    sections = _sections(lines, "682a")
    return found + [Paragraph(f"125-204:682a.{n}", section) for n, section in sections]


def split(folder: Path, document: str) -> list[Paragraph]:
    """Return the paragraphs of one document, in its order."""
    lines = _lines(folder, document)
    if document == "md4cp":
        found = _maryland(lines)
    elif document == "pa125_204":
        found = _proposal(lines)
    else:
        found = _pennsylvania(lines, document.removeprefix("pa"))
    return [paragraph for paragraph in found if paragraph.lines]


def _row(paragraph: Paragraph, words: int = 9) -> str:
    return f"{paragraph.id}\t{' '.join(paragraph.text.split()[:words])}"


def _record(document: str, paragraph: Paragraph) -> dict[str, str]:
    return {
        "document": document,
        "id": paragraph.id,
        "sha256": paragraph.sha256,
        "first": _row(paragraph).partition("\t")[2],
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the paragraphs: id and first words, or JSON with their hashes."""
    parser = argparse.ArgumentParser(description="Split the rule documents into paragraphs.")
    parser.add_argument("folder", type=Path, help="where the texts are")
    parser.add_argument("--document", choices=FILES, action="append", help="only this one")
    parser.add_argument("--json", action="store_true", help="with the sha256 of each paragraph")
    options = parser.parse_args(arguments)
    try:
        found = [(d, p) for d in options.document or FILES for p in split(options.folder, d)]
    except (FileNotFoundError, ValueError) as error:
        print(f"split: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([_record(d, p) for d, p in found], indent=1))
    else:
        print("\n".join(_row(p) for _, p in found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
