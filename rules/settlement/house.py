"""The house's rules: a chapter under the operator's choices, ready to settle round after round.

Choosing letters and readings, finding rankings and naming rows is done once, here; what is left for a round
is to ask tables. A house is immutable but for the answers its tables remember, and equal choices share one
house.
"""

# Theory of operation. A letter of a paytable under the readings is a ``Column``; places and a ranking are a
# ``Sight``, one object for equal ones, so that a hand is ranked once a round; both together are a
# ``ColumnLook``. A look knows the readings that its answer hangs on: for each there is the same look under
# the other answers, and a test of the scores for which they can differ at all (``Alternative``). So a
# settlement can name the readings that mattered without settling twice.

from collections.abc import Callable, Iterator, Mapping, Sequence

from sabot.rules.chapter import Chapter, RankingSpec, Wager
from sabot.rules.errors import SabotError, table
from sabot.rules.paytables import ONLY, Column, Paytable, Sheet
from sabot.rules.rankings import (
    LEAD_SHIFT,
    LEVEL_SHIFT,
    ColorRanking,
    PokerRanking,
    Ranking,
    RankOrder,
    poker_ranking,
)
from sabot.rules.round import Options
from sabot.rules.settlement.looks import OWN, Alternative, ColumnLook, Sight

ERRORS = table(
    (
        "E-HOUSE-001",
        "paytable {letter!r} is not in {cite}",
        "The letters of {name} are {known}.",
        "Choose one of those.",
    ),
    (
        "E-HOUSE-002",
        "no paytable is chosen for {name}",
        "The chapter leaves the choice to the operator ({cite}).",
        "Name one of {known}.",
    ),
    (
        "E-HOUSE-003",
        "there is no reading {name!r}, the readings of the chapter are {known}",
        "A reading is one of the named options of the chapter file.",
        "Correct the name, or see `sabot chapter`.",
    ),
    (
        "E-HOUSE-004",
        "{value!r} is not an answer of the reading {name!r}",
        "Its answers are {known}.",
        "Choose one of those.",
    ),
    (
        "E-HOUSE-005",
        "there is no paytable {name!r} to choose, the choices are {known}",
        "The chapter prints no such table, or only one.",
        "Take the entry out.",
    ),
)


class HouseError(SabotError):
    """A choice that the chapter does not leave open."""


WHEEL_LEAD = 5
DEFAULT = "default"
Switch = tuple[str, Callable[[int], bool]]


