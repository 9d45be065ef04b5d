"""A table that is open and at which nobody plays (x.5(f)): noticed, so that no cards wait in the shoe.

The law names no time, so the table file does. It runs from the moment at which bets are open and nobody has
one, and a single wager ends it. Then the dealer is asked to take the cards out of shoe and rack and to spread
them.
"""

from dataclasses import dataclass

from sabot.statemachine.law import Law
from sabot.statemachine.parts import OpenWagers, TableClock
from sabot.statemachine.phases import Phase
from sabot.statemachine.round import Play
from sabot.statemachine.shuffling import Shuffling


@dataclass(slots=True, eq=False, repr=False)
class IdleWatch:
    """Notice that nobody plays."""

    law: Law
    clock: TableClock
    layout: OpenWagers
    play: Play
    shuffling: Shuffling

    def watch(self) -> None:
        """Note since when bets are open with nobody betting."""
        if self.play.phase is not Phase.BETS_OPEN or self.layout.bets or self.shuffling.is_exempt("idle"):
            self.layout.empty_since = None
        elif self.layout.empty_since is None:
            self.layout.empty_since = self.clock.now

    def deadline(self) -> float | None:
        """Return when a table that nobody bets at is idle, None where somebody plays or nobody looks."""
        since, after = self.layout.empty_since, self.law.setup.idle_after_s
        return since + after if since is not None and after else None

    def is_idle(self) -> bool:
        """Tell whether nobody has bet for as long as the table file says."""
        end = self.deadline()
        return end is not None and self.clock.now >= end
