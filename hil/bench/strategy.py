"""The ``bench`` rig: a controller that labgrid switches and listens to, its devices on the rig's computer.

labgrid runs in an environment and a process of its own and is told, a line of JSON at a time, to which state
the controller shall go. The devices are simulated ones on the wires of the rig. A bench has one controller:
each scenario begins with its power off, its board prepared anew, and people who open the table by hand.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.rig import RIGS, Rig
from sabot.hil.scenarios.scenario_file import BETS_OPEN, Library, Scenario
from sabot.hil.scenarios.sim import open_bets
from sabot.hil.table.helper_process import HelperProcess

LONGEST_S = 60.0
LABGRID_SIDE = RIGS / "labgrid_side.py"


class Labgrid:
    """labgrid in its own interpreter, asked over its standard input."""

    def __init__(self, python: str, environment: Path, variables: dict[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the interpreter that the rig's file names
            [python, str(LABGRID_SIDE), str(environment)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
        )

    def ask(self, **what: str) -> dict[str, Any]:
        """Ask one question, and return its answer; raise ScenarioError for what went wrong on that side."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            answer: dict[str, Any] = json.loads(line)
        except (OSError, ValueError) as error:
            raise ScenarioError("E-HIL-006", "labgrid", why=f"it has ended ({error})") from error
        if "error" in answer:
            raise ScenarioError("E-HIL-006", "labgrid", why=answer["error"])
        return answer

    def close(self) -> None:
        """End labgrid by the end of its input, and wait for it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait(LONGEST_S)


class BenchTable:
    """The one controller of the bench, for one scenario."""

    offset_s = 0.0

    def __init__(self, root: Path, labgrid: Labgrid, board: Mapping[str, str]) -> None:
        self.root, self._labgrid, self._board = root, labgrid, board
        self.memory: dict[str, Any] = {}
        self._is_on = False
        self._forward: subprocess.Popen[bytes] | None = None
        self._log = (root / "devices.log").open("ab")
        self._devices = HelperProcess(board.get("devices", "sabot.hil.table"), root, log=self._log)

    def power(self, word: str) -> None:
        """Give power until the console on the serial port answers; or take it, as a plug does."""
        if word == "stop":
            raise ScenarioError("E-HIL-006", "bench", why="a bench can take the power, not ask for an end")
        self._labgrid.ask(to="ready" if word == "on" else "off")
        self._is_on = word == "on"
        self._bring_console(is_wanted=self._is_on)

    def _bring_console(self, *, is_wanted: bool) -> None:
        """Bring the program's socket here, where the rig's file says how."""
        if self._forward is not None:
            self._forward.terminate()
            self._forward.wait(LONGEST_S)
            self._forward = None
            (self.root / "console.sock").unlink(missing_ok=True)
        if is_wanted and "console" in self._board:
            words = shlex.split(self._board["console"].format(root=self.root))
            self._forward = subprocess.Popen(  # noqa: S603 - the command that the rig's file names
                words, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log
            )

    def is_on(self) -> bool:
        """Return whether the controller has power."""
        return self._is_on

    def log(self) -> str:
        """Return the readable part of the controller's log."""
        path = self.root / "program.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def close(self) -> None:
        """Take the power, and put the devices away."""
        self.power("cut")
        self._devices.close()
        self._log.close()


class BenchStrategy:
    """One controller: prepared anew for each scenario where the rig can, else as it was left."""

    def __init__(self, rig: Rig, _library: Library) -> None:
        self._rig, self._board = rig, rig.own["board"]
        own = rig.own["labgrid"]
        python = os.environ.get("LABGRID_PYTHON", own["python"])
        if shutil.which(python) is None:
            raise ScenarioError(
                "E-HIL-006",
                rig.name,
                why=f"no interpreter with labgrid at {python}: `make hil-bench` sets one up",
            )
        self._folder = Path(tempfile.mkdtemp(prefix="bench-", dir="/tmp"))
        self.root = self._folder / "board"
        self.root.mkdir()
        self._serial = self._start_serial() if "serial_port" in self._board else None
        # labgrid puts variables whose names begin so into its environment file.
        variables = {"LG_SABOT_BOARD": str(self.root), "LG_SABOT_PYTHON": sys.executable}
        self.labgrid = Labgrid(python, RIGS / own["environment"], variables)

    def _start_serial(self) -> HelperProcess:
        """Start the network serial port, if the rig's file gives it to this computer."""
        return HelperProcess("sabot.hil.bench.serial_server", self.root, self._board["serial_port"])

    def unfit(self, scenario: Scenario) -> str:
        """Return why this bench's one controller is not a scenario's table; empty if it is."""
        if scenario.start != BETS_OPEN:
            return f"a bench begins with bets open, not {scenario.start!r}"
        there = (self._board.get("chapter"), self._board.get("method"))
        wanted = (scenario.chapter, scenario.method)
        return f"the controller is {' '.join(map(str, there))}" if there[0] and there != wanted else ""

    def environment(self) -> dict[str, str]:
        """Return a description of the bench."""
        return {"bench": self._rig.title, "labgrid": str(self.labgrid.ask(about="")["about"])}

    def table(self, scenario: Scenario) -> BenchTable:
        """Return the controller with bets open."""
        # Before its files are touched: the program of the scenario before may still run.
        self.labgrid.ask(to="off")
        if "plan" in self._board:
            shutil.copy(RIGS / self._board["plan"], self.root / "world.json")
        if "prepare" in self._board:
            self._prepare(scenario)
        table = BenchTable(self.root, self.labgrid, self._board)
        try:
            table.power("on")
            open_bets(table, scenario, self._rig)
        # Whatever stopped it, Ctrl-C among it: the devices' process must not stay behind.
        except BaseException:
            table.close()
            raise
        return table

    def _prepare(self, scenario: Scenario) -> None:
        """Make the board one that nobody has opened yet."""
        words = [sys.executable, "-m", *self._board["prepare"].split()]
        done = subprocess.run(  # noqa: S603 - the module that the rig's file names
            [*words, str(self.root), scenario.chapter, scenario.method],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ScenarioError("E-HIL-006", "bench", why=f"the board was not prepared: {done.stderr}")

    def close(self) -> None:
        """Put the rig away."""
        self.labgrid.close()
        if self._serial is not None:
            self._serial.close()
        shutil.rmtree(self._folder, ignore_errors=True)
