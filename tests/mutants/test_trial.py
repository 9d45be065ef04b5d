"""The trial of a mutant: what a changed source does to its tests, within its time and its memory.

A small tree with one module and one test stands for Sabot; the trial runs in a process of its own, for it wants one
that has loaded nothing of what is tried.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MODULE = "def double(number):\n    return 2 * number\n"
FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q --import-mode=importlib'\n",
    "src/sabot/__init__.py": "",
    "src/sabot/rules/__init__.py": "",
    "src/sabot/rules/scale.py": MODULE,
    "src/sabot/rules/user.py": "from sabot.rules.scale import double\n",
    "tests/test_scale.py": (
        "from sabot.rules.user import double\n\n\n"
        "def test_nothing():\n    assert double(0) == 0\n\n\n"
        "def test_something():\n    assert double(3) == 6\n"
    ),
}
PROGRAM = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
import trial
trial.ready()
case = trial.Case(pathlib.Path(sys.argv[2]), "rules/scale.py", ["tests/test_scale.py"])
print(json.dumps(trial.run(case, sys.argv[3], sys.argv[4:], 0.01)))
"""
NOTHING, SOMETHING = "tests/test_scale.py::test_nothing", "tests/test_scale.py::test_something"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def tried(tree: Path, source: str, *first: str) -> tuple[str, str]:
    words = [sys.executable, "-I", "-c", PROGRAM, str(HERE), str(tree), source, *first]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=100)
    outcome, test, *_ = json.loads(said.stdout)
    return outcome, test


def test_the_module_as_it_is_survives(tree: Path) -> None:
    assert tried(tree, MODULE) == ("survived", "")


def test_who_imports_the_module_gets_the_changed_one_and_its_killer_is_named(tree: Path) -> None:
    assert tried(tree, MODULE.replace("*", "**")) == ("killed", NOTHING)
    assert (tree / "src/sabot/rules/scale.py").read_text() == MODULE


def test_what_killed_last_is_tried_first(tree: Path) -> None:
    assert tried(tree, MODULE.replace("2 *", "1 +"), SOMETHING) == ("killed", SOMETHING)


def test_a_module_that_cannot_be_imported_is_killed(tree: Path) -> None:
    assert tried(tree, MODULE + "1 / 0\n") == ("killed", "")


def test_an_endless_mutant_runs_out_of_time(tree: Path) -> None:
    assert tried(tree, MODULE.replace("return", "while True:\n        pass\n    return")) == ("timed_out", "")


def test_a_mutant_that_asks_for_too_much_memory_does_not_get_it(tree: Path) -> None:
    assert tried(tree, MODULE.replace("2 *", "len(bytearray(4_000_000_000)) *")) == ("killed", NOTHING)
