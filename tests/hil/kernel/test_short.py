"""The short form of the rig, whole; only where it is asked for, since it boots a machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sabot.firmware.run.table_check import read
from sabot.hil.kernel.devices.gadget import by_id
from sabot.hil.kernel.live_table import write_table
from sabot.hil.kernel.parts import DEVICES, ROUNDS, chosen_of, rows, short
from sabot.hil.kernel.results import CANNOT_RUN

TREE = Path(__file__).resolve().parents[3]
LIMIT_S = 1800.0


@pytest.mark.skipif(not os.environ.get("SABOT_KERNEL_RIG"), reason="SABOT_KERNEL_RIG=1 boots a machine")
def test_the_drivers_hold_on_devices_of_a_real_kernel(tmp_path: Path) -> None:
    told = tmp_path / "results.json"
    words = [sys.executable, "-m", "sabot.hil.kernel", "--short", "--json", str(told)]
    done = subprocess.run(words, cwd=TREE, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    if done.returncode == CANNOT_RUN:
        pytest.skip(done.stdout.strip())

    assert done.returncode == 0, done.stdout
    found = json.loads(told.read_text(encoding="utf-8"))
    assert found["good"]
    assert {each["name"] for part in found["parts"] for each in part["checks"]} == {
        *DEVICES,
        "round-pa641a-auto_shoe",
    }


def test_a_part_is_chosen_by_its_name_and_an_unknown_one_is_refused() -> None:
    whole = rows(is_long=False)

    assert [row.name for row in chosen_of(["round"], whole)] == [
        f"round {chapter}" for chapter in ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
    ]
    assert chosen_of([], whole) == list(whole)
    assert [row.name for row in short()] == ["devices", "round pa641a"]
    with pytest.raises(ValueError, match="there is no part 'wheel'; there are kills service"):
        chosen_of(["wheel"], whole)


def test_the_long_form_has_fifty_kills() -> None:
    counts = [
        sum(name.startswith("kill-") for row in rows(is_long=is_long) for name in row.checks)
        for is_long in (False, True)
    ]

    assert counts == [20, 50]


def test_a_machine_that_cannot_run_it_says_so_loudly_and_is_neither_good_nor_bad(tmp_path: Path) -> None:
    bare = {"PATH": str(tmp_path), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    words = [sys.executable, "-m", "sabot.hil.kernel", "--short", "--cache", str(tmp_path / "cache")]
    done = subprocess.run(words, cwd=TREE, env=bare, capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == CANNOT_RUN
    assert "THE KERNEL RIG DID NOT RUN" in done.stdout


def test_a_table_file_of_the_rig_names_no_simulator_and_is_read_like_any_other(tmp_path: Path) -> None:
    for chapter, method in ROUNDS:
        file = write_table(tmp_path / chapter, chapter, method)
        table, _setup = read(file)
        ports = {each.name: each.options.get("port") for each in table.devices if "port" in each.options}

        assert "hil" not in file.read_text(encoding="utf-8").replace(str(tmp_path), "")
        assert ports == {name: str(by_id(name)) for name in ports}
        assert {"display", "shuffler"} & ports.keys()
