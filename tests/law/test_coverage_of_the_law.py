"""Every clause of the law is accounted for, and what is claimed of it is there.

The ledger is only as good as its weakest claim: an entry without a reason, a test that was renamed, a key that is no
longer in the chapter file, a clause that the law has and the ledger has not, two clauses that are alike and are
accounted for otherwise, or a text that was changed after we read it. Each of them fails here.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import report
from behaviour import MUTANTS
from claims import ROOT, no_test, not_there
from clauses import BINDING, clauses, paragraph_of
from ledger import (
    TEXTS,
    Entry,
    Kept,
    Ledger,
    accounts,
    by_clause,
    differences,
    document_of,
    entries,
    faults,
    load,
    load_all,
    position,
    raw,
    reasons,
    section_of,
    unlike,
)
from outline import Outline
from split import FILES, Paragraph, split

documents = pytest.mark.parametrize("document", FILES)
with_texts = pytest.mark.skipif(
    not TEXTS.is_dir(), reason="the texts of the law are not beside the repository"
)


def test_every_entry_is_well_formed() -> None:
    assert [f"{row.get('of')}: {fault}" for row in raw() for fault in faults(row)] == []


def test_every_clause_has_its_one_entry_whether_the_texts_are_there_or_not() -> None:
    assert list(accounts(tuple(load_all()), entries())) == []


def test_what_is_said_alike_is_accounted_for_alike() -> None:
    assert list(unlike(tuple(load_all()), by_clause())) == []


def test_every_reason_is_given_somewhere() -> None:
    assert {why for entry in entries() for why in entry.reasons} == reasons().keys()


@documents
def test_paragraphs_stand_in_the_order_of_the_document(document: str) -> None:
    places = [(p, each.id) for each in load(document).paragraphs if (p := position(each.id))]
    assert [(a[1], b[1]) for a, b in pairwise(places) if a[0] >= b[0]] == []


def test_everything_held_is_where_it_is_said_to_be() -> None:
    claims = {
        where: not_there(where) for entry in entries() for clause in entry.of for where in entry.where(clause)
    }
    assert [fault for fault in claims.values() if fault] == []


def named_tests() -> set[str]:
    return {test for entry in entries() for clause in entry.of for test in entry.tests_of(clause)}


def test_every_named_test_exists() -> None:
    assert [fault for test in sorted(named_tests()) if (fault := no_test(test))] == []


def test_every_held_clause_has_a_test_in_each_of_its_documents() -> None:
    bare = [clause for entry in entries() if entry.held for clause in entry.of if not entry.tests_of(clause)]
    assert bare == []


def test_every_named_case_of_a_test_exists() -> None:
    """A case in brackets is known to pytest alone, so pytest is asked."""
    named = {test for test in named_tests() if "[" in test}
    files = sorted({test.partition("::")[0] for test in named})
    asked = [sys.executable, "-Im", "pytest", "--collect-only", "-q", "-o", "addopts=--import-mode=importlib"]
    told = subprocess.run([*asked, *files], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(named - set(told.splitlines())) == []


def test_every_mutant_that_is_named_is_there_and_every_one_that_is_there_is_named() -> None:
    assert {mutant for entry in entries() for mutant in entry.mutants} == MUTANTS.keys()


def test_the_page_is_up_to_date() -> None:
    assert report.main(["--check"]) == 0, report.STALE


# ---------------------------------------------------------------- against the texts


@with_texts
@documents
def test_the_ledger_has_exactly_the_clauses_of_the_texts(document: str) -> None:
    assert list(differences(document, TEXTS)) == []


@with_texts
@documents
def test_every_word_that_binds_is_in_a_clause_of_its_own(document: str) -> None:
    for paragraph in split(TEXTS, document):
        words = [word.lower() for word in BINDING.findall(paragraph.text)]
        found = [clause.binds for clause in clauses(paragraph) if clause.binds]
        assert found == words, paragraph.id


@with_texts
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("25,000 to 1", "52,000 to 1", ["641a.12(f): the text is another"]),
        ("(b) A card drawn", "A card drawn", ["641a.13(b): in the ledger", "641a.13(c): in the l"]),
        ("641a-2\n", "641a-3\n\n\n", []),
        ("by hand.\n", "by\nhand.\n", []),
    ],
)
def test_a_change_of_the_text_is_seen_and_one_of_the_layout_is_not(
    tmp_path: Path, old: str, new: str, found: list[str]
) -> None:
    text = next(TEXTS.glob(FILES["pa641a"])).read_text("utf-8")
    assert old in text
    (tmp_path / "pa641a.txt").write_text(text.replace(old, new, 1), "utf-8")
    seen = list(differences("pa641a", tmp_path))
    assert bool(seen) == bool(found)
    assert all(any(s.startswith(f) for s in seen) for f in found)


@with_texts
@documents
def test_what_we_say_of_a_clause_is_no_sentence_of_the_text(document: str) -> None:
    texts = {p.id: p.text.lower() for p in split(TEXTS, document)}
    said = {clause: entry.says.strip(". :").lower() for clause, entry in by_clause().items()}
    copied = [
        clause
        for clause, words in said.items()
        if document_of(clause) == document and len(words) > 40 and words in texts[paragraph_of(clause)]
    ]
    assert copied == []


# ---------------------------------------------------------------- clauses


@pytest.mark.parametrize(
    ("text", "binds"),
    [
        ("The cards are changed.", [""]),
        (
            "The dealer shall deal and shall not wait. A player may not touch them.",
            ["shall", "shall", "may not"],
        ),
        ("A card may be used. It must be new.", ["", "must"]),
        ("No person other than the dealer may touch them.", ["no person other"]),
        (
            'Prior to that the dealer shall announce "no more bets." To deal, the dealer shall stand.',
            ["shall", "shall"],
        ),
        ("The dealer shall do it under § 641a.5 (relating to what shall be. Other things).", ["shall"]),
    ],
)
def test_a_clause_is_what_binds_or_a_sentence_that_binds_nobody(text: str, binds: list[str]) -> None:
    assert [clause.binds for clause in clauses(Paragraph("641a.9(z)", [text]))] == binds


def test_clauses_are_named_by_their_number_where_there_are_several() -> None:
    one, two = Paragraph("641a.9(z)", ["It shall."]), Paragraph("641a.9(z)", ["It shall and shall."])
    assert [clause.id for clause in clauses(one)] == ["641a.9(z)"]
    assert [clause.id for clause in clauses(two)] == ["641a.9(z):1", "641a.9(z):2"]


def test_chapters_that_say_the_same_have_the_same_clause_and_two_of_one_sentence_are_two() -> None:
    here = clauses(
        Paragraph("641a.9(z)", ["Four Card Poker shall end and shall end by § 641a.5 (relating to ends)."])
    )
    there = clauses(Paragraph("683a.9(z)", ["Cajun Stud shall end, and shall end by § 683a.5."]))
    assert [clause.digest for clause in here] == [clause.digest for clause in there]
    assert here[0].digest != here[1].digest


LAW = (Ledger("pa641a", "", (Kept("641a.9(y)", "", ("aa",)), Kept("641a.9(z)", "", ("bb", "aa")))),)


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (["641a.9(y)", "641a.9(z):1", "641a.9(z):2"], []),
        (["641a.9(y)", "641a.9(z):1"], ["641a.9(z):2: a clause without an entry"]),
        (["641a.9(y)", "641a.9(y)", "641a.9(z):1", "641a.9(z):2"], ["641a.9(y): 2 entries"]),
        (
            ["641a.9(y)", "641a.9(z):1", "641a.9(z):2", "641a.9(x)"],
            ["641a.9(x): an entry for what is no clause"],
        ),
    ],
)
def test_a_clause_that_is_not_accounted_for_once_is_named(of: list[str], told: list[str]) -> None:
    assert list(accounts(LAW, (Entry(tuple(of), "A gist of it."),))) == told


def test_clauses_that_are_alike_and_held_here_and_not_there_are_named() -> None:
    held, not_ours = Entry(("641a.9(y)",), "It ends."), Entry(("641a.9(z):2",), "It ends.", not_ours="hands")
    assert list(unlike(LAW, {"641a.9(y)": held, "641a.9(z):2": not_ours})) == [
        "641a.9(y) held, 641a.9(z):2 not the controller's hands"
    ]
    assert list(unlike(LAW, {"641a.9(y)": held, "641a.9(z):2": held})) == []


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        ({"not_ours": "hands"}, {"not_ours": "look"}, "not the controller's hands"),
        ({"rest_not_ours": ("hands",)}, {"rest_not_ours": ("look",)}, "in part hands"),
        ({"rest_not_ours": ("hands",)}, {}, "in part hands"),
        ({"rest_not_ours": ("hands",)}, {"not_ours": "hands"}, "in part hands"),
    ],
)
def test_clauses_that_are_alike_have_one_reason_in_all_documents(
    here: dict[str, Any], there: dict[str, Any], told: str
) -> None:
    one, other = Entry(("641a.9(y)",), "It ends.", **here), Entry(("641a.9(z):2",), "It ends.", **there)
    (found,) = unlike(LAW, {"641a.9(y)": one, "641a.9(z):2": other})
    assert found.startswith(f"641a.9(y) {told}, 641a.9(z):2 ")


def test_a_name_with_a_place_for_it_names_the_chapter_and_the_method_of_the_clause() -> None:
    entry = Entry(
        ("641a.9(c)", "ch.10.C"), "It ends.", tests=("t.py::test[{method}-{chapter}]",), own={"md4cp": ("u",)}
    )
    assert entry.tests_of("641a.9(c)") == ["t.py::test[hand-pa641a]"]
    assert entry.tests_of("ch.10.C") == ["t.py::test[auto_shoe-md4cp]", "u"]


@pytest.mark.parametrize(
    ("clause", "section", "document"),
    [
        ('641a.1 "Lucky Bonus"(i)', "1", "pa641a"),
        ("641a.11(c)(5)(v)(A):2", "11", "pa641a"),
        ("ch.12.D(3)(b)(iv)(2)", "12", "md4cp"),
        ("125-204:682a.10", "", "pa125_204"),
    ],
)
def test_a_clause_says_where_it_stands(clause: str, section: str, document: str) -> None:
    assert (section_of(clause), document_of(clause)) == (section, document)


@pytest.mark.parametrize(
    ("path", "mark", "before", "wanted"),
    [
        ([8, 2], "(i)", "An item that ends its list.", "1(i)"),
        ([8, 2], "(i)", "An item that opens a list:", "1(h)(2)(i)"),
        ([5], "(v)", "a reference at the start of a line", None),
        ([4, 4, 5], "(A)", "opens a list of capitals:", "1(d)(4)(v)(A)"),
        ([4, 4, 5], "(a)", "no capitals", None),
    ],
)
def test_a_mark_counts_only_where_the_numbering_allows_it(
    path: list[int], mark: str, before: str, wanted: str | None
) -> None:
    outline = Outline("1", ("a", "1", "i", "A"), path, [False] * len(path))
    assert outline.take(mark, before) == wanted


def test_the_hash_ignores_layout_and_sees_words() -> None:
    printed = Paragraph("x", ["a three-of-a-", "kind pays", "5 to 1"])
    assert printed.sha256 == Paragraph("x", ["a three-of-a-kind pays 5 to 1"]).sha256
    assert printed.sha256 != Paragraph("x", ["a three-of-a-kind pays 6 to 1"]).sha256


HELD = {"of": ["641a.9(z)"], "says": "A gist of it.", "held": ["a.py:b"], "tests": ["t.py::test_a"]}
NONE_OF_OURS = {"of": ["641a.9(z)"], "says": "A gist of it.", "not_ours": "hands"}
NOT_YET = {"of": ["641a.9(z)"], "says": "A gist of it.", "not_yet": "nothing asks for it so far"}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (HELD, ""),
        (HELD | {"lacks": "half of it is missing", "mutants": ["m"], "own": {"md4cp": ["t.py::test_b"]}}, ""),
        (NONE_OF_OURS, ""),
        (NOT_YET, ""),
        (HELD | {"not_yet": "the whole of it"}, "one of held, not_ours, not_yet wanted"),
        ({"of": ["641a.9(z)"], "says": "A gist of it."}, "none found"),
        ({key: value for key, value in HELD.items() if key != "says"}, "lacks says"),
        (NONE_OF_OURS | {"tests": ["t"]}, "cannot have tests"),
        (NOT_YET | {"lacks": "half of it is missing"}, "cannot have lacks"),
        (NONE_OF_OURS | {"not_ours": "because"}, "is no reason of reasons.toml"),
        (HELD | {"rest_not_ours": ["hands"]}, ""),
        (HELD | {"rest_not_ours": ["because"]}, "is no reason of reasons.toml"),
        (HELD | {"rest_not_ours": []}, "rest_not_ours is no list of texts"),
        (NOT_YET | {"rest_not_ours": ["hands"]}, "cannot have rest_not_ours"),
        (NOT_YET | {"not_yet": "soon"}, "does not say what is missing"),
        (HELD | {"lacks": "some"}, "does not say what is missing"),
        (HELD | {"says": "x" * 111}, "says is empty or longer"),
        (HELD | {"held": []}, "held is no list of texts"),
        (HELD | {"tests": [1]}, "tests is no list of texts"),
        ({key: value for key, value in HELD.items() if key != "tests"}, "what is held has a test"),
    ],
)
def test_a_fault_of_form_is_named(row: dict[str, Any], fault: str) -> None:
    assert fault in "; ".join(faults(row)) if fault else list(faults(row)) == []


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository of two files, in the place of ours."""
    monkeypatch.setattr("claims.ROOT", tmp_path)
    code = "def test_a(): ...\nclass TestB:\n    def test_c(self): ...\nLIMIT: int = 1\n"
    (tmp_path / "test_x.py").write_text(code)
    (tmp_path / "y.toml").write_text("[[a.b]]\nc = 1\n[[a.b]]\nd = 1\n")
    return tmp_path


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("test", "fault"),
    [
        ("test_x.py::test_a", None),
        ("test_x.py::test_a[one-two]", None),
        ("test_x.py::TestB::test_c", None),
        ("test_x.py::test_c", "test_x.py: has no test_c"),
        ("test_x.py::TestB", "test_x.py::TestB: names no test function"),
        ("test_x.py", "test_x.py: names no test function"),
        ("test_z.py::test_a", "test_z.py: no such file"),
    ],
)
def test_a_named_test_has_to_be_there(test: str, fault: str | None) -> None:
    assert no_test(test) == fault


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("y.toml:[a.b]", None),
        ("y.toml:[a.b.d]", None),
        ("y.toml:[a.c]", "y.toml: has no a.c"),
        ("test_x.py:TestB.test_c", None),
        ("test_x.py:LIMIT", None),
        ("test_x.py:test_c", "test_x.py: has no test_c"),
        ("y.toml", "y.toml: neither path.toml:[key] nor path.py:name"),
    ],
)
def test_a_place_that_holds_has_to_be_there(where: str, fault: str | None) -> None:
    assert not_there(where) == fault


def test_a_stale_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "PAGE", tmp_path / "docs" / "coverage.md")
    assert report.main(["--check"]) == 1
    assert report.main(["--write"]) == 0
    assert report.main(["--check"]) == 0
    report.PAGE.write_text(report.PAGE.read_text("utf-8") + "more", "utf-8")
    assert report.main(["--check"]) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("641a.2(b)", "641a.2(b)(6)"),
        ("641a.2(b)(6)(ii)", "641a.2(b)(7)"),
        ("641a.9(f)", "641a.10(a)"),
        ("641a.11(c)(5)(v)(A)", "641a.11(c)(5)(v)(B)"),
        ("ch.12.D(3)(b)(iv)(2)", "ch.12.D(3)(b)(v)"),
        ("ch.12.C(1)(g)", "ch.12.D"),
        ("641a.8(h):2", "641a.8(h):3"),
        ("641a.8(h):6", "641a.9(a)"),
    ],
)
def test_ids_have_the_order_of_the_chapter(first: str, second: str) -> None:
    assert (position(first) or ()) < (position(second) or ())
