"""The outputs as they follow from the effects: the lock, both lamps of the tower, the call.

Energised means that all is well: wagers may be placed, no fault is latched. So whatever takes the power away,
a cut wire or a dead program, locks the wagers and lights the red lamp.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sabot.drivers.lines.plan import CALL, HEALTHY, HIT, LOCK_OPEN
from sabot.statemachine.vocabulary import effects as ef

if TYPE_CHECKING:
    from sabot.statemachine.vocabulary.events import Role


class Outputs:
    """Open spots, latched faults, waiting hits and open calls."""

    def __init__(self, lock_wagers: frozenset[str]) -> None:
        self._lock_wagers = lock_wagers
        self._open: set[ef.Spot] = set()
        self._faults: set[ef.Spot | tuple[str, str]] = set()
        self._hits: set[ef.Spot] = set()
        self._called: set[Role] = set()

    def levels(self) -> dict[str, bool]:
        """Return which output is energised."""
        return {
            LOCK_OPEN: bool(self._open),
            HEALTHY: not self._faults,
            HIT: bool(self._hits),
            CALL: bool(self._called),
        }

    def take(self, effect: ef.Effect) -> bool:
        """Change what an effect changes; return whether it meant anything here."""
        change = _CHANGES.get(type(effect))
        if change is None:
            return False
        change(self, effect)
        return True

    def lock(self, effect: ef.LockWagers) -> None:
        """Lock these spots, or all of them."""
        # No spot named means every spot.
        self._open.difference_update(effect.spots or tuple(self._open))

    def unlock(self, effect: ef.OpenSpots) -> None:
        """Open those of these spots that the lock output governs."""
        # `ante` is open just as long as betting is: a raise that opens
        # for one seat does not energise the lock output.
        self._open |= {spot for spot in effect.spots if spot[1] in self._lock_wagers}

    def fault(self, effect: ef.RaiseFault) -> None:
        """Latch a fault."""
        self._faults.add((effect.fault, effect.device))

    def clear(self, effect: ef.ClearFault) -> None:
        """Forget a fault that is gone."""
        self._faults.discard((effect.fault, effect.device))

    def hit(self, effect: ef.FreezeHit) -> None:
        """Add a hit that waits."""
        self._hits.add((effect.seat, effect.wager))

    def drop(self, effect: ef.DropHit | ef.PayWager) -> None:
        """Drop a hit that is paid, or was none."""
        self._hits.discard((effect.seat, effect.wager))

    def call(self, effect: ef.RequireRole) -> None:
        """Call somebody of this role."""
        self._called.add(effect.role)

    def end_call(self, effect: ef.EndCall) -> None:
        """End the call for this role: somebody came."""
        self._called.discard(effect.role)

    def record(self, _effect: ef.RecordRound) -> None:
        """Forget the hits: the round is over."""
        self._hits.clear()


_CHANGES: Mapping[type[ef.Effect], Callable[[Outputs, Any], None]] = {
    ef.LockWagers: Outputs.lock,
    ef.OpenSpots: Outputs.unlock,
    ef.RaiseFault: Outputs.fault,
    ef.ClearFault: Outputs.clear,
    ef.FreezeHit: Outputs.hit,
    ef.DropHit: Outputs.drop,
    ef.PayWager: Outputs.drop,
    ef.RecordRound: Outputs.record,
    ef.RequireRole: Outputs.call,
    ef.EndCall: Outputs.end_call,
}
