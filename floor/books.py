"""The books of the floor: double entry, so that every unit of every meter has a cause.

Each movement takes an amount from one account and gives it to another, so all accounts sum to nothing
whatever happens. A level has five: its meter (what the signs show), its reserve, its overflow (what came
while the meter stood at its limit), ``open`` (granted, and not yet validated) and ``held`` (contributions
that nobody believes yet). The world has three sides: players, house, winners.

A meter falls by a grant or by a cause of the list below, and by nothing else (PROG-8). By a
reversal it never falls below its reset: what another table has won meanwhile the house bears.
What is over the limit waits in the overflow and returns as soon as there is room, so an overflow means a
full meter.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sabot.floor.link_plan import Accounts

PLAYERS, HOUSE, WINNERS = "players", "house", "winners"

BASE, CONTRIBUTION, RESERVE, RESEED = "base", "contribution", "reserve", "reseed"
GRANT, BY_HAND, PAID = "grant", "grant by hand", "paid"
REVERSAL, BORNE = "reversal", "borne by the house"
TAKEN_BACK, SEED_BACK = "grant taken back", "seed taken back"
LIMIT, ROOM = "over the limit", "room under the limit"
HELD, BELIEVED, NOT_BELIEVED = "held", "believed", "not believed"
ADJUSTMENT = "adjustment"


class Movement(NamedTuple):
    """One movement between two accounts, in units, with its cause and its seat (0: no seat's)."""

    source: str
    target: str
    units: int
    cause: str
    seat: int = 0


@dataclass(slots=True)
class FloorBooks:
    """Balances by account, and what has moved since somebody asked."""

    balances: dict[str, int] = field(default_factory=dict)
    moved: list[Movement] = field(default_factory=list)

    def move(self, source: str, target: str, units: int, cause: str, seat: int = 0) -> None:
        """Move units, where there are any."""
        if not units:
            return
        balances = self.balances
        balances[source] = balances.get(source, 0) - units
        balances[target] = balances.get(target, 0) + units
        self.moved.append(Movement(source, target, units, cause, seat))

    def balance(self, account: str) -> int:
        """Return the balance of an account."""
        return self.balances.get(account, 0)

    def is_balanced(self) -> bool:
        """Return whether all accounts sum to nothing."""
        return sum(self.balances.values()) == 0

    def drain(self) -> list[Movement]:
        """Take out what has moved since the last time."""
        moved, self.moved = self.moved, []
        return moved

    # ------------------------------------------------------------ a level

    def feed(self, level: Accounts, units: int, limit: int | None, cause: str, seat: int) -> None:
        """Take a contribution in; what is over the limit goes to the overflow."""
        if limit is None:
            self.move(PLAYERS, level.meter, units, cause, seat)
            return
        room = max(0, limit - self.balance(level.meter))
        self.move(PLAYERS, level.meter, min(units, room), cause, seat)
        self.move(PLAYERS, level.overflow, max(0, units - room), LIMIT, seat)

    def level_out(self, level: Accounts, limit: int | None) -> None:
        """Put what is over the limit beside the meter, or what waits there back on it."""
        over, waits = self.balance(level.meter) - (limit or 0), self.balance(level.overflow)
        if limit is None:
            self.move(level.overflow, level.meter, waits, ROOM)
        elif over > 0:
            self.move(level.meter, level.overflow, over, LIMIT)
        else:
            self.move(level.overflow, level.meter, min(waits, -over), ROOM)

    def give_back(self, level: Accounts, units: int, reset: int, seat: int) -> None:
        """Take a contribution back: from the overflow, then from the meter; the house bears the rest."""
        # The overflow first: what lies there was added last, and no sign has shown it.
        waits = min(units, self.balance(level.overflow))
        self.move(level.overflow, PLAYERS, waits, REVERSAL, seat)
        stands = min(units - waits, self._can_fall(level, reset))
        self.move(level.meter, PLAYERS, stands, REVERSAL, seat)
        self.move(HOUSE, PLAYERS, units - waits - stands, BORNE, seat)

    def _can_fall(self, level: Accounts, reset: int) -> int:
        """Return how far a meter may fall; one at its reset or above stays there, by the chapter."""
        # One that stands below its reset (a smaller base, an adjustment) has no printed amount to keep.
        stands = self.balance(level.meter)
        return stands - reset if stands >= reset else stands

    def unseed(self, level: Accounts, units: int) -> None:
        """Give the house back a reset that followed a grant, as far as it is there."""
        waits = min(units, self.balance(level.overflow))
        self.move(level.overflow, HOUSE, waits, SEED_BACK)
        self.move(level.meter, HOUSE, min(units - waits, self.balance(level.meter)), SEED_BACK)
