"""The readings that a chapter must have: those that the program asks for, and those that its own parts name.

One that is missing would be missed where it is first asked for, in the middle of a round. So whoever asks for
one stands here, with the answers that it knows, and a chapter is held against the list where it is loaded.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sabot.config.errors import ConfigError, meant
from sabot.rules.chapter import GOES_ON, RESHUFFLES, Chapter, ContestResult, Wager
from sabot.rules.paytables import Paytable, Sheet, Under


class AskedReading(NamedTuple):
    """A reading that is asked for, the answers that are known, and the part of the file that asks.

    With ``has_others`` the answers must be among those of the reading; else it may have no others.
    """

    name: str
    answers: tuple[str, ...]
    part: str
    where: str = "where this part names it"
    has_others: bool = False


class NeededReading(NamedTuple):
    """A reading that the program asks for by its name: its answers, where it is asked for, and of whom."""

    name: str
    answers: tuple[str, ...]
    where: str
    when: Callable[[Chapter], bool]


def verify_readings(chapter: Chapter, file: str) -> None:
    """Raise ConfigError for the first reading that is asked for and not there, or has no such answers."""
    for asked in (*_by_the_program(chapter), *_by_parts(chapter)):
        _verify(chapter, asked, file)


def _verify(chapter: Chapter, asked: AskedReading, file: str) -> None:
    reading = chapter.readings.get(asked.name)
    if reading is None:
        raise _missing(chapter, asked, file)
    if asked.has_others:
        # What waits for an answer that nobody can give would never hold.
        part, key, said, known = asked.part, asked.name, asked.answers, reading.values
    else:
        part, key, said, known = f"readings.{asked.name}", "values", reading.values, asked.answers
    strange = next((answer for answer in said if answer not in known), None)
    if strange is not None:
        bound = f"an answer out of {', '.join(known)}"
        raise ConfigError("E-CONF-004", f"{file} [{part}]", key=key, value=strange, bound=bound)


def _missing(chapter: Chapter, asked: AskedReading, file: str) -> ConfigError:
    return ConfigError(
        "E-CONF-022",
        f"{file} [{asked.part}]",
        name=asked.name,
        near=meant(asked.name, chapter.readings),
        where=asked.where,
        answers=", ".join(asked.answers) + (" and others" if asked.has_others else ""),
    )


# ------------------------------------------------------------ by the program


def always(_: Chapter) -> bool:
    """Return that every chapter is asked."""
    return True


def compares_hands(chapter: Chapter) -> bool:
    """Return whether a player's hand is compared with the dealer's."""
    settled = (wager.settles for wager in chapter.wagers.values())
    return chapter.contest.against_dealer or any(each and each.kind == "losing_hand" for each in settled)


def _has_envy(chapter: Chapter) -> bool:
    return any(wager.envy for wager in chapter.wagers.values())


def gives_stacks(chapter: Chapter) -> bool:
    """Return whether a chapter is dealt from an automated shoe."""
    return any(method in chapter.plans for method in ("auto_shoe", RESHUFFLES))


def _ends_by_a_wrong_number(chapter: Chapter) -> bool:
    return chapter.irregularities["wrong_count"].fate is not GOES_ON


def _has_meters(chapter: Chapter) -> bool:
    return bool(chapter.meters)


NEEDED = (
    NeededReading(
        "tiebreak",
        ("poker", "highest_card"),
        "where two hands of one rank are compared",
        compares_hands,
    ),
    NeededReading(
        "void_forfeits", ("returned", "kept"), "where a round is void after somebody folded", always
    ),
    NeededReading(
        "void_after_payment",
        ("void", "held"),
        "where a wrong number of cards ends a round after a payment",
        _ends_by_a_wrong_number,
    ),
    NeededReading(
        "stack_count",
        ("void", "held"),
        "where an automated shoe gives a stack of a wrong number",
        gives_stacks,
    ),
    NeededReading(
        "stub_count_scope",
        ("both", "deck", "table"),
        "where it is asked whether the stub is to be counted",
        always,
    ),
    NeededReading(
        "envy_two_boxes",
        ("no", "yes"),
        "where a player with an envy wager has the hand in another box",
        _has_envy,
    ),
    NeededReading(
        "envy_folded_holder",
        ("cards_on_table", "never", "always"),
        "where a folded hand may give others an envy bonus",
        _has_envy,
    ),
    NeededReading("T11", ("one_link",), "where a meter is linked with those of other tables", _has_meters),
)


def _by_the_program(chapter: Chapter) -> Iterator[AskedReading]:
    for each in NEEDED:
        # One that need not be there has to have answers that are known all the same.
        if each.when(chapter) or each.name in chapter.readings:
            yield AskedReading(each.name, each.answers, "readings", each.where)


# ------------------------------------------------------------ by parts of the chapter

YES_NO, KEPT = ("yes", "no"), ("returned", "kept")
ALIVE, LESS_ONE = ("alive", "forfeit"), ("in_full", "less_one")


def _by_parts(chapter: Chapter) -> Iterator[AskedReading]:
    for spec in chapter.rankings.values():
        if isinstance(spec.ace_low, str):
            yield AskedReading(spec.ace_low, YES_NO, f"rankings.{spec.name}.ace_low")
    for wager in chapter.wagers.values():
        yield from _named(_of_wager(wager))
    for end, result in chapter.contest.results.items():
        yield from _named(_of_end(f"contest.{end}", result))
    yield from _of_terms(chapter)
    for name, paytable in all_paytables(chapter):
        for sheet in paytable.sheets:
            yield from _of_sheet(name, sheet)
    for plan in chapter.plans.values():
        for step in plan.steps:
            for name, value in step.readings.items():
                yield AskedReading(name, (value,), f"plans.{plan.method}", has_others=True)


def all_paytables(chapter: Chapter) -> Iterator[tuple[str, Paytable]]:
    """Yield every paytable with its place in the file, envy tables included."""
    for name, paytable in chapter.paytables.items():
        yield f"paytables.{name}", paytable
    for name, envy in chapter.envy.items():
        for paytable in envy.by_unit.values():
            yield f"envy.{name}", paytable


def _named(asked: Iterable[AskedReading]) -> Iterator[AskedReading]:
    # A part that names no reading leaves the name empty.
    return (each for each in asked if each.name)


def _of_wager(wager: Wager) -> Iterator[AskedReading]:
    place = f"wagers.{wager.name}"
    if wager.on_fold:
        yield AskedReading(wager.on_fold.reading, ALIVE, f"{place}.fold")
    if wager.settles:
        yield AskedReading(wager.settles.keep_stake_reading, KEPT, f"{place}.settles.keep_stake")


def _of_end(place: str, result: ContestResult) -> Iterator[AskedReading]:
    for name, action in result.actions.items():
        yield AskedReading(action.keep_stake_reading, KEPT, f"{place}.{name}.keep_stake")
    if result.bonus:
        yield AskedReading(result.bonus.reading, YES_NO, f"{place}.bonus.reading")
        yield AskedReading(result.bonus.tie_reading, YES_NO, f"{place}.bonus.tie_reading")
        yield AskedReading(result.bonus.for_reading, LESS_ONE, f"{place}.bonus.for_reading")


def _of_terms(chapter: Chapter) -> Iterator[AskedReading]:
    if chapter.swap:
        yield _under("settlement.swap", chapter.swap)
    if chapter.limit and chapter.limit.covers_under:
        yield _under("limit.covers_under", chapter.limit.covers_under)
    for name, envy in chapter.envy.items():
        if envy.reads_as:
            yield _under(f"envy.{name}.reads_as", envy.reads_as)


def _of_sheet(name: str, sheet: Sheet) -> Iterator[AskedReading]:
    if sheet.ranks_as:
        yield _under(f"{name}.ranks_as", sheet.ranks_as)
    for row in sheet.rows:
        if row.lead_under:
            yield _under(f"{name}.rows.{row.name}.of_under", row.lead_under)


def _under(part: str, under: Under[Any]) -> AskedReading:
    return AskedReading(under.reading, (under.value,), part, has_others=True)
