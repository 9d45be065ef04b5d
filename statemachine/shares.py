"""Shares of a meter: which line is paid from one, what it comes to, and the seed that follows a full hit."""

from typing import TYPE_CHECKING

from sabot.rules.payouts import PayKind, Payout
from sabot.rules.round import Line
from sabot.statemachine.ledger import HIT, RESEED, Cause

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def share_payout(table: "Table", line: Line) -> Payout | None:
    """The row of a meter that a line is paid by, if it is a share of one."""
    if line.result != "win" or line.row is None:
        return None
    wager = table.chapter.wagers.get(line.wager)
    if wager is None or wager.settles is None:
        return None
    payout = table.house.column(wager.settles.paytable).hits[line.row].payout
    return payout if payout.kind is PayKind.METER else None


def hit_cents(table: "Table", line: Line) -> int:
    """What a line comes to; the stake of a share may be unknown, its meter is not."""
    payout = share_payout(table, line)
    if line.paid is not None or payout is None or line.wager in table.links:
        return line.paid or 0
    return share_of(table, line.wager, payout)


def share_of(table: "Table", wager: str, payout: Payout) -> int:
    """A share of a meter as it stands."""
    cents = table.meters()[_meter_of(table, wager)][payout.level]
    return cents * payout.rate.numerator // payout.rate.denominator


def draw(table: "Table", line: Line, payout: Payout) -> None:
    """Move the hit of a line out of the ledger."""
    draw_cents(table, (line.seat, line.wager), payout, hit_cents(table, line), HIT)


def draw_cents(table: "Table", spot: tuple[int, str], payout: Payout, cents: int, what: str) -> None:
    """Move a hit out of the ledger, and reseed what a full hit emptied."""
    ledger, number, (seat, wager) = table.state.ledger, table.round.number, spot
    table.state.day.hits += 1
    if wager in table.links:
        return  # it leaves the floor's meter, by the floor's own movement
    meter, level = _meter_of(table, wager), payout.level
    ledger.pay(meter, level, cents, Cause(what, number, seat))
    seed = _reseed_cents(table, meter, level)
    if payout.rate == 1 and seed:
        ledger.reseed(meter, level, seed, Cause(RESEED, number, seat))


def _meter_of(table: "Table", wager: str) -> str:
    return next(each.name for each in table.chapter.meters.values() if wager in each.wagers)


def _reseed_cents(table: "Table", meter: str, level: str) -> int:
    """The chapter's own seed, or in Maryland the operator's reset amount."""
    spec = table.chapter.meters[meter]
    letter = table.house.letter(table.chapter.paytables[spec.paytable])
    terms = spec.levels[letter][level]
    if terms.reseed_for_1 is not None:
        return terms.reseed_for_1 * table.setup.options.progressive_unit
    return table.setup.options.meter_reset[level]
