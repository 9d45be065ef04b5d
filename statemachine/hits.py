"""Hits that were announced by lamp and sign, and what becomes of the announcement.

Nobody may read that a seat wins where its round is void, and the light of a hit that waits for the floor must
be on again after a power cut (641a.11(c)(5)(ii)).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.effects import DropHit, FreezeHit
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.round import Hit, Play
from sabot.statemachine.settled import carried_spots

if TYPE_CHECKING:
    from collections.abc import Sequence

HIT = "11(c)(5)(iii)"


@dataclass(slots=True, eq=False, repr=False)
class Hits:
    """Announce hits, and take announcements back."""

    law: Law
    out: Outbox
    play: Play

    def waiting(self) -> "list[Hit]":
        """The frozen hits that are not paid yet."""
        paid = carried_spots(self.play.current)
        return [hit for hit in self.play.current.frozen if (hit.seat, hit.wager) not in paid]

    def drop(self, hits: "list[Hit]") -> None:
        """They are none after all: lamps go off, and the sign forgets them."""
        for hit in hits:
            self.out.emit(DropHit(seat=hit.seat, wager=hit.wager, cite=self.law.cite(HIT)))

    def tell_again(self, told: "Sequence[Hit]" = ()) -> None:
        """Announce again what waits for the floor, by the frozen amount, but for what is told."""
        for hit in (hit for hit in self.waiting() if hit not in told):
            self.out.emit(
                FreezeHit(
                    seat=hit.seat, wager=hit.wager, row=hit.row, cents=hit.cents, cite=self.law.cite(HIT)
                )
            )
