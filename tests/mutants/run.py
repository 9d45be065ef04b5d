"""Mutation testing of the pure packages: cosmic-ray's mutants, each module against its own tests, resumable.

`run.py --every 5 --seed 0` tries each fifth mutant of every module, evenly over its lines; a second call goes on where
the first was stopped, another seed tries others beside them. It works in a copy of the tree, so that an edit meanwhile
kills nothing. The table and the survivors are left in ``sessions/`` (not in version control), and printed.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import kept
import made
import trial
from ground import copy_tree

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
SESSIONS = HERE / "sessions"
PAGE = REPO / "docs" / "testing.md"
BEGIN, END = "<!-- mutants: make mutants MUTANTS_ARGS='--report --write' -->\n", "<!-- end of mutants -->"


def modules(tree: Path) -> dict[str, list[str]]:
    """Each module with its test files."""
    said = tomllib.loads((HERE / "modules.toml").read_text())
    groups: dict[str, list[str]] = said["groups"]
    return {
        module: [path for word in words for path in _files(tree, groups.get(word, [word]))]
        for module, words in said["modules"].items()
    }


def _files(tree: Path, patterns: list[str]) -> Iterator[str]:
    for pattern in patterns:
        found = sorted(str(path.relative_to(tree)) for path in tree.glob(pattern))
        if not found:
            raise SystemExit(f"modules.toml: {pattern} names no test; see tests/ for what there is")
        yield from found


class Campaign:
    """The trials still to be made, module after module."""

    def __init__(self, args: argparse.Namespace, tree: Path) -> None:
        self.args = args
        self.cases = [
            trial.Case(tree, module, tests)
            for module, tests in modules(tree).items()
            if module in (args.module or [module]) and module.startswith(args.package)
        ]
        self.began, self.tried, self.left = time.monotonic(), 0, 0
        self.work = [self._work(case) for case in self.cases]
        self.left = sum(len(mutants) for *_, mutants in self.work)

    def _work(self, case: trial.Case) -> tuple[trial.Case, kept.Session, list[made.Mutant]]:
        all_of_it = made.mutants(case.path)
        session = kept.Session(SESSIONS, case.module, case.path.read_text(), len(all_of_it))
        again = {kept.SURVIVED, kept.TIMED_OUT} if self.args.again else set()
        done = {each["id"] for each in session.found.values() if each["outcome"] not in again}
        wanted = made.sample(all_of_it, self.args.every, self.args.seed)
        if self.args.again:
            wanted = [mutant for mutant in all_of_it if mutant.id in session.found]
        return case, session, [mutant for mutant in wanted if mutant.id not in done]

    def run(self) -> None:
        """Until all is tried or the time is up."""
        trial.ready()
        for case, session, mutants in self.work:
            if mutants and not self.is_over() and not self._module(case, session, mutants):
                self.left -= len(mutants)

    def _module(self, case: trial.Case, session: kept.Session, mutants: list[made.Mutant]) -> bool:
        text = case.path.read_text()
        usual = trial.run(case, text)
        if usual.outcome != kept.SURVIVED:
            print(f"{case.module}: left out, its tests fail without a change:\n{usual.output[-2000:]}")
            return False
        for mutant in mutants:
            if self.is_over():
                break
            verdict = trial.run(case, mutant.source(text), session.killers(), usual.cpu_s)
            session.add({"id": mutant.id, **self._words(mutant, verdict, text)})
            self.tried += 1
        print(self._progress(case, session, usual.cpu_s), flush=True)
        return True

    @staticmethod
    def _words(mutant: made.Mutant, verdict: trial.Verdict, text: str) -> kept.Found:
        changed = (
            dict(zip(("was", "now"), mutant.diff(text), strict=True))
            if verdict.outcome == kept.SURVIVED
            else {}
        )
        said = {"line": mutant.line, "where": mutant.where, "outcome": verdict.outcome, "test": verdict.test}
        return said | {"cpu_s": round(verdict.cpu_s, 2)} | changed

    def _progress(self, case: trial.Case, session: kept.Session, usual_s: float) -> str:
        each_s = (time.monotonic() - self.began) / max(self.tried, 1)
        survived = sum(found["outcome"] == kept.SURVIVED for found in session.found.values())
        return (
            f"{time.strftime('%H:%M:%S')} {case.module}: {len(session.found)} tried, {survived} survived, "
            f"tests {usual_s:.1f} s; {self.left - self.tried} to go, about {(self.left - self.tried) * each_s / 60:.0f} min"
        )

    def is_over(self) -> bool:
        return bool(time.monotonic() - self.began > self.args.minutes * 60)


def words() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--module", action="append", help="only this module (rules/cards.py); may repeat")
    parser.add_argument("--package", default="", help="only modules that begin so: rules, statemachine")
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth mutant (1: all)")
    parser.add_argument("--seed", type=int, default=0, help="which of them (0)")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so long (600)")
    parser.add_argument("--again", action="store_true", help="try what survived or timed out again")
    parser.add_argument("--report", action="store_true", help="only report what was tried so far")
    parser.add_argument("--write", action="store_true", help="write the table into docs/testing.md too")
    parser.add_argument("--survivors", action="store_true", help="list the survivors too")
    return parser.parse_args()


def main() -> int:
    """Try mutants, and report."""
    args = words()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; the next call goes on from here"))
    if not args.report:
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            copy_tree(Path(folder))
            Campaign(args, Path(folder)).run()
    said = kept.as_json(SESSIONS)
    (SESSIONS / "report.json").write_text(json.dumps(said, indent=1))
    text = "\n".join(kept.table(SESSIONS))
    (SESSIONS / "report.md").write_text(text + "\n")
    print(text)
    if args.write:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.split(END)[1]}")
    if args.survivors:
        for module, numbers in said.items():
            for each in numbers["survivors"]:
                print(
                    f"{module}:{each['line']} {each['id']}\n  - {each.get('was', '')}\n  + {each.get('now', '')}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
