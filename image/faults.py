"""The faults of the kernel's rig at an emulated board: the same checks, by people at its serial console.

A device that is unplugged takes its adapter off the bus. Endpoints that halt are not met here: the emulator's
bus has no word for them.
"""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from sabot.hil.kernel.inside.faults import Faults
from sabot.hil.kernel.inside.floor import OPEN
from sabot.hil.kernel.inside.report import Check
from sabot.hil.table.crew import TECHNICIAN
from sabot.image.people import BoardCrew

_HOLD = re.compile(r"(?m)^(\w+) (\w+): ")
_DEVICE = re.compile(r"(?m)^(\w+) .* (up|DOWN\b.*)$")


class BoardFaults(Faults):
    """A table in play at a board, and everybody around it."""

    def __init__(self, root: Path, crew: BoardCrew) -> None:
        self.root, self.crew, self._console = root, crew, crew.console
        self.crew.follow_to(OPEN)

    def checks(self) -> Mapping[str, Check]:
        """In this order; each begins and ends with wagers open."""
        devices = self.crew.hands.see_all()
        serial = [name for name in ("display", "shoe", "shuffler", "sign") if name in devices]
        return {
            **{f"fault-unplug-{name}": partial(self.lose, name) for name in (*serial, "pads")},
            "fault-bounce-lock": self.bounce,
            "fault-door": partial(self.line, "door"),
            "fault-lock-wire": partial(self.line, "lock_at_rest"),
            "fault-shoe-in-a-round": self.in_a_round,
        }

    def ask(self, words: str) -> list[dict[str, object]]:
        """Ask at the serial console as a technician; holds and devices are read out of its words."""
        self._console.unlock(TECHNICIAN)
        said = self._console.say(words)
        if words == "faults":
            return [{"fault": fault, "device": device} for fault, device in _HOLD.findall(said)]
        return [{"device": name, "up": how == "up"} for name, how in _DEVICE.findall(said)]
