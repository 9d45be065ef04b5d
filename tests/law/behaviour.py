"""Make the table misbehave, one clause at a time: a test that the ledger names for the clause must fail.

A test that names a paragraph may hold something else. So each clause of procedure names mutants (`coverage/mutants.toml`):
what the table does instead, and one passage of one module to be replaced for it. Each mutant is put in the module's place
in a child process before anything imports it, the tests of all clauses that name it are run, and then every clause, in each
of its documents and by each method of dealing, wants one of its own tests among those that failed. A clause whose tests all pass is not held by them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from resource import RLIMIT_CPU, setrlimit
from subprocess import DEVNULL, run

from claims import ROOT
from ledger import COVERAGE, Entry, entries

OPTIONS = (
    *("-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:terminal"),
    *("-o", "addopts=--import-mode=importlib"),
)
NO_TESTS, LOST = 5, 70
# Of processor time, for a mutant may run for ever; by the clock only what waits for ever is ended, for a
# campaign in the background of a busy machine gets a twentieth of a core.
LONGEST_S, LONGEST_WAIT_S = 1800, 6 * 3600


@dataclass(frozen=True)
class Mutant:
    """What the table does instead, and the one passage that makes it."""

    id: str
    what: str
    module: str
    old: str
    new: str

    @property
    def name(self) -> str:
        """The module's name as it is imported."""
        return "sabot." + self.module.removesuffix(".py").replace("/", ".")

    def source(self) -> str:
        """Return the module with the passage replaced; the passage stands there once, or the mutant is out of date."""
        text = (ROOT / self.module).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise LookupError(f"{self.id}: its passage stands {text.count(self.old)} times in {self.module}")
        return text.replace(self.old, self.new)


MUTANTS = {
    row["id"]: Mutant(**row)
    for row in tomllib.loads((COVERAGE / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
}


@dataclass(frozen=True)
class Trial:
    """A mutant with the clauses that name it."""

    mutant: Mutant
    entries: tuple[Entry, ...]

    @property
    def tests(self) -> list[str]:
        """The tests of all those clauses."""
        return sorted(
            {test for entry in self.entries for clause in entry.of for test in entry.tests_of(clause)}
        )

    def survived(self, failed: frozenset[str]) -> Iterator[str]:
        """Yield the clauses none of whose own tests failed, in every document and by every method of dealing."""
        for entry in self.entries:
            for clause in entry.of:
                if not any(has_failed(test, failed) for test in entry.tests_of(clause)):
                    yield clause


def has_failed(test: str, failed: frozenset[str]) -> bool:
    """Tell whether a test, or any case of it, is among those that failed."""
    return test in failed or any(each.startswith(f"{test}[") for each in failed)


def trials(chosen: Iterable[str]) -> list[Trial]:
    """Return the trials of the chosen mutants."""
    naming = {name: tuple(entry for entry in entries() if name in entry.mutants) for name in chosen}
    return [Trial(MUTANTS[name], those) for name, those in naming.items()]


# ---------------------------------------------------------------- in a process of its own


class _Failures:
    """A plugin that keeps the names of tests that failed."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: object) -> None:
        """Remember a failure."""
        if getattr(report, "failed", False):
            self.names.append(str(getattr(report, "nodeid", "")))


def child(name: str, source: str, tests: list[str], answer: Path) -> int:
    """Run tests with one module replaced, and write the names of those that failed."""
    import pytest  # noqa: PLC0415 (nothing may be imported before the module is in its place)

    setrlimit(RLIMIT_CPU, (LONGEST_S, LONGEST_S))

    from replaced import put  # noqa: PLC0415

    if name:
        put(name, source)
    failures = _Failures()
    code = int(
        pytest.main(
            [*OPTIONS, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), *tests], [failures]
        )
    )
    answer.write_text(json.dumps(failures.names))
    return 0 if code in (0, 1) else LOST


def failing(mutant: Mutant | None, tests: list[str]) -> frozenset[str]:
    """Return the names of the tests that fail under a mutant (none: as the program is)."""
    with tempfile.TemporaryDirectory() as folder:
        order, answer = Path(folder, "order.json"), Path(folder, "answer.json")
        name, source = (mutant.name, mutant.source()) if mutant else ("", "")
        order.write_text(json.dumps({"name": name, "source": source, "tests": tests}))
        words = [sys.executable, str(Path(__file__)), "--child", str(order), str(answer)]
        done = run(words, cwd=ROOT, stdout=DEVNULL, stderr=DEVNULL, timeout=LONGEST_WAIT_S, check=False)
        if done.returncode:
            raise RuntimeError(
                f"{mutant.id if mutant else 'the program as it is'}: the tests could not be run"
            )
        return frozenset(json.loads(answer.read_text()))


def judge(trial: Trial) -> list[str]:
    """Return the clauses that a mutant survived."""
    return list(trial.survived(failing(trial.mutant, trial.tests)))


# ---------------------------------------------------------------- the campaign


def campaign(chosen: list[str]) -> int:
    """Try the chosen mutants, as many at once as there are cores; return how many were survived."""
    found = trials(chosen)
    sound = failing(None, sorted({test for trial in found for test in trial.tests}))
    for test in sorted(sound):
        print(f"FAILS WITHOUT ANY MUTANT: {test}")
    survivors = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for number, (trial, clauses) in enumerate(zip(found, pool.map(judge, found), strict=True), 1):
            survivors += bool(clauses)
            if clauses:
                print(f"SURVIVED {trial.mutant.id}: {', '.join(clauses)}")
            elif number % 20 == 0:
                print(f"{number}/{len(found)} mutants", flush=True)
    print(
        f"{len(found)} mutants of behaviour: {len(found) - survivors} failed a test of every clause, {survivors} survived"
    )
    return survivors + len(sound)


def main(arguments: list[str] | None = None) -> int:
    """Run the campaign, or a part of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--only", action="append", choices=sorted(MUTANTS), metavar="ID", help="only this one; may repeat"
    )
    parser.add_argument("--every", type=int, default=1, help="only each N-th mutant (a short form)")
    parser.add_argument("--list", action="store_true", help="list the mutants and stop")
    parser.add_argument("--child", nargs=2, metavar=("ORDER", "ANSWER"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        order, answer = map(Path, options.child)
        return child(**json.loads(order.read_text()), answer=answer)
    chosen = options.only or list(MUTANTS)[:: options.every]
    if options.list:
        print("\n".join(f"{MUTANTS[name].id}: {MUTANTS[name].what}" for name in chosen))
        return 0
    return 1 if campaign(chosen) else 0


if __name__ == "__main__":
    raise SystemExit(main())
