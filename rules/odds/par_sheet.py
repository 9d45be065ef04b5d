"""The par sheet of a chapter: a row for each wager, letter of its paytable, and reading that changes it.

A reading gets a row of its own only where some figure differs from the default's, so that the sheet itself
shows which ambiguities are worth money.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sabot.rules.chapter import Chapter
from sabot.rules.errors import SabotError, table
from sabot.rules.odds.ambiguities import TIEBREAK, contest_readings, posted_readings
from sabot.rules.odds.engine import LITERAL, Engine, Method, Reckoner
from sabot.rules.odds.figures import HoldFigures, SheetRow
from sabot.rules.odds.stated_holds import DEFAULT, Stated, verdict
from sabot.rules.paytables import ONLY, Paytable
from sabot.rules.settlement.steps import contest_tables

if TYPE_CHECKING:
    from fractions import Fraction

ERRORS = table(
    (
        "E-ODDS-001",
        "there is no wager {wager!r} to reckon; those of {chapter} are {known}",
        "Second wagers are reckoned with the ante, and bonuses with the wager they belong to.",
        "Choose one of those.",
    ),
    (
        "E-ODDS-002",
        "paytable {letter!r} is not among those of {wager}, which are {known}",
        "The chapter prints no such letter for it.",
        "Choose one of those.",
    ),
)

Variant = tuple[str, Mapping[str, str]]


class OddsError(SabotError):
    """Odds that were asked of something the chapter does not have."""


class ParSheet:
    """The par sheet of a chapter."""

    def __init__(self, chapter: Chapter, stated: Mapping[str, Stated], method: Method) -> None:
        self.chapter = chapter
        self.stated = stated
        self.reckoner = Reckoner(chapter, method)

    # ------------------------------------------------------------ what there is

    def wagers(self) -> tuple[str, ...]:
        """Return the wagers that have odds, those that are quickly counted first and the contest last."""
        opening = self.chapter.contest.opening
        wagers = [wager for wager in self.chapter.wagers.values() if not wager.after_deal]
        wagers.sort(key=lambda wager: (wager.name == opening, self.reckoner.needs_duel(wager)))
        return tuple(wager.name for wager in wagers)

    def verify(self, name: str, letter: str | None = None) -> None:
        """Raise when there is no such wager, or no such letter for it."""
        if name not in self.wagers():
            known = " ".join(self.wagers())
            raise OddsError(ERRORS["E-ODDS-001"], "WAGER", wager=name, chapter=self.chapter.id, known=known)
        letters = self.letters(name)
        if letter is not None and letter not in letters:
            known = " ".join(letters)
            raise OddsError(ERRORS["E-ODDS-002"], "--paytable", letter=letter, wager=name, known=known)

    def letters(self, name: str) -> tuple[str, ...]:
        """Return the letters of a wager's paytable."""
        paytable = self.paytable(name)
        return paytable.letters if paytable else (ONLY,)

    def paytable(self, name: str) -> Paytable | None:
        """Return the paytable among whose letters an operator chooses for a wager."""
        names: set[str] = set()
        wager = self.chapter.wagers[name]
        if name == self.chapter.contest.opening:
            names = contest_tables(self.chapter.contest.results)
        if wager.settles:
            names |= {wager.settles.paytable}
        if wager.bonus_card:
            names |= {wager.bonus_card.paytable}
        tables = (self.chapter.paytables[each] for each in sorted(names))
        return next((each for each in tables if each.has_choice), None)

    # ------------------------------------------------------------ rows

    def rows(self, names: Sequence[str], letter: str | None = None) -> Iterator[list[SheetRow]]:
        """Yield the rows of each wager; those that need the same counts are reckoned together."""
        wagers = self.chapter.wagers
        # The count of the dealer's hands is large and kept once: what needs it is reckoned while it is there.
        together = [name for name in names if self.reckoner.needs_duel(wagers[name])]
        for name in names:
            if name not in together:
                yield from self._rows_of((name,), letter)
        yield from self._rows_of(together, letter)

    def _rows_of(self, names: Sequence[str], only: str | None) -> Iterator[list[SheetRow]]:
        letters = {name: (only,) if only else self.letters(name) for name in names}
        tasks = [
            (name, letter, variant)
            for name in names
            for letter in letters[name]
            for variant in self.variants(name)
        ]
        # One way of comparing hands after the other, so that each is counted once.
        tasks.sort(key=lambda task: task[2][1].get(TIEBREAK) == LITERAL)
        found = {
            (name, letter, label): self._figures(name, letter, readings)
            for name, letter, (label, readings) in tasks
        }
        for name in names:
            yield [
                SheetRow(name, letter, label, found[name, letter, label], self.stated.get(name))
                for letter in letters[name]
                for label, _ in self.variants(name)
                # A reading that moves no figure gets no row.
                if label == DEFAULT or found[name, letter, label] != found[name, letter, DEFAULT]
            ]

    def _figures(self, name: str, letter: str, readings: Mapping[str, str]) -> HoldFigures:
        paytable = self.paytable(name)
        letters = {paytable.name: letter} if paytable else {}
        return self.reckoner.figures(name, letters, readings)

    def variants(self, name: str) -> list[Variant]:
        """Return the readings to try for a wager, the default first."""
        default: list[Variant] = [(DEFAULT, {})]
        if self.reckoner.method.default_only:
            return default
        wager = self.chapter.wagers[name]
        is_posted = self.reckoner.engine(wager) is Engine.POSTED
        named = posted_readings(self.chapter, wager) if is_posted else contest_readings(self.chapter)
        return default + [
            (f"{reading.name}={value}", {reading.name: value})
            for reading in self.chapter.readings.values()
            for value in reading.values[1:]  # the first answer is the default
            if reading.name in named
        ]


def verdict_on(rows: Sequence[SheetRow]) -> str | None:
    """Return why the stated hold of a wager does not follow from the default readings, None where it does."""
    stated = rows[0].stated
    if stated is None:
        return None
    holds: dict[str, list[Fraction]] = {}
    for row in rows:
        holds.setdefault(row.reading, []).append(row.figures.stated_pct(stated))
    return verdict(stated, holds)
