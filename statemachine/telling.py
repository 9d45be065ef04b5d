"""Telling people what follows from the state, where it differs from what they were told last.

Nothing here is asked for by a room: after each event the prompt, the lamp, the spots, the meters and the next
deadline are what the state makes them, and only what is new goes out. Spots that close are locked before
anything else is done.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from sabot.statemachine import accounts, decks, display, idle, lockout
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
from sabot.statemachine.ledger import UNITS, account
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Setup

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

Signs = Mapping[str, tuple[str, str]]
NEVER = float("inf")

# What two tellings of the same kind differ in.
_PROMPT = attrgetter("first", "second", "cite")
_LAMP, _METER, _WAKE = attrgetter("seat"), attrgetter("cents"), attrgetter("at")
_DARK = attrgetter("spots")


def tell(table: "Table") -> None:
    """Everything that is new."""
    # Spots before everything else: no word to people may cost a lock its place.
    _tell_spots(table)
    _tell_dark_spots(table)
    _tell_accounts(table)
    first, second, cite = display.prompt(table)
    if _is_news(table, "prompt", _PROMPT, (first, second, cite)):
        _tell(table, "prompt", ShowPrompt(first=first, second=second, cite=cite))
    seat = display.lit_seat(table)
    if _is_news(table, "lamp", _LAMP, seat):
        _tell(table, "lamp", LightSeat(seat=seat))
    _tell_meters(table)
    _tell_deadline(table)


def _is_news(table: "Table", key: str, what: Callable[[Effect], object], now: object) -> bool:
    """Whether what was told last differs: asked of plain values, before an effect is made."""
    told = table.told.get(key)
    return told is None or what(told) != now


def _tell(table: "Table", key: str, effect: Effect) -> None:
    table.told[key] = effect
    table.emit(effect)


def signs(setup: Setup) -> Signs:
    """The meters that are shown, by the account that each of them shows."""
    return {
        account(meter, level): (meter, level) for meter, levels in setup.meters.items() for level in levels
    }


def forget(table: "Table") -> None:
    """Nobody may know what was told before: all of it is news."""
    table.told.clear()
    table.told_units.clear()
    table.told_accounts = ()
    table.looked = lockout.Looked()


def _tell_meters(table: "Table") -> None:
    balances = table.state.ledger.balances
    units = [balances.get(key, 0) for key in table.signs]
    if units == table.told_units:  # as at most events; the signs themselves are looked at where it is not
        return
    table.told_units = units
    for each, (key, (meter, level)) in zip(units, table.signs.items(), strict=True):
        cents = each // UNITS
        if _is_news(table, key, _METER, cents):
            _tell(table, key, SetMeter(meter=meter, level=level, cents=cents))


def _tell_spots(table: "Table") -> None:
    spots, before = table.open_spots(), table.told_spots
    if spots is before or spots == before:
        return
    table.told_spots = spots
    closed, opened = before - spots, spots - before
    if closed:
        table.emit(LockWagers(spots=display.in_order(closed), cite=table.cite("7(c)")), first=True)
    if opened:
        table.emit(OpenSpots(spots=display.in_order(opened), cite=table.cite("7(c)")))


def _tell_dark_spots(table: "Table") -> None:
    """Before the lock, what it will refuse."""
    if table.state.phase is Phase.BETS_OPEN:
        spots = table.looked.dark(table)
    else:
        spots = ()
        table.looked.away()
    if _is_news(table, "dark", _DARK, spots):
        _tell(table, "dark", DarkenSpots(spots=spots, cite=table.cite("7(d)")))


def _tell_accounts(table: "Table") -> None:
    """The wagering system is told what is new to it; what is over is not told, and not told again."""
    if not table.from_stations:
        return
    state, round_ = table.state, table.state.round
    is_turning = state.phase is Phase.TURNING
    sign = None if round_ is None else round_.number, is_turning, state.credits, len(state.owed)
    # As at most events; while cards are turned what holds the table counts too.
    if sign == table.told_accounts and not is_turning:
        return
    table.told_accounts = sign
    for key, effect in accounts.told(table):
        told = table.told.get(key)
        if effect is None:
            table.told.pop(key, None)
        elif told != effect:
            _tell(table, key, effect)


def _tell_deadline(table: "Table") -> None:
    """When to post ``TimeReached`` next, in the time of whoever posts it."""
    wake = _next_deadline(table)
    if wake < NEVER and _is_news(table, "wake", _WAKE, wake - table.state.clock_offset):
        _tell(table, "wake", WakeAt(at=wake - table.state.clock_offset))


def _next_deadline(table: "Table") -> float:
    """The next moment at which a deck is due, or soon is, or the table has been empty for too long."""
    notice, now, wake = table.setup.change_notice_s, table.state.now, NEVER
    for deck in table.state.decks.values():
        end = decks.deadline(table, deck)
        time = end - notice if end - notice > now else end
        if now < time < wake:
            wake = time
    empty = idle.deadline(table)
    return empty if empty is not None and now < empty < wake else wake
