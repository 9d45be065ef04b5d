"""Every morning: the program was stopped in order, its devices stay as it left them, and it starts again."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.firmware.simulated import simulated_table
from sabot.hil.table.crew import Crew

PATIENCE_S = 60.0


@contextmanager
def a_day(path: Path) -> Iterator[Crew]:
    """The program at work on devices that were there before it."""
    with (path.parent / "log").open("ab") as log:
        running = subprocess.Popen([sys.executable, "-m", "sabot", "run", str(path)], stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE_S
        while not (path.parent / "console.sock").exists():
            assert running.poll() is None, (path.parent / "log").read_text()
            assert time.monotonic() < end, (path.parent / "log").read_text()
            time.sleep(0.02)
        crew = Crew(path.parent)
        yield crew
        crew.close()
    finally:
        running.terminate()
        assert running.wait(30) == 0


def test_a_shoe_that_an_orderly_stop_locked_gives_cards_the_next_morning(tmp_path: Path) -> None:
    """Of a reading shoe, at a table that was closed: the round is dealt to its end."""
    with simulated_table(tmp_path / "state", "pa679a", "manual_shoe") as path:
        with a_day(path) as crew:
            crew.hands.wait("a free shoe", lambda: not crew.hands.see("shoe")["locked"])
        with a_day(path) as crew:
            crew.follow_to("BETS OPEN")
            crew.bet(0, 2500)
            crew.hands.wait_display("1 SEATS")
            crew.hands.press("LOCK")
            crew.follow_to("CARDS TO RACK")
            assert not crew.hands.see("shoe")["locked"]
