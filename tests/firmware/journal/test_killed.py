"""SIGKILL of a real process: what was acknowledged is there, and the table is the one that was never interrupted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("killed.py")
PATH = str(Path(__file__).parents[1])
WAYS = {
    # An entry is three steps of the journal's thread (insert, mark, tell), a shift some 285; every 5th is each
    # of the three in turn. The whole campaign is the script itself with a stride of 1.
    "step": ("step", "52", "0", "5"),
    "random": ("random", "20", "641", "0"),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path, way: str) -> None:
    name, turns, seed, stride = WAYS[way]
    order = [sys.executable, str(SCRIPT), name, str(tmp_path), turns, seed, stride]
    done = subprocess.run(
        order,
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
        env={**os.environ, "PYTHONPATH": PATH},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]

    assert len(found) == int(turns)
    assert [each["lost"] for each in found] == [[]] * len(found)
    assert all(each["is_same"] for each in found)
    assert all(each["events"] >= each["acknowledged"] for each in found)
    assert sum(each["was_killed"] for each in found) > len(found) // 2
    assert len({each["events"] for each in found}) > 5
