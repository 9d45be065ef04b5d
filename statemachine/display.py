"""What people are shown: the dealer's two lines, the lamp of one seat, the open spots; told where it differs.

All of it follows from the state and is one value, ``Shown``: a plain tuple, for one is made at each event. No
room asks for a telling: after each event what holds is compared with what was told last, the meters of the
ledger and the next deadline of the decks too, and only the difference goes out. So a prompt can never be
forgotten on some path, and never says more than the state holds. Spots that close are locked before anything
else is done.
"""

from dataclasses import dataclass
from functools import lru_cache

from sabot.statemachine import outbox
from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.chips import Answering
from sabot.statemachine.contest import Contest
from sabot.statemachine.cutting import IdleWatch
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import NEVER, Decks, Registering
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.labels import WIDTH, Lines, fit
from sabot.statemachine.late_chips import Looked
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.outbox import Calling, LastTold, Outbox
from sabot.statemachine.prompts.after_deal import TO_RACK
from sabot.statemachine.prompts.by_phase import Prompts
from sabot.statemachine.prompts.deal import DealPrompts
from sabot.statemachine.settling import Settling
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import UNITS
from sabot.statemachine.state.parts import EntryState, HeldFault, OpenWagers, TableClock, TableCrew, Trouble
from sabot.statemachine.state.phases import (
    BETS_OPEN,
    DEALING,
    DECIDING,
    DECLARING,
    ENDING,
    SETTLING,
    STUB,
    TURNING,
    VALIDATING,
)
from sabot.statemachine.state.round import Play, RoundState
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.effects import (
    DarkenSpots,
    Effect,
    LightSeat,
    LockWagers,
    OpenSpots,
    SetMeter,
    ShowPrompt,
    WakeAt,
)

__all__ = ["WIDTH", "DealerDisplay", "Shown", "Spot", "in_order"]
Spot = tuple[int, str]
Spots = frozenset[Spot]
_CLOSED: Spots = frozenset()
# A round that is decided is brought to its end whatever holds the table, so its steps stay on the display.
_SHOWN_WHILE_HELD = frozenset(ENDING)
_WAITS_FOR_FLOOR = "FLOOR: "


def _with_paragraph(first: str, cite: str) -> str:
    """Return a line with as much of a paragraph as it has room for, in whole parts from its beginning."""
    room = WIDTH - len(first) - 1
    # Cut at a bracket: half a paragraph would name another one.
    while len(cite) > room and "(" in cite:
        cite = cite[: cite.rindex("(")]
    return f"{first} {cite}" if len(cite) <= room else first


# What holds for people now: open spots, spots whose wager would go back, lines, the seat that is lit.
Shown = tuple[Spots, tuple[Spot, ...], Lines, int]


@lru_cache(maxsize=64)
def in_order(spots: Spots) -> tuple[Spot, ...]:
    """Return spots by seat and name; the same few sets come round after round."""
    return tuple(sorted(spots))


@lru_cache(maxsize=256)
def _prompt(first: str, second: str, cite: str) -> ShowPrompt:
    """Return the order to show these lines; the same few come round after round."""
    return ShowPrompt(first=first, second=second, cite=cite)


@lru_cache(maxsize=64)
def _seat_of(place: str) -> int:
    """Return the seat that a place belongs to (0: none)."""
    return int(place.removeprefix("seat").partition(":")[0]) if place.startswith("seat") else 0


