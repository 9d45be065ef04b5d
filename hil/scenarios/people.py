"""The people of a scenario: the crew of a simulated table, who notice sooner that nothing is to change.

Some steps leave the display as it was: the second time around the table, the second deck to register. A
person waits a moment and goes on; on a busy machine nobody knows how long a moment is. So where a display
stays as it is these ask the console for anything: its answer comes when the question is in the journal, so
everything that was pressed before is there too, and its effects are out. They ask twice, so that the display
had its turn.
"""

from pathlib import Path

from sabot.hil.table.crew import STILL_S, Crew
from sabot.hil.table.desk import Desk

CARD_S = 3.0
MOMENT_S, LOOK_S, ASKED = 0.1, 0.005, ("whoami", "whoami")


class People(Crew):
    """Dealer, floor and technician, with somebody at the console."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._desk: Desk | None = None

    def close(self) -> None:
        """Go home."""
        self.leave_desk()
        super().close()

    def leave_desk(self) -> None:
        """The console is hung up, as when the controller goes off."""
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    def draw(self) -> None:
        """A card: its report goes a longer way than a key, and the display has another line after it."""
        before = self.hands.lines
        super().draw()
        self._changes(before, CARD_S)

    def _settle(self, before: tuple[str, str], patience_s: float = 0.5) -> None:
        if patience_s == STILL_S:  # the devices are at work
            super()._settle(before, patience_s)
        elif not self._changes(before, MOMENT_S) and self._ask_anything():
            self._changes(before, MOMENT_S)
        else:
            super()._settle(before, patience_s)

    def _changes(self, before: tuple[str, str], patience_s: float) -> bool:
        end = self.hands.now() + patience_s
        while self.hands.lines == before:
            if self.hands.now() > end:
                return False
            self.hands.rest(LOOK_S)
        return True

    def _ask_anything(self) -> bool:
        """Whether the console has answered."""
        try:
            self._desk = self._desk or Desk(self.root / "console.sock")
            for anything in ASKED:
                self._desk.say(anything)
        except (OSError, ValueError):
            self._desk = None
            return False
        return True
