"""A table under attack: its devices in one process, its program in another that can be killed and started again.

The devices outlive the program, as they do on a floor. The program is started as a service would: it is ready
when it says so, and whoever stands at the stage starts it again when it ended.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sabot.firmware.simulated import simulated_table
from sabot.hil.table.console import ConsoleAnswer, RigConsole
from sabot.hil.table.crew import MOVED_S, Crew
from sabot.hil.table.hands import Hands
from tests.chaos.launch import SET, WALL

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

ROOT = Path(__file__).resolve().parents[2]
DEVICES, LAUNCH = "tests.chaos.devices", "tests.chaos.launch"
PATIENCE_S = 90.0
LOOK_S = 0.1
KB = 1024
AGAIN, TRACE_ROWS = 75, 30


class Stage:
    """One table."""

    def __init__(self, root: Path, chapter: str, method: str, *, seed: int = 1) -> None:
        self.root, self.chapter, self.method, self.seed = root, chapter, method, seed
        self.starts = 0
        self.program: subprocess.Popen[bytes] | None = None
        self.status = ""
        self._crew: Crew | None = None
        self._desks: dict[tuple[str, str] | None, RigConsole] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        table = simulated_table(self.root, self.chapter, self.method, seed=self.seed, devices=DEVICES)
        self.table_file = self._stack.enter_context(table)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._leave_consoles()
        if self._crew is not None:
            self._crew.close()
        self._stack.close()

    # ------------------------------------------------------------ the program

    @property
    def log(self) -> Path:
        """What the program wrote, in all its starts."""
        return self.root.parent / f"{self.root.name}.log"

    @property
    def pid(self) -> int:
        """The program's process."""
        assert self.program is not None
        return self.program.pid

    @property
    def is_running(self) -> bool:
        """Whether the program has not ended."""
        return self.program is not None and self.program.poll() is None

    def start(self) -> None:
        """Start the program and wait until it says that it is ready."""
        self._leave_consoles()
        place = self.root.parent / f"{self.root.name}.notify"
        place.unlink(missing_ok=True)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(place),
            "SABOT_GPIO_SOCKET": str(self.root / "gpio.sock"),
        }
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, self.log.open("ab") as log:
            manager.bind(str(place))
            manager.settimeout(0.5)
            order = [sys.executable, "-m", LAUNCH, str(self.table_file)]
            self.program = subprocess.Popen(order, stdout=log, stderr=log, env=environment, cwd=ROOT)
            self.starts += 1
            self.status = self._ready(manager)

    def _ready(self, manager: socket.socket) -> str:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                said = manager.recv(4096).decode()
            except TimeoutError:
                assert self.is_running, f"the program ended: {self.log.read_text()[-2000:]}"
                continue
            if "READY=1" in said:
                return said.partition("STATUS=")[2].splitlines()[0]
        message = "the program did not say that it is ready"
        raise AssertionError(message)

    def stop(self) -> int:
        """SIGTERM, and how the program ended."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """SIGKILL; what the kernel would have let go of at a real port is let go of."""
        code = self._end(signal.SIGKILL)
        self.crew.hands.program_gone()
        return code

    def _end(self, number: int) -> int:
        assert self.program is not None
        if self.is_running:
            self.program.send_signal(number)
            self.program.send_signal(signal.SIGCONT)
        return self.program.wait(PATIENCE_S)

    def revive(self) -> bool:
        """Start it again where it has ended, as a service manager would; whether it had."""
        if self.is_running:
            return False
        self.start()
        return True

    @property
    def resident_mb(self) -> float:
        """The memory that the program has now."""
        rows = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / KB

    def set_wall(self, ahead_s: float, *, is_set: bool = True) -> None:
        """Move the time of day, and say whether the network has set it."""
        (self.root / WALL).write_text(str(ahead_s), encoding="ascii")
        if is_set:
            (self.root / SET).touch()
        else:
            (self.root / SET).unlink(missing_ok=True)

    @property
    def spots_a_seat(self) -> int:
        """How many spots of the pads each seat has."""
        table = tomllib.loads(self.table_file.read_text(encoding="utf-8"))
        return len(table["device"]["pads"]["spots"].split())

    # ------------------------------------------------------------ whoever is at the table

    @property
    def crew(self) -> Crew:
        """The people of the table."""
        if self._crew is None:
            self._crew = Crew(self.root, seed=self.seed)
        return self._crew

    def reconnect(self) -> None:
        """Whoever waited too long for an answer begins anew, at the devices and at the console."""
        self._leave_consoles()
        self.crew.hands.close()
        self.crew.hands = Hands(self.root)

    def rough(self, device: str, what: str, **more: object) -> dict[str, Any]:
        """Something that only a vandal does to a device; what was seen before it is no answer to it."""
        answer = self.crew.hands._ask(device=device, rough=what, **more)
        self.crew.hands.did = int(answer["row"])
        return answer

    def lock(self) -> float:
        """Press LOCK; milliseconds until the lock output has fallen, none where it was locked before.

        The lock comes before the words of it: open bets that still stand there are not those of the next round.
        """
        answer = self.rough("lines", "lock")
        assert answer["ms"] is not None or not answer["was_open"], "the lock did not come"
        if answer["was_open"]:
            self.crew.hands.wait_behind(self.crew.hands.did, MOVED_S)
        return float(answer["ms"] or 0.0)

    def console(self, words: str, **fields: str) -> ConsoleAnswer:
        """One command at the console that nobody has unlocked."""
        return self._desk_of(None).say(words, **fields)

    def ordered(self, person: tuple[str, str], words: str, **fields: str) -> ConsoleAnswer:
        """A command of somebody who has proved a role."""
        return self._desk_of(person).say(words, **fields)

    def _desk_of(self, person: tuple[str, str] | None) -> RigConsole:
        """Each has a console of their own, as long as the program runs."""
        if person not in self._desks:
            desk = RigConsole(self.root / "console.sock")
            if person is not None:
                assert desk.unlock(*person).end == "done"
            self._desks[person] = desk
        return self._desks[person]

    def _leave_consoles(self) -> None:
        for desk in self._desks.values():
            desk.close()
        self._desks.clear()

    def devices(self) -> dict[str, bool]:
        """Which devices there are, and whether each is up."""
        return {str(row["device"]): bool(row["up"]) for row in self.console("devices").data if row}

    def holds(self) -> list[dict[str, Any]]:
        """What holds the table, as the console says it."""
        return [row for row in self.console("faults").data if row]

    def wait(self, what: str, is_so: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Wait for something to be so."""
        end = time.monotonic() + patience_s
        while not is_so():
            assert time.monotonic() < end, f"{what} did not come to be; {self.crew.hands.lines}"
            time.sleep(LOOK_S)

    def to_bets(self) -> None:
        """From a closed table to open bets, by what the display says."""
        self.crew.follow_to("BETS OPEN")

    def traces(self) -> list[str]:
        """Where the program says that something in it broke."""
        rows = self.log.read_text(errors="replace").splitlines()
        found = [number for number, row in enumerate(rows) if "Traceback" in row or '"exception"' in row]
        return ["\n".join(rows[number : number + TRACE_ROWS]) for number in found]

    def figures(self) -> dict[str, Any]:
        """The program's own figures."""
        return {name: value for row in self.console("stats").data for name, value in row.items()}
