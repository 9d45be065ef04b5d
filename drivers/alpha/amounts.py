"""How an amount of cents is written on a sign: never more than the meter holds."""

from enum import StrEnum


class AmountFormat(StrEnum):
    """The ways to write an amount."""

    CENTS = "cents"
    DOLLARS = "dollars"
    PLAIN = "plain"


def written(cents: int, how: AmountFormat) -> str:
    """``$12,345.67``, ``$12,345`` (cents cut off, not rounded) or ``12345.67``."""
    dollars, rest = divmod(cents, 100)
    if how is AmountFormat.DOLLARS:
        return f"${dollars:,}"
    return f"{dollars}.{rest:02}" if how is AmountFormat.PLAIN else f"${dollars:,}.{rest:02}"
