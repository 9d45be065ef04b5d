"""A block of the sign, and what is needed to make one."""

from collections.abc import Sequence
from dataclasses import dataclass

from sabot.config.submission import Submission
from sabot.config.submission_problems import listed
from sabot.rules.chapter import Chapter, Wager
from sabot.rules.payouts import PayKind, Payout, dollars
from sabot.rules.paytables import ONLY, Column, PayRow
from sabot.rules.rankings import ACE
from sabot.rules.settlement.house import House

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MANY = 3
_FACES = {11: "jacks", 12: "queens", 13: "kings", ACE: "aces"}

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One thing that can be won, by row, and the sources it goes back to."""

    title: str
    rows: tuple[tuple[str, Cells], ...]
    bounds: str = ""
    notes: tuple[str, ...] = ()
    heads: Cells = ()
    sources: tuple[str, ...] = ()


# Blocks that stand together.
Group = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Posting:
    """A chapter, what a house chose of it, and the two together."""

    chapter: Chapter
    submission: Submission
    house: House

    def bounds(self, wagers: Sequence[Wager]) -> str:
        """Return the least and the most of these wagers."""
        unit = self.submission.progressive_unit
        if unit is not None and any(wager.envy for wager in wagers):
            return f"{dollars(unit)} wager"
        spans = [_span(self.submission, wager) for wager in wagers if wager.name in self.submission.wagers]
        return " / ".join(dict.fromkeys(spans))

    def rows(self, column: Column) -> tuple[tuple[str, Cells], ...]:
        """Return the rows of a column that pay, with what they pay."""
        sheet = self.chapter.paytables.get(column.name)
        printed = {row.name: row for row in sheet.sheet(column.letter).rows} if sheet else {}
        return tuple(
            (self._row_text(printed[hit.row]) if hit.row in printed else hit.text, (pays(hit.payout),))
            for hit in column.hits.values()
            if hit.payout.kind is not PayKind.LOSS
        )

    def _row_text(self, row: PayRow) -> str:
        under = row.lead_under
        if not under or not under.holds(self.house.readings):
            return row.text
        low, high = (_FACES.get(rank, f"{rank}s") for rank in under.instead)
        return f"{row.text} of {low}" if low == high else f"{row.text} of {low} to {high}"


def _span(submission: Submission, wager: Wager) -> str:
    terms = submission.wagers[wager.name]
    assert terms.least is not None  # a submission without problems says both
    assert terms.most is not None
    least, most = dollars(terms.least), dollars(terms.most)
    return least if least == most else f"{least} to {most}"


def pays(payout: Payout) -> str:
    """Return a payout as a player reads it."""
    if payout.kind is PayKind.METER and payout.level != "main":
        return f"{payout.text} meter"
    return payout.text


def source(title: str, column: Column) -> str:
    """Return the place of a column in the law."""
    letter = "" if column.letter == ONLY else f"paytable {column.letter}, "
    return f"{title}: {letter}{column.cite}"


def titles(wagers: Sequence[Wager]) -> str:
    """Return wagers by one name, as short as it can be."""
    names = list(dict.fromkeys(wager.title.partition(",")[0] for wager in wagers))
    kinds = {name.split()[-1] for name in names[1:]}
    if len(names) >= MANY and len(kinds) == 1:
        return f"{names[0]} and {kinds.pop()}s"
    return listed(names)
