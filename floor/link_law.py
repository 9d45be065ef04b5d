"""The chapter's word on the terms of a link: every problem at once, each with its paragraph.

Pennsylvania prints seed, reseed and rates (641a.12(d)(3), (e)(3), (g)(4)) "based upon the amount of the
Progressive Payout Wager being offered": wagers of $1 and of $5 have different seeds, so they cannot share a
meter. Maryland names least amounts and leaves the rest to the operator (ch.12.D(3)); whether wagers of two
amounts may share one there is the reading `linked_units`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from sabot.config.reader import WHOLE_PERCENT
from sabot.floor.errors import FloorError
from sabot.floor.link_plan import LevelTerms, LinkTerms
from sabot.floor.money import share
from sabot.rules.chapter import Chapter, Meter, MeterLevel
from sabot.rules.payouts import dollars

SHARED_UNITS, ANY_UNIT = "linked_units", "any"

Check = Callable[[LinkTerms, Chapter, Meter], Iterator[str]]


def problems(terms: LinkTerms, chapter: Chapter) -> list[FloorError]:
    """Return everything that the chapter has against the terms; empty where they stand."""
    meter = chapter.meters.get(terms.meter)
    if meter is None:
        known = " ".join(chapter.meters) or "none"
        return [
            _problem(
                terms, f"{chapter.id} has no meter {terms.meter!r}, its meters are: {known}", chapter.cite
            )
        ]
    found = [_problem(terms, what, meter.cite) for what in _of_the_column(terms, meter)]
    # Without its column no amount can be held against the chapter.
    if found:
        return found
    return [_problem(terms, what, meter.cite) for check in CHECKS for what in check(terms, chapter, meter)]


def verify(terms: LinkTerms, chapter: Chapter) -> None:
    """Raise the first of the problems, where there is one."""
    for problem in problems(terms, chapter):
        raise problem


def units_of(chapter: Chapter, meter: Meter) -> frozenset[int]:
    """Return the amounts that may be wagered on a meter, empty where any may."""
    is_of_unit = all(chapter.wagers[wager].envy for wager in meter.wagers)
    return chapter.progressive_units() if is_of_unit else frozenset()


def _problem(terms: LinkTerms, what: str, cite: str) -> FloorError:
    return FloorError("E-FLOOR-001", f"link {terms.link}", what=what, cite=cite)


def _of_the_column(terms: LinkTerms, meter: Meter) -> Iterator[str]:
    if terms.paytable not in meter.levels:
        yield f"{terms.meter} has no paytable {terms.paytable!r}, it has {' '.join(meter.levels)}"
    elif terms.levels.keys() != meter.levels[terms.paytable].keys():
        law, ours = (" ".join(sorted(each)) for each in (meter.levels[terms.paytable], terms.levels))
        yield f"paytable {terms.paytable} has the levels {law}, the link has {ours}"


def _wagers(terms: LinkTerms, chapter: Chapter, meter: Meter) -> Iterator[str]:
    """Yield what is wrong with the wager's amounts: more than one only where the text lets them share."""
    units = units_of(chapter, meter)
    if not terms.wagers:
        yield "no amount of the wager is named: wagers"
    for cents in sorted(set(terms.wagers) - units) if units else ():
        known = " or ".join(map(dollars, sorted(units)))
        yield f"a wager of {dollars(cents)}, the chapter has {known}"
    if len(terms.wagers) > 1:
        yield from _sharing(terms, chapter, meter)


def _sharing(terms: LinkTerms, chapter: Chapter, meter: Meter) -> Iterator[str]:
    amounts = " and ".join(map(dollars, terms.wagers))
    if any(level.seed_for_1 is not None for level in meter.levels[terms.paytable].values()):
        yield f"wagers of {amounts} cannot share a meter: its seed is based upon the amount of the wager"
        return
    reading = chapter.readings.get(SHARED_UNITS)
    answer = terms.readings.get(SHARED_UNITS, reading.default if reading else "")
    if answer != ANY_UNIT:
        yield f"wagers of {amounts} share a meter only under the reading {SHARED_UNITS} = {ANY_UNIT}"


def _readings(terms: LinkTerms, chapter: Chapter, _meter: Meter) -> Iterator[str]:
    for name, answer in terms.readings.items():
        reading = chapter.readings.get(name)
        if name != SHARED_UNITS or reading is None:
            yield f"no reading {name!r} belongs to a link of this chapter"
        elif answer not in reading.values:
            yield f"the reading {name} is {answer!r}, its answers are {' '.join(reading.values)}"


def _amounts(terms: LinkTerms, _chapter: Chapter, meter: Meter) -> Iterator[str]:
    for name, law in meter.levels[terms.paytable].items():
        yield from _amounts_of(f"level {name}:", terms.levels[name], law, max(terms.wagers, default=0))


def _amounts_of(level: str, ours: LevelTerms, law: MeterLevel, unit: int) -> Iterator[str]:
    """Yield amounts that are not as printed, which is for a wager of $1 (T2); Maryland prints the least."""
    printed = (("base", ours.base, law.seed_for_1), ("reset", ours.reset, law.reseed_for_1))
    least = (law.minimum_dollars or 0) * 100
    for item, cents, for_1 in printed:
        if for_1 is not None and cents != for_1 * unit:
            for_1_words = f"{dollars(for_1 * 100)} for 1 is {dollars(for_1 * unit)}"
            yield f"{level} {item} is {dollars(cents)}, {for_1_words}"
        if for_1 is None and cents < least:
            yield f"{level} {item} is {dollars(cents)}, the least is {dollars(least)}"
    rates = (
        ("rate", ours.rate, law.primary_percent),
        ("reserve_rate", ours.reserve_rate, law.reserve_percent),
    )
    for item, rate, percent in rates:
        if percent is not None and rate != percent:
            yield f"{level} {item} is {float(rate):g}%, the chapter has {percent}%"


def _rates(terms: LinkTerms, _chapter: Chapter, _meter: Meter) -> Iterator[str]:
    total = sum((each.rate + each.reserve_rate for each in terms.levels.values()), Fraction(0))
    if total > WHOLE_PERCENT:
        yield f"the rates come to {float(total):g}% of a wager"
    for name, level in terms.levels.items():
        for cents in terms.wagers:
            for rate in (level.rate, level.reserve_rate):
                try:
                    # Asked here once, so that no contribution is ever rounded.
                    share(cents, rate)
                except ArithmeticError as error:
                    yield f"level {name}: {error} cannot be kept exactly"


def _bounds(terms: LinkTerms, chapter: Chapter, meter: Meter) -> Iterator[str]:
    """Yield a limit below the start of a meter, and a threshold below one full round (PROG-9)."""
    for name, level in terms.levels.items():
        start = max(level.base, level.reset)
        if level.limit is not None and level.limit < start:
            yield f"level {name}: the limit {dollars(level.limit)} is less than {dollars(start)}"
        # Every seat with every wager of the meter at the highest
        # amount: that is no haste, it is a full table.
        stake = max(terms.wagers, default=0) * chapter.seats * len(meter.wagers)
        full = stake * level.rate / WHOLE_PERCENT
        if level.threshold < full:
            facts = f"{dollars(level.threshold)} is less than a full round, {dollars(-int(-full // 1))}"
            yield f"level {name}: the threshold of a minute {facts}"


CHECKS: tuple[Check, ...] = (_wagers, _readings, _amounts, _rates, _bounds)
