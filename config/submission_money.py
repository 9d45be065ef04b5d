"""The money of a submission: the progressive unit, the payout limit, and meters that the operator sets."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from sabot.config.reader import WHOLE_PERCENT
from sabot.config.submission import MeterTerms, Submission
from sabot.config.submission_limit import covered, most_won
from sabot.config.submission_problems import Problem, listed, problem
from sabot.config.submission_tables import check_paytables, check_readings
from sabot.rules.chapter import Chapter, Limit, Meter, MeterLevel
from sabot.rules.errors import ANY, nearest
from sabot.rules.payouts import dollars

UNIT, LIMIT = "progressive_unit", "payout_limit"


def meters_in_play(submission: Submission, chapter: Chapter) -> list[Meter]:
    """Return the meters that a wager on offer feeds."""
    return [meter for meter in chapter.meters.values() if set(meter.wagers) & set(submission.wagers)]


def check_unit(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that the progressive wagers have one amount, of those with envy amounts."""
    unit, units = submission.progressive_unit, sorted(chapter.progressive_units())
    meters = meters_in_play(submission, chapter)
    known = listed(map(dollars, units), "or") if units else ""
    if unit is None:
        if meters:
            yield problem("E-SUBM-050", UNIT, meters[0].cite, known=known)
    elif not meters:
        yield problem("E-SUBM-052", UNIT, chapter.duties.wagers)
    elif unit not in units:
        sheets = (table.by_unit[units[0]].sheets[0] for table in chapter.envy.values())
        cite = ", ".join(sheet.cite for sheet in sheets)
        yield problem("E-SUBM-051", UNIT, cite, unit=dollars(unit), known=known)


# -------------------------------------------------------------------- payout limit


def check_limit(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that there is a payout limit only where the chapter has one, and none under its least."""
    most, limit = submission.payout_limit, chapter.limit
    if most is None:
        return
    if limit is None:
        yield problem("E-SUBM-060", LIMIT, chapter.cite, chapter=chapter.id)
        return
    least = limit.least_dollars * 100
    if most < least:
        facts = {"limit": dollars(most), "least": dollars(least)}
        yield problem("E-SUBM-061", LIMIT, limit.cite, **facts)
    # The most that a patron could win is worked out by letters and readings: wrong ones are reported by their
    # own checks.
    if not any(True for check in (check_paytables, check_readings) for _ in check(submission, chapter)):
        yield from _against_most_won(submission, chapter, limit, most)


def _against_most_won(submission: Submission, chapter: Chapter, limit: Limit, most: int) -> Iterator[Problem]:
    wagers = covered(submission, chapter, limit)
    titles = listed(wager.title for wager in wagers)
    if not any(wager.name in submission.wagers for wager in wagers):
        yield problem("E-SUBM-063", LIMIT, limit.cite, covers=titles)
        return
    won = most_won(submission, chapter, limit)
    if most < won:
        facts = {"limit": dollars(most), "won": dollars(won), "covers": titles}
        yield problem("E-SUBM-062", LIMIT, limit.cite, **facts)


# -------------------------------------------------------------------- meters


def check_meters(submission: Submission, chapter: Chapter) -> Iterator[Problem]:
    """Check that there are meter terms wherever the chapter leaves them to the operator, and nowhere else."""
    in_play = {meter.name: meter for meter in meters_in_play(submission, chapter)}
    for name in submission.meters:
        why = "the wager is not offered" if name in chapter.meters else "the chapter has no such meter"
        if name not in in_play:
            cite = chapter.meters[name].cite if name in chapter.meters else chapter.duties.wagers
            yield problem("E-SUBM-053", f"meters.{name}", cite, name=name, why=why)
    for meter in in_play.values():
        letter = submission.paytables.get(meter.paytable, "only")
        # A letter that does not exist is reported by ``check_paytables``.
        if letter in meter.levels:
            given = submission.meters.get(meter.name, {})
            yield from _meter(chapter, meter, letter, given)


def _meter(chapter: Chapter, meter: Meter, letter: str, given: Mapping[str, MeterTerms]) -> Iterator[Problem]:
    key, levels = f"meters.{meter.name}", meter.levels[letter]
    # Where no level has a least amount the chapter sets all of them itself.
    if not any(level.minimum_dollars for level in levels.values()):
        if given:
            why = "the chapter sets seed, reseed and rates itself"
            yield problem("E-SUBM-053", key, meter.cite, name=meter.name, why=why)
        return
    title = chapter.wagers[meter.wagers[0]].title
    for level in given:
        if level not in levels:
            facts = {"title": title, "level": level, "letter": letter, "nearest": nearest(level, levels, ANY)}
            yield problem("E-SUBM-054", f"{key}.{level}", meter.cite, **facts, known=listed(levels))
    for level, law in levels.items():
        terms = given.get(level, MeterTerms())
        yield from _amounts(chapter, f"{key}.{level}", level, letter, law, terms)
    yield from _rates(chapter, key, given)


def _amounts(
    chapter: Chapter, key: str, level: str, letter: str, law: MeterLevel, terms: MeterTerms
) -> Iterator[Problem]:
    duties, least = chapter.duties, (law.minimum_dollars or 0) * 100
    for item, cents in (("initial", terms.initial), ("reset", terms.reset)):
        if cents is None:
            facts = {"item": f"{item} amount", "level": level}
            yield problem("E-SUBM-055", f"{key}.{item}", duties.meter_amounts, **facts)
        elif cents < least:
            facts = {"item": item, "level": level, "letter": letter}
            amounts = {"amount": dollars(cents), "least": dollars(least)}
            yield problem("E-SUBM-056", f"{key}.{item}", duties.meter_amounts, **facts, **amounts)
    if terms.primary_percent is None:
        facts = {"item": "rate of progression", "level": level}
        yield problem("E-SUBM-055", f"{key}.primary_percent", duties.meter_rates, **facts)


def _rates(chapter: Chapter, key: str, given: Mapping[str, MeterTerms]) -> Iterator[Problem]:
    # Of all levels together, for each wager feeds them all.
    rates = ((terms.primary_percent or Fraction(0)) + terms.reserve_percent for terms in given.values())
    total = sum(rates, Fraction(0))
    if total > WHOLE_PERCENT:
        yield problem("E-SUBM-057", key, chapter.duties.meter_rates, total=f"{float(total):g}")
