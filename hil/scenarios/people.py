"""The people of a scenario: the crew of a simulated table, who notice sooner that nothing is to change.

Some steps leave the display as it was: the second time around the table, the second deck to register. A
person waits a moment and goes on; on a busy machine nobody knows how long a moment is. So where a display
stays as it is these ask the console how the program does, until nothing waits in its inbox and nothing on its
way to the medium: then everything that was pressed before is there, and its effects are out. They ask once
more, so that the display had its turn.
"""

from pathlib import Path

from sabot.hil.table.console import RigConsole
from sabot.hil.table.crew import STILL_S, Crew

CARD_S = 3.0
MOMENT_S, QUIET = 0.1, ("inbox", "not_durable")


class RigPeople(Crew):
    """Dealer, floor and technician, with somebody at the console."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._desk: RigConsole | None = None

    def close(self) -> None:
        """Go home."""
        self.leave_desk()
        super().close()

    def leave_desk(self) -> None:
        """Hang up the console, as when the controller goes off."""
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    def draw(self) -> None:
        """Draw a card, and wait for the display."""
        super().draw()
        # Its report goes a longer way than a key, and the display has another line after it.
        self.hands.wait_behind(self.hands.did, CARD_S)

    def _settle(self, row: int, patience_s: float) -> bool:
        if patience_s == STILL_S:  # the devices are at work
            return super()._settle(row, patience_s)
        if self.hands.wait_behind(row, MOMENT_S):
            return True
        return super()._settle(row, MOMENT_S if self._ask_how_it_does(patience_s) else patience_s)

    def _ask_how_it_does(self, patience_s: float) -> bool:
        """Ask the console until nothing waits in the program; return whether it said so."""
        try:
            self._desk = self._desk or RigConsole(self.root / "console.sock")
            end = self.hands.now() + patience_s
            while is_busy(self._desk) and self.hands.now() < end:
                self.hands.listen(MOMENT_S)
            is_busy(self._desk)
        except (OSError, ValueError):
            self._desk = None
            return False
        return True


def is_busy(desk: RigConsole) -> bool:
    """Return whether something waits in the program, as its figures say."""
    return any(figure.get(name) for figure in desk.say("stats").data for name in QUIET)
