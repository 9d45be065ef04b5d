"""The additions to a wager's fixed part: shares of a meter, envy, and what the table game system draws.

A progressive holds a great deal by its fixed part and gives most of it back through its meter. Both sides
are shown: how often each share is drawn, what reseeding costs, what the chapter says is put on the meter,
and, for a meter of one level, the amount at which the wager is even. Sums are in stakes, so that they hold
for every unit of the wager.
"""

from collections.abc import Mapping
from fractions import Fraction

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import MeterLevel, Wager
from sabot.rules.frozen import frozen
from sabot.rules.odds.hand_classes import census
from sabot.rules.odds.posted_paytable import Posted, RowOdds, hand_size, posted_step
from sabot.rules.odds.trial import OWN, Trial, place_size
from sabot.rules.payouts import PayKind

CENTS = 100


@frozen
class MeterOdds:
    """The meter behind a wager, per stake of 1. ``reseed_cost`` is the least where the operator chooses."""

    draws: tuple[RowOdds, ...]
    reseed_cost: Fraction
    operator_chooses: bool
    primary: Fraction | None
    reserve: Fraction | None
    long_run_hold: Fraction | None
    break_even: Fraction | None


@frozen
class DrawnOdds:
    """A bonus that the table game system draws: how often one draw hits, and what it then pays for 1."""

    name: str
    text: str
    chance: Fraction
    rate: Fraction


def meter_odds(trial: Trial, wager: Wager, posted: Posted) -> MeterOdds | None:
    """Return the odds of the meter behind a wager, None where it has no meter."""
    meter = next((each for each in trial.chapter.meters.values() if wager.name in each.wagers), None)
    if meter is None:
        return None
    levels = meter.levels[posted_step(trial, wager).column.letter]
    draws = tuple(row for row in posted.rows if row.payout.kind is PayKind.METER)
    reseed = sum((_reseed_cost(levels[row.payout.level], row, posted.stake) for row in draws), Fraction(0))
    primary, reserve = _percent(levels, "primary_percent"), _percent(levels, "reserve_percent")
    drawn = sum((row.chance * row.payout.rate for row in draws), Fraction(0))
    return MeterOdds(
        draws=draws,
        reseed_cost=reseed,
        operator_chooses=primary is None,
        primary=primary,
        reserve=reserve,
        # In the long run players get back all that is put on the meter, and each reseeding; the reserve is
        # never paid out (reading T5). Maryland's rates are the operator's own: without them nobody can say.
        long_run_hold=None if primary is None else posted.hold - primary - reseed,
        # Two levels have no single amount at which the wager is even.
        break_even=posted.hold / drawn if len(levels) == 1 else None,
    )


def _reseed_cost(level: MeterLevel, row: RowOdds, stake: int) -> Fraction:
    """Return the cost of reseeding for one row, per stake of 1."""
    # Only a meter that was emptied is reseeded.
    if row.payout.rate < 1:
        return Fraction(0)
    if level.reseed_for_1 is not None:
        return row.chance * level.reseed_for_1
    assert level.minimum_dollars is not None  # a level has the one or the other
    return row.chance * level.minimum_dollars * CENTS / stake


def _percent(levels: Mapping[str, MeterLevel], name: str) -> Fraction | None:
    each = [getattr(level, name) for level in levels.values()]
    return None if None in each else Fraction(sum(each), 100)


def envy_value(trial: Trial, wager: Wager) -> Fraction | None:
    """Return the value of an envy bonus for each other player's hand, per stake of 1."""
    if wager.envy is None:
        return None
    # The law prints envy amounts in proportion to the unit, so any unit gives the same value.
    unit = min(trial.chapter.envy[wager.envy.paytable].by_unit)
    column = trial.house.envy_column(wager.envy.paytable, unit)
    kinds = census(column.ranking, place_size(trial.chapter, OWN))
    hits = ((column.find(kind.score), kind.weight) for kind in kinds)
    cents = sum(hit.payout.cents * weight for hit, weight in hits if hit)
    return Fraction(cents, unit * sum(kind.weight for kind in kinds))


def drawn_odds(trial: Trial, wager: Wager) -> tuple[DrawnOdds, ...]:
    """Return the bonuses that may be drawn for a wager, each draw by itself."""
    chances = {
        "magic_card": Fraction(hand_size(trial, wager), PACK_SIZE),
        # One of the seats, or the dealer.
        "lucky_bonus": Fraction(1, trial.chapter.seats + 1),
    }
    extras = (trial.chapter.extras[name] for name in wager.extras)
    return tuple(DrawnOdds(each.name, each.title, chances[each.name], each.pays.rate) for each in extras)
