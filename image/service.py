"""The kernel rig's part ``service`` at an emulated board: the program under the board's own systemd.

That a slot's unit comes to READY and how a wrong table file is refused are other trials' (the judge says the
one, the settings the other). A program that slips is not tried here: what makes it slip is the rig's driver,
and a release for a floor carries none.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from sabot.hil.kernel.inside.report import Check, expect, wait_until
from sabot.image.accounts import NUMBERS
from sabot.image.emulator import Emulator
from sabot.image.faults import BoardFaults
from sabot.image.people import BoardCrew

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
        """In this order; each but the last begins and ends with wagers open."""
        return {
            **super().checks(),
            "service-user": self.user,
            "service-stopped-dead": self.stopped_dead,
            "service-ended": lambda: self.signalled("TERM"),
            "frozen-machine-reset": self.frozen,
        }

    def user(self) -> str:
        """It runs as nobody that matters: its own number, no capability, and none to be had."""
        self.process()
        rights = str(self.crew.hands.see("lines")["rights"])
        found = _RIGHTS.search(rights)
        expect("what the kernel says of it", bool(found), wanted=True)
        assert found is not None  # expected above
        expect("user, capabilities, new ones barred", found.groups(), (str(NUMBERS["sabot"]), "0" * 16, "1"))
        return rights

    def stopped_dead(self) -> str:
        """A program that hangs is ended and started again by systemd's watchdog."""
        return self.signalled("STOP")

    def frozen(self) -> str:
        """The first process dies and nothing feeds the machine's watchdog any more: it must bite."""
        self.rounds = self._console.rounds()
        expect("the machine", self._board.status(), "running")
        self.crew.hands.do("lines", "first SEGV")
        took_s = wait_until("the machine's watchdog", lambda: self._board.status() == STOPPED, FROZEN_S, 1.0)
        return f"the first process dies: {STOPPED} after {took_s:.0f} s"
