"""Amounts of the floor: ten-thousandths of a cent, so that every rate that a submission may name is exact.

A table keeps hundredths of a cent, which hold whole percents of a cent. A linked meter may be fed by rates
with more places (Maryland leaves them to the operator), so the floor's unit is a hundredth of the table's: a
rate of four places is exact on a wager of whole dollars, one of two places on a wager of any cents. A
configuration whose shares would not be whole units is refused, so nothing is ever rounded.
"""

from fractions import Fraction

UNITS = 10_000  # in a cent
DOLLAR = 100 * UNITS
WHOLE = 100


def words(units: int) -> str:
    """Return an amount to the last unit, such as $12.345678."""
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), DOLLAR)
    return f"{sign}${whole:,}.{rest:06d}"


def share(cents: int, percent: Fraction) -> int:
    """Return the share of a wager in units; raise ArithmeticError where it is no whole number of them."""
    found = percent * cents * UNITS / WHOLE
    if found.denominator != 1:
        message = f"{float(percent):g}% of {cents} cents"
        raise ArithmeticError(message)
    return found.numerator
