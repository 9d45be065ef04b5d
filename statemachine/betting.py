"""Wagers as pads and accounts report them (x.7).

A pad's word counts only on an open spot. Before the lock a player may take a wager back whenever he likes; a
chip that is placed after it goes back, and is kept as evidence with its time, like one that goes missing.
A wager on a game account lives by the same clock. It names a seat and no person, so it falls when chips are
laid where its Ante was lifted: it never plays for whoever sits there next.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine import late_chips
from sabot.statemachine.action import Refused
from sabot.statemachine.chips import Answering, ChipCount
from sabot.statemachine.contest import Contest
from sabot.statemachine.display import DealerDisplay
from sabot.statemachine.late_chips import LateChips, Looked
from sabot.statemachine.law import ACCOUNT, PROGRESSIVE, Law, why_not_standing
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.parts import OpenWagers
from sabot.statemachine.state.phases import BETS_OPEN, DECIDING, Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.effects import AcceptWager, RefuseWager
from sabot.statemachine.vocabulary.events import AccountWager, WagerSensed

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager

P = Phase
BEING_COUNTED = frozenset({P.COUNTING_CHIPS, P.CHIP_MISMATCH})


@dataclass(slots=True, eq=False, repr=False)
class Betting:
    """Take wagers as pads and accounts report them."""

    law: Law
    out: Outbox
    contest: Contest
    looked: Looked
    layout: OpenWagers
    play: Play
    answering: Answering
    chip_count: ChipCount
    display: DealerDisplay
    late_chips: LateChips
    linked_meters: LinkedMeters
    lockout: Lockout

    def on_wager(self, event: WagerSensed) -> None:
        """Count a change on an open spot; refuse one on a closed spot and keep it as evidence."""
        if event.cents is not None and event.cents < 0:
            raise Refused("a wager of less than nothing")
        self.looked.changed(event.seat)
        if (event.seat, event.wager) not in self.display.open_spots():
            self._on_closed_spot(event)
        elif self.play.phase is DECIDING:
            self.answering.feel(event.cents)
        elif event.cents == 0:
            self._lift(event.seat, event.wager)
        else:
            # Before the new chip counts: with it the Ante would seem to be there still.
            self._return_orphans(event.seat)
            self.layout.bets.setdefault(event.seat, {})[event.wager] = event.cents

    def _lift(self, seat: int, wager: str) -> None:
        bets = self.layout.bets.get(seat, {})
        bets.pop(wager, None)
        if not bets:
            self.layout.bets.pop(seat, None)

    def _on_closed_spot(self, event: WagerSensed) -> None:
        cite = self.law.cite("7(c)")
        is_lifted, in_round = event.cents == 0, self.play.round is not None
        # The spot is shut while the table is held, and the chips on it must be known when it goes on.
        if self._is_asked_for(event):
            self.answering.feel(event.cents)
        if in_round and (self._is_put_right(event) or self._lies_as_it_lay(event)):
            return
        # x.7(c) forbids nothing before the lock: also on a spot that is shut a player takes his chips back.
        if is_lifted and not in_round:
            self._lift(event.seat, event.wager)
        elif in_round and (not is_lifted or self._should_lie(event)):
            self.late_chips.note_change(event.seat, event.wager, event.cents)
        # Chips that were taken away cannot be refused.
        if not is_lifted:
            shut = self.linked_meters.why_shut(event.wager) or "bets are not open"
            why = "after no more bets" if in_round else shut
            self.out.emit(RefuseWager(seat=event.seat, wager=event.wager, why=why, cite=cite))

    def _is_put_right(self, event: WagerSensed) -> bool:
        """Return whether all is put right: late chips gone, taken chips back, refused chips handed back."""
        if self.lockout.went_back(event.seat, event.wager, event.cents):
            return True
        return self.late_chips.is_right_again(event.seat, event.wager, event.cents)

    def _is_asked_for(self, event: WagerSensed) -> bool:
        """Return whether it is the spot of the answer being entered, shut while the table is held."""
        if self.play.phase is not DECIDING:
            return False
        return (event.seat, event.wager) == (self.play.current.asking, self.answering.second_wager())

    def _lies_as_it_lay(self, event: WagerSensed) -> bool:
        """Return whether pads, asked anew, tell a wager of the round as it was."""
        # Until the count is over the progressive chips lie there too, which ``_should_lie`` leaves out.
        is_counted_yet = self.play.phase in BEING_COUNTED and event.seat in self.play.current.bets
        if not (is_counted_yet or self._should_lie(event)):
            return False
        stakes = self.contest.stakes(event.seat)
        return event.wager in stakes and stakes[event.wager] == event.cents

    def _should_lie(self, event: WagerSensed) -> bool:
        """Return whether a chip of this wager must still lie there; progressive ones are collected."""
        round_, wager = self.play.current, self.law.chapter.wagers.get(event.wager)
        if wager is None or wager.device == PROGRESSIVE or event.seat not in round_.bets:
            return False
        is_live = event.wager in self.contest.stakes(event.seat) and event.seat not in round_.folded
        return is_live and self.play.phase in late_chips.CHIPS_STAY

    # ---------------------------------------------------------------- game accounts

    def on_account_wager(self, event: AccountWager) -> None:
        """Take a wager on a game account like a chip until "no more bets", within its limits (x.7(c))."""
        wager = self.law.chapter.wagers.get(event.wager)
        # A ticket waits for an answer: what is not offered is
        # refused to its station, and is not an input error.
        is_offered = event.wager in self.law.setup.offers
        if wager is None or wager.device != ACCOUNT or not (is_offered or event.ticket):
            raise Refused(f"{event.wager} is not offered on an account")
        self._verify_sense(event, wager)
        self.looked.changed(event.seat)
        why, cite = self._why_not_taken(event)
        if why:
            words = f"seat {event.seat} {event.wager} of {event.cents} refused: {why}"
            self.out.note(words, cite)
            self.out.emit(
                RefuseWager(seat=event.seat, wager=event.wager, why=why, ticket=event.ticket, cite=cite)
            )
            return
        seat, name, cents = event.seat, event.wager, event.cents
        if cents:
            self.layout.bets[seat][name] = cents
        else:
            self._lift(seat, name)
        self.out.emit(AcceptWager(seat=seat, wager=name, cents=cents, ticket=event.ticket, cite=wager.cite))

    def _verify_sense(self, event: AccountWager, wager: "Wager") -> None:
        """Raise what no player can mean."""
        if event.cents < 0:
            raise Refused("a wager of less than nothing")
        if not 1 <= event.seat <= self.law.setup.seat_count:
            raise Refused(f"there is no seat {event.seat}")
        is_made = event.wager in self.layout.bets.get(event.seat, {})
        if not event.cents and not is_made and self.play.round is None and not event.ticket:
            raise Refused(f"{wager.title} at seat {event.seat}: nothing to take back")

    def _why_not_taken(self, event: AccountWager) -> tuple[str, str]:
        """Return why an account wager is refused now, and by which rule (both empty: it is not).

        2(d) is the least that the mechanism does: it prevents a wager once the deal has begun. 7(c) and 8(b)
        ask for more, and they hold.
        """
        if self.play.round is not None:
            return "after no more bets", f"{self.law.cite('7(c)')}, {self.law.cite('8(b)')}"
        if event.wager not in self.law.setup.offers:
            return "not offered here", self.law.chapter.wagers[event.wager].cite
        # Withdrawn: no minimum and no prerequisite stands against that.
        if not event.cents:
            is_made = event.wager in self.layout.bets.get(event.seat, {})
            return ("", "") if is_made else ("nothing to take back", self.law.cite("7(c)"))
        if self.play.phase is not BETS_OPEN or not self.display.open_spots():
            return "bets are not open", self.law.cite("7(c)")
        # As if it stood already, for its prerequisites are asked of the whole seat.
        placed = self.layout.bets.get(event.seat, {}) | {event.wager: event.cents}
        return why_not_standing(self.law.setup, event.wager, placed), self.law.chapter.wagers[
            event.wager
        ].cite

    def _return_orphans(self, seat: int) -> None:
        """Give back account wagers that have lost their Ante: chips laid now may be somebody else's."""
        bets, wagers = self.layout.bets.get(seat, {}), self.law.chapter.wagers
        if bets.keys().isdisjoint(self.law.account_wagers):
            return
        for name in [name for name in bets if name in self.law.account_wagers]:
            if not any(bets.keys().isdisjoint(group) for group in wagers[name].requires):
                continue
            cents, cite = bets.pop(name), wagers[name].cite
            self.out.emit(RefuseWager(seat=seat, wager=name, why="its Ante was lifted", cite=cite))
            self.chip_count.give_back(seat, name, cents, cite)
            self.out.note(f"seat {seat} {name} of {cents} went back: its Ante was lifted", cite)
