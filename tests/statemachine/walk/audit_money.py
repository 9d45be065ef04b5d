"""Cents in are cents out: each stake, each payment, each meter, counted from events and effects alone.

A wager counts from the moment a pad senses it on a spot that the table had opened. What the lock takes over
must come out of the round exactly once: handed back, collected, or paid; a void round gives back what the
settlement of the record says and takes back what was paid before.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sabot.rules.payouts import PayKind
from sabot.statemachine import effects as ef
from sabot.statemachine.events import AccountWager, Key, KeyPressed, WagerSensed
from sabot.statemachine.ledger import LOWERING, UNITS
from sabot.statemachine.phases import Phase

from .auditor import Auditor, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.rules.round import Line
    from sabot.statemachine.effects import Effect
    from sabot.statemachine.events import Event
    from sabot.statemachine.record import RoundRecord
    from sabot.statemachine.table import Table

Spot = tuple[int, str]
MOVES = (ef.ReturnWager, ef.CollectWager, ef.PayWager, ef.CreditAccount, ef.TakeBackPayment)


class StakeAuditor(Auditor):
    """No wager counts on a locked spot, and every one that counts is in the round."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.open: set[Spot] = set()
        self.bets: dict[Spot, int | None] = {}
        self.locked: dict[Spot, int | None] = {}

    def look(self, event: Event, effects: list[Effect]) -> None:
        if isinstance(event, WagerSensed):
            self._sensed(event, effects)
        elif isinstance(event, AccountWager) and not is_refused(effects):
            into = self.bets if self.table.state.round is None else self.locked
            into[event.seat, event.wager] = event.cents
        elif isinstance(event, KeyPressed) and event.key is Key.LOCK and not is_refused(effects):
            self._lock(effects)
        elif self.phase is Phase.CHIP_MISMATCH:
            self._mismatch(effects)
        self._follow_spots(effects)
        if of_kind(effects, ef.RecordRound):
            self._compare()

    def _follow_spots(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, ef.LockWagers):
                self.open -= set(effect.spots) or self.open
            elif isinstance(effect, ef.OpenSpots):
                self.open |= set(effect.spots)

    def _sensed(self, event: WagerSensed, effects: list[Effect]) -> None:
        spot = event.seat, event.wager
        is_open = spot in self.open
        refused = of_kind(effects, ef.RefuseWager)
        must_go_back = not is_open and event.cents != 0
        self.hold_that(bool(refused) == must_go_back, event, "open" if is_open else "locked", refused)
        if (
            self.table.chapter.wagers.get(event.wager) is None
            or self.table.chapter.wagers[event.wager].after_deal
        ):
            return
        if event.cents == 0 and self.table.state.round is None:
            self.bets.pop(spot, None)
        elif is_open:
            self.bets[spot] = event.cents

    def _lock(self, effects: list[Effect]) -> None:
        is_first = isinstance(effects[0], ef.LockWagers) or not self.open
        self.hold_that(is_first, "the lock is not the first effect of LOCK", effects)
        self.locked = dict(self.bets)
        self.bets = {}
        self._hand_back(effects)

    def _hand_back(self, effects: list[Effect]) -> None:
        for effect in of_kind(effects, ef.ReturnWager):
            spot = effect.seat, effect.wager
            self.hold_that(spot in self.locked, "a wager is returned that nobody made", effect)
            self.hold_that(self.locked.pop(spot) == effect.cents, "not what was wagered", effect)

    def _mismatch(self, effects: list[Effect]) -> None:
        """The floor says whose progressive wager was made, or was not (then there is no chip to give back)."""
        round_ = self.table.state.round
        assert round_ is not None  # chips are counted within a round
        for refused in of_kind(effects, ef.RefuseWager):
            if refused.wager not in round_.bets[refused.seat]:
                self.hold_that(
                    (refused.seat, refused.wager) in self.locked, "struck, but never made", refused
                )
                del self.locked[refused.seat, refused.wager]
        for seat, bets in round_.bets.items():
            for wager, cents in bets.items():
                is_new = self.table.chapter.wagers[wager].envy and (seat, wager) not in self.locked
                if is_new:
                    self.hold_that(cents == self.table.setup.options.progressive_unit, seat, wager, cents)
                    self.locked[seat, wager] = cents

    def _compare(self) -> None:
        record = self.table.last_record
        assert record is not None
        kept = {(seat, wager): cents for seat, bets in record.bets.items() for wager, cents in bets.items()}
        self.hold_that(kept == self.locked, "the round has", kept, "locked were", self.locked)
        self.locked = {}


