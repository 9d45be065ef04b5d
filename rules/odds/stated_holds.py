"""The hold that a regulator states of a wager, and whether a figure agrees with it.

A statement is a range over all letters of a wager, with as many digits as its author gave. A figure agrees
when, rounded to those digits, it lies within. That is all one figure can show; whether the *range* follows
from the text is a question about all letters together: each must lie within and each end must be somebody's.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from sabot.rules.frozen import frozen

DEFAULT = "default"


@frozen
class Stated:
    """A stated range of holds, in percent, as printed; of the wager's stake or of all that is wagered."""

    cite: str
    low: str
    high: str
    of_total_wagered: bool = False

    def agrees(self, hold_pct: Fraction) -> bool:
        """Return whether a hold lies within the range, rounded to the stated digits."""
        not_below = _rounded_like(hold_pct, self.low) >= Fraction(self.low)
        return not_below and _rounded_like(hold_pct, self.high) <= Fraction(self.high)

    def ends_met(self, holds_pct: Iterable[Fraction]) -> tuple[bool, bool]:
        """Return whether some hold is the low end of the range, and some hold the high end."""
        holds = list(holds_pct)
        low, high = (
            any(_rounded_like(hold, end) == Fraction(end) for hold in holds) for end in (self.low, self.high)
        )
        return low, high

    @property
    def text(self) -> str:
        """The range for people."""
        base = " of all that is wagered" if self.of_total_wagered else ""
        return f"{self.low} to {self.high} %{base}"


def _rounded_like(value: Fraction, text: str) -> Fraction:
    digits = len(text.partition(".")[2])
    return Fraction(round(value, digits))


def findings(stated: Stated, holds_by_reading: Mapping[str, Sequence[Fraction]]) -> dict[str, str]:
    """Return for each reading, in words, how the holds of all letters compare with the statement."""
    return {reading: _finding(stated, holds) for reading, holds in holds_by_reading.items()}


def _finding(stated: Stated, holds: Sequence[Fraction]) -> str:
    within = sum(stated.agrees(hold) for hold in holds)
    letters = f"{within} of {len(holds)} letters within"
    if within < len(holds):
        return letters
    low_met, high_met = stated.ends_met(holds)
    missing = [end for end, met in ((stated.low, low_met), (stated.high, high_met)) if not met]
    if missing:
        return f"{letters}, but no letter holds {' nor '.join(missing)} %"
    return f"{letters}, both ends met"


def verdict(stated: Stated, holds_by_reading: Mapping[str, Sequence[Fraction]]) -> str | None:
    """Return why a stated range does not follow from the default readings, None where it does."""
    fits = [
        reading
        for reading, holds in holds_by_reading.items()
        if all(stated.agrees(hold) for hold in holds) and all(stated.ends_met(holds))
    ]
    if DEFAULT in fits:
        return None
    said = findings(stated, holds_by_reading)
    details = "; ".join(f"{reading}: {words}" for reading, words in said.items())
    head = f"follows only with {' or '.join(fits)}" if fits else "follows from no reading of the chapter"
    return f"the stated {stated.text} {head} ({details})"
