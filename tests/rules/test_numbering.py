"""A procedure of the live table has the paragraph of its own chapter, wherever that chapter numbers it."""

import re
import tomllib
from pathlib import Path

import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.rules.chapter import OUR_POLICY

LEDGER = Path(__file__).resolve().parents[1] / "law" / "coverage"


def paragraphs(chapter: str) -> set[str]:
    entries = tomllib.loads((LEDGER / f"{chapter}.toml").read_text(encoding="utf-8"))["paragraph"]
    return {entry["id"] for entry in entries}


@pytest.mark.parametrize(
    ("chapter", "number", "cite"),
    [
        ("pa641a", "8(h)", "641a.8(h)"),
        ("pa679a", "8(h)", "679a.8(g)"),
        ("pa682a", "11(c)", "682a.11(d)"),
        ("pa683a", "11(d)", "683a.11(j)"),
        ("pa641a", "8(h), 9(f), 10(f)", "641a.8(h), 641a.9(f), 641a.10(f)"),
        ("md4cp", "8(b), 9(a)(3), 10(a)(2)", "ch.8.C, 9.A(3), 10.A(2)"),
        ("md4cp", "11(c)(5)(iv)", OUR_POLICY),
    ],
)
def test_a_procedure_is_cited_as_its_chapter_numbers_it(chapter: str, number: str, cite: str) -> None:
    assert load_chapter(chapter).section(number) == cite


@pytest.mark.parametrize(
    ("chapter", "way", "cite"),
    [
        ("pa641a", "hand", "641a.9(d)"),
        ("pa641a", "auto", "641a.10(d)"),
        ("pa679a", "manual", "679a.8(e)"),
        ("md4cp", "hand", "ch.9.C"),
    ],
)
def test_a_procedure_is_cited_as_it_is_done_by_the_way_of_dealing(chapter: str, way: str, cite: str) -> None:
    assert load_chapter(chapter).section("8(f)", way) == cite


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_renumbered_procedure_is_a_paragraph_of_the_document(chapter: str) -> None:
    known = paragraphs(chapter)
    numbering = load_chapter(chapter).numbering
    head = numbering.head

    by_method = [number for ways in numbering.by_method.values() for number in ways.values()]
    for number in (*numbering.numbers.values(), *by_method):
        first = re.split(r"(?<=[\w)])-", number)[0]
        exact = f"{head}{first}"
        assert number == OUR_POLICY or any(each == exact or each.startswith(exact) for each in known), number
