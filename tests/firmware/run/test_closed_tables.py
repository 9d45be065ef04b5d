"""A table that may not open says why, with its code, on the display and at the console; it does not end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sabot.firmware.simulated import simulated_table
from sabot.hil.table.console import RigConsole
from sabot.hil.table.hands import Hands

PATIENCE_S = 60.0
Swap = tuple[str, str]


@contextmanager
def closed_table(root: Path, *swaps: Swap) -> Iterator[tuple[Hands, RigConsole]]:
    """A simulated table whose file somebody spoilt, and the program on it, until the block ends."""
    with simulated_table(root, "pa641a", "hand") as path:
        text = path.read_text(encoding="utf-8")
        for old, new in swaps:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        with (root / "log").open("wb") as log:
            running = start(path, log.fileno())
        try:
            end = time.monotonic() + PATIENCE_S
            while not (root / "console.sock").exists():
                assert running.poll() is None, (root / "log").read_text()
                assert time.monotonic() < end, (root / "log").read_text()
                time.sleep(0.02)
            hands, desk = Hands(root, PATIENCE_S), RigConsole(root / "console.sock")
            yield hands, desk
            hands.close()
            desk.close()
        finally:
            running.terminate()
            assert running.wait(20) == 0
    assert "Traceback" not in (root / "log").read_text()


def start(path: Path, log: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "sabot", "run", str(path)], stdout=log, stderr=log)


WRONG = {
    "a driver that nobody has": ([('driver = "alpha"', 'driver = "nobodys"')], "E-LINK-004"),
    "a slip in a key": ([('knowledge = "none"', 'knowledge = "all"')], "E-CONF-014"),
    "a key too many": ([('table = "', 'colour = "red"\ntable = "')], "E-CONF-002"),
    "no submission": ([('submission = "submission.toml"', 'submission = "other.toml"')], "E-CONF-013"),
    "a wager that the chapter has not": ([('"ante ', '"pair_plus ')], "E-TABLE-003"),
    "two devices on one port": ([('/sign"', '/display"')], "E-TABLE-008"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_table_file_that_is_wrong_is_said_at_the_table(tmp_path: Path, name: str) -> None:
    swaps, code = WRONG[name]
    with closed_table(tmp_path / "state", *swaps) as (hands, desk):
        hands.wait_display("OUT OF SERVICE", code)
        assert hands.see("lines")["lock_open"] == 0
        status = "\n".join(desk.say("status").lines)
        assert f"out of service: {code}" in status
        refused = desk.say("meters")
        assert (refused.end, code in refused.why) == ("refused", True)
        assert ("wrong", code) in {
            (key, str(value).split()[0]) for each in desk.say("config").data for key, value in each.items()
        }
    assert not (tmp_path / "state" / "journal.db").exists()


def test_641a_2c_a_linked_table_whose_uplink_could_not_call_says_so(tmp_path: Path) -> None:
    """The link's thread ended the program, again and again, where its socket had the name of another file."""
    root, notes = tmp_path / "state", tmp_path / "notes"
    notes.write_text("of somebody")
    floor = f'floor = {{key = "{"ab" * 32}", socket = "{notes}", links = {{prog5 = "pit"}}}}'
    with closed_table(root, ('table = "', f'{floor}\ntable = "')) as (hands, desk):
        hands.wait_display("OUT OF SERVICE", "E-RUN-014")
        assert "another file has its name" in "\n".join(desk.say("status").lines)
    assert notes.read_text() == "of somebody"


def test_a_second_program_touches_nothing(tmp_path: Path) -> None:
    root = tmp_path / "state"
    with closed_table(root, ('driver = "alpha"', 'driver = "nobodys"')) as (hands, desk):
        hands.wait_display("OUT OF SERVICE")
        with (tmp_path / "second").open("wb") as log:
            second = start(root / "table.toml", log.fileno())
        assert second.wait(PATIENCE_S) == 2
        assert "E-RUN-008" in (tmp_path / "second").read_text()
        assert desk.say("status").end == "done"
        assert (root / "console.sock").exists()


def test_a_second_program_whose_sockets_name_is_free_touches_no_device(tmp_path: Path) -> None:
    """What holds it back is the lock of the journal, which a table out of service holds too."""
    root = tmp_path / "state"
    with closed_table(root, ('driver = "alpha"', 'driver = "nobodys"')) as (hands, _desk):
        hands.wait_display("OUT OF SERVICE")
        (root / "console.sock").unlink()
        with (tmp_path / "second").open("wb") as log:
            second = start(root / "table.toml", log.fileno())
        assert second.wait(PATIENCE_S) == 2
        told = (tmp_path / "second").read_text()
        assert "E-RUN-008" in told
        assert "check failed" not in told
        assert not (root / "console.sock").exists()


def test_a_second_simulated_table_on_one_state_leaves_the_devices_of_the_first_alone(tmp_path: Path) -> None:
    root = tmp_path / "state"
    with closed_table(root, ('driver = "alpha"', 'driver = "nobodys"')) as (hands, _desk):
        hands.wait_display("OUT OF SERVICE")
        order = [
            sys.executable,
            "-m",
            "sabot",
            "run",
            "--sim",
            "pa641a",
            "--method",
            "hand",
            "--state",
            str(root),
        ]
        second = subprocess.run(order, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert (second.returncode, "E-RUN-008" in second.stderr) == (2, True)
        again = Hands(root, PATIENCE_S)
        again.wait_display("OUT OF SERVICE")
        again.close()


def test_nothing_is_left_of_a_file_that_names_no_state_directory(tmp_path: Path) -> None:
    missing = tmp_path / "table.toml"
    environment = {key: value for key, value in os.environ.items() if key != "STATE_DIRECTORY"}
    order = [sys.executable, "-m", "sabot", "run", str(missing)]

    ended = subprocess.run(order, capture_output=True, text=True, env=environment, timeout=60, check=False)

    assert (ended.returncode, "E-CONF-001" in ended.stderr) == (2, True)


def test_by_the_services_word_even_a_missing_file_is_said_at_the_console(tmp_path: Path) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    environment = os.environ | {"STATE_DIRECTORY": str(tmp_path), "RUNTIME_DIRECTORY": str(runtime)}
    order = [sys.executable, "-m", "sabot", "run", str(tmp_path / "table.toml")]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(order, stdout=log, stderr=log, env=environment)
    try:
        end = time.monotonic() + PATIENCE_S
        while not (runtime / "console.sock").exists():
            assert time.monotonic() < end, (tmp_path / "log").read_text()
            time.sleep(0.02)
        desk = RigConsole(runtime / "console.sock")
        assert any("E-CONF-001" in line for line in desk.say("status").lines)
        desk.close()
    finally:
        running.terminate()
        assert running.wait(20) == 0
    told = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines() if line.startswith("{")]
    assert any("E-CONF-001" in str(line.get("why")) for line in told)
