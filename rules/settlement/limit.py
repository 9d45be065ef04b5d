"""The payout limit: how much of a payment is left to one player in one round.

The limit is an operator's choice, per player (two boxes of one player share it) and used up in settlement
order (readings L2 to L4). What it covers is the chapter's. Where a reading could cover more or less, a
second tally runs beside the first and tells whether the reading mattered.
"""

from collections.abc import Mapping

from sabot.rules.chapter import Limit


class Tally:
    """A running total, for each player, of the payments that the limit covers."""

    def __init__(self, limit: Limit, most: int, covers: frozenset[str]) -> None:
        self.limit = limit
        self.most = most
        self.covers = covers
        self._paid: dict[str, int] = {}

    def allow(self, player: str, wager: str, row: str, amount: int) -> int:
        """Count a payment as paid as far as the limit leaves room, and return that amount."""
        is_outside = row in self.limit.not_rows or row.partition(":")[0] in self.limit.not_outcomes
        if wager not in self.covers or is_outside:
            return amount
        used = self._paid.get(player, 0)
        paid = min(amount, self.most - used)
        self._paid[player] = used + paid
        return paid


def tallies(limit: Limit, most: int, readings: Mapping[str, str]) -> tuple[Tally, Tally | None]:
    """Return the tally that holds, and the one under the other reading where there is one."""
    under = limit.covers_under
    if under is None:
        return Tally(limit, most, limit.covers), None
    both = Tally(limit, most, limit.covers), Tally(limit, most, under.instead)
    # The one that holds comes first; the other counts along, to tell whether the reading mattered.
    return (both[1], both[0]) if under.holds(readings) else both
