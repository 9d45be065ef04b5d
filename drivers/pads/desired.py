"""The order that the table wants of the pads, kept whole: effects change it, and the driver sends it.

Locking is the wish that may never be lost: it stands here from the moment the effect came, and goes out again
with every beat. A spot in doubt stays locked whatever the table wants. The dealer's own hand is expected for
a while after the table told the dealer to move chips.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.drivers.pads.messages import DARK, SEATS, Lamp, PadOrder
from sabot.drivers.pads.spots import SpotMap
from sabot.statemachine.vocabulary import effects as ef

EVERY_SPOT = (1 << 64) - 1
_Move = ef.ReturnWager | ef.CollectWager | ef.PayWager | ef.RefuseWager


class DesiredState:
    """The order as it stands."""

    def __init__(self, spots: SpotMap, expect_s: float) -> None:
        self._spots, self._expect_s = spots, expect_s
        # Masks, bit n for spot n: what the table opened, what counts as a wager, what is in doubt.
        self.open = 0
        self.counting = 0
        self.suspect = 0
        self._refused = 0
        self._dark = 0
        self._expected_until: dict[int, float] = {}
        self._seat = 0
        self._hits: set[tuple[int, str]] = set()
        self.walk: tuple[Lamp, ...] | None = None

    def order(self, seen: int, now: float) -> PadOrder:
        """Return the whole order as it stands now; ``seen`` is the pad's own count of its locks."""
        # From what is open, not from what is locked: a spot that nobody has named yet is locked.
        locked = EVERY_SPOT & ~(self.open & ~self.suspect)
        expected = sum(1 << number for number, until in self._expected_until.items() if now < until)
        lit = self.counting & ~self._refused & ~self._dark
        # On an open spot every hand is a player's: none is expected there.
        return PadOrder(locked, expected & locked, lit, self.walk or self._lamps(), seen)

    def _lamps(self) -> tuple[Lamp, ...]:
        lamps = list(DARK)
        if 1 <= self._seat <= SEATS:
            lamps[self._seat - 1] = Lamp.ON
        # After the seat that is asked: a hit is what everybody should see.
        for seat, _ in self._hits:
            if seat <= SEATS:
                lamps[seat - 1] = Lamp.FAST
        return tuple(lamps)

    def take(self, effect: ef.Effect, now: float) -> bool:
        """Change the order as an effect wants; return whether it meant anything here."""
        change = _CHANGES.get(type(effect))
        if change is None:
            return False
        change(self, effect, now)
        return True

    def lock(self, effect: ef.LockWagers, _now: float) -> None:
        """Lock these spots, or all of them."""
        self.open &= ~self._spots.mask(effect.spots) if effect.spots else 0

    def unlock(self, effect: ef.OpenSpots, _now: float) -> None:
        """Open these spots; the dealer's hand is not expected there any more."""
        mask = self._spots.mask(effect.spots)
        self.open |= mask
        # A new round, or a new street: what was refused on these spots is over.
        self._refused &= ~mask
        for spot in effect.spots:
            self._expected_until.pop(self._spots.numbers.get(spot, -1), None)

    def expect(self, effect: _Move, now: float) -> None:
        """Expect the dealer's hand on a spot for a while: the dealer was told to move chips there."""
        number = self._spots.numbers.get((effect.seat, effect.wager))
        if number is not None:
            self._expected_until[number] = now + self._expect_s

    def refuse(self, effect: ef.RefuseWager, now: float) -> None:
        """Take the light from a wager that the table does not count, though it came in time for the pad."""
        self.expect(effect, now)
        self._refused |= self._spots.mask([(effect.seat, effect.wager)])

    def darken(self, effect: ef.DarkenSpots, _now: float) -> None:
        """Take the light from wagers that the table would refuse if it were locked now."""
        self._dark = self._spots.mask(effect.spots)

    def pay(self, effect: ef.PayWager, now: float) -> None:
        """Expect the dealer's hand, which pays; a hit that is paid blinks no more."""
        self.expect(effect, now)
        self._hits.discard((effect.seat, effect.wager))

    def light(self, effect: ef.LightSeat, _now: float) -> None:
        """Light the lamp of one seat, and no other."""
        self._seat = effect.seat

    def hit(self, effect: ef.FreezeHit, _now: float) -> None:
        """Let the seat of a hit blink."""
        self._hits.add((effect.seat, effect.wager))

    def drop(self, effect: ef.DropHit, _now: float) -> None:
        """Drop a hit that was none."""
        self._hits.discard((effect.seat, effect.wager))

    def record(self, _effect: ef.RecordRound, _now: float) -> None:
        """Forget the hits: the round is over."""
        self._hits.clear()


_CHANGES: Mapping[type[ef.Effect], Callable[[DesiredState, Any, float], None]] = {
    ef.LockWagers: DesiredState.lock,
    ef.OpenSpots: DesiredState.unlock,
    ef.ReturnWager: DesiredState.expect,
    ef.CollectWager: DesiredState.expect,
    ef.RefuseWager: DesiredState.refuse,
    ef.DarkenSpots: DesiredState.darken,
    ef.PayWager: DesiredState.pay,
    ef.LightSeat: DesiredState.light,
    ef.FreezeHit: DesiredState.hit,
    ef.DropHit: DesiredState.drop,
    ef.RecordRound: DesiredState.record,
}
