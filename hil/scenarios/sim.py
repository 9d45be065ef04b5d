"""The ``sim`` rig's strategy: each start is made once, and copied for every scenario that begins there.

A start is a folder: the program's state, stopped in good order, the cards that lie in the devices, and what
the people remember. Where no start can be copied, people open the table (``open_bets``).
"""

# Theory of operation. Starts stand on one another: a fresh table, bets open, whatever a file prepares. Each
# is made once in a run by playing its steps on a copy of the one under it, and is kept put away; a scenario
# gets a copy, switched on as many hours later as all starts under it say.

import json
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

from sabot.hil import slip_input
from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios.environment import environment
from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.floor import ScenarioFloor
from sabot.hil.scenarios.rig import Rig, TableUnderTest
from sabot.hil.scenarios.scenario_file import (
    BETS_OPEN,
    FRESH,
    LINKED,
    PREPARED,
    Library,
    Scenario,
    Start,
    read_steps,
)
from sabot.hil.scenarios.sim_table import LONGEST_S, SimTable, read_json, wait_for_socket
from sabot.hil.scenarios.steps import take
from sabot.hil.table.hands import Hands, NotSeenError

TRIES, HOUR_S = 3, 3600.0
# At last it looks again: where a busy machine has starved a device meanwhile, the table is held.
FIRST_STEPS = "follow to: BETS OPEN\npeople: shuffled\nsee display: BETS OPEN within 1 s"
FIRST_START = Start(BETS_OPEN, FRESH, 0.0, FIRST_STEPS, "starts: bets-open")


