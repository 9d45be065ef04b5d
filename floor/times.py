"""The floor's clock."""

from datetime import UTC, datetime


def utc() -> str:
    """Return now, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
