"""A wager counts from the moment a pad senses it on a spot that the table had opened, and no later.

Which spots are open is followed through the effects alone; what the lock takes over must be what the record
of the round says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.statemachine.betting import BEING_COUNTED
from sabot.statemachine.late_chips import CHIPS_STAY
from sabot.statemachine.law import ACCOUNT, PROGRESSIVE
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import (
    AccountsRead,
    AccountWager,
    Key,
    KeyPressed,
    Resumed,
    WagerSensed,
)

from .auditor import Auditor, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

Spot = tuple[int, str]


class StakeAuditor(Auditor):
    """No wager counts on a locked spot, and every one that counts is in the round."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.open: set[Spot] = set()
        self.bets: dict[Spot, int | None] = {}
        self.locked: dict[Spot, int | None] = {}
        self.dark: set[Spot] = set()
        # What was taken after the lock, and is wanted back on its spot.
        self.wanted: set[Spot] = set()

    def look(self, event: Event, effects: list[Effect]) -> None:
        if isinstance(event, WagerSensed):
            self._sensed(event, effects)
        elif isinstance(event, AccountWager) and not is_refused(effects):
            self._account(event, effects)
        elif isinstance(event, AccountsRead) and not is_refused(effects):
            self._read(event)
        elif isinstance(event, Resumed) and self.table.state.play.round is None:
            self._resumed()
        elif isinstance(event, KeyPressed) and event.key is Key.LOCK and not is_refused(effects):
            self._lock(effects)
        elif self.phase is Phase.CHIP_MISMATCH:
            self._mismatch(effects)
        self._follow_spots(effects)
        self.hold_that(
            self.open == self.table.rooms.display.open_spots(),
            "other spots are open than were told",
            self.open,
        )
        is_before_lock = self.table.state.play.phase is Phase.BETS_OPEN
        self.hold_that(is_before_lock or not self.dark, "a spot is dark after the lock", self.dark)
        round_ = self.table.state.play.round
        self.wanted = {(each.seat, each.wager) for each in round_.hand_back} if round_ else set()
        if of_kind(effects, ef.RecordRound):
            self._compare()

    def _follow_spots(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, ef.LockWagers):
                self.open -= set(effect.spots) or self.open
            elif isinstance(effect, ef.OpenSpots):
                self.open |= set(effect.spots)
            elif isinstance(effect, ef.DarkenSpots):
                self.dark = set(effect.spots)

    def _sensed(self, event: WagerSensed, effects: list[Effect]) -> None:
        spot = event.seat, event.wager
        is_open = spot in self.open
        refused = [each for each in of_kind(effects, ef.RefuseWager) if (each.seat, each.wager) == spot]
        self._orphans(event.seat, effects)
        must_go_back = not is_open and event.cents != 0 and not self._lies_as_it_lay(event)
        self.hold_that(bool(refused) == must_go_back, event, "open" if is_open else "locked", refused)
        if (
            self.table.law.chapter.wagers.get(event.wager) is None
            or self.table.law.chapter.wagers[event.wager].after_deal
        ):
            return
        if event.cents == 0 and self.table.state.play.round is None:
            self.bets.pop(spot, None)
        elif is_open:
            self.bets[spot] = event.cents

    def _orphans(self, seat: int, effects: list[Effect]) -> None:
        """Before the lock nothing goes back but an account wager whose Ante was lifted."""
        for back in of_kind(effects, ef.ReturnWager):
            spot = back.seat, back.wager
            is_orphan = back.account and back.seat == seat and (seat, "ante") not in self.bets
            self.hold_that(is_orphan, "an account wager is returned that had its Ante", back)
            self.hold_that(self.bets.pop(spot) == back.cents, "not what was wagered", back)

    def _lies_as_it_lay(self, event: WagerSensed) -> bool:
        """Told once more of a wager in the round as it was accepted, which the dealer has not moved, or has back."""
        round_ = self.table.state.play.round
        wager = self.table.law.chapter.wagers.get(event.wager)
        if round_ is None or wager is None or event.seat not in round_.bets:
            return False
        stake = self.table.rooms.contest.stakes(event.seat).get(event.wager, 0)
        if (event.seat, event.wager) in self.wanted:
            return stake == event.cents
        if self.table.state.play.phase not in CHIPS_STAY:
            return False
        is_progressive = wager.device == PROGRESSIVE
        if is_progressive and self.table.state.play.phase not in BEING_COUNTED:
            return False
        return event.seat not in round_.folded and stake == event.cents

    def _account(self, event: AccountWager, effects: list[Effect]) -> None:
        """Taken until the lock and never after it; nothing on account is no wager."""
        spot, refused = (event.seat, event.wager), of_kind(effects, ef.RefuseWager)
        may_be_made = bool(self.open) and self.table.state.play.phase is Phase.BETS_OPEN
        is_locked = self.table.state.play.round is not None
        self.hold_that(refused or not is_locked, "an account wager after the lock", event)
        if refused:
            return
        self.hold_that(may_be_made or not event.cents, "an account wager on a closed table", event)
        self.bets[spot] = event.cents
        if not event.cents:
            del self.bets[spot]

    def _read(self, event: AccountsRead) -> None:
        """Before the lock an account wager is what the wagering system has of it, or none."""
        if self.table.state.play.round is not None:
            return
        there = {(seat, wager): cents for seat, wager, cents in event.stakes}
        for spot in [each for each in self.bets if self.table.law.chapter.wagers[each[1]].device == ACCOUNT]:
            del self.bets[spot]
            if spot in there:
                self.bets[spot] = there[spot]

    def _resumed(self) -> None:
        """Which chips lie there yet the pads tell anew; an account needs no pad."""
        wagers = self.table.law.chapter.wagers
        self.bets = {spot: cents for spot, cents in self.bets.items() if wagers[spot[1]].device == ACCOUNT}

    def _lock(self, effects: list[Effect]) -> None:
        is_first = isinstance(effects[0], ef.LockWagers) or not self.open
        self.hold_that(is_first, "the lock is not the first effect of LOCK", effects)
        self.locked = dict(self.bets)
        self.bets = {}
        self._hand_back(effects)

    def _hand_back(self, effects: list[Effect]) -> None:
        for effect in of_kind(effects, ef.ReturnWager):
            spot = effect.seat, effect.wager
            self.hold_that(spot in self.locked, "a wager is returned that nobody made", effect)
            self.hold_that(self.locked.pop(spot) == effect.cents, "not what was wagered", effect)
        dark = {(each.seat, each.wager) for each in of_kind(effects, ef.RefuseWager)}
        back = {(each.seat, each.wager) for each in of_kind(effects, ef.ReturnWager)}
        self.hold_that(dark == back, "what goes back is still lit as accepted", dark, back)
        self.hold_that(dark == self.dark, "what goes back was lit when it was placed", dark, self.dark)

    def _mismatch(self, effects: list[Effect]) -> None:
        """The floor says whose progressive wager was made, or was not (then there is no chip to give back)."""
        round_ = self.table.state.play.round
        assert round_ is not None  # chips are counted within a round
        for refused in of_kind(effects, ef.RefuseWager):
            if refused.wager not in round_.bets[refused.seat]:
                self.hold_that(
                    (refused.seat, refused.wager) in self.locked, "struck, but never made", refused
                )
                del self.locked[refused.seat, refused.wager]
        for seat, bets in round_.bets.items():
            for wager, cents in bets.items():
                is_new = self.table.law.chapter.wagers[wager].envy and (seat, wager) not in self.locked
                if is_new:
                    self.hold_that(cents == self.table.law.setup.options.progressive_unit, seat, wager, cents)
                    self.locked[seat, wager] = cents

    def _compare(self) -> None:
        record = self.table.rooms.recorded.last
        assert record is not None
        kept = {(seat, wager): cents for seat, bets in record.bets.items() for wager, cents in bets.items()}
        self.hold_that(kept == self.locked, "the round has", kept, "locked were", self.locked)
        self.locked = {}
