"""A module whose fixture leaves its event loop running is named, and its neighbour is not blamed for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEAVES = """
import asyncio
import pytest

@pytest.fixture(scope="{}", autouse=True)
def loop():
    loop = asyncio.new_event_loop()
    asyncio._set_running_loop(loop)
    yield
    asyncio._set_running_loop(None)
    loop.close()
"""
RUNS = "import asyncio\n\ndef test_it():\n    asyncio.run(asyncio.sleep(0))\n"


@pytest.mark.parametrize(("scope", "code"), [("module", 0), ("session", 1)])
def test_a_loop_left_running_is_named_where_it_was_left(tmp_path: Path, scope: str, code: int) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_a.py").write_text(
        LEAVES.format(scope) + "\ndef test_it():\n    pass\n", encoding="utf-8"
    )
    (tmp_path / "test_b.py").write_text(RUNS, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.loops", "test_a.py", "test_b.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stdout
    assert ("an event loop is left running" in ran.stdout) == bool(code)
    assert ("ERROR test_a.py::test_it" in ran.stdout) == bool(code)
