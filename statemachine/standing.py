"""What may stand at "no more bets" by the chapter and the table's limits (x.7)."""

from collections.abc import Callable
from functools import lru_cache

from sabot.statemachine.setup import Setup

MOST_KEPT = 64
SeatBets = tuple[tuple[str, int | None], ...]


def why_not_standing(setup: Setup, wager: str, bets: dict[str, int | None]) -> str:
    """Why a wager may not stand in the round, empty when it may."""
    spec, cents = setup.chapter.wagers[wager], bets[wager]
    for group in spec.requires:
        if bets.keys().isdisjoint(group):
            return f"needs {' or '.join(group)} ({spec.cite})"
    if cents is None:
        return ""
    if spec.envy:
        unit = setup.options.progressive_unit
        return "" if cents == unit else f"not the unit of {unit} cents"
    least, most = setup.limits_of(wager)
    if cents < least:
        return f"under the minimum of {least} cents"
    if most and cents > most:
        return f"over the maximum of {most} cents"
    return ""


def kept_verdicts(setup: Setup) -> Callable[[SeatBets], bool]:
    """Return whether all wagers of a seat stand; players bet alike, so the last few answers are kept."""

    @lru_cache(maxsize=MOST_KEPT)
    def all_stand(placed: SeatBets) -> bool:
        bets = dict(placed)
        return not any(why_not_standing(setup, wager, bets) for wager in bets)

    return all_stand
