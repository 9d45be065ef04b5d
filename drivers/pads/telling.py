"""What the table is told of a spot: what it heard last, against what the pad says now.

The table takes a wager for placed when its spot is open and refuses it when it is closed. So a refused chip
is told only while the spot is closed, and then also when it is gone; and when a spot opens the table hears
anew what counts there: a stake that stayed from the round before is a wager again, a refused one is none
until it is lifted.
"""

from typing import NamedTuple

from sabot.drivers.pads.messages import Cover, Spot

_NOTHING = 0
TOLD_LATE = frozenset({Cover.COVERED_LATE, Cover.CHANGED_LATE})


class Heard(NamedTuple):
    """What the table knows of a spot: the pad's state when it was told, and the value (0 nothing)."""

    cover: Cover = Cover.EMPTY
    cents: int | None = _NOTHING


class News(NamedTuple):
    """What the table is to hear (``tell``: these values, in this order), and what it then knows."""

    tell: tuple[int | None, ...]
    heard: Heard


def news_of(heard: Heard, spot: Spot, *, is_open: bool, is_expected: bool) -> News:
    """What a report adds to what the table heard of a spot."""
    now = Heard(spot.cover, spot.cents)
    if now == heard or spot.cover is Cover.BLIND:
        return News((), heard)
    if spot.cover is Cover.COVERED_LATE:
        return _late(heard, now, is_open=is_open)
    was_there = heard.cents != _NOTHING
    is_there = now.cents != _NOTHING
    if not is_there and not was_there:
        return News((), now)
    # What was told as late is told when it is put right, by whoever's hand: the dealer waits for that.
    is_dealers = is_expected and spot.cover in (Cover.EMPTY, Cover.COVERED) and heard.cover not in TOLD_LATE
    if is_dealers or (heard.cents == now.cents and heard.cover is Cover.CHANGED_LATE):
        return News((), now)
    return News((now.cents,), now)


def _late(heard: Heard, now: Heard, *, is_open: bool) -> News:
    """A refused chip; where a wager counted before, that one is gone."""
    gone = (_NOTHING,) if heard.cents != _NOTHING and heard.cover is not Cover.COVERED_LATE else ()
    if is_open:
        # On an open spot the table would take it for a wager: it hears of the chip when the spot is locked.
        return News(gone, Heard() if gone else heard)
    return News((*gone, now.cents), now)


def news_at_opening(heard: Heard, spot: Spot) -> News:
    """What a spot that opens adds: a wager that counts, or none where the table may think of one."""
    if spot.cover is Cover.COVERED:
        return News((spot.cents,), Heard(spot.cover, spot.cents))
    if heard.cents != _NOTHING:
        return News((_NOTHING,), Heard())
    return News((), heard)