class House:
    """A chapter under the operator's choices."""

    def __init__(self, chapter: Chapter, options: Options) -> None:
        self.chapter = chapter
        self.options = options
        self.readings = chosen_readings(chapter, options.readings)
        self.letters = self._letters()
        self._columns: dict[str, Column] = {}
        self._envy_columns: dict[tuple[str, int], Column] = {}
        self._sights: dict[tuple[tuple[str, ...], Ranking], Sight] = {}
        contest = self._ranking(chapter.rankings[chapter.contest.ranking], self.readings)
        self.contest_ranking = contest
        assert isinstance(contest, PokerRanking)  # the loader admits nothing else for a contest
        # Kept also where R3 is read as poker: only by both rankings can one tell whether the reading
        # mattered.
        self.literal_ranking = contest.breaking_ties_by_highest_card()
        self.contest_sight = self.sight(chapter.contest.cards, contest)

    def _letters(self) -> dict[str, str]:
        chapter = self.chapter
        open_tables = choosable(chapter)
        for name in self.options.paytables:
            if name not in open_tables:
                raise _unknown_table(name, open_tables)
        letters: dict[str, str] = {}
        for name, letter in self.options.paytables.items():
            paytable = open_tables[name]
            if letter not in paytable.letters:
                known = " ".join(paytable.letters)
                cite = paytable.sheets[0].cite
                place = f"options.paytables.{name}"
                raise HouseError(
                    ERRORS["E-HOUSE-001"], place, letter=letter, cite=cite, name=name, known=known
                )
            letters[name] = letter
        for name, envy in chapter.envy.items():
            # By default the envy paytable has the letter of its progressive (reading E5).
            if name not in letters and envy.follows in letters and open_tables.get(name):
                letters[name] = letters[envy.follows]
        return letters

    def letter(self, paytable: Paytable) -> str:
        """Return the letter chosen for a paytable."""
        letter = self.letters.get(paytable.name)
        if letter is None and not paytable.has_choice:
            return ONLY
        # When it is asked for, not at the start: a wager that is not offered needs no letter.
        if letter is None:
            known = " ".join(paytable.letters)
            raise HouseError(
                ERRORS["E-HOUSE-002"],
                f"options.paytables.{paytable.name}",
                name=paytable.name,
                cite=paytable.sheets[0].cite,
                known=known,
            )
        return letter

    def column(self, name: str) -> Column:
        """Return the chosen letter of a paytable, made once and ready to be asked."""
        if name not in self._columns:
            self._columns[name] = self._column(self.chapter.paytables[name], self.readings)
        return self._columns[name]

    def envy_column(self, name: str, unit: int) -> Column:
        """Return the envy amounts for one unit of the receiver's wager."""
        if (name, unit) not in self._envy_columns:
            self._envy_columns[name, unit] = self._envy_column(name, unit, self.readings)
        return self._envy_columns[name, unit]

    def _envy_column(self, name: str, unit: int, readings: Mapping[str, str]) -> Column:
        envy = self.chapter.envy[name]
        paytable = envy.by_unit[unit]
        letter = self.letter(paytable)
        # Maryland's paytable C has envy rows that its progressive does
        # not pay: by the text, or by what was meant (M1).
        if envy.reads_as and envy.reads_as.letter == letter and envy.reads_as.holds(readings):
            letter = envy.reads_as.instead
        return self._column(paytable, readings, letter)

    def other_readings(self, reading: str) -> Iterator[Mapping[str, str]]:
        """Yield the readings as they would be with each other answer to one of them."""
        for value in self.chapter.readings[reading].values:
            if value != self.readings[reading]:
                yield self.readings | {reading: value}

    def _column(self, paytable: Paytable, readings: Mapping[str, str], letter: str | None = None) -> Column:
        letter = letter or self.letter(paytable)
        sheet = paytable.sheet(letter)
        name = sheet.ranking
        if sheet.ranks_as and sheet.ranks_as.holds(readings):
            name = sheet.ranks_as.instead
        ranking = self._ranking(self.chapter.rankings[name], readings)
        return Column(paytable, letter, ranking, readings)

    def _ranking(self, spec: RankingSpec, readings: Mapping[str, str]) -> Ranking:
        if spec.kind == "color":
            return ColorRanking(spec.own)
        ace_low = spec.ace_low if isinstance(spec.ace_low, bool) else readings[spec.ace_low] == "yes"
        return poker_ranking(RankOrder(spec.size, spec.order, ace_low))

    def sight(self, places: tuple[str, ...], ranking: Ranking) -> Sight:
        """Return the sight of some places under a ranking, the same object for the same two."""
        key = (places, ranking)
        if key not in self._sights:
            self._sights[key] = Sight(places, ranking)
        return self._sights[key]

    def look(self, wager: Wager) -> ColumnLook:
        """Return the column of an optional wager, asked of the cards that it is settled by."""
        settles = wager.settles
        assert settles is not None  # the loader admits no optional wager without a settlement
        paytable = self.chapter.paytables[settles.paytable]
        column = self.column(settles.paytable)
        switches = self._switches(paytable.sheet(column.letter))

        def other(readings: Mapping[str, str]) -> Column:
            return self._column(paytable, readings)

        return self._look(wager.name, settles.cards, column, switches, other)

    def envy_look(self, name: str, unit: int) -> ColumnLook:
        """Return the envy amounts for one unit of the receiver's wager, asked of a holder's own cards."""
        envy, column = self.chapter.envy[name], self.envy_column(name, unit)
        switches = self._switches(envy.by_unit[unit].sheet(column.letter))
        if envy.reads_as:
            switches.append((envy.reads_as.reading, _always))

        def other(readings: Mapping[str, str]) -> Column:
            return self._envy_column(name, unit, readings)

        return self._look(column.name, OWN, column, switches, other)

    def _look(
        self,
        name: str,
        places: tuple[str, ...],
        column: Column,
        switches: list[Switch],
        other: Callable[[Mapping[str, str]], Column],
    ) -> ColumnLook:
        """Return a column asked at these places, with each reading that might make it answer otherwise."""

        def at(asked: Column) -> Sight:
            return self.sight(places, asked.ranking)

        alternatives = tuple(
            Alternative(reading, ColumnLook(name, at(read), read), test)
            for reading, test in switches
            for read in map(other, self.other_readings(reading))
        )
        return ColumnLook(name, at(column), column, alternatives)

    def _switches(self, sheet: Sheet) -> list[Switch]:
        """Return the readings that a sheet depends on, each with a test of the scores that it may change."""
        switches: list[Switch] = []
        ace_low = self.chapter.rankings[sheet.ranking].ace_low
        if isinstance(ace_low, str):
            # Read with a wheel, only a five-high straight can be
            # otherwise; read without one, any hand may become one.
            switches.append((ace_low, _is_wheel if self.readings[ace_low] == "yes" else _always))
        if sheet.ranks_as:
            switches.append((sheet.ranks_as.reading, _always))
        return switches + [(row.lead_under.reading, _always) for row in sheet.rows if row.lead_under]

    def qualifies(self, score: int) -> bool:
        """Return whether a dealer's hand of this score is good enough to compete."""
        least = self.chapter.contest.qualifies
        if least is None:
            return True
        named = self.contest_ranking.name(score)
        # A hand with a name qualifies by it, a bare high card by its rank (679a: queen high, reading R17).
        return score >> LEVEL_SHIFT > 0 if named != least.hand else score >> LEAD_SHIFT & 15 >= least.lead

    def compare(self, own: Sequence[int], dealer: Sequence[int]) -> int:
        """Return above 0 when the player's cards are the higher, 0 on a tie, below when the lower."""
        mine, theirs = self.contest_ranking.score(own), self.contest_ranking.score(dealer)
        if mine >> LEVEL_SHIFT != theirs >> LEVEL_SHIFT or self.readings["tiebreak"] == "poker":
            return mine - theirs
        return self.literal_ranking.score(own) - self.literal_ranking.score(dealer)

    @property
    def deciding_ranking(self) -> PokerRanking:
        """The ranking that decides between two hands of one class."""
        assert isinstance(self.contest_ranking, PokerRanking)  # the loader admits nothing else for a contest
        return self.contest_ranking if self.readings["tiebreak"] == "poker" else self.literal_ranking

    def keeps_after_fold(self, wager: Wager) -> bool:
        """Return whether a wager stays alive when its player folds."""
        if wager.on_fold is None:
            return False
        if wager.on_fold.keeps is None:
            return self.readings[wager.on_fold.reading] == "alive"
        return wager.on_fold.keeps


