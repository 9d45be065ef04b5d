"""The campaign of the edge, in small: what is changed and what is spared, and what its trials find.

A small tree stands for Sabot. A change must be seen by a test in the process, by a program that a test starts, and
where it stands outside of functions; the tree as it is must pass, and what never ends is counted apart.
"""

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import changes
import edges
from ground import REPO, Ground

HERE = Path(__file__).parent
MODULE = """\
LIMIT = 3


def double(number):
    return 2 * number


def is_much(number):
    return number > LIMIT


if __name__ == "__main__":
    print(double(4))
"""
FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q --import-mode=importlib'\n",
    "src/sabot/__init__.py": "",
    "src/sabot/drivers/__init__.py": "",
    "src/sabot/drivers/scale.py": MODULE,
    "src/sabot/drivers/user.py": "from sabot.drivers.scale import double, is_much\n",
    "tests/test_scale.py": """\
import subprocess
import sys

from sabot.drivers.user import double, is_much


def test_nothing():
    assert double(0) == 0


def test_something():
    assert double(3) == 6


def test_limit():
    assert is_much(4)


def test_program():
    order = [sys.executable, "-Im", "sabot.drivers.scale"]
    assert subprocess.run(order, capture_output=True, text=True, check=True).stdout == "8\\n"
""",
}
TESTS = [f"tests/test_scale.py::test_{name}" for name in ("nothing", "something", "limit", "program")]
NOTHING, SOMETHING, LIMIT, PROGRAM = TESTS


def lay(ground: Ground) -> None:
    """The small tree."""
    for name, text in FILES.items():
        (ground.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (ground.tree / name).write_text(text)
    (ground.tree / "tests/mutants").mkdir()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[edges.Bench]:
    ground = Ground(tmp_path_factory.mktemp("ground"))
    lay(ground)
    shutil.copy(HERE / "edge_trial.py", ground.tree / "tests/mutants")
    ground.make()
    with edges.Bench(ground) as found:
        yield found


@pytest.mark.parametrize(
    ("was", "now", "is_live", "tests", "verdict"),
    [
        ("2 *", "2 *", True, TESTS, ("survived", "")),
        ("2 *", "2 +", True, TESTS, ("killed", NOTHING)),
        ("2 *", "3 *", True, TESTS, ("killed", SOMETHING)),
        ("2 *", "3 *", True, [PROGRAM], ("killed", PROGRAM)),
        ("= 3", "= 4", False, TESTS, ("killed", LIMIT)),
        ("LIMIT = 3", "1 / 0", False, [NOTHING], ("killed", "")),
        ("return 2", "while True: pass\n    return 2", True, [NOTHING], ("timed_out", "")),
        ("2 *", "2 *", False, TESTS, ("survived", "")),
    ],
)
def test_a_change_is_seen_wherever_it_is_looked_at(
    bench: edges.Bench, was: str, now: str, is_live: bool, tests: list[str], verdict: tuple[str, str]
) -> None:
    source = MODULE.replace(was, now)
    found = bench.ask("drivers/scale.py", source, is_live, dict.fromkeys(tests, 0.05), grace_s=0.2)
    assert (found["outcome"], found["test"]) == verdict, found
    assert (bench.ground.tree / "src/sabot/drivers/scale.py").read_text() == MODULE


@pytest.mark.parametrize("jobs", [(), ("-n", "2")])
def test_what_a_test_reaches_is_recorded_once_with_its_own_time(
    tmp_path: Path, jobs: tuple[str, ...]
) -> None:
    ground = Ground(tmp_path)
    lay(ground)
    shutil.copy(HERE / "reach.py", ground.tree / "tests/mutants")
    ground.make("import reach")
    lines = tmp_path / "lines"
    lines.mkdir()
    words = ("-m", "pytest", "-p", "reach", "-p", "no:cacheprovider", *jobs, *TESTS[:3])
    assert ground.call(*words, SABOT_REACH=str(lines)).wait() == 0
    rows = [row.split("\t") for row in (lines / "tests.txt").read_text().splitlines()]
    assert sorted(row[1] for row in rows if row[0] == "passed") == sorted(TESTS[:3])
    reached = {
        tuple(row.split("\t")) for file in lines.glob("*.tsv") for row in file.read_text().splitlines()
    }
    assert {context for context, _, line in reached if line == "9"} == {LIMIT}


TAKEN = '''
def settle(self, bets: dict[str, int], wait_s: float = 2.0, least: int = 1) -> int | None:
    """Nothing of 5 words."""
    assert bets, "never 6"
    self.log.info("settled", count=7)
    if not bets or least > 8:
        raise ValueError(f"less than {least + 9}")
    for bet in bets.values():
        self.paid += bet
        self.tell(bet)
    return sum(bets.values())
'''
CHANGES = {
    ("number moved", "2"),
    ("sign dropped", "(bets)"),
    ("and for or", " and "),
    ("part of a condition dropped", "((least > 8))"),
    ("part of a condition dropped", "((not bets))"),
    ("condition turned", "(not (not bets or least > 8))"),
    ("bound moved", " >= "),
    ("number moved", "9"),
    ("raise dropped", "pass"),
    ("loop dropped", "()"),
    ("assignment dropped", "pass"),
    ("call dropped", "pass"),
    ("nothing returned", "None"),
}


def test_what_decides_is_changed_and_words_and_patience_are_not(tmp_path: Path) -> None:
    path = tmp_path / "settle.py"
    path.write_text(TAKEN)
    found = changes.changes(path)
    assert {(each.kind, each.now) for each in found} == CHANGES
    for each in found:
        compile(each.source(TAKEN), "settle.py", "exec")
        assert each.source(TAKEN).count("\n") == TAKEN.count("\n")
        assert each.source(TAKEN) != TAKEN


def test_a_sample_is_even_and_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "settle.py"
    path.write_text(TAKEN)
    made = {
        name: [edges.Mutant(name, change, "") for change in changes.changes(path)]
        for name in ("a.py", "b.py")
    }
    chosen = edges.sample(made, 6, seed=1)
    assert [each.module for each in chosen].count("a.py") == 3
    assert edges.sample(made, 6, seed=1) == chosen
    assert edges.sample(made, 6, seed=2) != chosen or len(set(chosen)) == 6


SURVIVORS = tomllib.loads((HERE / "survivors.toml").read_text())


def test_each_survivor_that_was_read_is_of_this_code() -> None:
    modules: dict[str, set[tuple[str, str, str]]] = {}
    for each in SURVIVORS["survivor"]:
        name = each["module"]
        if name not in modules:
            text = (REPO / name).read_text()
            modules[name] = {
                (change.where, change.was(text).strip(), change.now.strip())
                for change in changes.changes(REPO / name)
            }
        assert (each["where"], each["was"], each["now"]) in modules[name], each
        assert each["means"] in SURVIVORS["means"]
        assert each["why"]
