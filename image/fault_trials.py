"""Trials of a table in play that meets the kernel rig's faults and its part ``service``.

They run on the generic machine and on a Pi 3. Of the part ``service``: that a slot's unit comes to READY and
how a wrong table file is refused are other trials' (the judge says the one, the settings the other). A
program that slips is not tried here: what makes it slip is the rig's driver, and a release for a floor
carries none.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from sabot.hil.kernel.inside.report import Check, expect, wait_until
from sabot.hil.kernel.inside.report import run as run_checks
from sabot.image.accounts import NUMBERS
from sabot.image.emulator import Emulator
from sabot.image.errors import ImageError
from sabot.image.faults import BoardFaults
from sabot.image.outside_table import PI
from sabot.image.people import BoardCrew, SerialConsole
from sabot.image.stage import JUDGED, Stage

CHAPTER = "pa641a"
# A wire of USB/IP that ends by itself is nothing that this kernel would hear of: the network is QEMU's.
UNHEARD = "fault-cut-pads"
# It stops the machine where a board's own starts it anew: so the emulator can be asked why.
WATCHDOG = ("-device", "i6300esb", "-action", "watchdog=pause")
FROZEN_S, STOPPED = 300.0, "paused (watchdog)"
_RIGHTS = re.compile(r"Uid:(\d+) CapEff:([0-9a-f]+) NoNewPrivs:(\d)")


class BoardService(BoardFaults):
    """The service of a board whose table is open; ``rounds`` are those that were seen to end."""

    def __init__(self, root: Path, crew: BoardCrew, board: Emulator) -> None:
        super().__init__(root, crew)
        self._board, self.rounds = board, 0

    def checks(self) -> Mapping[str, Check]:
        """Return the checks in their order; each but the last begins and ends with wagers open."""
        return {
            **super().checks(),
            "service-user": self.user,
            "service-stopped-dead": self.stopped_dead,
            "service-ended": lambda: self.signalled("TERM"),
            "frozen-machine-reset": self.frozen,
        }

    def user(self) -> str:
        """See that it runs as a user of its own, without a capability, and can have none."""
        self.process()
        rights = str(self.crew.hands.see("lines")["rights"])
        found = _RIGHTS.search(rights)
        expect("what the kernel says of it", bool(found), wanted=True)
        assert found is not None  # expected above
        expect("user, capabilities, new ones barred", found.groups(), (str(NUMBERS["sabot"]), "0" * 16, "1"))
        return rights

    def stopped_dead(self) -> str:
        """Stop the program dead: systemd's watchdog ends it, and starts it again."""
        return self.signalled("STOP")

    def frozen(self) -> str:
        """Kill the first process: nothing feeds the machine's watchdog any more, and it must bite."""
        self.rounds = self._console.rounds()
        expect("the machine", self._board.status(), "running")
        self.crew.hands.do("lines", "first SEGV")
        took_s = wait_until("the machine's watchdog", lambda: self._board.status() == STOPPED, FROZEN_S, 1.0)
        return f"the first process dies: {STOPPED} after {took_s:.0f} s"


class FaultTrials(Stage):
    """Trials with faults, each check with its way back; each returns in words what was seen."""

    def faults(self) -> str:
        """Play the faults of the kernel's rig, and its part ``service``, at a table in play."""
        with self.first_day(CHAPTER, more=WATCHDOG) as day:
            service = BoardService(day.table.root, day.crew, day.board)
            checks = service.checks()
            code = run_checks(checks)
        with self.at(day.card, day.table) as board:
            judged = board.wait(JUDGED)
            console = SerialConsole(board)
            console.ready()
            left = console.rounds()
        if code or left < service.rounds:
            raise ImageError(f"a check did not hold, or {left} rounds are left of {service.rounds}")
        return f"{len(checks)} of {len(checks)} held; after the last {judged}, rounds {left}"

    def pi_faults(self) -> str:
        """Play the faults of the kernel's rig at a table in play on a Pi 3, from U-Boot on."""
        with self.first_day(CHAPTER, plugs=PI) as day:
            checks = BoardFaults(day.table.root, day.crew).checks()
            checks = {name: check for name, check in checks.items() if name != UNHEARD}
            code = run_checks(checks)
        if code:
            raise ImageError("a check did not hold")
        return f"{len(checks)} of {len(checks)} held"