@dataclass(slots=True, eq=False, repr=False)
class DealerDisplay:
    """Show the step, the lamp and the open spots."""

    law: Law
    contest: Contest
    looked: Looked
    crew: TableCrew
    entry: EntryState
    stock: Stock
    trouble: Trouble
    play: Play
    answering: Answering
    calling: Calling
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    linked_meters: LinkedMeters
    lockout: Lockout
    prompts: Prompts
    deal_prompts: DealPrompts
    registering: Registering
    settling: Settling

    def shown(self) -> Shown:
        """Return what holds for people now."""
        # Asked once for all that is shown: spots, lines and lamp must speak of the same hold.
        held = self.faults.held if self.trouble.holds else None
        if self.play.phase is BETS_OPEN:
            dark = self.lockout.dark_spots()
        else:
            dark = ()
            # With bets closed nothing is told dark, and what was looked at may change unseen until they open.
            if not self.looked.is_away:
                self.looked.away()
        return (
            self._spots() if held is None else _CLOSED,
            dark,
            self._lines(held),
            0 if held is not None or self.play.round is None else self._lit_seat(self.play.round),
        )

    def _lines(self, held: HeldFault | None) -> Lines:
        """Return the dealer's two lines with their paragraph; over an open list that of the step beneath."""
        # Digits before the hold: a lot is registered while the missing deck holds the table.
        if self.entry.pending.lot and self.registering.takes_digits():
            first, second, cite = self.registering.lines()
        elif held is not None and self.play.phase not in _SHOWN_WHILE_HELD:
            first, second, cite = self.prompts.held_lines(held)
        else:
            first, second, cite = self.step_lines()
            if first == TO_RACK and self.trouble.holds:
                first = f"FAULT: {first}"  # the red lamp is lit, and the round is ended all the same
        # Where the floor alone can go on, the dealer should see that the call was heard.
        if self.crew.calls and self.calling.is_called() and second.startswith(_WAITS_FOR_FLOOR):
            second = outbox.CALLED
        if self.entry.menu is not None:
            beneath = cite
            first, second, cite = self.prompts.menu_lines()
            # The title of a chosen action leaves no room for a paragraph.
            if not self.entry.menu.action:
                first = _with_paragraph(first, beneath)
        return fit(first), fit(second), cite

    def says_what_holds(self) -> bool:
        """Return whether the display shows what holds the table: no list, no digits, no end of a round."""
        is_beneath = self.entry.menu is not None or self.registering.takes_digits()
        return self.faults.held is not None and not is_beneath and self.play.phase not in _SHOWN_WHILE_HELD

    def step_lines(self) -> Lines:
        """Return the lines of the step that OK takes."""
        round_ = self.play.round
        # Chips that go back stand before the step of the phase, as OK takes them first.
        back = self.lockout.to_hand_back() if round_ is not None and round_.hand_back else None
        if back is None:
            return self.prompts.of_phase[self.play.phase]()
        return self.deal_prompts.hand_back_lines(back)

    def _lit_seat(self, round_: RoundState) -> int:
        """Return the seat whose lamp is lit: the one that is dealt to, asked or settled (0: none)."""
        phase = self.play.phase
        if phase is DEALING or phase is STUB:
            # A stack in the exit belongs to the place before: its seat stays lit until it was taken.
            lies, order = self.dealing.lies_in_exit(), self.contest.laid.order
            if not lies and phase is STUB:
                return 0
            return _seat_of((self.dealing.last_stack()[0] if lies else order[round_.drawn]).place)
        if phase is DECIDING or phase is DECLARING:
            return round_.asking
        if phase is SETTLING or phase is VALIDATING:
            return self.settling.current_seat()
        return 0

    def open_spots(self) -> Spots:
        """Return the spots whose wagers count now; none while the table is held."""
        return self._spots() if self.faults.held is None else _CLOSED

    def _spots(self) -> Spots:
        """Return the spots of a phase: before the lock all offered ones, then one second wager at a time."""
        if self.play.phase is BETS_OPEN:
            deck = self.stock.decks.get(self.stock.in_play)
            # No new round once the deck in play is due (x.3(c)), nor after it was taken out of the shoe.
            if deck is not None and (deck.gone or self.deck_room.is_due(deck)):
                return _CLOSED
            offered = self.law.offered_spots
            return self.linked_meters.still_open(offered) if self.law.links else offered
        # One spot at a time (x.11(b)): a raise at another seat is not asked for yet.
        if self.play.phase is DECIDING and (asked := self.play.current.asking):
            return frozenset({(asked, self.answering.second_wager())})
        return _CLOSED


