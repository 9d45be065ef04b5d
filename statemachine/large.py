"""Payments that wait for the floor: those the law has it verify, and large ones of hands that were declared.

A progressive payout is validated whatever read the cards (641a.11(c)(5)(iii)), and of the Five Card Hand
Bonus 500 for 1 or a share of the meter (641a.11(c)(7)(ii)). Where a hand was declared and not read, one wrong
word can cost more than a table earns in a year: such a payment waits too, from 100 to 1 on, or from the
amount that the table file names.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars, parse_payout
from sabot.rules.settlement.claims import Cards
from sabot.statemachine import lying
from sabot.statemachine.chips import ACCOUNT
from sabot.statemachine.labels import first_that_fits
from sabot.statemachine.shares import share_payout

if TYPE_CHECKING:
    from sabot.rules.chapter import Bonus
    from sabot.rules.round import Line
    from sabot.statemachine.table import Table

ACCOUNT_ODDS, DECLARED_ODDS = 500, 100
ENVY = "envy:seat"


def wants_floor(table: "Table", line: "Line") -> bool:
    """Whether a floorperson looks at a payment before it is made."""
    if line.result != "win":
        return False
    wager = table.chapter.wagers.get(line.wager)
    if wager is not None and (wager.envy or (wager.device == ACCOUNT and _is_verified(table, line))):
        return True
    return _is_large(table, line) and was_declared(table, line)


def is_on_device(table: "Table", line: "Line") -> bool:
    """Whether a payment is won on a device with a light, or on an account."""
    wager = table.chapter.wagers.get(line.wager)
    return wager is not None and bool(wager.envy or wager.device == ACCOUNT)


def _is_verified(table: "Table", line: "Line") -> bool:
    return share_payout(table, line) is not None or is_times(table, line, ACCOUNT_ODDS)


def _is_large(table: "Table", line: "Line") -> bool:
    """By the amount of the table file where it names one, else by the odds."""
    least = table.setup.declared_floor_cents
    if least and line.paid is not None:
        return line.paid >= least
    return is_times(table, line, DECLARED_ODDS)


def is_times(table: "Table", line: "Line", times: int) -> bool:
    """Whether a payment is so many times its stake; a bonus without one is paid on another wager's."""
    paid = line.paid if line.uncut is None else line.uncut
    if paid is None:
        return _posted(line.odds or "") >= times
    return paid >= times * (line.stake or _base(table, line))


def _posted(odds: str) -> Fraction:
    """The odds of a stake of unknown value; a fixed sum is paid whatever it is."""
    if odds.startswith("$"):
        return Fraction(int(odds.removeprefix("$")) * 100)
    payout = parse_payout(odds)
    return payout.rate if payout else Fraction(0)


def _base(table: "Table", line: "Line") -> int:
    """The stake that a line without one is paid on; an envy bonus is for so many units."""
    if line.wager.startswith(ENVY):
        return table.setup.options.progressive_unit
    bonus = next((each for each in _bonuses(table) if each.line == line.wager), None)
    stake = table.stakes(line.seat)[bonus.on if bonus else line.wager.partition(":")[0]]
    assert stake is not None  # a bonus on a stake of unknown value has no amount
    return stake


def _bonuses(table: "Table") -> "list[Bonus]":
    return [result.bonus for result in table.chapter.contest.results.values() if result.bonus]


def was_declared(table: "Table", line: "Line") -> bool:
    """Whether a payment rests on cards that no device read."""
    return not lying.read_cards(table).keys() >= _cards_behind(table, line)


def _cards_behind(table: "Table", line: "Line") -> Cards:
    """The cards that a line was settled by."""
    if line.wager.startswith(ENVY):
        return lying.cards_of(table, int(line.wager.removeprefix(ENVY)), ("own",))
    contest, wager = table.chapter.contest, table.chapter.wagers.get(line.wager.partition(":")[0])
    if wager is None or wager.settles is None or wager.settles.kind == "losing_hand":
        dealer = ("dealer",) if contest.against_dealer else ()
        return lying.cards_of(table, line.seat, (*contest.cards, *dealer))
    cards = lying.cards_of(table, line.seat, wager.settles.cards)
    return cards | lying.bonus_card(table, line.seat) if wager.bonus_card else cards


def payment_words(line: "Line") -> str:
    """Whose payment waits, and how much where it is known and there is room."""
    amount = dollars(line.paid) if line.paid is not None else (line.odds or "").upper()
    ways = (f"SEAT {line.seat} PAYS {amount}", f"S{line.seat} PAYS {amount}", f"S{line.seat} {amount}")
    return first_that_fits(*ways, f"SEAT {line.seat} LARGE PAY")
