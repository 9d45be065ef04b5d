"""Hits: what a meter pays for a line, the seed after a full hit, and what lamp and sign announced.

Nobody may read that a seat wins where its round is void, and the light of a hit that waits for the floor must
be on again after a power cut (641a.11(c)(5)(ii)).
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sabot.rules.payouts import METER, Payout
from sabot.rules.round import Line
from sabot.statemachine.contest import carried_spots
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import HIT, RESEED, Cause
from sabot.statemachine.state.round import Hit, Play
from sabot.statemachine.vocabulary.effects import DropHit, FreezeHit

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True, eq=False, repr=False)
class Shares:
    """Pay shares of meters out of the ledger."""

    law: Law
    books: MoneyBooks
    play: Play
    # What rows pay, by wager and name, as they were asked for: they follow from the set-up.
    _payouts: dict[tuple[str, str], Payout | None] = field(init=False, default_factory=dict)

    def share_payout(self, line: Line) -> Payout | None:
        """Return the payout that a line is paid by where it is a share of a meter, else None."""
        if line.result != "win" or line.row is None:
            return None
        asked = line.wager, line.row
        try:
            return self._payouts[asked]
        except KeyError:
            self._payouts[asked] = found = self._share_payout(*asked)
            return found

    def _share_payout(self, wager_name: str, row: str) -> Payout | None:
        wager = self.law.chapter.wagers.get(wager_name)
        if wager is None or wager.settles is None:
            return None
        payout = self.law.house.column(wager.settles.paytable).hits[row].payout
        return payout if payout.kind is METER else None

    def hit_cents(self, line: Line) -> int:
        """Return the amount of a line; the stake of a share may be unknown, its meter is not."""
        if line.paid is not None:
            return line.paid
        payout = self.share_payout(line)
        # A linked meter's amount is the floor's to say; until it is heard there is none.
        if payout is None or line.wager in self.law.links:
            return 0
        return self.share_of(line.wager, payout)

    def meters(self) -> dict[str, dict[str, int]]:
        """Return every meter as its sign shows it."""
        return self.books.ledger.shown(self.law.setup.meters, self.law.signs)

    def share_of(self, wager: str, payout: Payout) -> int:
        """Return a share of a meter as it stands."""
        cents = self.books.ledger.cents(self._meter_of(wager), payout.level)
        return cents * payout.rate.numerator // payout.rate.denominator

    def draw(self, line: Line, payout: Payout) -> None:
        """Move the hit of a line out of the ledger."""
        self.draw_cents((line.seat, line.wager), payout, self.hit_cents(line), HIT)

    def draw_cents(self, spot: tuple[int, str], payout: Payout, cents: int, what: str) -> None:
        """Move a hit out of the ledger, and reseed what a full hit emptied."""
        ledger, number, (seat, wager) = self.books.ledger, self.play.current.number, spot
        self.books.day.hits += 1
        if wager in self.law.links:
            return  # it leaves the floor's meter, by the floor's own movement
        meter, level = self._meter_of(wager), payout.level
        # Pay, then reseed: the next winner has the seed, for the turn decides (x.12(d)(4), reading T1).
        ledger.pay(meter, level, cents, Cause(what, number, seat))
        seed = self._reseed_cents(meter, level)
        # A part of a meter leaves the rest there (reading T8); the
        # hand bonus has a seed of nothing (reading T6).
        if payout.rate == 1 and seed:
            ledger.reseed(meter, level, seed, Cause(RESEED, number, seat))

    def _meter_of(self, wager: str) -> str:
        return next(each.name for each in self.law.chapter.meters.values() if wager in each.wagers)

    def _reseed_cents(self, meter: str, level: str) -> int:
        """Return the chapter's own seed, or in Maryland the operator's reset amount."""
        spec = self.law.chapter.meters[meter]
        letter = self.law.house.letter(self.law.chapter.paytables[spec.paytable])
        terms = spec.levels[letter][level]
        # "For 1" is times the progressive wager that is offered (reading T2).
        if terms.reseed_for_1 is not None:
            return terms.reseed_for_1 * self.law.setup.options.progressive_unit
        return self.law.setup.options.meter_reset[level]


# ------------------------------------------------------------ announced by lamp and sign

HIT_SECTION = "11(c)(5)(iii)"


@dataclass(slots=True, eq=False, repr=False)
class Hits:
    """Announce hits, and take announcements back."""

    law: Law
    out: Outbox
    play: Play

    def waiting(self) -> "list[Hit]":
        """Return the frozen hits that are not paid yet."""
        paid = carried_spots(self.play.current)
        return [hit for hit in self.play.current.frozen if (hit.seat, hit.wager) not in paid]

    def drop(self, hits: "list[Hit]") -> None:
        """Take back hits that are none after all: lamps go off, and the sign forgets them."""
        for hit in hits:
            self.out.emit(DropHit(seat=hit.seat, wager=hit.wager, cite=self.law.cite(HIT_SECTION)))

    def tell_again(self, told: "Sequence[Hit]" = ()) -> None:
        """Announce again the hits that wait for the floor, by the frozen amount, save those in ``told``."""
        for hit in (hit for hit in self.waiting() if hit not in told):
            self.out.emit(
                FreezeHit(
                    seat=hit.seat,
                    wager=hit.wager,
                    row=hit.row,
                    cents=hit.cents,
                    cite=self.law.cite(HIT_SECTION),
                )
            )