# ------------------------------------------------------------ told where it differs


@dataclass(slots=True, eq=False, repr=False)
class TableUpdates:
    """Tell people what differs from what they were told last."""

    law: Law
    out: Outbox
    last_told: LastTold
    looked: Looked
    clock: TableClock
    layout: OpenWagers
    books: MoneyBooks
    play: Play
    accounts: GameAccounts
    deck_room: Decks
    idle_watch: IdleWatch

    def tell(self, now: Shown) -> None:
        """Tell everything that is new: plain values are compared, and an effect is made where they differ."""
        told, law = self.last_told, self.law
        spots, dark, lines, seat = now
        # Spots before everything else: no word to people may cost a lock its place.
        # By identity first: most events find the very same set.
        if spots is not told.spots and spots != told.spots:
            self._tell_spots(spots, told.spots)
        if dark != told.dark:
            told.dark = dark
            self._tell("dark", DarkenSpots(spots=dark, cite=law.cite("7(d)")))
        if law.from_stations:
            self._tell_accounts()
        if lines != told.lines:
            told.lines = first, second, cite = lines
            self._tell("prompt", _prompt(first, second, cite))
        if seat != told.seat:
            told.seat = seat
            self._tell("lamp", LightSeat(seat=seat))
        units = [*map(self.books.ledger.balances.get, law.signs)]
        if units != told.units:  # not at most events; the signs themselves are looked at where they differ
            told.units = units
            self._tell_meters(units)
        # In the time of whoever posts ``TimeReached``.
        wake = self._next_deadline() - self.clock.clock_offset
        if wake != told.wake and wake < NEVER:
            told.wake = wake
            self._tell("wake", WakeAt(at=wake))

    def _tell(self, key: str, effect: Effect) -> None:
        self.last_told.effects[key] = effect
        self.out.effects.append(effect)

    def forget(self) -> None:
        """Forget what was told, for nobody may know it any more: all of it is news."""
        self.last_told.forget()
        self.looked.away()

    def _tell_meters(self, units: list[int | None]) -> None:
        for each, (key, (meter, level)) in zip(units, self.law.signs.items(), strict=True):
            cents, told = (each or 0) // UNITS, self.last_told.effects.get(key)
            # A contribution may be less than a cent: then the sign stays as it is.
            if not (isinstance(told, SetMeter) and told.cents == cents):
                self._tell(key, SetMeter(meter=meter, level=level, cents=cents))

    def _tell_spots(self, spots: Spots, before: Spots) -> None:
        self.last_told.spots = spots
        closed, opened = before - spots, spots - before
        # Closing goes to the head of the effects, opening to its place: the safe direction first.
        if closed:
            self.out.emit(LockWagers(spots=in_order(closed), cite=self.law.cite("7(c)")), first=True)
        if opened:
            self.out.emit(OpenSpots(spots=in_order(opened), cite=self.law.cite("7(c)")))

    def _tell_accounts(self) -> None:
        """Tell the wagering system what is new to it; what is over is forgotten without a word."""
        round_ = self.play.round
        is_turning = self.play.phase is TURNING
        sign = None if round_ is None else round_.number, is_turning, self.books.credits, len(self.books.owed)
        # Nothing is new at most events; while cards are turned, though, what holds the table counts too.
        if sign == self.last_told.accounts and not is_turning:
            return
        self.last_told.accounts = sign
        for key, effect in self.accounts.told():
            told = self.last_told.effects.get(key)
            if effect is None:
                self.last_told.effects.pop(key, None)
            elif told != effect:
                self._tell(key, effect)

    def _next_deadline(self) -> float:
        """Return the next moment at which a deck is due, or soon is, or the table is empty for too long."""
        wake = self.deck_room.next_moment()
        empty = self.idle_watch.deadline() if self.layout.empty_since is not None else None
        return empty if empty is not None and self.clock.now < empty < wake else wake
