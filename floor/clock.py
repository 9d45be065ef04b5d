"""The floor's clock, and its gaming day: when it begins, and which one a moment belongs to."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo


def utc() -> str:
    """Return the present moment by UTC, to the millisecond, as messages have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@lru_cache(maxsize=64)
def day_of(minute: str, starts: str, zone: str) -> str:
    """Return the day (2026-11-20) that a minute by UTC (2026-11-20T06:00) belongs to."""
    hours, minutes = starts.split(":")
    local = datetime.fromisoformat(minute).replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    # By the wall clock, without the zone from here on: a day that begins at six does so in summer and winter.
    before = timedelta(hours=int(hours), minutes=int(minutes))
    return (local.replace(tzinfo=None) - before).date().isoformat()
