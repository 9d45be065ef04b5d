"""Telling people what follows from the state, where it differs from what they were told last.

Nothing here is asked for by a room: after each event the prompt, the lamp, the spots, the meters and the next
deadline are what the state makes them, and only what is new goes out. Spots that close are locked before
anything else is done.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from sabot.statemachine import decks, display
from sabot.statemachine.effects import Effect, LightSeat, LockWagers, OpenSpots, SetMeter, ShowPrompt, WakeAt
from sabot.statemachine.ledger import UNITS, account
from sabot.statemachine.setup import Setup

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

Signs = Mapping[str, tuple[str, str]]

# What two tellings of the same kind differ in.
_PROMPT = attrgetter("first", "second", "cite")
_LAMP, _METER, _WAKE = attrgetter("seat"), attrgetter("cents"), attrgetter("at")


def tell(table: "Table") -> None:
    """Everything that is new."""
    first, second, cite = display.prompt(table)
    if _is_news(table, "prompt", _PROMPT, (first, second, cite)):
        _tell(table, "prompt", ShowPrompt(first=first, second=second, cite=cite))
    seat = display.lit_seat(table)
    if _is_news(table, "lamp", _LAMP, seat):
        _tell(table, "lamp", LightSeat(seat=seat))
    _tell_spots(table)
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


def _tell_meters(table: "Table") -> None:
    balances = table.state.ledger.balances
    for key, (meter, level) in table.signs.items():
        cents = balances.get(key, 0) // UNITS
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


def _tell_deadline(table: "Table") -> None:
    """When to post ``TimeReached`` next, in the time of whoever posts it."""
    notice, now = table.setup.change_notice_s, table.now
    due = [decks.deadline(table, deck) for deck in table.state.decks.values()]
    wake = min((time for end in due for time in (end - notice, end) if time > now), default=None)
    if wake is not None and _is_news(table, "wake", _WAKE, wake - table.state.clock_offset):
        _tell(table, "wake", WakeAt(at=wake - table.state.clock_offset))