class SimStrategy:
    """The tables of simulated devices, each a copy of a start that was made once."""

    def __init__(self, rig: Rig, library: Library) -> None:
        self._rig = rig
        self._starts = {BETS_OPEN: FIRST_START} | {
            f"{PREPARED}{each.name}": each for each in library.starts.values()
        }
        # The path of a socket has at most a hundred letters: nothing deeper than this.
        self._folder = Path(tempfile.mkdtemp(prefix="hil-", dir="/tmp"))
        self._made: dict[tuple[str, str, str], Path | str] = {}
        self._locks: dict[tuple[str, str, str], threading.Lock] = {}
        self._lock = threading.Lock()
        self._count = 0

    def environment(self) -> dict[str, str]:
        """Return a description of the machine and the program."""
        return environment()

    def unfit(self, _scenario: Scenario) -> str:
        """Return nothing: tables of every kind can be made here."""
        return ""

    def table(self, scenario: Scenario) -> SimTable:
        """Return a copy of the scenario's start, switched on."""
        made = self._start(scenario.start, scenario.chapter, scenario.method)
        table = SimTable(self._copy(made), self._hours(scenario.start) * HOUR_S)
        try:
            table.power("on")
            table.wait_for_devices()
        except BaseException:
            table.close()
            raise
        return table

    def close(self) -> None:
        """Remove every folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

    # ------------------------------------------------------------ starts

    def _hours(self, start: str) -> float:
        """Return how much later than its beginning a scenario is, all starts under it together."""
        if start in (FRESH, LINKED):
            return 0.0
        return self._starts[start].hours + self._hours(self._on(start))

    def _on(self, start: str) -> str:
        return self._starts[start].on

    def _start(self, start: str, chapter: str, method: str) -> Path:
        key = (start, chapter, method)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        # Whoever comes second waits for the start that the first one makes; other starts are made beside it.
        with lock:
            if key not in self._made:
                self._made[key] = self._try_to_make(start, chapter, method)
        made = self._made[key]
        if isinstance(made, str):
            raise ScenarioError(
                "E-HIL-006", f"{chapter} {method}", why=f"start {start!r} was not reached: {made}"
            )
        return made

    def _try_to_make(self, start: str, chapter: str, method: str) -> Path | str:
        """Return the folder of a start, or why there is none, which is not asked again.

        A machine that is very busy can starve a device's heartbeat; that is no matter of a start.
        """
        why = ""
        for _ in range(TRIES):
            try:
                make = self._make_fresh if start in (FRESH, LINKED) else self._make
                return make(start, chapter, method)
            except (NotSeenError, ScenarioError, OSError, ValueError, subprocess.SubprocessError) as error:
                why = str(error)
        return why

    def _new_folder(self) -> Path:
        with self._lock:
            self._count += 1
            return self._folder / str(self._count)

    def _make_fresh(self, start: str, chapter: str, method: str) -> Path:
        """Make a table that nobody has opened yet: `sabot run --sim`, stopped before anybody came.

        In the table's own time, as everything that follows: a device that fell silent here would hold each
        table that begins here.
        """
        folder = self._new_folder()
        words = ["run", "--sim", chapter, "--method", method, "--state", str(folder)]
        if (own := known.law()) is not None:
            words += ["--law", str(own)]
        with self._folder.joinpath(f"{folder.name}.log").open("wb") as log:
            command = [sys.executable, "-Im", "sabot.hil.table.own_time", str(folder), "0", *words]
            program = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - our own interpreter
        try:
            wait_for_socket(folder / "console.sock", lambda: program.poll() is None, lambda: Path(log.name))
            with closing(Hands(folder)) as hands:
                hands.wait_display("SIGN ON", patience_s=LONGEST_S)
        finally:
            program.terminate()
            program.wait(LONGEST_S)
        with (folder / "table.toml").open("a", encoding="utf-8") as file:
            file.write(slip_input.SECTION)
        if start == LINKED:
            linking = [sys.executable, "-Im", "sabot.hil.floor_process", "--prepare", str(folder)]
            subprocess.run(linking, check=True, capture_output=True, timeout=LONGEST_S)  # noqa: S603 - our own interpreter
        return folder

    def _make(self, start: str, chapter: str, method: str) -> Path:
        """Play the steps of a start on the one under it, and put the table away."""
        wanted = self._starts[start]
        below = self._start(wanted.on, chapter, method)
        table = SimTable(self._copy(below), self._hours(wanted.on) * HOUR_S)
        try:
            table.power("on")
            floor = ScenarioFloor(table, chapter, method, self._rig)
            for step in read_steps(wanted.steps, wanted.where, chapter, method):
                take(floor, step)
            _put_away(table, floor)
        finally:
            table.close()
        return table.root

    def _copy(self, made: Path) -> Path:
        """Copy a folder, without sockets and ports, and with its own paths in its table file."""
        folder = self._new_folder()
        folder.mkdir()
        for path in made.iterdir():
            if path.is_dir():
                shutil.copytree(path, folder / path.name)
            elif path.is_file() and not path.is_symlink() and path.name != "program.log":
                shutil.copy2(path, folder / path.name)
        file = folder / "table.toml"
        file.write_text(file.read_text(encoding="utf-8").replace(f"{made}", f"{folder}"), encoding="utf-8")
        return folder


def _put_away(table: SimTable, floor: ScenarioFloor) -> None:
    """Stop the program between rounds, and keep what lies in the devices and in people's heads."""
    # Devices are asked while the program still runs: with it they lose what it has set.
    kept = floor.crew.hands.keep()
    world = read_json(table.root / "world.json")
    (table.root / "world.json").write_text(json.dumps(world | {"found": kept}), encoding="utf-8")
    (table.root / "memory.json").write_text(json.dumps(floor.memory()), encoding="utf-8")
    table.power("stop")
    floor.close()


def open_bets(table: TableUnderTest, scenario: Scenario, rig: Rig) -> None:
    """Let people open the table; what they remember goes on into the scenario."""
    with closing(ScenarioFloor(table, scenario.chapter, scenario.method, rig)) as floor:
        for step in read_steps(FIRST_START.steps, FIRST_START.where, scenario.chapter, scenario.method):
            take(floor, step)
        table.memory = floor.memory()
