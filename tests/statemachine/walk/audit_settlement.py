"""Cents in are cents out: each stake comes out of its round exactly once, and what is paid is what the lines say.

A stake is handed back, collected, or paid; a void round gives back what the settlement of the record says and
takes back what was paid before.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import Key, KeyPressed

from .auditor import Auditor, of_kind

if TYPE_CHECKING:
    from sabot.rules.round import Line
    from sabot.statemachine.state.books import RoundRecord
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

Spot = tuple[int, str]
MOVES = (ef.ReturnWager, ef.CollectWager, ef.PayWager, ef.CreditAccount, ef.TakeBackPayment)


class SettlementAuditor(Auditor):
    """Every stake comes out of its round exactly once, and what is paid is what the lines say."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.moves: list[Effect] = []
        self.before_void: list[Effect] = []

    def look(self, event: Event, effects: list[Effect]) -> None:
        is_lock = isinstance(event, KeyPressed) and event.key is Key.LOCK
        is_void = bool(of_kind(effects, ef.VoidRound))
        if is_lock and self.phase is Phase.BETS_OPEN:
            self.moves = []  # what went back before, an account wager whose Ante was lifted, was in no round
        if is_void:
            self.before_void = list(self.moves)
        if of_kind(effects, ef.RestoreRound):
            self.moves = self.before_void
        if is_void or (not is_lock and self.phase is not Phase.CHIP_MISMATCH):
            self.moves += [
                effect for effect in effects if isinstance(effect, MOVES) and not self._was_no_wager(effect)
            ]
        if of_kind(effects, ef.RecordRound):
            record = self.table.rooms.recorded.last
            assert record is not None
            self._at_most_once()
            if not record.by_hand:
                self._balance(record)
            self.moves = []

    def _at_most_once(self) -> None:
        """What was carried out was carried out once, also before a void, or before people took over."""
        paid = self._spots(ef.PayWager)
        twice = [spot for spot in paid if spot[1] in self.table.law.chapter.wagers and paid[spot] > 1]
        self.hold_that(not twice, "paid twice", twice)

    def _was_no_wager(self, effect: Effect) -> bool:
        """Chips of an answer that was never confirmed, handed back by the player's own turn or by its end."""
        round_, second = self.table.state.play.round, self.table.law.chapter.contest.wagers[1:]
        if not isinstance(effect, ef.ReturnWager) or self.phase is not Phase.DECIDING or round_ is None:
            return False
        confirmed = second[: len(round_.raises.get(effect.seat, ()))]
        return effect.wager in second and effect.wager not in confirmed

    def _spots(self, *kinds: type[Effect]) -> Counter[Spot]:
        return Counter((move.seat, move.wager) for move in self.moves if isinstance(move, kinds))  # type: ignore[attr-defined]

    def _balance(self, record: RoundRecord) -> None:
        stakes = stakes_of(self.table, record)
        lines = {(line.seat, line.wager): line for line in record.lines}
        with_stake = Counter(
            (line.seat, line.wager) for line in record.lines if line.wager in self.table.law.chapter.wagers
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
    second = table.law.chapter.contest.wagers[1:]
    for seat, raises in record.raises.items():
        stakes |= {(seat, name): cents for name, cents in zip(second, raises, strict=False)}
    return stakes
