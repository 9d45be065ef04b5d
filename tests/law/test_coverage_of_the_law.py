"""Every paragraph of the law is accounted for, and what is claimed of it is there.

The ledger is only as good as its weakest claim: an entry without a reason, a test that was renamed,
a key that is no longer in the chapter file, a paragraph that the law has and the ledger has not, or
a text that was changed after we read it. Each of them fails here.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import report
from claims import ROOT, no_test, not_there
from ledger import TEXTS, Entry, differences, faults, load, load_all, position, raw
from outline import Outline
from split import FILES, Paragraph, split

documents = pytest.mark.parametrize("document", FILES)
with_texts = pytest.mark.skipif(
    not TEXTS.is_dir(), reason="the texts of the law are not beside the repository"
)


def _entries() -> list[Entry]:
    return [entry for ledger in load_all() for entry in ledger.entries]


@documents
def test_every_entry_is_well_formed(document: str) -> None:
    rows = raw(document)["paragraph"]
    assert [f"{row.get('id')}: {fault}" for row in rows for fault in faults(row)] == []


def test_no_paragraph_is_entered_twice() -> None:
    counts = Counter(entry.id for entry in _entries())
    assert [paragraph for paragraph, n in counts.items() if n > 1] == []


@documents
def test_entries_stand_in_the_order_of_the_document(document: str) -> None:
    places = [(p, e.id) for e in load(document).entries if (p := position(e.id))]
    assert [(a[1], b[1]) for a, b in pairwise(places) if a[0] >= b[0]] == []


def test_everything_held_is_where_it_is_said_to_be() -> None:
    claims = {where: not_there(where) for entry in _entries() for where in entry.held}
    assert [fault for fault in claims.values() if fault] == []


def test_every_named_test_exists() -> None:
    claims = {test: no_test(test) for entry in _entries() for test in entry.tests}
    assert [fault for fault in claims.values() if fault] == []


def test_every_named_case_of_a_test_exists() -> None:
    """A case in brackets is known to pytest alone, so pytest is asked."""
    named = {test for entry in _entries() for test in entry.tests if "[" in test}
    files = sorted({test.partition("::")[0] for test in named})
    asked = [sys.executable, "-Im", "pytest", "--collect-only", "-q", "-o", "addopts=--import-mode=importlib"]
    told = subprocess.run([*asked, *files], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(named - set(told.splitlines())) == []


def test_no_paragraph_of_a_part_that_is_there_lacks_its_test() -> None:
    waiting = [entry for entry in _entries() if entry.state == "to hold"]
    parts = Counter(entry.part for entry in waiting)
    assert waiting == [], f"{len(waiting)} paragraphs without a test: {dict(parts)}"


def test_the_page_is_up_to_date() -> None:
    assert report.main(["--check"]) == 0, report.STALE


@with_texts
@documents
def test_the_ledger_has_exactly_the_paragraphs_of_the_texts(document: str) -> None:
    assert list(differences(document, TEXTS)) == []


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
def test_no_gist_is_a_sentence_of_the_text(document: str) -> None:
    texts = {p.id: p.text.lower() for p in split(TEXTS, document)}
    gists = {e.id: e.gist.rstrip(".:").lower() for e in load(document).entries}
    copied = [key for key, gist in gists.items() if len(gist) > 40 and gist in texts[key]]
    assert copied == []


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


HELD = {"id": "x", "sha256": "0" * 12, "gist": "A gist.", "part": "plan", "held": [], "tests": []}
NOT_OURS = {"id": "x", "sha256": "0" * 12, "gist": "A gist.", "not_ours": "for a good reason"}

NOT_YET = {"id": "x", "sha256": "0" * 12, "gist": "A gist.", "not_yet": "drivers: a pad at each position"}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (HELD, ""),
        (NOT_OURS, ""),
        (NOT_YET, ""),
        (HELD | {"not_yet": "drivers: the pads"}, "one of tests, not_ours, not_yet wanted"),
        (NOT_YET | {"not_yet": "table"}, "not_yet = 'table' is not a part to come"),
        (NOT_YET | {"not_yet": "drivers: pads"}, "not a part to come and what will hold it"),
        ({k: v for k, v in NOT_OURS.items() if k != "not_ours"}, "none found"),
        ({k: v for k, v in HELD.items() if k != "part"}, "lacks part"),
        (NOT_OURS | {"part": "table"}, "cannot have part"),
        (HELD | {"part": "kitchen"}, "part = 'kitchen' is none of"),
        (HELD | {"sha256": "0" * 11}, "sha256"),
        (HELD | {"gist": "x" * 91}, "gist"),
        (NOT_OURS | {"not_ours": "no"}, "gives no reason"),
        (HELD | {"tests": ["a"]}, "go together"),
        (HELD | {"tests": [1], "held": ["a"]}, "no list of strings"),
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
    ],
)
def test_ids_have_the_order_of_the_chapter(first: str, second: str) -> None:
    assert (position(first) or ()) < (position(second) or ())
