"""Nothing but a hit or a named cause lowers a meter: a ledger of our own beside the table's.

It is fed from the records of the rounds that stand and lowered by their hits; what the signs are told must be
what it holds after each round, and between two rounds no sign may fall without a cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.rules.payouts import PayKind
from sabot.statemachine.state.ledger import ADJUSTMENT, BY_HAND, CORRECTION, HIT, REVERSAL, UNITS
from sabot.statemachine.vocabulary import effects as ef

from .auditor import Auditor, of_kind

if TYPE_CHECKING:
    from sabot.rules.round import Line
    from sabot.statemachine.state.books import RoundRecord
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

# The causes that lower a meter; no other may.
# The only causes that may take money off a meter; every entry is held against this.
LOWERING = frozenset({HIT, BY_HAND, REVERSAL, CORRECTION, ADJUSTMENT})
# What is told beside a sign that falls: a hit frozen or paid, a round that is void, stands again, is over or
# taken over by hand, a wager that was never made.
WITNESSES = (
    ef.FreezeHit,
    ef.PayWager,
    ef.VoidRound,
    ef.RestoreRound,
    ef.RecordRound,
    ef.ClearFault,
    ef.RefuseWager,
)


# Or what the record of a round that people finish says of it.
NOTED = ("paid by hand", "contributions reversed")


class MeterAuditor(Auditor):
    """A ledger of our own beside the table's: seeds, contributions of the rounds that stand, hits."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.shown: dict[tuple[str, str], int] = {}
        self.units = {
            (meter, level): terms.seed_cents * UNITS
            for meter, levels in table.law.setup.meters.items()
            for level, terms in levels.items()
        }
        self.named: dict[tuple[str, str], list[int]] = {}
        self.kept = True

    def look(self, _event: Event, effects: list[Effect]) -> None:
        self._signs(effects)
        self.hold_that(self.table.state.books.ledger.is_balanced(), "the ledger does not sum to zero")
        if self.table.state.play.round is not None and self.table.state.play.round.by_hand:
            self.kept = not self.table.state.play.round.gave_back
        if of_kind(effects, ef.RecordRound):
            self._count_round()

    def _signs(self, effects: list[Effect]) -> None:
        for effect in of_kind(effects, ef.SetMeter):
            key = effect.meter, effect.level
            is_lower = effect.cents < self.shown.get(key, 0)
            has_cause = self._named(*key) != self.named.get(key)
            self.hold_that(not is_lower or has_cause, "a meter fell without a cause", effect)
            told = any(isinstance(each, WITNESSES) for each in effects)
            is_said = not is_lower or told or self._is_noted()
            self.hold_that(is_said, "a meter fell without a word", effect)
            self.shown[key] = effect.cents
        self.named = {key: self._named(*key) for key in self.units}
        for meter, levels in self.table.rooms.shares.meters().items():
            for level, cents in levels.items():
                self.hold_that(self.shown.get((meter, level)) == cents, meter, level, cents, self.shown)

    def _is_noted(self) -> bool:
        """Of a hit that people paid by hand, and of a round whose shares they took back, the record says who."""
        round_ = self.table.state.play.round
        notes = round_.notes if round_ is not None and round_.by_hand else []
        now = [note.words for note in notes if note.at == self.table.state.clock.now and note.by]
        return any(said in words for words in now for said in NOTED)

    def _named(self, meter: str, level: str) -> list[int]:
        """What left a meter today, by each cause that may lower it."""
        moved = self.table.state.books.ledger.moved.get(f"{meter}.{level}", {})
        return [moved.get(cause, 0) for cause in LOWERING]

    def _count_round(self) -> None:
        record = self.table.rooms.recorded.last
        assert record is not None
        if not record.void and self.kept:
            self._contribute(record)
        self.kept = True
        if not record.void and not record.by_hand:
            for line in record.lines:
                self._hit(line)
        found = {key: units // UNITS for key, units in self.units.items()}
        if not record.by_hand and not self._was_paid_before_void(record):
            self.hold_that(found == self.shown, "the meters show", self.shown, "ours are", found)
        else:
            balances = self.table.state.books.ledger.balances
            self.units = {(meter, level): balances[f"{meter}.{level}"] for meter, level in self.units}

    def _was_paid_before_void(self, record: RoundRecord) -> bool:
        return bool(record.void) and bool(record.hits)

    def _contribute(self, record: RoundRecord) -> None:
        unit = self.table.law.setup.options.progressive_unit
        for bets in record.bets.values():
            for wager, cents in bets.items():
                for meter in self.table.law.chapter.meters.values():
                    if wager in meter.wagers:
                        self._feed(meter.name, unit if cents is None else cents)

    def _feed(self, meter: str, cents: int) -> None:
        for level, terms in self.table.law.setup.meters.get(meter, {}).items():
            self.units[meter, level] += int(cents * terms.primary_percent)

    def _hit(self, line: Line) -> None:
        wager = self.table.law.chapter.wagers.get(line.wager)
        if wager is None or wager.settles is None or line.result != "win" or line.row is None:
            return
        payout = self.table.law.house.column(wager.settles.paytable).hits[line.row].payout
        if payout.kind is not PayKind.METER:
            return
        meter = next(
            each.name for each in self.table.law.chapter.meters.values() if line.wager in each.wagers
        )
        key = meter, payout.level
        paid = line.paid
        if paid is None:
            paid = self.units[key] // UNITS * payout.rate.numerator // payout.rate.denominator
        self.units[key] -= paid * UNITS
        if payout.rate == 1:
            self.units[key] += self._reseed(meter, payout.level) * UNITS

    def _reseed(self, meter: str, level: str) -> int:
        spec = self.table.law.chapter.meters[meter]
        letter = self.table.law.setup.options.paytables.get(spec.paytable, "only")
        for_1 = spec.levels[letter][level].reseed_for_1
        options = self.table.law.setup.options
        return options.meter_reset[level] if for_1 is None else for_1 * options.progressive_unit
