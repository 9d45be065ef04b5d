"""The ``kernel`` rig's strategy, inside the machine: one table at a time on devices of its kernel.

The program is started, killed and stopped as a service manager does it; its devices keep their power. People
open each table by hand.
"""

import platform
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from sabot.hil.kernel import live_table
from sabot.hil.scenarios.environment import machine
from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.rig import Rig
from sabot.hil.scenarios.scenario_file import BETS_OPEN, FRESH, Library, Scenario
from sabot.hil.scenarios.sim import open_bets
from sabot.hil.table.hands import Hands

TABLES = Path("/run/rig/t")


class KernelTable:
    """Devices of the kernel, and the program's process."""

    offset_s = 0.0

    def __init__(self, root: Path, chapter: str, method: str) -> None:
        self.root = root
        self.memory: dict[str, Any] = {}
        self._devices = ExitStack()
        with _trouble_told(root):
            live_table.write_table(root, chapter, method)
            self._devices.enter_context(live_table.devices(root))
        self._program = live_table.Running(root)

    def power(self, word: str) -> None:
        """Start the program, kill it, stop it in good order, or let it stumble."""
        with _trouble_told(self.root):
            if word == "on":
                self._program.start()
            elif self._program.is_on:
                self._switch_off(word)

    def _switch_off(self, word: str) -> None:
        {"cut": self._program.kill, "stop": self._program.stop, "stumble": self._program.stumble}[word]()
        (self.root / "console.sock").unlink(missing_ok=True)
        with closing(Hands(self.root)) as hands:
            hands.program_gone()

    def is_on(self) -> bool:
        """Return whether the program runs."""
        return self._program.is_on

    def log(self) -> str:
        """Return the log of the program."""
        log = self._program.log
        return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""

    def close(self) -> None:
        """Put away the program first, or it would see its devices go."""
        try:
            self.power("cut")
        finally:
            self._devices.close()


@contextmanager
def _trouble_told(root: Path) -> Iterator[None]:
    """Turn a failure of devices or program into the rig's error."""
    try:
        yield
    except (RuntimeError, AssertionError) as error:
        raise ScenarioError("E-HIL-006", str(root), why=error) from error


class KernelStrategy:
    """A new table for each scenario; what the one before has left is taken away."""

    def __init__(self, rig: Rig, _library: Library) -> None:
        self._rig = rig
        self._count = 0

    def unfit(self, scenario: Scenario) -> str:
        """Return why a scenario cannot begin in the machine; empty if it can."""
        begins = (BETS_OPEN, FRESH)
        if scenario.start in begins:
            return ""
        return f"a table of the rig {self._rig.name} begins with bets open, not {scenario.start!r}"

    def environment(self) -> dict[str, str]:
        """Return a description of the machine inside; its program is described from outside."""
        return machine() | {"kernel": platform.release()}

    def table(self, scenario: Scenario) -> KernelTable:
        """Return a table with bets open, or one that nobody has opened yet."""
        shutil.rmtree(TABLES, ignore_errors=True)
        self._count += 1
        table = KernelTable(TABLES / str(self._count), scenario.chapter, scenario.method)
        try:
            table.power("on")
            if scenario.start == BETS_OPEN:
                open_bets(table, scenario, self._rig)
        except BaseException:
            table.close()
            raise
        return table

    def close(self) -> None:
        """Do nothing: the machine goes off with everything in it."""