class SettlementAuditor(Auditor):
    """Every stake comes out of its round exactly once, and what is paid is what the lines say."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.moves: list[Effect] = []

    def look(self, event: Event, effects: list[Effect]) -> None:
        is_lock = isinstance(event, KeyPressed) and event.key is Key.LOCK
        if not is_lock and self.phase is not Phase.CHIP_MISMATCH:
            self.moves += [effect for effect in effects if isinstance(effect, MOVES)]
        if of_kind(effects, ef.RecordRound):
            record = self.table.last_record
            assert record is not None
            if not record.by_hand:
                self._balance(record)
            self.moves = []

    def _spots(self, *kinds: type[Effect]) -> Counter[Spot]:
        return Counter((move.seat, move.wager) for move in self.moves if isinstance(move, kinds))  # type: ignore[attr-defined]

    def _balance(self, record: RoundRecord) -> None:
        stakes = stakes_of(self.table, record)
        lines = {(line.seat, line.wager): line for line in record.lines}
        with_stake = Counter(
            (line.seat, line.wager) for line in record.lines if line.wager in self.table.chapter.wagers
        )
        self.hold_that(with_stake == Counter(stakes.keys()), "lines for", with_stake, "stakes of", stakes)
        for spot, stake in stakes.items():
            self.hold_that(lines[spot].stake == stake, "the stake was", stake, "not", lines[spot])
        if record.void:
            self._void(stakes, lines)
        else:
            self._settled(stakes, lines, record)

    def _settled(self, stakes: dict[Spot, int | None], lines: dict[Spot, Line], record: RoundRecord) -> None:
        out = self._spots(ef.ReturnWager, ef.CollectWager, ef.PayWager, ef.CreditAccount)
        again = self._spots(ef.ReturnWager) & self._spots(ef.CollectWager)
        # In a void contest a fold that was collected before the exposure goes back (reading V1).
        for spot in stakes:
            self.hold_that(out[spot] == 1 + again[spot], out[spot], "ways out for the stake of", spot)
        self.hold_that(not again or self._returned_after_all(lines, again), "collected and returned", again)
        self.hold_that(not self._spots(ef.TakeBackPayment), "a payment taken back in a round that stands")
        self._sums(record)

    def _returned_after_all(self, lines: dict[Spot, Line], again: Counter[Spot]) -> bool:
        return all(lines[spot].result == "returned" and ".13" in lines[spot].cite for spot in again)

    def _sums(self, record: RoundRecord) -> None:
        paid = sum(line.paid or 0 for line in record.lines)
        back = sum(line.back or 0 for line in record.lines)
        unknown = {(line.seat, line.wager) for line in record.lines if line.paid is None}
        pays = [pay for pay in of_kind(self.moves, ef.PayWager) if (pay.seat, pay.wager) not in unknown]
        tray = sum(pay.paid or 0 for pay in pays)
        credited = sum(credit.cents for credit in of_kind(self.moves, ef.CreditAccount))
        self.hold_that(paid == tray + credited, "the lines pay", paid, "paid were", tray, "and", credited)
        returned = sum(each.cents or 0 for each in of_kind(self.moves, ef.ReturnWager))
        self.hold_that(back == returned + sum(pay.back or 0 for pay in pays), "back", back, returned)

    def _void(self, stakes: dict[Spot, int | None], lines: dict[Spot, Line]) -> None:
        """Paid and handed back already, or returned, or collected: one of them, as the lines say."""
        pays = {(pay.seat, pay.wager): pay for pay in of_kind(self.moves, ef.PayWager)}
        credited = {(each.seat, each.wager): each.cents for each in of_kind(self.moves, ef.CreditAccount)}
        returned, collected = self._spots(ef.ReturnWager), self._spots(ef.CollectWager)
        for spot, stake in stakes.items():
            pay = pays.get(spot)
            handed = pay is not None and (pay.back == stake or " to " in pay.odds)
            times = returned[spot] + (stake != 0 and handed)
            is_back = lines[spot].result == "returned"
            self.hold_that(times == is_back or not stake, spot, "is given back", times, "times,", lines[spot])
            self.hold_that(collected[spot] <= 1, spot, "is collected", collected[spot], "times")
        paid = Counter({spot: pay.paid or 0 for spot, pay in pays.items()}) + Counter(credited)
        taken = Counter(
            {(each.seat, each.wager): each.cents or 0 for each in of_kind(self.moves, ef.TakeBackPayment)}
        )
        self.hold_that(paid == +taken, "paid before the void", paid, "to be taken back", taken)


def stakes_of(table: Table, record: RoundRecord) -> dict[Spot, int | None]:
    """All stakes of a round, second wagers included."""
    stakes = {(seat, wager): cents for seat, bets in record.bets.items() for wager, cents in bets.items()}
    second = table.chapter.contest.wagers[1:]
    for seat, raises in record.raises.items():
        stakes |= {(seat, name): cents for name, cents in zip(second, raises, strict=False)}
    return stakes


class MeterAuditor(Auditor):
    """A ledger of our own beside the table's: seeds, contributions of the rounds that stand, hits."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.shown: dict[tuple[str, str], int] = {}
        self.units = {
            (meter, level): terms.seed_cents * UNITS
            for meter, levels in table.setup.meters.items()
            for level, terms in levels.items()
        }
        self.named: dict[tuple[str, str], list[int]] = {}
        self.kept = True

    def look(self, _event: Event, effects: list[Effect]) -> None:
        self._signs(effects)
        self.hold_that(self.table.state.ledger.is_balanced(), "the ledger does not sum to zero")
        if self.table.state.round is not None and self.table.state.round.by_hand:
            self.kept = "reversed" not in self.table.state.round.notes[-1].words
        if of_kind(effects, ef.RecordRound):
            self._count_round()

    def _signs(self, effects: list[Effect]) -> None:
        for effect in of_kind(effects, ef.SetMeter):
            key = effect.meter, effect.level
            is_lower = effect.cents < self.shown.get(key, 0)
            has_cause = self._named(*key) != self.named.get(key)
            self.hold_that(not is_lower or has_cause, "a meter fell without a cause", effect)
            self.shown[key] = effect.cents
        self.named = {key: self._named(*key) for key in self.units}
        for meter, levels in self.table.meters().items():
            for level, cents in levels.items():
                self.hold_that(self.shown.get((meter, level)) == cents, meter, level, cents, self.shown)

    def _named(self, meter: str, level: str) -> list[int]:
        """What left a meter today, by each cause that may lower it."""
        moved = self.table.state.ledger.moved.get(f"{meter}.{level}", {})
        return [moved.get(cause, 0) for cause in LOWERING]

    def _count_round(self) -> None:
        record = self.table.last_record
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
            balances = self.table.state.ledger.balances
            self.units = {(meter, level): balances[f"{meter}.{level}"] for meter, level in self.units}

    def _was_paid_before_void(self, record: RoundRecord) -> bool:
        return bool(record.void) and bool(record.hits)

    def _contribute(self, record: RoundRecord) -> None:
        unit = self.table.setup.options.progressive_unit
        for bets in record.bets.values():
            for wager, cents in bets.items():
                for meter in self.table.chapter.meters.values():
                    if wager in meter.wagers:
                        self._feed(meter.name, unit if cents is None else cents)

    def _feed(self, meter: str, cents: int) -> None:
        for level, terms in self.table.setup.meters.get(meter, {}).items():
            self.units[meter, level] += cents * terms.primary_percent

    def _hit(self, line: Line) -> None:
        wager = self.table.chapter.wagers.get(line.wager)
        if wager is None or wager.settles is None or line.result != "win" or line.row is None:
            return
        payout = self.table.house.column(wager.settles.paytable).hits[line.row].payout
        if payout.kind is not PayKind.METER:
            return
        meter = next(each.name for each in self.table.chapter.meters.values() if line.wager in each.wagers)
        key = meter, payout.level
        paid = line.paid
        if paid is None:
            paid = self.units[key] // UNITS * payout.rate.numerator // payout.rate.denominator
        self.units[key] -= paid * UNITS
        if payout.rate == 1:
            self.units[key] += self._reseed(meter, payout.level) * UNITS

    def _reseed(self, meter: str, level: str) -> int:
        spec = self.table.chapter.meters[meter]
        letter = self.table.setup.options.paytables.get(spec.paytable, "only")
        for_1 = spec.levels[letter][level].reseed_for_1
        options = self.table.setup.options
        return options.meter_reset[level] if for_1 is None else for_1 * options.progressive_unit
