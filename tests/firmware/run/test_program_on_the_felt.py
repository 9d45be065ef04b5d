"""The whole program as a process, on simulated devices in another one, played by the display alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sabot.firmware.credentials.board import SIMULATED, Rooms, load
from sabot.firmware.journal import recover, store
from sabot.hil.table.crew import Crew

PATIENCE_S = 60.0
# Each chapter by one of its ways of dealing, each level of knowledge among them, and a stake within its limits.
TABLES = [
    ("pa641a", "auto_shoe", 2500),
    ("md4cp", "manual_shoe", 2500),
    ("pa679a", "manual_shoe", 2500),
    ("pa682a", "hand", 2500),
    ("pa683a", "auto_shoe", 2500),
]


@contextmanager
def program(root: Path, chapter: str, method: str) -> Iterator[subprocess.Popen[bytes]]:
    """`sabot run --sim`, until the block ends."""
    command = [
        sys.executable,
        "-m",
        "sabot",
        "run",
        "--sim",
        chapter,
        "--method",
        method,
        "--state",
        str(root),
    ]
    with (root.parent / "log").open("ab") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield running
    finally:
        if running.poll() is None:
            running.send_signal(signal.SIGTERM)
        running.wait(20)


def wait_for(path: Path, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert running.poll() is None, (path.parent.parent / "log").read_text()
        assert time.monotonic() < end, f"{path} did not come"
        time.sleep(0.02)


def at_table(root: Path, running: subprocess.Popen[bytes]) -> Crew:
    wait_for(root / "console.sock", running)
    return Crew(root)


@pytest.mark.parametrize(("chapter", "method", "cents"), TABLES, ids=[f"{c}-{m}" for c, m, _ in TABLES])
def test_a_dealer_who_knows_nothing_plays_a_round(
    tmp_path: Path, chapter: str, method: str, cents: int
) -> None:
    root = tmp_path / "state"
    with program(root, chapter, method) as running:
        crew = at_table(root, running)
        crew.follow_to("BETS OPEN")
        crew.hands.wait("the lock open", lambda: crew.hands.see("lines")["lock_open"] == 1)
        crew.bet(0, cents)
        crew.hands.wait_display("1 SEATS")
        crew.hands.press("LOCK")
        crew.hands.wait("the lock", lambda: crew.hands.see("lines")["lock_open"] == 0)
        crew.follow_to("CARDS TO RACK")
        crew.follow_to("BETS OPEN")
        crew.close()

    with closing(store.open_for_reading(root / "journal.db")) as db:
        records = [json.loads(e.body)["record"] for e in store.entries(db) if '"record":' in e.body]
    (record,) = records
    assert record["chapter"] == chapter
    assert record["bets"] == {"1": {"ante": cents}}
    assert any(line["wager"] == "ante" for line in record["lines"])
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log
    assert "31415" not in log


def test_a_killed_program_comes_back_in_its_round_and_is_held(tmp_path: Path) -> None:
    root = tmp_path / "state"
    with program(root, "pa679a", "manual_shoe") as running:
        crew = at_table(root, running)
        crew.follow_to("BETS OPEN")
        crew.bet(0, 2500)
        crew.hands.wait_display("1 SEATS")
        crew.hands.press("LOCK")
        crew.hands.wait_display("CARD 1 TO")
        crew.draw()
        crew.hands.wait_display("DEALER")
        running.send_signal(signal.SIGKILL)
        running.wait(10)
        crew.close()
    wait_gone(root)

    with program(root, "pa679a", "manual_shoe") as running:
        crew = at_table(root, running)
        crew.hands.wait_display("HELD: RESTARTED", patience_s=20)
        assert crew.hands.see("lines")["lock_open"] == 0
        crew.floor("CONFIRM ROUND")
        assert crew.hands.lines == ("CARD 1 TO", "DEALER")
        crew.close()


def wait_gone(root: Path) -> None:
    """The simulated table of a program that was killed ends by itself, and takes its bus with it."""
    end = time.monotonic() + PATIENCE_S
    while (root / "pads.sock").exists():
        assert time.monotonic() < end, "the simulated table outlived its program"
        time.sleep(0.02)
    for name in ("console.sock", "control.sock"):
        (root / name).unlink(missing_ok=True)


def test_sigterm_loses_nothing(tmp_path: Path) -> None:
    root = tmp_path / "state"
    with program(root, "pa679a", "hand") as running:
        crew = at_table(root, running)
        crew.hands.wait_display("SIGN ON")
        crew.close()
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0

    rooms = Rooms(root)
    board = load(rooms, SIMULATED)
    with closing(store.open_for_reading(rooms.journal)) as db:
        newest = store.newest_snapshot(db)
        last = store.last_of(db)[0]
    assert newest is not None
    assert newest[0] == last
    assert board.seal.open(newest[2], recover.snapshot_place(last))


def test_a_damaged_journal_keeps_the_table_out_of_service(tmp_path: Path) -> None:
    root = tmp_path / "state"
    root.mkdir()
    with program(root, "pa679a", "hand") as running:
        at_table(root, running).close()
    wait_gone(root)
    damaged = bytearray((root / "journal.db").read_bytes())
    damaged[4096:8192] = os.urandom(4096)
    (root / "journal.db").write_bytes(damaged)

    with program(root, "pa679a", "hand") as running:
        crew = at_table(root, running)
        crew.hands.wait_display("OUT OF SERVICE", "E-JRNL-002")
        crew.hands.press("OK")
        assert crew.hands.see("lines")["lock_open"] == 0
        crew.hands.do("lines", "hold key_switch")
        crew.hands.wait_display("PERSON+PIN")
        crew.turn_back()
        crew.hands.wait_display("OUT OF SERVICE", "E-JRNL-002")
        assert running.poll() is None
        crew.close()

    assert (root / "journal.db").read_bytes() == damaged
