"""Hits that were announced by lamp and sign, and what becomes of the announcement.

Nobody may read that a seat wins where its round is void, and the light of a hit that waits for the floor must
be on again after a power cut (641a.11(c)(5)(ii)).
"""

from typing import TYPE_CHECKING

from sabot.statemachine.effects import DropHit, FreezeHit
from sabot.statemachine.settled import carried_spots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.statemachine.state import Hit
    from sabot.statemachine.table import Table

HIT = "11(c)(5)(iii)"


def waiting(table: "Table") -> "list[Hit]":
    """The frozen hits that are not paid yet."""
    paid = carried_spots(table.round)
    return [hit for hit in table.round.frozen if (hit.seat, hit.wager) not in paid]


def drop(table: "Table", hits: "list[Hit]") -> None:
    """They are none after all: lamps go off, and the sign forgets them."""
    for hit in hits:
        table.emit(DropHit(seat=hit.seat, wager=hit.wager, cite=table.cite(HIT)))


def tell_again(table: "Table", told: "Sequence[Hit]" = ()) -> None:
    """What waits for the floor is announced once more, by the frozen amount, but for what is told."""
    for hit in (hit for hit in waiting(table) if hit not in told):
        table.emit(
            FreezeHit(seat=hit.seat, wager=hit.wager, row=hit.row, cents=hit.cents, cite=table.cite(HIT))
        )
