"""Which paragraph the table gave for what just went wrong.

The demo announces an irregularity with the citation that the program itself published: that of its gravest
effect, else that of the note it made for the round's record.
"""

from collections.abc import Sequence

from sabot.desk.demo.follower import Told
from sabot.statemachine.effects import (
    Effect,
    FreezeHit,
    RaiseFault,
    RemoveDeck,
    RequireRole,
    VoidRound,
)
from sabot.statemachine.faults import FAULT_ROWS, POLICY

GRAVEST_FIRST: Sequence[type[Effect]] = (VoidRound, RemoveDeck, FreezeHit, RaiseFault, RequireRole)


def law_of(told: Told) -> str:
    """The citation of what holds, of the gravest effect, else of the last note; empty where there is none."""
    if told.event is None:
        return next((held["cite"] for held in told.seen["held"]), "")
    for kind in GRAVEST_FIRST:
        found = next((effect for effect in told.effects if isinstance(effect, kind)), None)
        if found is not None:
            return _with_basis(found)
    return next((cite for cite in reversed(told.cites) if cite), "")


def _with_basis(effect: Effect) -> str:
    """A fault of our own policy says so, even where it leans on a paragraph."""
    is_ours = isinstance(effect, RaiseFault) and FAULT_ROWS[effect.fault].basis == POLICY
    return f"{POLICY}, {effect.cite}" if is_ours and effect.cite != POLICY else effect.cite
