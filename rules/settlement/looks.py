"""How a wager looks at cards: at which places, ranked by which ranking, under which column of a paytable.

A house makes these once. In a round only a score is new, and what it makes is remembered: a column has some
hundred different answers, and a shift asks it some thousand times an hour.
"""

from collections.abc import Callable
from typing import NamedTuple

from sabot.rules.paytables import NO_ROW, Column, MeterHit
from sabot.rules.rankings import Ranking

OWN = ("own",)


class Sight:
    """Some places, and the ranking by which the cards of a seat there count.

    A house makes one of equal ones, so that a hand that several wagers look at is ranked once a round; and
    once for all seats where nobody's own cards are among them.
    """

    __slots__ = ("is_own", "places", "ranking")

    def __init__(self, places: tuple[str, ...], ranking: Ranking) -> None:
        self.places = places
        self.ranking = ranking
        self.is_own = "own" in places


class Alternative(NamedTuple):
    """Another reading of a column, to tell whether the reading mattered."""

    reading: str
    look: "ColumnLook"
    may_differ: Callable[[int], bool]


class ColumnVerdict(NamedTuple):
    """The row that a score makes, and the other readings under which it might make another."""

    hit: MeterHit | None
    doubts: tuple[Alternative, ...]


class ColumnVerdicts(dict[int, ColumnVerdict]):
    """The verdicts of a column, by as many bits of a score as its rows ask about; it fills itself."""

    def __init__(self, column: Column, alternatives: tuple[Alternative, ...]) -> None:
        super().__init__()
        self.column = column
        self.alternatives = alternatives

    def __missing__(self, key: int) -> ColumnVerdict:
        score = key << self.column.bits if key >= 0 else NO_ROW
        doubts = tuple([other for other in self.alternatives if other.may_differ(score)])
        verdict = self[key] = ColumnVerdict(self.column.find(score), doubts)
        return verdict


class ColumnLook:
    """A column asked of certain cards, with its other readings; ``name`` is the one a declaration uses.

    Ask ``verdicts[score >> bits]``: neither a row nor a doubt asks for more of a score.
    """

    __slots__ = ("bits", "column", "name", "sight", "verdicts")

    def __init__(
        self, name: str, sight: Sight, column: Column, alternatives: tuple[Alternative, ...] = ()
    ) -> None:
        self.name = name
        self.sight = sight
        self.column = column
        self.bits = column.bits
        self.verdicts = ColumnVerdicts(column, alternatives)
