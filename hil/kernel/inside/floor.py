"""A table in play inside the machine: its people, what the console says, and the way back from a fault."""

import time
from pathlib import Path

from sabot.hil.kernel import live_table
from sabot.hil.kernel.inside.report import wait_until
from sabot.hil.table.console import RigConsole
from sabot.hil.table.crew import FLOOR, TECHNICIAN, Crew

OPEN = "BETS OPEN"
MOST_RELEASES = 6
WAYS = ("RELEASE", "CONFIRM ROUND")
QUIET_S = 1.0


def wait_for_shuffler(crew: Crew) -> None:
    """Wait until no shuffle goes on, nor is about to begin."""
    quiet_since = time.monotonic()

    # A shuffle that is left alone in its middle stops for people.
    def is_quiet() -> bool:
        nonlocal quiet_since
        if any(shown.get("cycle") for shown in crew.hands.see_all().values()):
            quiet_since = time.monotonic()
        return time.monotonic() - quiet_since > QUIET_S

    wait_until("a shuffler at rest", is_quiet, live_table.START_S, QUIET_S / 10)


class MachineFloor:
    """One table whose wagers are open, and everybody around it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.crew = Crew(root)
        self.crew.hands.patience_s = live_table.PATIENCE_S
        try:
            self.crew.follow_to(OPEN)
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.lately()}") from error

    def lately(self, count: int = 12) -> str:
        """Return the last deeds and pictures."""
        rows = self.crew.hands.diary()[-count:]
        return "; ".join(f"{at:.3f} {how} {device} {name} {value}" for at, device, name, value, how in rows)

    def ask(self, words: str) -> list[dict[str, object]]:
        """Ask the console as a technician."""
        desk = RigConsole(self.root / "console.sock")
        try:
            desk.unlock(*TECHNICIAN)
            return [dict(each) for each in desk.say(words).data if each]
        finally:
            desk.close()

    def held(self, device: str) -> list[str]:
        """Return the holds that a device is the reason of."""
        return [str(each["fault"]) for each in self.ask("faults") if each.get("device") == device]

    def is_up(self, device: str) -> bool:
        """Return whether the program hears a device."""
        return any(each["device"] == device and each["up"] for each in self.ask("devices"))

    def is_locked(self) -> bool:
        """Return whether the line says that wagers are locked."""
        return not self.crew.hands.see("lines")["lock_open"]

    def locks(self) -> int:
        """Return how often the line went to locked since the devices were switched on."""
        rows = self.crew.hands.diary()
        return sum(
            (device, name, value) == ("lines", "lock_open", 0) for _at, device, name, value, _how in rows
        )

    def open_again(self) -> None:
        """Do what the display says, as whoever it names, until wagers are open."""
        hands = self.crew.hands
        for _ in range(MOST_RELEASES):
            hands.wait("a way back", self._shows_a_way)
            before = hands.lines
            if not before[0].startswith("HELD"):
                break
            self.release(before)
        self.crew.follow_to(OPEN)
        wait_until("the lock open", lambda: not self.is_locked())
        wait_for_shuffler(self.crew)

    def release(self, shown: tuple[str, str]) -> None:
        """Let whoever the display names release what it says, and see it say something else."""
        who, _, title = shown[1].partition(": ")
        self.crew.floor(title, person=TECHNICIAN if who == "TECH" else FLOOR)
        self.crew.hands.wait("a release", lambda: self.is_released(shown))

    def is_released(self, shown: tuple[str, str]) -> bool:
        """Return whether the display says something else."""
        return self.crew.hands.lines != shown

    def _shows_a_way(self) -> bool:
        """Return whether the table goes on, or somebody can take it on; not while a test is due."""
        first, second = self.crew.hands.lines
        return bool(first) and (not first.startswith("HELD") or second.partition(": ")[2] in WAYS)
