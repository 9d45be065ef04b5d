"""The mutants of behaviour fit the program, a sample of them is tried, and one that changes nothing is not missed.

`make coverage` tries them all.
"""

from __future__ import annotations

import pytest

from behaviour import MUTANTS, Mutant, Trial, failing, has_failed, judge, trials
from ledger import Entry, entries, section_of

# What is done at the table: its clauses were each seen to be held, by a mutant of behaviour.
PROCEDURE = frozenset({"3", "4", "5", "8", "9", "10", "11", "13"})
SAMPLE = ("void-cards-are-dealt-again", "a-card-drawn-in-error-goes-to-the-rack", "tenfold-is-told")
HELD_BY = "tests/statemachine/test_clauses.py::test_x_13f_after_a_jam_every_wager_goes_back[pa641a]"
OTHER = "tests/statemachine/test_clauses.py::test_x_13f_after_a_jam_every_wager_goes_back[md4cp]"


@pytest.mark.parametrize("name", MUTANTS)
def test_the_passage_of_a_mutant_stands_once_in_its_module_which_still_compiles(name: str) -> None:
    mutant = MUTANTS[name]
    assert mutant.old != mutant.new
    compile(mutant.source(), mutant.module, "exec")


def test_a_passage_that_is_not_there_is_refused() -> None:
    stale = Mutant("stale", "Nothing.", "statemachine/voiding.py", "there is no such passage", "")
    with pytest.raises(LookupError, match="stale: its passage stands 0 times"):
        stale.source()


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_mutants_each_fails_a_test_of_every_clause_that_names_it(name: str) -> None:
    (trial,) = trials([name])
    assert judge(trial) == []


def test_a_mutant_that_changes_nothing_survives_in_each_document() -> None:
    mutant = Mutant("nothing", "Nothing.", "statemachine/voiding.py", "PAID_FIRST = ", "PAID_FIRST  = ")
    entry = Entry(("641a.13(f):2", "ch.13.G"), "All goes back.", tests=(HELD_BY,), own={"md4cp": (OTHER,)})
    assert failing(mutant, [HELD_BY, OTHER]) == frozenset()
    assert list(Trial(mutant, (entry,)).survived(frozenset())) == ["641a.13(f):2", "ch.13.G"]
    assert list(Trial(mutant, (entry,)).survived(frozenset({OTHER}))) == ["641a.13(f):2"]


def test_a_test_has_failed_when_any_of_its_cases_has() -> None:
    assert has_failed("t.py::test_a", frozenset({"t.py::test_a[b]"}))
    assert not has_failed("t.py::test_a", frozenset({"t.py::test_ab"}))


def test_every_clause_of_procedure_that_is_held_has_a_mutant() -> None:
    untried = [c for e in entries() if e.held and not e.mutants for c in e.of if section_of(c) in PROCEDURE]
    assert untried == []
