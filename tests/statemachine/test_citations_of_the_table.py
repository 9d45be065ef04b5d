"""Every paragraph that the table cites is one that the document of its chapter has.

Procedures are named in the code by their number in 641a; whoever reads the citation on a display, in a record
or in a diagram looks it up in another document. The ledger of the law knows every paragraph of each.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from citations import is_paragraph, spelt_out
from claims import ROOT
from ledger import load
from sabot.desk.diagram.life import life
from sabot.rules.chapter import OUR_POLICY
from sabot.statemachine.rooms import ACTIONS
from sabot.statemachine.state.phases import ROWS
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.fault_kinds import FAULTS

from .record_shifts import STORIES, record
from .tables import CHAPTERS, METHODS, table_setup

if TYPE_CHECKING:
    from collections.abc import Iterator

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
# Procedures of wagers that not every chapter has: progressive ones, and one on a game account.
ONLY_WHERE_OFFERED = {
    "11(c)(5)(iii)": {"pa641a", "md4cp"},
    "11(c)(5)(iv)": {"pa641a", "md4cp"},
    "2(d)": {"pa641a"},
    "12(g)(3)": {"pa641a"},
}


def in_code() -> Iterator[str]:
    """The numbers that the rooms of the table ask a citation for."""
    for path in sorted((ROOT / "statemachine").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            number = node.args[2 if name == "_fixed" else 0] if name in ("cite", "_fixed") else None
            if isinstance(number, ast.Constant):
                yield str(number.value)


def numbers() -> set[str]:
    """All numbers of procedures: in code and in the rows of phases, faults and actions."""
    sections = [
        *(row.section for row in ROWS),
        *(row.section for row in FAULTS),
        *(action.section for action in ACTIONS.values()),
    ]
    found = {number for section in sections for number in section.split(", ")} | set(in_code())
    return found - {"-"}


def unknown(chapter: str, cites: set[str]) -> set[str]:
    """The citations of which a part is no paragraph of the chapter's document."""
    paragraphs = frozenset(paragraph.id for paragraph in load(chapter).paragraphs)
    return {
        cite
        for cite in cites - {"", OUR_POLICY}
        if not all(is_paragraph(name, paragraphs) for name in spelt_out(cite))
    }


def test_the_code_names_its_procedures_where_they_are_looked_for() -> None:
    found = set(in_code())
    assert {"4(a)", "5(d)", "8(b)", "11(c)", "13(g)"} <= found
    assert len(numbers()) > len(found) > 20


@each_chapter
@pytest.mark.parametrize("method", METHODS)
def test_every_procedure_is_cited_by_a_paragraph_of_the_document(chapter: str, method: str) -> None:
    table = Table(table_setup(chapter, method=method))
    offered = {number for number in numbers() if chapter in ONLY_WHERE_OFFERED.get(number, CHAPTERS)}
    assert unknown(chapter, {table.law.cite(number) for number in offered}) == set()


@each_chapter
def test_every_citation_of_a_whole_shift_is_a_paragraph_of_the_document(chapter: str) -> None:
    shift = record(chapter)
    cites = {effect.cite for effect in shift.effects}
    kept = {line.cite for line in shift.record.lines} | {note.cite for note in shift.record.notes}
    assert len(cites) > 15
    assert unknown(chapter, cites | kept) == set()


@each_chapter
def test_every_citation_of_the_diagram_is_a_paragraph_of_the_document(chapter: str) -> None:
    law = STORIES[chapter][1].chapter
    found = life(law)
    cites = {way.cite for way in (*found.ways, *found.from_many)}
    assert len(cites) > 15
    assert unknown(chapter, {in_full(cite, law.cite) for cite in cites}) == set()


def in_full(cite: str, document: str) -> str:
    """A diagram may say a Pennsylvanian document once; here every part has it."""
    if not document.endswith("a") or cite == OUR_POLICY:
        return cite
    is_whole = (document, "(")
    return ", ".join(p if p.startswith(is_whole) else f"{document}.{p}" for p in cite.split(", "))


def test_a_citation_of_what_is_not_there_is_seen() -> None:
    assert unknown("pa679a", {"679a.11(c)(5)(iv)", "679a.13(a)", OUR_POLICY, ""}) == {"679a.11(c)(5)(iv)"}


@each_chapter
def test_a_chapter_without_a_wager_has_no_procedure_for_it(chapter: str) -> None:
    """What is left out above is left out for a reason: the wager of the procedure is not in the chapter."""
    wagers = STORIES[chapter][1].chapter.wagers.values()
    has = {
        "progressive": any(wager.device == "progressive" for wager in wagers),
        "account": any(wager.device == "account" for wager in wagers),
    }
    for number, chapters in ONLY_WHERE_OFFERED.items():
        assert has["progressive" if number.startswith("11") else "account"] == (chapter in chapters)
