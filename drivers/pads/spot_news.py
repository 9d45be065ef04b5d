"""The news of a spot for the table: what it heard last, against what the pad says now.

The table takes a wager for placed when its spot is open and refuses it when it is closed. So a refused chip
is told only while the spot is closed, and then also when it is gone; and when a spot opens the table hears
anew what counts there: a stake that stayed from the round before is a wager again, a refused one is none
until it is lifted.
"""

from typing import NamedTuple

from sabot.drivers.pads.messages import Cover, PadSpot

_NOTHING = 0
TOLD_LATE = frozenset({Cover.COVERED_LATE, Cover.CHANGED_LATE})


class SpotHeard(NamedTuple):
    """The table's knowledge of a spot: the pad's state when it was told, and the value (0 nothing)."""

    cover: Cover = Cover.EMPTY
    cents: int | None = _NOTHING


class SpotNews(NamedTuple):
    """News for the table (``tell``: these values, in this order), and what it then knows."""

    tell: tuple[int | None, ...]
    heard: SpotHeard


def news_of(heard: SpotHeard, spot: PadSpot, *, is_open: bool, is_expected: bool) -> SpotNews:
    """Return the news in a report, beyond what the table has heard of a spot."""
    now = SpotHeard(spot.cover, spot.cents)
    # State and value are news, light and age are none. A sensor that cannot tell takes nothing back.
    if now == heard or spot.cover is Cover.BLIND:
        return SpotNews((), heard)
    if spot.cover is Cover.COVERED_LATE:
        return _late(heard, now, is_open=is_open)
    was_there = heard.cents != _NOTHING
    is_there = now.cents != _NOTHING
    if not is_there and not was_there:
        return SpotNews((), now)
    # What was told as late is told when it is put right, by whoever's hand: the dealer waits for that.
    is_dealers = is_expected and spot.cover in (Cover.EMPTY, Cover.COVERED) and heard.cover not in TOLD_LATE
    if is_dealers or (heard.cents == now.cents and heard.cover is Cover.CHANGED_LATE):
        return SpotNews((), now)
    return SpotNews((now.cents,), now)


def _late(heard: SpotHeard, now: SpotHeard, *, is_open: bool) -> SpotNews:
    """Return the news of a refused chip; where a wager counted before, that one is gone."""
    gone = (_NOTHING,) if heard.cents != _NOTHING and heard.cover is not Cover.COVERED_LATE else ()
    if is_open:
        # On an open spot the table would take it for a wager: it hears of the chip when the spot is locked.
        return SpotNews(gone, SpotHeard() if gone else heard)
    return SpotNews((*gone, now.cents), now)


def news_at_opening(heard: SpotHeard, spot: PadSpot) -> SpotNews:
    """Return the news of a spot that opens: a wager that counts, or none where the table may think of one."""
    if spot.cover is Cover.COVERED:
        return SpotNews((spot.cents,), SpotHeard(spot.cover, spot.cents))
    if heard.cents != _NOTHING:
        return SpotNews((_NOTHING,), SpotHeard())
    return SpotNews((), heard)
