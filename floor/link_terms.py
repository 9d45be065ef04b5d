"""The terms of a link, as its two signers read them: which wager of which chapter feeds which meters.

A link is one meter of one chapter with one column of its paytable: 641a.12(d)(3) prints seed and rates for
each column, so tables with different columns have nothing in common that could be shared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class LevelTerms:
    """The terms of one level; amounts in cents, a limit of None is no limit."""

    base: int
    reset: int
    rate: Fraction
    reserve_rate: Fraction
    limit: int | None
    threshold: int


@dataclass(frozen=True, slots=True)
class LinkTerms:
    """The terms of a link, in force from a moment."""

    link: str
    chapter: str
    meter: str
    paytable: str
    wagers: tuple[int, ...]
    tables: tuple[str, ...]
    begins: str
    levels: Mapping[str, LevelTerms]
    readings: Mapping[str, str] = field(default_factory=dict)
    law: str = ""  # the digest of the folder that the chapter is of; nothing for those of the program
