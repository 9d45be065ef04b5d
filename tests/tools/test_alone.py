"""What failed among others is run again alone: once, a handful of modules, and a test that fails alone fails the whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.alone import MOST, main

PASSES_AT_THE_SECOND = """
from pathlib import Path

def test_it():
    seen = Path("seen")
    was_there = seen.exists()
    seen.touch()
    assert was_there
"""
WAITED_FOR = f"""
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def it():
    seen = Path("seen")
    was_there = seen.exists()
    seen.touch()
    assert was_there

@pytest.mark.parametrize("each", range({MOST + 1}))
def test_it(it, each):
    pass
"""
FAILS = "def test_it():\n    assert False\n"


def run_once(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(folder)
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, "-Im", "pytest", "-q", "test_it.py"], check=False).returncode


def test_what_passes_alone_passes_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_once(tmp_path, PASSES_AT_THE_SECOND, monkeypatch) == 1
    assert main() == 0
    assert capfd.readouterr().out.count("    test_it.py::test_it\n") == 2


def test_what_fails_alone_fails_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_once(tmp_path, FAILS, monkeypatch) == 1
    assert main() == 1


def test_a_fixture_that_was_let_wait_takes_its_module_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_once(tmp_path, WAITED_FOR, monkeypatch) == 1
    assert main() == 0


@pytest.mark.parametrize(("modules", "again"), [(MOST, True), (MOST + 1, False)])
def test_more_than_a_handful_in_several_modules_is_never_the_machine(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    modules: int,
    again: bool,
) -> None:
    for each in range(modules):
        (tmp_path / f"test_{each}.py").write_text(FAILS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-Im", "pytest", "-q", "."], check=False)
    capfd.readouterr()
    assert main() == 1
    assert ("run again alone:" in capfd.readouterr().out) is again


def test_a_run_that_never_came_to_its_tests_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_once(tmp_path, "import nothing_of_the_kind\n", monkeypatch) == 2
    assert main() != 0
