"""The program as the service that it is on a board: the real unit, its sandbox, its user, its watchdog.

The last check freezes the machine: the first process dies, nothing pets the hardware watchdog any more, and
what comes after that is told by the next boot.
"""

# Theory of operation. The module is run twice in its machine (hil/kernel/guest/systemd.sh). With `units`,
# before there is a service manager, it puts the units in place as an installation does; then, as a unit of
# its own, it makes a table, keeps the devices of it alive and goes through the checks. They share one running
# unit, so their order is part of them: systemd counts restarts from the unit's start, 1, 2 and 3 in the
# checks that end the process; a fault of one is released before the next; the file is spoilt last, for no
# table opens on it. The machine is frozen after all results are out: whether it was reset can only be told by
# the boot after it.

import os
import pwd
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from sabot.firmware.update import units
from sabot.firmware.update.layout import InstallationLayout
from sabot.hil import slip_input
from sabot.hil.kernel import live_table
from sabot.hil.kernel.inside.floor import MachineFloor, wait_for_shuffler
from sabot.hil.kernel.inside.report import Check, command, expect, run, say, wait_until
from sabot.hil.kernel.inside.rounds import play_round

CHAPTER, METHOD = "pa679a", "manual_shoe"
STATE, SETTINGS = Path("/var/lib/sabot"), Path("/etc/sabot")
UNIT, DROP_IN = "sabot.service", Path("/run/systemd/system/sabot.service.d/rig.conf")
FREEZE_S = 60.0
# Asking systemd is a program each time.
SELDOM_S = 0.5


class Unit:
    """The unit, as the service manager has it."""

    def show(self, name: str) -> str:
        """Return a property of the unit."""
        return _systemctl("show", "--property", name, "--value", UNIT).strip()

    @property
    def pid(self) -> int:
        """Return the process of the program; 0 if there is none."""
        return int(self.show("MainPID") or 0)

    def start(self) -> None:
        """Start the unit; return when the program has said that it is ready."""
        _systemctl("start", UNIT)

    def wait_until_new(self, before: int, limit_s: float = live_table.START_S) -> float:
        """Wait until another process is ready than that one; return how long it took."""
        return wait_until(
            "the unit again",
            lambda: self.pid not in (0, before) and self.show("ActiveState") == "active",
            limit_s,
            SELDOM_S,
        )

    def said(self, count: int = 4000) -> str:
        """Return the end of its log."""
        return command("journalctl", "--no-pager", "--output", "cat", "--unit", UNIT, "--lines", "20")[
            -count:
        ]


