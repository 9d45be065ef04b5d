"""Paytables: which row a hand makes, and what the row pays under each letter.

A paytable is printed with one column a letter, and so it is kept. A row says which hands make it (by the
name a ranking gives them, by lead rank, by second rank, by suit, or by cards of a color); rows stand
highest first and the first that fits counts. A ``Column`` is one letter, ready to be asked with a score; it
remembers its answers, so that the criteria are read once for each kind of hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from sabot.rules.frozen import frozen
from sabot.rules.payouts import Payout
from sabot.rules.rankings import LEAD_SHIFT, LEVEL_SHIFT, SECOND_SHIFT, Ranking

ONLY = "only"
ANY_HAND = "any"
_NIBBLE = 15

Span = tuple[int, int]
T = TypeVar("T")


@frozen
class Under(Generic[T]):
    """The entry that applies when a reading has a certain answer (in some tables only for one letter)."""

    reading: str
    value: str
    instead: T
    letter: str = ""

    def holds(self, readings: Mapping[str, str]) -> bool:
        """Return whether the reading has that answer."""
        return readings[self.reading] == self.value


@frozen
class PayRow:
    """One row of a printed paytable: what makes it, and a cell for each letter (None: not in that letter)."""

    name: str
    text: str
    cells: tuple[Payout | None, ...]
    hands: tuple[str, ...] = ()
    lead: Span | None = None
    second: Span | None = None
    suits: tuple[int, ...] = ()
    # Of a row by colors: how many own cards share one at least, and how many others have it too.
    own: int = 0
    others: int = 0
    # The row as which a hand of this one counts under letters that do not have it (R7).
    instead: str = ""
    lead_under: Under[Span] | None = None

    def sample(self, ranking: Ranking) -> int:
        """Return a score that makes this row."""
        if self.own:
            return self.own << 4 | self.others
        if ANY_HAND in self.hands:
            return 0
        # A suit stands where the lead rank would, as in the score of a six-card royal.
        lead = self.suits[0] if self.suits else self.lead[0] if self.lead else 0
        second = self.second[0] if self.second else 0
        level = next(level for name in self.hands if (level := ranking.level_of(name)) is not None)
        return level << LEVEL_SHIFT | lead << LEAD_SHIFT | second << SECOND_SHIFT

    def is_of(self, hand: str) -> bool:
        """Return whether a hand of this name may make the row."""
        return bool(self.own) or hand in self.hands or ANY_HAND in self.hands

    def fits(self, hand: str, score: int) -> bool:
        """Return whether a hand of this name and score makes the row."""
        if self.own:
            return (score >> 4) >= self.own and (score & _NIBBLE) >= self.others
        lead = score >> LEAD_SHIFT & _NIBBLE
        return (
            self.is_of(hand)
            and _within(self.lead, lead)
            and _within(self.second, score >> SECOND_SHIFT & _NIBBLE)
            and (not self.suits or lead in self.suits)
        )


# A score that makes no row of any column.
NO_ROW = -1


def _within(span: Span | None, value: int) -> bool:
    return span is None or span[0] <= value <= span[1]


class MeterHit(NamedTuple):
    """A row that a hand made, and what it pays."""

    row: str
    text: str
    payout: Payout


@frozen
class Sheet:
    """The letters of a paytable that share a ranking and a list of rows."""

    cite: str
    ranking: str
    letters: tuple[str, ...]
    rows: tuple[PayRow, ...]
    ranks_as: Under[str] | None = None


@frozen
class Paytable:
    """Everything the law prints under one paytable."""

    name: str
    sheets: tuple[Sheet, ...]

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters an operator may choose from."""
        return tuple(letter for sheet in self.sheets for letter in sheet.letters)

    @property
    def has_choice(self) -> bool:
        """Return whether the operator chooses a letter at all."""
        return self.letters != (ONLY,)

    def sheet(self, letter: str) -> Sheet:
        """Return the sheet that has this letter."""
        return next(sheet for sheet in self.sheets if letter in sheet.letters)

    def rows(self, letter: str) -> Iterator[tuple[PayRow, Payout]]:
        """Yield the rows that a letter has, highest first, each with its payout."""
        sheet = self.sheet(letter)
        place = sheet.letters.index(letter)
        for row in sheet.rows:
            payout = row.cells[place]
            if payout is not None:
                yield row, payout


class Column:
    """One letter of a paytable under given readings: answers by score, remembered."""

    def __init__(self, table: Paytable, letter: str, ranking: Ranking, readings: Mapping[str, str]) -> None:
        self.name = table.name
        self.letter = letter
        self.cite = table.sheet(letter).cite
        self.ranking = ranking
        self.hits = {row.name: MeterHit(row.name, row.text, pays) for row, pays in table.rows(letter)}
        self._rows = tuple(_under(row, readings) for row in table.sheet(letter).rows)
        self.rows = tuple(self._with_others(row) for row in self._rows if row.name in self.hits)
        # Below these bits of a score no row asks: ranks behind the second decide between hands only.
        self.bits = 0 if any(row.own for row in self._rows) else SECOND_SHIFT

        self._answers: dict[int, MeterHit | None] = {}
        # The rows that a hand of each name may make: most of a paytable is about other hands.
        self._rows_of: dict[str, tuple[PayRow, ...]] = {}

    def find(self, score: int) -> MeterHit | None:
        """Return the row that a score makes, or None when it makes none."""
        if score == NO_ROW:
            return None
        key = score >> self.bits
        try:
            return self._answers[key]
        except KeyError:
            self._answers[key] = hit = self._find(key << self.bits)
            return hit

    def _with_others(self, row: PayRow) -> PayRow:
        """Return a row together with the hands of other letters' rows that count as it under this one."""
        others = (each for each in self._rows if each.name not in self.hits and each.instead == row.name)
        return replace(row, hands=tuple(dict.fromkeys(chain(row.hands, *(each.hands for each in others)))))

    def _find(self, score: int) -> MeterHit | None:
        hand = self.ranking.name(score)
        rows = self._rows_of.get(hand)
        if rows is None:
            rows = tuple(row for row in self._rows if self._has(row) and row.is_of(hand))
            self._rows_of[hand] = rows
        # Rows stand highest first, and a hand that fits two is the first of them (reading R5).
        row = next((row for row in rows if row.fits(hand, score)), None)
        # A row that this letter does not have may count as another
        # one: a six-card royal is paid as a royal (R7).
        return self.hits[row.name if row.name in self.hits else row.instead] if row else None

    def sample(self, name: str) -> int:
        """Return a score that makes the row of this name (a row that the letter does not have makes none)."""
        row = next((row for row in self._rows if row.name == name), None)
        return NO_ROW if row is None else row.sample(self.ranking)

    def _has(self, row: PayRow) -> bool:
        return row.name in self.hits or row.instead in self.hits


def _under(row: PayRow, readings: Mapping[str, str]) -> PayRow:
    """Return the row as a reading makes it."""
    if row.lead_under and row.lead_under.holds(readings):
        return replace(row, lead=row.lead_under.instead)
    return row
