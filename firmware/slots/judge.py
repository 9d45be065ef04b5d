"""The verdict on the slot that runs: a good one is said to RAUC and remembered, else the board starts anew.

U-Boot takes a try off before each start. A root that has proved good here gets its tries back at once: a
table file that is wrong, or a device that is not there, is no reason to run an older program. A root that is
new must show the table READY and an answered self-test first; where it does not within its time the board
starts anew, and when its tries are used up U-Boot takes the slot before.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from sabot.firmware.slots.prepare_start import SETTINGS, owner_by_name
from sabot.firmware.slots.settings import TABLE
from sabot.firmware.slots.slot import Slot, SlotMemory, running
from sabot.firmware.update.ask_release import ReleaseAnswer, ask
from sabot.firmware.update.layout import InstallationLayout
from sabot.firmware.update.unit_service import UNIT

PATIENCE_S, LOOK_S, REST_S = 300.0, 2.0, 5.0


class SlotMachine(Protocol):
    """The board, as far as a judgement needs it."""

    def has_table(self) -> bool:
        """Return whether there is a table file."""

    def status(self) -> str:
        """Return the state of the program's unit, and the words behind it."""

    def selftest(self) -> ReleaseAnswer:
        """Ask the program's release for its self-test."""

    def mark_good(self) -> str:
        """Give the slot its tries back; return what went wrong, or nothing."""

    def restart(self) -> None:
        """Start the board anew."""


class Judge:
    """One judgement of one slot."""

    def __init__(
        self, slot: Slot, memory: SlotMemory, machine: SlotMachine, say: Callable[[str], None]
    ) -> None:
        self._slot, self._memory, self._machine, self._say = slot, memory, machine, say

    def run(self, wait: Callable[[float], None], patience_s: float = PATIENCE_S) -> bool:
        """Judge the slot; return whether it is good."""
        name = f"slot {self._slot.letter}, version {self._slot.version}"
        if self._slot.root_hash in self._memory.good():
            return self._is_marked(f"{name}: has proved good before")
        # A new card has nothing to be judged by, and must not
        # use its tries up while somebody writes the file.
        if not self._machine.has_table():
            return self._is_marked(f"{name}: no table file yet, so there is nothing to hold it against")
        trouble = self._trouble(wait, patience_s)
        if trouble:
            self._say(f"{name}: NOT GOOD: {trouble}. Starting anew.")
            wait(REST_S)
            self._machine.restart()
            return False
        # Before it is marked: should the board be cut off here, the next start marks it at once.
        self._memory.add(self._slot.root_hash)
        return self._is_marked(f"{name}: good: the table is ready and has answered its self-test")

    def _is_marked(self, words: str) -> bool:
        trouble = self._machine.mark_good()
        self._say(f"{words}; {trouble}" if trouble else words)
        return not trouble

    def _trouble(self, wait: Callable[[float], None], patience_s: float) -> str:
        """Return what there is to object, after the program had its time to be ready."""
        left = patience_s
        # Up is enough here: a program that is out of service is active too, and its self-test says why.
        while not (status := self._machine.status()).startswith("active"):
            if left <= 0:
                return f"the table is not ready after {patience_s:.0f} s ({status})"
            wait(LOOK_S)
            left -= LOOK_S
        asked = self._machine.selftest()
        return "" if asked.code == 0 else f"the self-test said: {_words(asked)}"


def _words(asked: ReleaseAnswer) -> str:
    """Return the complaints of a self-test in one line."""
    try:
        rows = json.loads(asked.out)["checks"]
        told = "; ".join(row["fault"] for row in rows if row["fault"] and row["keeps_closed"])
    except (ValueError, KeyError, TypeError):
        told = ""
    return told or asked.last_words or f"exit code {asked.code}"


class SlotBoard:
    """The real board: systemd and RAUC."""

    def __init__(self, table: Path, release: Path) -> None:
        self._table, self._release = table, release

    def has_table(self) -> bool:
        """Return whether there is a table file."""
        return self._table.exists()

    def status(self) -> str:
        """Return the unit's state, and why a program that is up is out of service."""
        found = _run("/usr/bin/systemctl", "show", UNIT, "--property=ActiveState,StatusText,Result")
        rows = dict(row.split("=", 1) for row in found.out.splitlines() if "=" in row)
        return " ".join(rows.get(name, "") for name in ("ActiveState", "StatusText", "Result")).strip()

    def selftest(self) -> ReleaseAnswer:
        """Ask as the user of the program."""
        return ask(self._release, owner_by_name(), "selftest", "--json", str(self._table))

    def mark_good(self) -> str:
        """Let RAUC give the tries back."""
        asked = _run("/usr/bin/rauc", "status", "mark-good")
        return "" if asked.code == 0 else f"rauc: {asked.last_words}"

    def restart(self) -> None:
        """Start the board anew."""
        _run("/usr/bin/systemctl", "--no-block", "reboot")


def _run(*words: str) -> ReleaseAnswer:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return ReleaseAnswer(-1, "", str(error))
    return ReleaseAnswer(
        done.returncode, done.stdout, (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
    )


def main() -> int:
    """Judge the slot of this board."""
    slot, release = running(), InstallationLayout().running()
    if slot is None or release is None:
        print("sabot: this board was not started from an image")
        return 1
    board = SlotBoard(SETTINGS / TABLE, release)
    judge = Judge(slot, SlotMemory(), board, lambda words: print(f"sabot: {words}", flush=True))
    # A judgement is no failure of the judge, whatever it says: the unit starts the board anew for one.
    judge.run(time.sleep)
    return 0


if __name__ == "__main__":
    sys.exit(main())
