"""Mutation testing of the edge: drivers, config and the program of the board, each change against the tests that reach it.

`edges.py --total 600` tries an even sample: of each module by its size, within it evenly over kinds and lines, the same
for the same seed. Which tests reach a line is recorded once (``--reach``). What was tried is kept in ``build/mutants``
by the text of the module, so that a run that was stopped goes on and a module that changed is tried anew.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Self

import changes
from ground import REPO, Ground

KEPT = REPO / "build" / "mutants"
PAGE = REPO / "docs" / "testing.md"
BEGIN, END = (
    "<!-- mutants of the edge: make mutants-edge MUTANTS_ARGS='--report --write' -->\n",
    "<!-- end of mutants of the edge -->",
)
GONE = ("killed", "timed_out")
REACH, FOUND = KEPT / "reach.json", KEPT / "found.jsonl"
AREAS = (
    "drivers", "config", "firmware/journal", "firmware/run", "firmware/console", "firmware/credentials", "firmware/update",
    "firmware/integrity", "desk/json_input.py",
)  # fmt: skip
TESTS = (
    "tests/drivers", "tests/config", "tests/firmware/journal", "tests/firmware/run", "tests/firmware/console",
    "tests/firmware/credentials", "tests/firmware/update", "tests/firmware/integrity", "tests/firmware/test_device.py",
    "tests/firmware/test_check.py", "tests/firmware/test_cli.py", "tests/desk/test_sim.py",
    "tests/desk/test_lines.py", "tests/desk/test_journal_command.py", "tests/desk/test_journal_procedure.py",
    "tests/firmware/test_messages.py", "tests/tools", "tests/docs/test_table_file_page.py",
    "tests/docs/test_console_page.py", "tests/docs/test_board_page.py",
)  # fmt: skip
# A file that stands alone is loaded as a tool, where nobody sees which of its lines are reached: all of its tests.
ALONE = {"desk/evidence/check_journal.py": "tests/tools/test_check_journal.py"}
# A whole bundle is built and installed there: minutes, and everything it holds is held by quicker tests too.
TOO_LONG = ("tests/firmware/update/test_whole_bundle.py",)
CONTROLLED = 40  # tests of a control at a time
FIRST, MOST, MOST_S = 12, 400, 20.0  # tests of the first try; of all tries; and what they may take
LOADING = "loading"


class Mutant(NamedTuple):
    """A change of a module, and its name in what is kept."""

    module: str
    change: changes.Change
    print: str  # of the module's text

    @property
    def id(self) -> str:
        (line, column), kind = self.change.first, self.change.kind
        return f"{self.module}:{line}:{column}:{kind}:{self.change.now.strip()[:60]}"


@cache
def _lines(name: str) -> list[str]:
    return (REPO / name).read_text().splitlines()


def condense(folder: Path) -> None:
    """Keep of what was recorded which tests reach a line of the edge, by number, and what was reached while loading."""
    usual_s: dict[str, float] = {}
    users: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "tests.txt").read_text().splitlines():
        what, test, more = line.split("\t")
        if what == "uses":
            users[more].add(test)
        elif what == "passed":
            usual_s[test] = max(float(more), usual_s.get(test, 0.0))
    rows: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in folder.glob("*.tsv"):
        for line in file.read_text().splitlines():
            context, module, number = line.split("\t")
            if module.startswith(AREAS):
                rows[module, number].add(context)
    before = json.loads(REACH.read_text()) if REACH.exists() else {"usual_s": {}, "lines": {}, "loading": []}
    usual_s = before["usual_s"] | usual_s
    names = {test: place for place, test in enumerate(usual_s)}
    lines: dict[str, dict[str, list[int]]] = defaultdict(dict, before["lines"])
    for (module, number), contexts in rows.items():
        tests = set().union(*(users.get(context, {context}) for context in contexts))
        known = lines[module].get(number, [])
        lines[module][number] = sorted({*known, *(names[test] for test in tests if test in names)})
    loading = {(module, int(number)) for (module, number), contexts in rows.items() if LOADING in contexts}
    loading |= {(module, line) for module, line in before["loading"]}
    REACH.write_text(json.dumps({"usual_s": usual_s, "lines": lines, "loading": sorted(loading)}))


class Reached:
    """Which tests reach a line, and how long each takes."""

    def __init__(self, path: Path) -> None:
        kept = json.loads(path.read_text())
        self.usual_s: dict[str, float] = kept["usual_s"]
        names = list(self.usual_s)
        self.by_line: dict[str, dict[int, set[str]]] = {
            module: {int(line): {names[test] for test in tests} for line, tests in by_line.items()}
            for module, by_line in kept["lines"].items()
        }
        self.by_file: dict[str, set[str]] = defaultdict(set)
        for test in names:
            self.by_file[test.partition("::")[0]].add(test)
        self.while_loading = {(module, line) for module, line in kept["loading"]}

    def tests(self, mutant: Mutant) -> dict[str, float]:
        """The tests that are to kill a mutant: the quick ones of its own folder first, then of each file in turn."""
        change = mutant.change
        found = self._through(mutant.module, range(change.lines[0], change.lines[1] + 1))
        if not change.is_live:
            found |= self._named(mutant)
        found |= self.by_file.get(ALONE.get(mutant.module, ""), set())
        own = re.sub(r"^(\w+(/[a-z_]+)?).*", r"tests/\1", mutant.module.removesuffix(".py"))
        quick = sorted(
            (test for test in found if test in self.usual_s),
            key=lambda test: (self.usual_s[test] > 1, not test.startswith(own), self.usual_s[test], test),
        )
        first, rest = quick[:FIRST], quick[FIRST:]
        turns: Counter[str] = Counter()
        in_turn: list[tuple[bool, int, int, str]] = []
        for test in rest:
            file = test.partition("::")[0]
            turns[file] += 1
            in_turn.append((self.usual_s[test] > 1, turns[file], len(in_turn), test))
        return dict(self._within_limits([*first, *(test for *_, test in sorted(in_turn))]))

    def _within_limits(self, tests: list[str]) -> Iterator[tuple[str, float]]:
        spent = 0.0
        for test in tests[:MOST]:
            spent += self.usual_s[test]
            if spent > MOST_S:
                return
            yield test, self.usual_s[test]

    def _through(self, module: str, numbers: Iterable[int]) -> set[str]:
        by_line = self.by_line.get(module, {})
        return set().union(*(by_line.get(number, set()) for number in numbers))

    def _named(self, mutant: Mutant) -> set[str]:
        """For what stands outside of functions: the tests that reach a line, or are in a file, in which its name stands."""
        line = (REPO / mutant.module).read_text().splitlines()[mutant.change.lines[0] - 1]
        name = mutant.change.where.partition(".")[0] or next(
            iter(re.findall(r"^\s*(?:def )?(\w+)", line)), ""
        )
        word = re.compile(rf"\b{re.escape(name)}\b")
        found: set[str] = set()
        for module in self.by_line:
            numbers = [number for number, line in enumerate(_lines(module), 1) if word.search(line)]
            found |= self._through(module, numbers)
        for file, tests in self.by_file.items():
            if any(map(word.search, _lines(file))):
                found |= tests
        return found

    def is_live(self, mutant: Mutant) -> bool:
        """Whether a loaded program can be given the change: its function was not called while loading."""
        first, last = mutant.change.lines
        lines = {(mutant.module, number) for number in range(first, last + 1)}
        return mutant.change.is_live and not lines & self.while_loading


def modules() -> list[str]:
    """All modules of the edge."""
    found = [REPO / area for area in AREAS]
    files = [file for path in found for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
    return [str(file.relative_to(REPO)) for file in files if file.name != "errors.py"]


def mutants(module: str) -> list[Mutant]:
    """All mutants of a module."""
    text = (REPO / module).read_text()
    name = sha256(text.encode()).hexdigest()[:12]
    return [Mutant(module, change, name) for change in changes.changes(REPO / module)]


def sample(made: dict[str, list[Mutant]], total: int, seed: int) -> list[Mutant]:
    """An even sample: each so-manieth of all, sorted by module, kind and line; the seed says where it begins."""
    rows = [each for module in sorted(made) for each in sorted(made[module], key=_by_kind)]
    step = len(rows) / total
    start = random.Random(seed).random() * step
    return [rows[int(start + step * number)] for number in range(min(total, len(rows)))]


def _by_kind(mutant: Mutant) -> tuple[str, object]:
    return mutant.change.kind, mutant.change.first


class Found:
    """What was tried, by the text of the module."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.guard = threading.Lock()
        lines = path.read_text().splitlines() if path.exists() else []
        rows = [json.loads(line) for line in lines]
        self.rows: dict[tuple[str, str], dict[str, Any]] = {(row["print"], row["id"]): row for row in rows}

    def add(self, mutant: Mutant, **what: Any) -> None:
        row = {
            "id": mutant.id,
            "print": mutant.print,
            "module": mutant.module,
            "where": mutant.change.where,
            **what,
        }
        with self.guard, self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")
            self.rows[mutant.print, mutant.id] = row

    def of(self, mutant: Mutant) -> dict[str, Any] | None:
        return self.rows.get((mutant.print, mutant.id))


