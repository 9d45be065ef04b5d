"""A table that is open and at which nobody plays (x.5(f)): noticed, so that no cards wait in the shoe.

The law names no time, so the table file does. It runs from the moment at which bets are open and nobody has
one, and a single wager ends it. Then the dealer is asked to take the cards out of shoe and rack and to spread
them.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.phases import Phase
from sabot.statemachine.shuffling import is_exempt

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def watch(table: "Table") -> None:
    """Note since when bets are open with nobody betting."""
    state = table.state
    if state.phase is not Phase.BETS_OPEN or state.bets or is_exempt(table, "idle"):
        state.empty_since = None
    elif state.empty_since is None:
        state.empty_since = table.now


def deadline(table: "Table") -> float | None:
    """Return when a table that nobody bets at is idle, None where somebody plays or nobody looks."""
    since, after = table.state.empty_since, table.setup.idle_after_s
    return since + after if since is not None and after else None


def is_idle(table: "Table") -> bool:
    """Tell whether nobody has bet for as long as the table file says."""
    end = deadline(table)
    return end is not None and table.now >= end
