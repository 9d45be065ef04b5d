"""Payments that wait for the floor: those the law has it verify, and large ones of hands that were declared.

A progressive payout is validated whatever read the cards (641a.11(c)(5)(iii)), and of the Five Card Hand
Bonus 500 for 1 or a share of the meter (641a.11(c)(7)(ii)). Where a hand was declared and not read, one wrong
word can cost more than a table earns in a year: such a payment waits too, from 100 to 1 on, or from the
amount that the table file names.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars, parse_payout
from sabot.rules.settlement.claims import Cards
from sabot.statemachine.contest import Contest
from sabot.statemachine.labels import first_that_fits
from sabot.statemachine.law import Law
from sabot.statemachine.lying import LaidCards
from sabot.statemachine.offers import ACCOUNT
from sabot.statemachine.shares import Shares

if TYPE_CHECKING:
    from sabot.rules.chapter import Bonus
    from sabot.rules.round import Line

ACCOUNT_ODDS, DECLARED_ODDS = 500, 100
ENVY = "envy:seat"


def _posted(odds: str) -> Fraction:
    """The odds of a stake of unknown value; a fixed sum is paid whatever it is."""
    if odds.startswith("$"):
        return Fraction(int(odds.removeprefix("$")) * 100)
    payout = parse_payout(odds)
    return payout.rate if payout else Fraction(0)


def payment_words(line: "Line") -> str:
    """Whose payment waits, and how much where it is known and there is room."""
    amount = dollars(line.paid) if line.paid is not None else (line.odds or "").upper()
    ways = (f"SEAT {line.seat} PAYS {amount}", f"S{line.seat} PAYS {amount}", f"S{line.seat} {amount}")
    return first_that_fits(*ways, f"SEAT {line.seat} LARGE PAY")


@dataclass(slots=True, eq=False, repr=False)
class LargePayments:
    """Tell which payments wait for the floor."""

    law: Law
    contest: Contest
    cards: LaidCards
    shares: Shares

    def wants_floor(self, line: "Line") -> bool:
        """Return whether a floorperson looks at a payment before it is made."""
        if line.result != "win":
            return False
        wager = self.law.chapter.wagers.get(line.wager)
        if wager is not None and (wager.envy or (wager.device == ACCOUNT and self._is_verified(line))):
            return True
        return self._is_large(line) and self.was_declared(line)

    def is_on_device(self, line: "Line") -> bool:
        """Return whether a payment is won on a device with a light, or on an account."""
        wager = self.law.chapter.wagers.get(line.wager)
        return wager is not None and bool(wager.envy or wager.device == ACCOUNT)

    def _is_verified(self, line: "Line") -> bool:
        return self.shares.share_payout(line) is not None or self.is_times(line, ACCOUNT_ODDS)

    def _is_large(self, line: "Line") -> bool:
        """By the amount of the table file where it names one, else by the odds."""
        least = self.law.setup.declared_floor_cents
        if least and line.paid is not None:
            return line.paid >= least
        return self.is_times(line, DECLARED_ODDS)

    def is_times(self, line: "Line", times: int) -> bool:
        """Return whether a payment is so many times its stake.

        A bonus without a stake is paid on another wager's.
        """
        paid = line.paid if line.uncut is None else line.uncut
        if paid is None:
            return _posted(line.odds or "") >= times
        return paid >= times * (line.stake or self._base(line))

    def _base(self, line: "Line") -> int:
        """The stake that a line without one is paid on; an envy bonus is for so many units."""
        if line.wager.startswith(ENVY):
            return self.law.setup.options.progressive_unit
        bonus = next((each for each in self._bonuses() if each.line == line.wager), None)
        stake = self.contest.stakes(line.seat)[bonus.on if bonus else line.wager.partition(":")[0]]
        assert stake is not None  # a bonus on a stake of unknown value has no amount
        return stake

    def _bonuses(self) -> "list[Bonus]":
        return [result.bonus for result in self.law.chapter.contest.results.values() if result.bonus]

    def was_declared(self, line: "Line") -> bool:
        """Return whether a payment rests on cards that no device read."""
        return not self.cards.read_cards().keys() >= self._cards_behind(line)

    def _cards_behind(self, line: "Line") -> Cards:
        """The cards that a line was settled by."""
        if line.wager.startswith(ENVY):
            return self.cards.cards_of(int(line.wager.removeprefix(ENVY)), ("own",))
        contest, wager = self.law.chapter.contest, self.law.chapter.wagers.get(line.wager.partition(":")[0])
        if wager is None or wager.settles is None or wager.settles.kind == "losing_hand":
            dealer = ("dealer",) if contest.against_dealer else ()
            return self.cards.cards_of(line.seat, (*contest.cards, *dealer))
        cards = self.cards.cards_of(line.seat, wager.settles.cards)
        return cards | self.cards.bonus_card(line.seat) if wager.bonus_card else cards
