"""A row of a par sheet as JSON: the fields that others rely on, then the parts the figure came from.

Figures are rounded to six digits of a percent, far inside what is asked of an exact one; chances keep the
precision of a float.
"""

from collections.abc import Mapping
from fractions import Fraction

from sabot.rules.odds.figures import PERCENT, HoldFigures, SheetRow
from sabot.rules.odds.posted_paytable import RowOdds
from sabot.rules.odds.progressive import DrawnOdds, MeterOdds

DIGITS = 6

Json = dict[str, object]


def row_json(row: SheetRow, note: str | None = None) -> Json:
    """Return a row under its public names."""
    figures, stated = row.figures, row.stated
    form: Json = {
        "wager": row.wager,
        "paytable": row.paytable,
        "reading": row.reading,
        "hold_pct": round(float(figures.hold_pct), DIGITS),
        "stated": [float(stated.low), float(stated.high)] if stated else None,
        "agrees": row.agrees,
        "exact": figures.error is None,
    }
    if figures.error is not None:
        form["standard_error_pct"] = round(figures.error * PERCENT, DIGITS)
    if stated:
        form["stated_of"] = "total_wagered" if stated.of_total_wagered else "stake"
        form["stated_cite"] = stated.cite
    return form | _parts(figures) | ({"note": note} if note else {})


def _parts(figures: HoldFigures) -> Json:
    form: Json = {}
    if figures.played:
        form["hold_per_total_wagered_pct"] = round(float(figures.hold_per_total_pct), DIGITS)
        form["average_total_wager"] = round(float(figures.wagered), DIGITS)
        form["fold_pct"] = _percent(figures.played.folds)
        if figures.suit:
            form["hold_pct_heeding_rank_alone"] = _percent(figures.played.hold)
    if figures.posted:
        form["stake_cents"] = figures.posted.stake
        form["hits"] = [_hit(row) for row in figures.posted.rows]
    if figures.meter:
        form |= _meter(figures.meter)
    if figures.envy is not None:
        form["envy_pct_per_other_player"] = _percent(figures.envy)
    if figures.drawn:
        form["drawn"] = [_drawn(each) for each in figures.drawn]
    return form


def _percent(share: Fraction | None) -> float | None:
    return None if share is None else round(float(share * PERCENT), DIGITS)


def _chance(chance: Fraction) -> Json:
    return {"chance": float(chance), "one_in": round(float(1 / chance), 2)}


def _hit(row: RowOdds) -> Json:
    named: Json = {"paytable": row.table, "row": row.row, "pays": row.payout.text, "net": float(row.net)}
    return named | _chance(row.chance)


def _meter(meter: MeterOdds) -> Json:
    return {
        "meter": [
            {"row": row.row, "level": row.payout.level, "share_pct": _percent(row.payout.rate)}
            | _chance(row.chance)
            for row in meter.draws
        ],
        "reseed_cost_pct": _percent(meter.reseed_cost),
        "reseed_is_a_minimum": meter.operator_chooses,
        "primary_rate_pct": _percent(meter.primary),
        "reserve_rate_pct": _percent(meter.reserve),
        "long_run_hold_pct": _percent(meter.long_run_hold),
        "break_even_meter_for_1": None if meter.break_even is None else round(float(meter.break_even), 2),
    }


def _drawn(each: DrawnOdds) -> Json:
    returned = {"returned_pct_per_draw": _percent(each.chance * each.rate)}
    return {"name": each.name, "pays_for_1": float(each.rate)} | _chance(each.chance) | returned


def sheet_json(chapter: str, method: Mapping[str, object], rows: list[Json]) -> Json:
    """Return a whole sheet."""
    return {"chapter": chapter, "rows": rows, "method": dict(method)}
