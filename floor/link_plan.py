"""A link's terms made ready for work: the share of each wager for each level, and what each hand draws.

Everything is looked up in tables that are made once for a configuration, from its terms and from the
chapter: a contribution costs a few additions, and a claim names the row of the paytable, never a level or a
percentage.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sabot.floor.money import UNITS, share
from sabot.rules.chapter import Chapter
from sabot.rules.payouts import PayKind

# A link is one meter of one chapter with one column of its paytable: 641a.12(d)(3) prints seed and rates
# for each column, so tables with different columns have nothing in common that could be shared.


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


class Accounts(NamedTuple):
    """The accounts of a level: what the signs show, and the money that stands beside it."""

    meter: str
    reserve: str
    overflow: str
    open: str
    held: str


@lru_cache(maxsize=4096)
def accounts_of(link: str, level: str) -> Accounts:
    """Return the names of a level's accounts."""
    meter = f"{link}.{level}"
    return Accounts(meter, *(f"{meter}.{beside}" for beside in ("reserve", "overflow", "open", "held")))


class Share(NamedTuple):
    """The part of a wager for the meter of a level and for its reserve."""

    level: str
    primary: int
    reserve: int


class LinkDraw(NamedTuple):
    """The part of a level that a row of the paytable pays."""

    level: str
    rate: Fraction


class LinkLevel(NamedTuple):
    """The amounts of a level in units; a limit of None is no limit."""

    base: int
    reset: int
    limit: int | None
    threshold: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A configuration, ready for work."""

    terms: LinkTerms
    wagers: frozenset[str]
    levels: Mapping[str, LinkLevel]
    shares: Mapping[int, tuple[Share, ...]]
    draws: Mapping[str, LinkDraw]
    seats: int


def plan_of(terms: LinkTerms, chapter: Chapter) -> Plan:
    """Return the plan of terms that the chapter allows."""
    meter = chapter.meters[terms.meter]
    return Plan(
        terms=terms,
        wagers=frozenset(meter.wagers),
        levels={name: _level(terms, name) for name in terms.levels},
        shares={cents: _shares(terms, cents) for cents in terms.wagers},
        draws={
            row.name: LinkDraw(payout.level, payout.rate)
            for row, payout in chapter.paytables[meter.paytable].rows(terms.paytable)
            if payout.kind is PayKind.METER
        },
        seats=chapter.seats,
    )


def _level(terms: LinkTerms, name: str) -> LinkLevel:
    each = terms.levels[name]
    limit = None if each.limit is None else each.limit * UNITS
    return LinkLevel(each.base * UNITS, each.reset * UNITS, limit, each.threshold * UNITS)


def _shares(terms: LinkTerms, cents: int) -> tuple[Share, ...]:
    return tuple(
        Share(name, share(cents, each.rate), share(cents, each.reserve_rate))
        for name, each in terms.levels.items()
    )
