"""Every citation of the chapter files is a paragraph that the document has.

Outcomes, signs and the table's prompts show these citations to people who then look them up.
"""

from __future__ import annotations

import pytest

from citations import cited, is_paragraph, spelt_out
from ledger import load

CHAPTERS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")


def known(chapter: str) -> frozenset[str]:
    return frozenset(paragraph.id for paragraph in load(chapter).paragraphs)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_citation_of_a_chapter_file_is_a_paragraph_of_its_document(chapter: str) -> None:
    paragraphs, found = known(chapter), list(cited(chapter))
    wrong = {
        f"{key}: {name}"
        for key, cite in found
        for name in spelt_out(cite)
        if not is_paragraph(name, paragraphs)
    }
    assert len(found) > 90
    assert wrong == set()


@pytest.mark.parametrize(
    ("citation", "paragraphs"),
    [
        ("641a.7(d)(2)-(3)", ["641a.7(d)(2)", "641a.7(d)(3)"]),
        ("683a.11(b), (d), (f)", ["683a.11(b)", "683a.11(d)", "683a.11(f)"]),
        ("679a.10(b)-(c), (h)", ["679a.10(b)", "679a.10(c)", "679a.10(h)"]),
        ("641a.8, 641a.9", ["641a.8", "641a.9"]),
        ("ch.8.H, 9.F-G", ["ch.8.H", "ch.9.F", "ch.9.G"]),
        ("ch.11.D(8)-(10), 12.D", ["ch.11.D(8)", "ch.11.D(10)", "ch.12.D"]),
        ("ch.8, 9, 10.B(1)", ["ch.8", "ch.9", "ch.10.B(1)"]),
    ],
)
def test_a_citation_is_spelt_out(citation: str, paragraphs: list[str]) -> None:
    assert spelt_out(citation) == paragraphs


@pytest.mark.parametrize("wrong", ["641a.14", "641a.13(h)", "641a.12(c)(1)", "641a.1 (x)", "614a.12(c)"])
def test_a_paragraph_that_is_not_there_is_seen(wrong: str) -> None:
    assert not is_paragraph(wrong, known("pa641a"))


@pytest.mark.parametrize("right", ["641a.1", "641a.13", "641a.12(c)", "641a.11(c)(5)(v)(A)"])
def test_a_paragraph_or_a_section_that_is_there_is_found(right: str) -> None:
    assert is_paragraph(right, known("pa641a"))
