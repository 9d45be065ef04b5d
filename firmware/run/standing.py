"""Everything that holds at a table now, for a device that has heard nothing yet."""

from sabot.statemachine.effects import (
    Effect,
    FreeShoe,
    HaltShoe,
    LockWagers,
    OpenSpots,
    RaiseFault,
    RequireRole,
)
from sabot.statemachine.events import Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.table import Table


def standing(table: Table) -> list[Effect]:
    """Return what holds: locks and halts first, then faults and words, and what is open at last."""
    state = table.state
    safe: list[Effect] = [LockWagers(cite=POLICY)]
    held = table.held
    safe.append(HaltShoe(cite=held.cite) if held is not None else FreeShoe(cite=POLICY))
    faults = [
        RaiseFault(fault=held.kind, device=held.device, why=held.why, cite=held.cite)
        for held in state.trouble.holds
    ]
    open_spots = tuple(sorted(table.rooms.last_told.spots))
    opened = [OpenSpots(spots=open_spots, cite=table.law.cite("7(c)"))] if open_spots else []
    calls = [RequireRole(role=Role(role), why=why) for role, why in state.crew.calls.items()]
    return [*safe, *faults, *calls, *table.rooms.last_told.effects.values(), *opened]
