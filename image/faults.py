"""The faults of the kernel's rig at an emulated board: the same checks, by people at its serial console.

A device that is unplugged takes its adapter off the bus. The program is ended by a word of the rig inside the
board (``hil/board/guest/lines.sh``), for the board has no shell; the board's systemd starts it again.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from sabot.hil.kernel.inside.faults import Faults
from sabot.hil.kernel.inside.floor import OPEN, wait_for_shuffler
from sabot.hil.kernel.inside.report import Check, expect, wait_until
from sabot.hil.table.crew import TECHNICIAN
from sabot.image.people import BoardCrew

_HOLD = re.compile(r"(?m)^(\w+) (\w+): ")
# A device that is up again may still be held.
_DEVICE = re.compile(r"(?m)^(\w+) .*? (up|DOWN)\b")
HALTS = 4
START_S, SELDOM_S = 300.0, 0.5


class BoardFaults(Faults):
    """A table in play at a board, and everybody around it; each check returns in words what was seen."""

    def __init__(self, root: Path, crew: BoardCrew) -> None:
        self.root, self.crew, self._console = root, crew, crew.console
        self._holds = 0
        self.crew.follow_to(OPEN)

    def checks(self) -> Mapping[str, Check]:
        """Return the checks in their order; each begins and ends with wagers open."""
        devices = self.crew.hands.see_all()
        serial = [name for name in ("display", "shoe", "shuffler", "sign") if name in devices]
        return {
            **{f"fault-unplug-{name}": partial(self.lose, name) for name in (*serial, "pads")},
            "fault-cut-pads": partial(self.lose, "pads", how="cut"),
            "fault-stall-pads": self.stall,
            "fault-bounce-lock": self.bounce,
            "fault-door": partial(self.line, "door"),
            "fault-lock-wire": partial(self.line, "lock_at_rest"),
            "fault-shoe-in-a-round": self.in_a_round,
            "fault-chip-gone": self.chip_gone,
            "fault-killed": self.killed,
        }

    def ask(self, words: str) -> list[dict[str, object]]:
        """Ask at the serial console as a technician, and return the holds or devices that its words name."""
        self._console.unlock(TECHNICIAN)
        said = self._console.say(words)
        return holds_of(said) if words == "faults" else devices_of(said)

    def release(self, shown: tuple[str, str]) -> None:
        """Release a hold, having counted all: on a busy machine several have the same words."""
        self._holds = len(self.ask("faults"))
        super().release(shown)

    def is_released(self, shown: tuple[str, str]) -> bool:
        """Return whether the display says something else, or fewer holds have these words."""
        return super().is_released(shown) or len(self.ask("faults")) < self._holds

    def stall(self) -> str:
        """Halt the endpoints twice each; the board clears every halt, and a round goes on over them."""
        told = super().stall()
        expect("halts that nobody cleared", self.crew.hands.see("pads")["halts"], 0)
        return f"{told}, {HALTS} of them cleared by the board"

    # ---------------------------------------------------------------- the program ends

    def chip_gone(self) -> str:
        """Take the chip of lines away: the program ends, for only a new process gets them back."""
        hands = self.crew.hands

        def away() -> None:
            before = self.process()
            hands.do("lines", "vanish")
            wait_until("the end of the program", lambda: self.process() != before, START_S, SELDOM_S)
            hands.do("lines", "back")

        return self._ends_and_begins(away)

    def killed(self) -> str:
        """Kill the program: the unit's last step locks, and systemd starts it again."""
        return self.signalled("KILL")

    def signalled(self, name: str) -> str:
        """Send the program a signal that ends it, and see another come."""
        return self._ends_and_begins(lambda: self.crew.hands.do("lines", f"signal {name}"))

    def process(self) -> int:
        """Return the number of the program's process, 0 where there is none."""
        self.crew.hands.do("lines", "program")
        return int(self.crew.hands.see("lines")["program"])

    def _ends_and_begins(self, end: Callable[[], None]) -> str:
        """End the program: another process comes, wagers were locked meanwhile, and no round is lost."""
        wait_for_shuffler(self.crew)
        hands, before, rounds, locks = self.crew.hands, self.process(), self._console.rounds(), self.locks()
        # From here on: a picture of the program that ends must not pass for one of the next.
        row = hands.did
        end()
        took_s = wait_until("another process", lambda: self.process() not in (0, before), START_S, SELDOM_S)
        hands.wait("a picture of the new one", lambda: bool(hands.since(row)), START_S)
        self._console.begin_anew()
        wait_until("the lines", lambda: self.is_up("lines"), START_S, SELDOM_S)
        self.open_again()
        expect("a lock meanwhile", self.locks() > locks, wanted=True)
        expect("rounds were lost", self._console.rounds() < rounds, wanted=False)
        return f"another process after {took_s:.1f} s, locked meanwhile, {rounds} rounds still there"


def holds_of(said: str) -> list[dict[str, object]]:
    """Return the holds that the console's ``faults`` names."""
    return [{"fault": fault, "device": device} for fault, device in _HOLD.findall(said)]


def devices_of(said: str) -> list[dict[str, object]]:
    """Return which devices are up, as the console's ``devices`` says."""
    return [{"device": name, "up": how == "up"} for name, how in _DEVICE.findall(said)]
