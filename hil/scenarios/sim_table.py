"""A simulated table under test: a folder, a process of devices, and the program as a person would start it.

The program is told from outside only by signals. Its devices keep their power when the controller loses it.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sabot.hil import slip_input
from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.people import is_busy
from sabot.hil.table import own_time
from sabot.hil.table.console import RigConsole
from sabot.hil.table.hands import Hands
from sabot.hil.table.helper_process import HelperProcess

# Whoever ends is known to have ended; this is for one that neither works nor ends.
LONGEST_S, LOOK_S = 600.0, 0.01
STUMBLE = "stumble"
SIGNALS = {"cut": signal.SIGKILL, "stop": signal.SIGTERM, STUMBLE: slip_input.SIGNAL}


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON object; empty if there is no file."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def wait_for_socket(path: Path, runs: Callable[[], bool], log: Callable[[], Path]) -> None:
    """Wait until the program's socket is there; raise ScenarioError with the log if it never is."""
    end = time.monotonic() + LONGEST_S
    while not path.exists():
        if not runs() or time.monotonic() > end:
            said = log().read_text(encoding="utf-8", errors="replace")
            raise ScenarioError("E-HIL-006", str(path.parent), why=f"no {path.name}; log:\n{said}")
        time.sleep(LOOK_S)


class SimTable:
    """A folder, a process of devices, and the program's process."""

    def __init__(self, root: Path, offset_s: float) -> None:
        self.root, self.offset_s = root, offset_s
        self.memory: dict[str, Any] = read_json(root / "memory.json")
        self._log = (root / "program.log").open("ab")
        if not own_time.of(root).exists():
            own_time.make(own_time.of(root))
        modules = ["sabot.hil.table", *(["sabot.hil.floor_process"] if (root / "floor.db").exists() else [])]
        self._helpers = [HelperProcess(each, root, log=self._log, flags="-Im") for each in modules]
        self._program: subprocess.Popen[bytes] | None = None

    def power(self, word: str) -> None:
        """Switch the controller on, cut its power, stop it in good order, or let its program stumble."""
        if word == "on":
            self._switch_on()
        elif self._program is not None:
            self._program.send_signal(SIGNALS[word])
            code = self._program.wait(LONGEST_S)
            self._program = None
            if word == STUMBLE and code != slip_input.SLIPPED:
                raise ScenarioError(
                    "E-HIL-006", str(self.root), why=f"a slip ended with {code}, not {slip_input.SLIPPED}"
                )
            (self.root / "console.sock").unlink(missing_ok=True)
            with closing(Hands(self.root)) as hands:
                # As a kernel would, the devices let go of what the program had set.
                hands.program_gone()

    def _switch_on(self) -> None:
        in_own_time = ["-Im", "sabot.hil.table.own_time", str(self.root), str(self.offset_s)]
        self._program = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, *in_own_time, "run", str(self.root / "table.toml")],
            stdout=self._log,
            stderr=self._log,
            env={**os.environ, "SABOT_GPIO_SOCKET": str(self.root / "gpio.sock")},
        )
        wait_for_socket(self.root / "console.sock", self.is_on, lambda: self.root / "program.log")

    def wait_for_devices(self) -> None:
        """Wait until the program has heard its devices: nobody plays at a table before they speak.

        A sign tells nobody when it listens, and no round waits for it. Nor before its entries are on the
        medium: an entry that the console does not show yet would count as the scenario's own.
        """
        end = time.monotonic() + LONGEST_S
        with closing(RigConsole(self.root / "console.sock")) as desk:
            while not _are_up(desk) or is_busy(desk):
                if time.monotonic() > end:
                    return
                time.sleep(LOOK_S)

    def is_on(self) -> bool:
        """Return whether the program runs."""
        return self._program is not None and self._program.poll() is None

    def log(self) -> str:
        """Return the log of program and devices."""
        return (self.root / "program.log").read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """End all processes."""
        self.power("cut")
        for each in self._helpers:
            each.close()
        self._log.close()


def _are_up(desk: RigConsole) -> bool:
    # A sign (alpha) tells nobody when it listens, and no round waits for it.
    return all(each["up"] for each in desk.say("devices").data if each["driver"] != "alpha")