class Crew:
    """Trials at a time, each in a ground of its own."""

    def __init__(self, reached: Reached, found: Found, jobs: int) -> None:
        self.reached, self.found, self.jobs = reached, found, jobs
        self.guard = threading.Lock()
        self.done = 0

    def work(self, mutants: list[Mutant]) -> None:
        """Try them all."""
        left, total = iter(mutants), len(mutants)
        began = time.monotonic()

        def one(folder: str) -> None:
            ground = Ground(Path(folder))
            ground.lay()
            with Bench(ground) as bench:
                while True:
                    with self.guard:
                        mutant = next(left, None)
                    if mutant is None:
                        return
                    self.found.add(mutant, **self.tried(bench, mutant))
                    with self.guard:
                        self.done += 1
                        if not self.done % 10:
                            each_s = (time.monotonic() - began) / self.done
                            print(
                                f"{self.done} of {total}, about {each_s * (total - self.done) / 60:.0f} min",
                                flush=True,
                            )

        with tempfile.TemporaryDirectory(prefix="edges-", dir=_fast()) as root:
            threads = [
                threading.Thread(target=one, args=(f"{root}/{number}",)) for number in range(self.jobs)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def tried(self, bench: "Bench", mutant: Mutant) -> dict[str, Any]:
        """The tests nearest to it, and then the others."""
        tests = self.reached.tests(mutant)
        text = (REPO / mutant.module).read_text()
        said = {
            "kind": mutant.change.kind,
            "was": mutant.change.was(text)[:200],
            "now": mutant.change.now[:200],
        }
        if not tests:
            return {"outcome": "unreached", "test": "", "tests": 0, **said}
        source, is_live = mutant.change.source(text), self.reached.is_live(mutant)
        names = list(tests)
        for part in (names[:FIRST], names[FIRST:]):
            if part:
                verdict = bench.ask(mutant.module, source, is_live, {name: tests[name] for name in part})
                if verdict["outcome"] != "survived":
                    break
        kept = {"said": verdict["said"]} if verdict["outcome"] == "broken" else {}
        return {
            "outcome": verdict["outcome"], "test": verdict["test"], "tests": len(tests), "cpu_s": round(verdict["cpu_s"], 2),
            **said, **kept,
        }  # fmt: skip


class Bench:
    """A ground, and the process in it that makes trials."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    def __enter__(self) -> Self:
        order = [str(self.ground.python), "-Im", "edge_trial"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(order, cwd=self.ground.tree, stdin=pipe, stdout=pipe, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def ask(
        self, module: str, source: str, is_live: bool, tests: dict[str, float], **more: Any
    ) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        job = {"module": module, "source": source, "is_live": is_live, "tests": tests, **more}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def control(found: Found, chosen: list[Mutant], reached: Reached) -> list[str]:
    """The tests that killed, on the tree as it is: one that fails there has killed nothing, and its mutants are open."""
    rows = {mutant: row for mutant in chosen if (row := found.of(mutant)) and row["outcome"] == "killed"}
    left = dict.fromkeys(row["test"] for row in rows.values() if row["test"])
    bad: list[str] = []
    with tempfile.TemporaryDirectory(prefix="edges-", dir=_fast()) as root:
        ground = Ground(Path(root))
        ground.lay()
        with Bench(ground) as bench:
            while some := dict.fromkeys(list(left)[:CONTROLLED]):
                tests = {test: reached.usual_s.get(test, 1.0) for test in some}
                verdict = bench.ask("", "", is_live=True, tests=tests, grace_s=60.0)
                wrong = verdict["test"] if verdict["outcome"] != "survived" else ""
                bad += [wrong] if wrong else []
                left = {test: None for test in left if test not in ({wrong} if wrong else some)}
                if verdict["outcome"] != "survived" and not wrong:
                    raise SystemExit(f"the control itself went wrong: {verdict}")
    for mutant, row in rows.items():
        if row["test"] in bad:
            found.add(mutant, **{**row, "outcome": "broken", "said": "its test fails without a change"})
    return bad


def _fast() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def record(jobs: int, tests: Sequence[str]) -> None:
    """Run the tests once, and keep which lines they reach; some of them beside what is kept of the others."""
    if not tests:
        REACH.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="reach-", dir=_fast()) as root:
        ground, lines = Ground(Path(root)), Path(root) / "lines"
        ground.lay("import reach")
        lines.mkdir()
        skipped = [word for name in TOO_LONG for word in ("--deselect", name)]
        words = [
            "-m",
            "pytest",
            "-p",
            "reach",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:cov",
            *(("-n", str(jobs)) if jobs > 1 else ()),
            *skipped,
            *(tests or TESTS),
        ]
        ground.call(*words, SABOT_REACH=str(lines)).wait()
        condense(lines)


def table(tried: list[dict[str, Any]]) -> Iterator[str]:
    """Markdown: what became of the sample, by area."""
    yield "| area | tried | killed | timed out | survived | of them unreached | killed of tried |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name in (*AREAS, ""):
        rows = [row for row in tried if row["module"].startswith(name) and row["outcome"] != "broken"]
        if rows:
            yield _row(name, Counter(row["outcome"] for row in rows))


def _row(name: str, count: Counter[str]) -> str:
    tried, gone = count.total(), count["killed"] + count["timed_out"]
    head = f"`{name}`" if name else "**all**"
    cells = (
        head,
        tried,
        count["killed"],
        count["timed_out"],
        tried - gone,
        count["unreached"],
        f"{gone * 100 / tried:.1f} %",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def words() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--reach",
        nargs="*",
        metavar="TESTS",
        help="record first which tests reach which line: all, or new ones",
    )
    parser.add_argument("--total", type=int, default=600, help="how many, evenly over all (600)")
    parser.add_argument("--seed", type=int, default=0, help="which of them (0)")
    parser.add_argument("--module", default="", help="only modules that begin so: firmware/credentials")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--again", action="store_true", help="try what survived or timed out again")
    parser.add_argument("--report", action="store_true", help="only report what was tried")
    parser.add_argument("--write", action="store_true", help="write the table into docs/testing.md too")
    parser.add_argument("--survivors", action="store_true", help="list the survivors too")
    return parser.parse_args()


def main() -> int:
    """Try mutants, hold the tests that killed against the tree as it is, and report."""
    args = words()
    KEPT.mkdir(parents=True, exist_ok=True)
    if args.reach is not None or not REACH.exists():
        record(args.jobs, args.reach or ())
    found, reached = Found(FOUND), Reached(REACH)
    made = {module: mutants(module) for module in modules() if module.startswith(args.module)}
    chosen = sample(made, args.total, args.seed)
    if not args.report:
        again = {"survived", "timed_out", "unreached", "broken"} if args.again else {"broken"}
        left = [each for each in chosen if (found.of(each) or {"outcome": "broken"})["outcome"] in again]
        random.Random(args.seed).shuffle(left)
        Crew(reached, found, args.jobs).work(left)
        for test in control(found, chosen, reached):
            print(f"fails without a change, its mutants are to be tried again: {test}")
    report(args, [row for row in map(found.of, chosen) if row is not None])
    return 0


def report(args: argparse.Namespace, tried: list[dict[str, Any]]) -> None:
    """Print the table, and write it into the page; the survivors by line."""
    text = "\n".join(table(tried))
    print(text)
    if args.write:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.split(END)[1]}")
    for row in sorted(tried, key=lambda row: row["id"]) if args.survivors else ():
        if row["outcome"] not in GONE:
            head = f"{row['id']} [{row['outcome']}, {row['tests']} tests] in {row['where']}"
            print(f"{head}\n  - {row['was']}\n  + {row['now']}")


if __name__ == "__main__":
    sys.exit(main())
