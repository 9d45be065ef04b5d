"""Telling people what follows from the state, where it differs from what they were told last.

Nothing here is asked for by a room: after each event the prompt, the lamp, the spots, the meters and the next
deadline are what the state makes them, and only what is new goes out. Spots that close are locked before
anything else is done.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from sabot.statemachine import display
from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.decks import Decks
from sabot.statemachine.display import DealerDisplay
from sabot.statemachine.effects import (
    DarkenSpots,
    Effect,
    LightSeat,
    LockWagers,
    OpenSpots,
    SetMeter,
    ShowPrompt,
    WakeAt,
)
from sabot.statemachine.idle import IdleWatch
from sabot.statemachine.law import Law
from sabot.statemachine.ledger import UNITS
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.looked import Looked
from sabot.statemachine.outbox import Outbox, Told
from sabot.statemachine.parts import TableClock
from sabot.statemachine.phases import Phase
from sabot.statemachine.round import Play
from sabot.statemachine.stock import Stock

NEVER = float("inf")
# What two tellings of the same kind differ in.
_PROMPT = attrgetter("first", "second", "cite")
_LAMP, _METER, _WAKE = attrgetter("seat"), attrgetter("cents"), attrgetter("at")
_DARK = attrgetter("spots")


@dataclass(slots=True, eq=False, repr=False)
class TableTelling:
    """Tell people what differs from what they were told last."""

    law: Law
    out: Outbox
    last_told: Told
    looked: Looked
    clock: TableClock
    stock: Stock
    books: MoneyBooks
    play: Play
    accounts: GameAccounts
    deck_room: Decks
    display: DealerDisplay
    idle_watch: IdleWatch
    lockout: Lockout

    def tell(self) -> None:
        """Everything that is new."""
        # Spots before everything else: no word to people may cost a lock its place.
        self._tell_spots()
        self._tell_dark_spots()
        self._tell_accounts()
        first, second, cite = self.display.prompt()
        if self._is_news("prompt", _PROMPT, (first, second, cite)):
            self._tell("prompt", ShowPrompt(first=first, second=second, cite=cite))
        seat = self.display.lit_seat()
        if self._is_news("lamp", _LAMP, seat):
            self._tell("lamp", LightSeat(seat=seat))
        self._tell_meters()
        self._tell_deadline()

    def _is_news(self, key: str, what: Callable[[Effect], object], now: object) -> bool:
        """Return whether what was told last differs: asked of plain values, before an effect is made."""
        told = self.last_told.effects.get(key)
        return told is None or what(told) != now

    def _tell(self, key: str, effect: Effect) -> None:
        self.last_told.effects[key] = effect
        self.out.emit(effect)

    def forget(self) -> None:
        """Nobody may know what was told before: all of it is news."""
        self.last_told.forget()
        self.looked.away()

    def _tell_meters(self) -> None:
        balances = self.books.ledger.balances
        units = [balances.get(key, 0) for key in self.law.signs]
        if (
            units == self.last_told.units
        ):  # as at most events; the signs themselves are looked at where it is not
            return
        self.last_told.units = units
        for each, (key, (meter, level)) in zip(units, self.law.signs.items(), strict=True):
            cents = each // UNITS
            if self._is_news(key, _METER, cents):
                self._tell(key, SetMeter(meter=meter, level=level, cents=cents))

    def _tell_spots(self) -> None:
        spots, before = self.display.open_spots(), self.last_told.spots
        if spots is before or spots == before:
            return
        self.last_told.spots = spots
        closed, opened = before - spots, spots - before
        if closed:
            self.out.emit(LockWagers(spots=display.in_order(closed), cite=self.law.cite("7(c)")), first=True)
        if opened:
            self.out.emit(OpenSpots(spots=display.in_order(opened), cite=self.law.cite("7(c)")))

    def _tell_dark_spots(self) -> None:
        """Before the lock, what it will refuse."""
        if self.play.phase is Phase.BETS_OPEN:
            spots = self.lockout.dark_spots()
        else:
            spots = ()
            self.looked.away()
        if self._is_news("dark", _DARK, spots):
            self._tell("dark", DarkenSpots(spots=spots, cite=self.law.cite("7(d)")))

    def _tell_accounts(self) -> None:
        """The wagering system is told what is new to it; what is over is not told, and not told again."""
        if not self.law.from_stations:
            return
        round_ = self.play.round
        is_turning = self.play.phase is Phase.TURNING
        sign = None if round_ is None else round_.number, is_turning, self.books.credits, len(self.books.owed)
        # As at most events; while cards are turned what holds the table counts too.
        if sign == self.last_told.accounts and not is_turning:
            return
        self.last_told.accounts = sign
        for key, effect in self.accounts.told():
            told = self.last_told.effects.get(key)
            if effect is None:
                self.last_told.effects.pop(key, None)
            elif told != effect:
                self._tell(key, effect)

    def _tell_deadline(self) -> None:
        """When to post ``TimeReached`` next, in the time of whoever posts it."""
        wake = self._next_deadline()
        if wake < NEVER and self._is_news("wake", _WAKE, wake - self.clock.clock_offset):
            self._tell("wake", WakeAt(at=wake - self.clock.clock_offset))

    def _next_deadline(self) -> float:
        """The next moment at which a deck is due, or soon is, or the table has been empty for too long."""
        notice, now, wake = self.law.setup.change_notice_s, self.clock.now, NEVER
        for deck in self.stock.decks.values():
            end = self.deck_room.deadline(deck)
            time = end - notice if end - notice > now else end
            if now < time < wake:
                wake = time
        empty = self.idle_watch.deadline()
        return empty if empty is not None and now < empty < wake else wake
