"""Trials of a table in play that meets the kernel rig's faults, on the generic machine and on a Pi 3."""

from sabot.hil.kernel.inside.report import run as run_checks
from sabot.image.errors import ImageError
from sabot.image.faults import BoardFaults
from sabot.image.outside_table import PI
from sabot.image.people import SerialConsole
from sabot.image.service import WATCHDOG, BoardService
from sabot.image.stage import JUDGED, Stage

CHAPTER = "pa641a"
# A wire of USB/IP that ends by itself is nothing that this kernel would hear of: the network is QEMU's.
UNHEARD = "fault-cut-pads"


class FaultTrials(Stage):
    """Trials with faults; each check has its way back."""

    def faults(self) -> str:
        """The faults of the kernel's rig and its service at a table in play."""
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
        """The faults of the kernel's rig at a table in play on a Pi 3, from U-Boot on."""
        with self.first_day(CHAPTER, plugs=PI) as day:
            checks = BoardFaults(day.table.root, day.crew).checks()
            checks = {name: check for name, check in checks.items() if name != UNHEARD}
            code = run_checks(checks)
        if code:
            raise ImageError("a check did not hold")
        return f"{len(checks)} of {len(checks)} held"
