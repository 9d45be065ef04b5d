"""A wager counts from the moment a pad senses it on a spot that the table had opened, and no later.

Which spots are open is followed through the effects alone; what the lock takes over must be what the record
of the round says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.statemachine import effects as ef
from sabot.statemachine.betting import BEING_COUNTED, CHIPS_STAY
from sabot.statemachine.chips import ACCOUNT, PROGRESSIVE
from sabot.statemachine.events import AccountWager, Key, KeyPressed, Resumed, WagerSensed
from sabot.statemachine.phases import Phase

from .auditor import Auditor, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.statemachine.effects import Effect
    from sabot.statemachine.events import Event
    from sabot.statemachine.table import Table

Spot = tuple[int, str]


class StakeAuditor(Auditor):
    """No wager counts on a locked spot, and every one that counts is in the round."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.open: set[Spot] = set()
        self.bets: dict[Spot, int | None] = {}
        self.locked: dict[Spot, int | None] = {}
        self.lifted: set[Spot] = set()

    def look(self, event: Event, effects: list[Effect]) -> None:
        if isinstance(event, WagerSensed):
            self._sensed(event, effects)
        elif isinstance(event, AccountWager) and not is_refused(effects):
            self._credited(event)
        elif isinstance(event, Resumed) and self.table.state.round is None:
            self._resumed()
        elif isinstance(event, KeyPressed) and event.key is Key.LOCK and not is_refused(effects):
            self._lock(effects)
        elif self.phase is Phase.CHIP_MISMATCH:
            self._mismatch(effects)
        self._follow_spots(effects)
        if of_kind(effects, ef.RecordRound):
            self._compare()

    def _follow_spots(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, ef.LockWagers):
                self.open -= set(effect.spots) or self.open
            elif isinstance(effect, ef.OpenSpots):
                self.open |= set(effect.spots)

    def _sensed(self, event: WagerSensed, effects: list[Effect]) -> None:
        spot = event.seat, event.wager
        is_open = spot in self.open
        refused = of_kind(effects, ef.RefuseWager)
        must_go_back = not is_open and event.cents != 0 and not self._lies_as_it_lay(event)
        self.hold_that(bool(refused) == must_go_back, event, "open" if is_open else "locked", refused)
        if event.cents == 0:
            self.lifted.add(spot)
        if (
            self.table.chapter.wagers.get(event.wager) is None
            or self.table.chapter.wagers[event.wager].after_deal
        ):
            return
        if event.cents == 0 and self.table.state.round is None:
            self.bets.pop(spot, None)
        elif is_open:
            self.bets[spot] = event.cents

    def _lies_as_it_lay(self, event: WagerSensed) -> bool:
        """Told once more of a wager in the round, which nobody lifted and the dealer has not moved."""
        round_, spot = self.table.state.round, (event.seat, event.wager)
        wager = self.table.chapter.wagers.get(event.wager)
        if round_ is None or wager is None or event.seat not in round_.bets:
            return False
        if self.table.state.phase not in CHIPS_STAY:
            return False
        is_progressive = wager.device == PROGRESSIVE
        if is_progressive and self.table.state.phase not in BEING_COUNTED:
            return False
        is_there = event.seat not in round_.folded and spot not in self.lifted
        return is_there and self.table.stakes(event.seat).get(event.wager, 0) == event.cents

    def _credited(self, event: AccountWager) -> None:
        """Nothing on account is no wager."""
        into = self.bets if self.table.state.round is None else self.locked
        into[event.seat, event.wager] = event.cents
        if not event.cents:
            del into[event.seat, event.wager]

    def _resumed(self) -> None:
        """Which chips lie there yet the pads tell anew; an account needs no pad."""
        wagers = self.table.chapter.wagers
        self.bets = {spot: cents for spot, cents in self.bets.items() if wagers[spot[1]].device == ACCOUNT}

    def _lock(self, effects: list[Effect]) -> None:
        is_first = isinstance(effects[0], ef.LockWagers) or not self.open
        self.hold_that(is_first, "the lock is not the first effect of LOCK", effects)
        self.locked = dict(self.bets)
        self.bets, self.lifted = {}, set()
        self._hand_back(effects)

    def _hand_back(self, effects: list[Effect]) -> None:
        for effect in of_kind(effects, ef.ReturnWager):
            spot = effect.seat, effect.wager
            self.hold_that(spot in self.locked, "a wager is returned that nobody made", effect)
            self.hold_that(self.locked.pop(spot) == effect.cents, "not what was wagered", effect)
        dark = {(each.seat, each.wager) for each in of_kind(effects, ef.RefuseWager)}
        back = {(each.seat, each.wager) for each in of_kind(effects, ef.ReturnWager)}
        self.hold_that(dark == back, "what goes back is still lit as accepted", dark, back)

    def _mismatch(self, effects: list[Effect]) -> None:
        """The floor says whose progressive wager was made, or was not (then there is no chip to give back)."""
        round_ = self.table.state.round
        assert round_ is not None  # chips are counted within a round
        for refused in of_kind(effects, ef.RefuseWager):
            if refused.wager not in round_.bets[refused.seat]:
                self.hold_that(
                    (refused.seat, refused.wager) in self.locked, "struck, but never made", refused
                )
                del self.locked[refused.seat, refused.wager]
        for seat, bets in round_.bets.items():
            for wager, cents in bets.items():
                is_new = self.table.chapter.wagers[wager].envy and (seat, wager) not in self.locked
                if is_new:
                    self.hold_that(cents == self.table.setup.options.progressive_unit, seat, wager, cents)
                    self.locked[seat, wager] = cents

    def _compare(self) -> None:
        record = self.table.last_record
        assert record is not None
        kept = {(seat, wager): cents for seat, bets in record.bets.items() for wager, cents in bets.items()}
        self.hold_that(kept == self.locked, "the round has", kept, "locked were", self.locked)
        self.locked = {}