class MachineService:
    """Checks that share one running unit."""

    def __init__(self) -> None:
        self.unit = Unit()
        self.floor: MachineFloor

    def checks(self) -> Mapping[str, Check]:
        """Return the checks, in their order."""
        return {
            "service-starts": self.starts,
            "service-user": self.user,
            "service-round": self.round,
            "service-stopped-dead": self.stopped_dead,
            "service-killed": self.killed,
            "service-stumbles": self.stumbles,
            "service-chip-gone": self.chip_gone,
            "service-stops": self.stops,
            "service-wrong-file": self.wrong_file,
        }

    def starts(self) -> str:
        """Check that ready is what the program says, not that it was started."""
        began = time.monotonic()
        self.unit.start()
        expect("the unit", self.unit.show("ActiveState"), "active")
        expect("its type", self.unit.show("Type"), "notify")
        if self.unit.show("StatusText").startswith("out of service"):
            raise AssertionError(self.unit.said())
        return f"ready after {time.monotonic() - began:.1f} s: {self.unit.show('StatusText')}"

    def user(self) -> str:
        """Check that it runs as nobody that matters."""
        owner = pwd.getpwuid(Path(f"/proc/{self.unit.pid}").stat().st_uid).pw_name
        expect("the user", owner, "sabot")
        status = Path(f"/proc/{self.unit.pid}/status").read_text(encoding="ascii")
        capabilities = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff"))
        expect("capabilities", int(capabilities, 16), 0)
        return f"{owner}, no capabilities, {self.unit.show('MemoryDenyWriteExecute')} to no executable memory"

    def round(self) -> str:
        """Play a whole round inside the sandbox, on devices that udev's rules gave to the user."""
        self.floor = MachineFloor(STATE)
        play_round(self.floor.crew)
        wait_for_shuffler(self.floor.crew)
        expect("what holds the table", self.floor.ask("faults"), [])
        return f"{CHAPTER} {METHOD}"

    def stopped_dead(self) -> str:
        """Check that systemd's watchdog ends a program that hangs, starts it again, and wagers are locked."""
        before, locks = self.unit.pid, self.floor.locks()
        os.kill(before, signal.SIGSTOP)
        took_s = self.unit.wait_until_new(before)
        wait_until("a lock meanwhile", lambda: self.floor.locks() > locks)
        expect("restarts", self.unit.show("NRestarts"), "1")
        self._open_again()
        return f"started again after {took_s:.1f} s (WatchdogSec {self.unit.show('WatchdogUSec')})"

    def killed(self) -> str:
        """Check that a killed program is started again."""
        before = self.unit.pid
        os.kill(before, signal.SIGKILL)
        took_s = self.unit.wait_until_new(before)
        expect("restarts", self.unit.show("NRestarts"), "2")
        self._open_again()
        return f"started again after {took_s:.1f} s"

    def stumbles(self) -> str:
        """Check that a program that slipped locks, is started again, is held, and is released."""
        before, locks = self.unit.pid, self.floor.locks()
        os.kill(before, slip_input.SIGNAL)
        took_s = self.unit.wait_until_new(before)
        wait_until("a lock meanwhile", lambda: self.floor.locks() > locks)
        expect("restarts", self.unit.show("NRestarts"), "3")
        hands = self.floor.crew.hands
        hands.wait_display("HELD: PROGRAM SLIP")
        expect("the lock", self.floor.is_locked(), wanted=True)
        why = str(self.floor.ask("faults"))
        if "E-RUN-009 ArithmeticError" not in why:
            raise AssertionError(f"faults says {why!r}")
        self.floor.crew.floor("RELEASE", "")
        hands.wait_display("BETS OPEN")
        return f"started again after {took_s:.1f} s, held, released"

    def chip_gone(self) -> str:
        """Check that a program that lost its lines is started again."""
        before = self.unit.pid
        self.floor.crew.hands.do("lines", "vanish")
        wait_until("the end of the program", lambda: self.unit.pid != before, live_table.START_S, SELDOM_S)
        self.floor.crew.hands.do("lines", "back")
        took_s = self.unit.wait_until_new(before)
        wait_until("the lines", lambda: self.floor.is_up("lines"))
        self._open_again()
        return f"started again after {took_s:.1f} s"

    def _open_again(self) -> None:
        self.floor.crew.hands.wait("a display", lambda: bool(self.floor.crew.hands.lines[0]))
        self.floor.open_again()

    def stops(self) -> str:
        """Check that a stop in good order is no failure, and leaves outputs safe."""
        _systemctl("stop", UNIT)
        expect("the unit", self.unit.show("ActiveState"), "inactive")
        expect("its end", self.unit.show("Result"), "success")
        expect("the lock", self.floor.is_locked(), wanted=True)
        return self.unit.show("ExecMainStatus")

    def wrong_file(self) -> str:
        """Check that a wrong table file keeps the table closed, and is told where people look."""
        path = SETTINGS / "table.toml"
        path.write_text(f"nonsense = 1\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
        self.unit.start()
        hands = self.floor.crew.hands
        hands.wait_display("OUT OF SERVICE", "E-CONF")
        expect("the lock", self.floor.is_locked(), wanted=True)
        expect("the unit", self.unit.show("ActiveState"), "active")
        return f"{' '.join(hands.lines)}; {self.unit.show('StatusText')}"


def _systemctl(*words: str) -> str:
    try:
        return command("systemctl", *words)
    except AssertionError as error:
        raise AssertionError(f"{error}; {Unit().said()}") from error


def put_units(tree: Path) -> None:
    """Put the units of the tree in place as an installation does, before there is a service manager."""
    units.install(InstallationLayout(), tree)


def prepare() -> None:
    """Write the settings as a technician puts them, and the state as the program's user has it."""
    live_table.write_table(STATE, CHAPTER, METHOD)
    SETTINGS.mkdir(exist_ok=True)
    for name in ("table.toml", "submission.toml"):
        shutil.copy(STATE / name, SETTINGS / name)
        (SETTINGS / name).chmod(0o644)


def give_away() -> None:
    """Give the state to the program's user, and tell the library that this is a Pi."""
    command("chown", "-R", "sabot:sabot", str(STATE))
    words = " ".join(f"{name}={value}" for name, value in live_table.surroundings(STATE).items())
    DROP_IN.write_text(f"[Service]\nEnvironment={words}\n", encoding="ascii")
    _systemctl("daemon-reload")


def freeze() -> None:
    """Kill the first process: the hardware watchdog is what is left."""
    state = Path("/sys/class/watchdog/watchdog0/state").read_text(encoding="ascii").strip()
    say(f"FREEZING, the watchdog is {state}")
    os.kill(1, signal.SIGSEGV)
    time.sleep(FREEZE_S)
    say("RIG-RESULT frozen-machine-reset fail 0 the machine was not reset")


def main() -> int:
    """Check the unit, then the machine; ``units TREE`` comes before both."""
    if sys.argv[1:2] == ["units"]:
        put_units(Path(sys.argv[2]))
        return 0
    prepare()
    with live_table.devices(STATE):
        give_away()
        code = run(MachineService().checks())
    freeze()
    return code


if __name__ == "__main__":
    sys.exit(main())
