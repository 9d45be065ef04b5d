"""Read every paytable again from the texts, and compare it with the chapter files value by value.

The chapter files were written by people from the same texts; a digit typed wrong there would be
settled wrong for ever, and every test that was written from the same reading would agree with it.
So this script reads the numbers by another way: it knows nothing of the chapters, only how the
documents print a table: with tabs (641a, 679a, 682a), with spaces (125-204), or as a list of
sentences (Maryland). Each value has a key of citation, paytable letter and printed row.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from chapter_tables import DOCUMENTS, chapter_paytables
from claims import ROOT
from printed import Key, Tables, gathered, paragraph_tables, plain, sentence_tables
from split import split

# Rows which a chapter file calls by another name than the document, and why.
RENAMED = {
    "tour of a kind": ("three of a kind",),  # a misprint of 125-204
    "pair of 2s kings": ("pair of 2s to kings",),
    "super royal of diamonds": ("super royal diamonds",),
    "super royal of hearts spades or clubs": ("super royal hearts spades or clubs",),
    "super royal of diamonds hearts spades or clubs": (
        "super royal diamonds",
        "super royal hearts spades or clubs",
    ),
}
ABSENT = ("-", "n/a")

CHAPTERS = ROOT / "config" / "chapters"
WHAT = """\
Read every paytable again from the texts of the law, by the print alone, and print each value with its
citation, paytable letter and row (tabs between); or compare them with the chapter files value by value.
"""
ENDS = (
    "Exit 0: done, and with --compare 'no difference'; 1: a difference, one line a value; 2: no such texts."
)


def _document_tables(folder: Path, document: str) -> Iterator[tuple[Key, str]]:
    paragraphs = [p for p in split(folder, document) if re.match(r"\w+\.12\b|ch\.12\b", p.id)]
    for paragraph in paragraphs:
        yield from paragraph_tables(paragraph)
    if document == "md4cp":
        yield from sentence_tables(paragraphs)


def read_paytables(folder: Path) -> Tables:
    """Return every value of every paytable as the texts print it."""
    return gathered(pair for d in DOCUMENTS for pair in _document_tables(folder, d))


def _comparable(tables: Tables) -> Tables:
    """Bring both sides to one form: words of a row without marks, meters by level only."""
    found: Tables = {}
    for (cite, letter, row), value in tables.items():
        words = " ".join(re.findall(r"[$\w/]+", plain(row)))
        shown = " ".join(re.sub(r"\b(of|jackpot|progressive)\b", "", plain(value)).split())
        if shown not in ABSENT:
            found.update({Key(cite, letter, name): shown for name in RENAMED.get(words, (words,))})
    return found


def compare(folder: Path, chapters: Path) -> list[str]:
    """Return the differences between the texts and the chapter files, one line a value."""
    law = _comparable(read_paytables(folder))
    ours = _comparable(chapter_paytables(chapters))
    return [
        f"{' '.join(key)}: the text has {law.get(key, 'no such row')},"
        f" the chapter file {ours.get(key, 'no such row')}"
        for key in sorted(law.keys() | ours.keys())
        if law.get(key) != ours.get(key)
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the paytables of the texts, or what differs in the chapter files."""
    parser = argparse.ArgumentParser(description=WHAT, epilog=ENDS)
    parser.add_argument("folder", type=Path, help="where the texts of the law are")
    parser.add_argument(
        "--compare", action="store_true", help="print only what the chapter files have otherwise"
    )
    parser.add_argument(
        "--chapters",
        type=Path,
        default=CHAPTERS,
        help="where the chapter files are (default: config/chapters)",
    )
    options = parser.parse_args(arguments)
    try:
        return _tell(options)
    except (FileNotFoundError, ValueError) as error:
        print(f"paytables: {error}", file=sys.stderr)
        return 2


def _tell(options: argparse.Namespace) -> int:
    if options.compare:
        differences = compare(options.folder, options.chapters)
        print("\n".join(differences) or "no difference")
        return 1 if differences else 0
    for key, value in read_paytables(options.folder).items():
        print(*key, value, sep="\t")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
