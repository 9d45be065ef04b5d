"""All that a table knows, in plain values: its parts, put together.

Nothing here decides anything. The state is what a snapshot holds: names, numbers, lists and dicts, with
cards that are not public inside ``Secret``. Each part is a class with what may be done to it; a room sees the
parts that it is given.
"""

from dataclasses import dataclass, field

from sabot.statemachine.books import Day, MoneyBooks
from sabot.statemachine.parts import Devices, HeldFault, OpenWagers, TableClock, Trouble
from sabot.statemachine.people import EntryState, Menu, Pending, TableCrew
from sabot.statemachine.round import Hit, Note, Play, RoundState, Undo
from sabot.statemachine.stock import Deck, Lot, PlayedRound, Stock

__all__ = [
    "Day",
    "Deck",
    "HeldFault",
    "Hit",
    "Lot",
    "Menu",
    "Note",
    "Pending",
    "PlayedRound",
    "RoundState",
    "State",
    "Undo",
]


@dataclass(slots=True, kw_only=True)
class State:
    """A table: all its parts. A snapshot has their fields side by side, as it had before there were parts."""

    clock: TableClock = field(default_factory=TableClock)
    crew: TableCrew = field(default_factory=TableCrew)
    entry: EntryState = field(default_factory=EntryState)
    stock: Stock = field(default_factory=Stock)
    devices: Devices
    layout: OpenWagers = field(default_factory=OpenWagers)
    trouble: Trouble = field(default_factory=Trouble)
    books: MoneyBooks = field(default_factory=MoneyBooks)
    play: Play
