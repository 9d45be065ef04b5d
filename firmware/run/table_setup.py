"""The table of a table file, as the core takes it: chapter, choices of the house, what the devices see."""

from fractions import Fraction

from sabot.config.submission import Submission
from sabot.config.table_file import MINUTES, TableFile
from sabot.firmware.run.table_errors import TableError
from sabot.rules.chapter import Chapter
from sabot.rules.payouts import dollars
from sabot.statemachine.state.setup import (
    Knowledge,
    MeterSetup,
    Percent,
    Policies,
    Setup,
    SetupError,
    Shuffler,
    is_held_exactly,
    least_stake,
    meter_terms,
    percent_words,
)


def setup_of(file: TableFile) -> Setup:
    """Return the set-up of a table, verified against the law."""
    submission = file.submission
    chapter = file.law.chapter(submission.chapter)
    offers = offers_of(chapter, submission)
    setup = Setup(
        chapter=chapter,
        options=submission.options(),
        offers=offers,
        method=submission.method,
        knowledge=Knowledge(file.knowledge),
        shuffler=Shuffler(file.shuffler),
        decks=submission.decks,
        one_machine=file.one_machine,
        seats=submission.seats,
        limits={name: (terms.least or 0, terms.most or 0) for name, terms in submission.wagers.items()},
        smallest_chip_cents=file.smallest_chip_cents,
        idle_after_s=file.idle_after_min * MINUTES,
        declared_floor_cents=file.declared_floor_cents,
        adjacent_boxes=submission.adjacent_boxes or 1,
        meters=_own_meters(meters_of(chapter, submission, offers), file),
        links=file.links,
        policies=Policies(**file.policies),
    )
    try:
        setup.verify()
    except SetupError as error:
        # The core knows no file: the error names the one in which the slip is.
        raise SetupError(error.kind, file.file, **error.facts) from error
    return setup


def _own_meters(found: dict[str, dict[str, MeterSetup]], file: TableFile) -> dict[str, dict[str, MeterSetup]]:
    """Return the meters that this table has accounts for: those that are linked are the floor's."""
    return {name: terms for name, terms in found.items() if name not in file.links}


def offers_of(chapter: Chapter, submission: Submission) -> frozenset[str]:
    """Return the optional wagers that the house offers."""
    return frozenset(name for name in submission.wagers if chapter.wagers[name].optional)


def meters_of(
    chapter: Chapter, submission: Submission, offers: frozenset[str]
) -> dict[str, dict[str, MeterSetup]]:
    """Return the chapter's own terms of each meter, and over them what the house chose."""
    terms = meter_terms(chapter, submission.options(), offers)
    for meter, levels in submission.meters.items():
        known = terms.setdefault(meter, {})
        for level, chosen in levels.items():
            own = known.get(level, MeterSetup(0, 0, 0))
            place = f"{submission.file} [meters.{meter}.{level}]"
            stake = least_stake(chapter, chapter.meters[meter], submission.options())
            known[level] = MeterSetup(
                own.seed_cents if chosen.initial is None else chosen.initial,
                _exact(place, "primary_percent", chosen.primary_percent, own.primary_percent, stake),
                _exact(place, "reserve_percent", chosen.reserve_percent or None, own.reserve_percent, stake),
            )
    return terms


def _exact(place: str, item: str, chosen: Fraction | None, own: Percent, stake_cents: int) -> Percent:
    """Return the chosen rate or the chapter's own; raise where the ledger would have to cut it."""
    if chosen is None:
        return own
    if not is_held_exactly(chosen, stake_cents):
        facts = {"item": item, "percent": percent_words(chosen), "stake": dollars(stake_cents)}
        raise TableError("E-TABLE-006", place, **facts)
    return int(chosen) if chosen.denominator == 1 else chosen