def _is_wheel(score: int) -> bool:
    return score >> LEAD_SHIFT & 15 == WHEEL_LEAD


def _always(_: int) -> bool:
    return True


def choosable(chapter: Chapter) -> dict[str, Paytable]:
    """Return the paytables of a chapter among whose letters an operator chooses, envy tables included."""
    tables = dict(chapter.paytables)
    tables |= {name: next(iter(envy.by_unit.values())) for name, envy in chapter.envy.items()}
    return {name: paytable for name, paytable in tables.items() if paytable.has_choice}


def chosen_readings(chapter: Chapter, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return every reading of the chapter with the answer that holds."""
    readings = chapter.default_readings()
    for name, value in chosen.items():
        place = f"options.readings.{name}"
        if name not in readings:
            known = " ".join(readings)
            raise HouseError(ERRORS["E-HOUSE-003"], place, name=name, known=known)
        values = chapter.readings[name].values
        if value not in (*values, DEFAULT):
            known = " ".join(values)
            raise HouseError(ERRORS["E-HOUSE-004"], place, name=name, value=value, known=known)
        readings[name] = values[0] if value == DEFAULT else value
    return readings


def _unknown_table(name: str, known: Mapping[str, Paytable]) -> HouseError:
    place = f"options.paytables.{name}"
    return HouseError(ERRORS["E-HOUSE-005"], place, name=name, known=" ".join(known))
