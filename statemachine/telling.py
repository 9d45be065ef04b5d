"""Telling people what follows from the state, where it differs from what they were told last.

Nothing here is asked for by a room: after each event the display says what holds (``Shown``), the ledger what
the meters are and the decks when the next deadline is, and only what is new goes out. Spots that close are
locked before anything else is done.
"""

from dataclasses import dataclass

from sabot.statemachine import display
from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.decks import Decks
from sabot.statemachine.display import Shown, Spots
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
from sabot.statemachine.looked import Looked
from sabot.statemachine.outbox import Outbox, Told
from sabot.statemachine.parts import OpenWagers, TableClock
from sabot.statemachine.phases import Phase
from sabot.statemachine.round import Play
from sabot.statemachine.stock import Stock

NEVER = float("inf")


@dataclass(slots=True, eq=False, repr=False)
class TableTelling:
    """Tell people what differs from what they were told last."""

    law: Law
    out: Outbox
    last_told: Told
    looked: Looked
    clock: TableClock
    stock: Stock
    layout: OpenWagers
    books: MoneyBooks
    play: Play
    accounts: GameAccounts
    deck_room: Decks
    idle_watch: IdleWatch

    def tell(self, now: Shown) -> None:
        """Everything that is new: plain values are compared, and an effect is made where they differ."""
        told, law = self.last_told, self.law
        # Spots before everything else: no word to people may cost a lock its place.
        if now.spots is not told.spots and now.spots != told.spots:
            self._tell_spots(now.spots, told.spots)
        if now.dark != told.dark:
            told.dark = now.dark
            self._tell("dark", DarkenSpots(spots=now.dark, cite=law.cite("7(d)")))
        if law.from_stations:
            self._tell_accounts()
        if now.lines != told.lines:
            told.lines = first, second, cite = now.lines
            self._tell("prompt", ShowPrompt(first=first, second=second, cite=cite))
        if now.seat != told.seat:
            told.seat = now.seat
            self._tell("lamp", LightSeat(seat=now.seat))
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
        """Nobody may know what was told before: all of it is news."""
        self.last_told.forget()
        self.looked.away()

    def _tell_meters(self, units: list[int | None]) -> None:
        for each, (key, (meter, level)) in zip(units, self.law.signs.items(), strict=True):
            effect = SetMeter(meter=meter, level=level, cents=(each or 0) // UNITS)
            if self.last_told.effects.get(key) != effect:
                self._tell(key, effect)

    def _tell_spots(self, spots: Spots, before: Spots) -> None:
        self.last_told.spots = spots
        closed, opened = before - spots, spots - before
        if closed:
            self.out.emit(LockWagers(spots=display.in_order(closed), cite=self.law.cite("7(c)")), first=True)
        if opened:
            self.out.emit(OpenSpots(spots=display.in_order(opened), cite=self.law.cite("7(c)")))

    def _tell_accounts(self) -> None:
        """The wagering system is told what is new to it; what is over is not told, and not told again."""
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

    def _next_deadline(self) -> float:
        """The next moment at which a deck is due, or soon is, or the table has been empty for too long."""
        notice, now, wake = self.law.setup.change_notice_s, self.clock.now, NEVER
        for deck in self.stock.decks.values():
            end = self.deck_room.deadline(deck)
            time = end - notice if end - notice > now else end
            if now < time < wake:
                wake = time
        empty = self.idle_watch.deadline() if self.layout.empty_since is not None else None
        return empty if empty is not None and now < empty < wake else wake
