"""The par sheet for people: a block for each wager, letters as columns, readings as rows.

The figure comes first, what it is made of below it, and the rows of a paytable only where one letter is
looked at. A figure outside the range that is stated for it carries a mark.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from sabot.rules.chapter import Chapter
from sabot.rules.odds.figures import PERCENT, HoldFigures, SheetRow
from sabot.rules.odds.posted_paytable import RowOdds
from sabot.rules.odds.stated_holds import DEFAULT
from sabot.rules.payouts import dollars

LABEL_WIDTH, COLUMN_WIDTH, TEXT_WIDTH = 30, 9, 100
OUTSIDE = "!"

Cell = Callable[[HoldFigures], str]


def heading(chapter: Chapter) -> str:
    """Return the heading of the sheet."""
    return f"{chapter.document}\nWhat the house holds of each stake, in percent, by letter of the paytable.\n"


def wager_table(chapter: Chapter, rows: Sequence[SheetRow], note: str | None) -> str:
    """Return the block of one wager."""
    return "\n".join(_lines(chapter, rows, note)) + "\n"


def footer(shown: Sequence[SheetRow], rounds: int, seed: int) -> str:
    """Return the words on how the figures were found."""
    words = [
        "Counted exactly, by the rankings and payments of the settlement; the player decides as well as his",
        "cards allow. A reading has a line where it changes a figure; `sabot chapter ID` explains readings.",
    ]
    if any(row.agrees is False for row in shown):
        words.append(f"{OUTSIDE} is outside the stated range.")
    if any(row.figures.error is not None for row in shown):
        words.append(f"± is one standard error, from {rounds:,} hands drawn with seed {seed}.")
    return "\n".join(textwrap.wrap(" ".join(words), TEXT_WIDTH))


def _lines(chapter: Chapter, rows: Sequence[SheetRow], note: str | None) -> Iterator[str]:
    wager = chapter.wagers[rows[0].wager]
    letters = list(dict.fromkeys(row.paytable for row in rows))
    yield f"{wager.title}  [{wager.cite}]"
    if stated := rows[0].stated:
        yield f"  stated: {stated.text} ({stated.cite})"
    yield _line("", letters)
    for reading in dict.fromkeys(row.reading for row in rows):
        chosen = {row.paytable: row for row in rows if row.reading == reading}
        yield from _reading(reading, [chosen.get(letter) for letter in letters])
    defaults = [row.figures for row in rows if row.reading == DEFAULT]
    yield from _parts(defaults)
    posted = defaults[0].posted
    if posted and len(defaults) == 1:
        yield from _hits(posted.rows)
    if posted and any(row.payout.cents for row in posted.rows):
        yield f"  Fixed sums are weighed against a stake of {dollars(posted.stake)}."
    if note:
        yield from textwrap.wrap(f"Note: {note}.", TEXT_WIDTH, initial_indent="  ", subsequent_indent="  ")


def _line(label: str, cells: Sequence[str]) -> str:
    return f"  {label:<{LABEL_WIDTH}}" + "".join(f"{cell:>{COLUMN_WIDTH}}" for cell in cells)


def _reading(reading: str, rows: Sequence[SheetRow | None]) -> Iterator[str]:
    yield _line(reading, [_marked(row, of_total=False) for row in rows])
    if any(row and row.figures.played for row in rows):
        yield _line("  of all that is wagered", [_marked(row, of_total=True) for row in rows])
    if any(row and row.figures.error is not None for row in rows):
        yield _line("  ±", [_error(row) for row in rows])


def _marked(row: SheetRow | None, *, of_total: bool) -> str:
    if row is None:
        return "-"
    figures = row.figures
    hold = figures.hold_per_total_pct if of_total else figures.hold_pct
    # A statement is about the stake or about all that is wagered: only that line is held against it.
    speaks_of_it = row.stated is not None and row.stated.of_total_wagered == of_total
    return f"{float(hold):.3f}" + (OUTSIDE if speaks_of_it and not row.agrees else "")


def _error(row: SheetRow | None) -> str:
    error = row.figures.error if row else None
    return "-" if error is None else f"{error * PERCENT:.3f}"


# ---------------------------------------------------------------- parts


def _percent(share: Fraction | None) -> str:
    return "-" if share is None else f"{float(share * PERCENT):.3f}"


def _number(value: Fraction | None) -> str:
    return "-" if value is None else f"{float(value):,.0f}"


# What a figure is made of: a label, and the cell, empty where the wager has no such part.
PARTS: tuple[tuple[str, Cell], ...] = (
    ("wagered in all, in antes", lambda f: f"{float(f.wagered):.4f}" if f.played else ""),
    ("hands folded, %", lambda f: _percent(f.played.folds) if f.played else ""),
    ("heeding the rank alone", lambda f: _percent(f.played.hold) if f.played and f.suit else ""),
    ("put on the meter, %", lambda f: _percent(f.meter.primary) if f.meter else ""),
    ("put in reserve, %", lambda f: _percent(f.meter.reserve) if f.meter else ""),
    ("reseeding costs, %", lambda f: _percent(f.meter.reseed_cost) if f.meter else ""),
    ("held in the long run", lambda f: _percent(f.meter.long_run_hold) if f.meter else ""),
    ("even at a meter of, for 1", lambda f: _number(f.meter.break_even) if f.meter else ""),
    ("envy for each other player, %", lambda f: "" if f.envy is None else _percent(f.envy)),
)


def _parts(columns: Sequence[HoldFigures]) -> Iterator[str]:
    for label, cell in PARTS:
        cells = [cell(figures) for figures in columns]
        if any(cells):
            yield _line(label, cells)
    meters = [figures.meter for figures in columns if figures.meter]
    if any(meter.operator_chooses for meter in meters):
        yield "  The operator names rates and resets: reseeding is reckoned at the minima, for a stake of $1."
    for row in dict.fromkeys((row.row, row.text, row.chance) for meter in meters for row in meter.draws):
        _, text, chance = row
        yield f"  Meter: {text.lower()} once in {_number(1 / chance)} hands."
    for each in columns[0].drawn:
        yield (
            f"  {each.text}, when drawn: {float(each.chance * PERCENT):.3f} % of draws hit, "
            f"{float(each.chance * each.rate * PERCENT):.1f} % of the stake returned a draw."
        )


def _hits(rows: Sequence[RowOdds]) -> Iterator[str]:
    yield f"  {'row':<46}{'pays':>16}{'once in':>16}{'returns, %':>12}"
    for row in rows:
        returned = float(row.chance * (row.net + 1) * PERCENT)
        text = row.text if row.table == rows[0].table else f"{row.text}, with the bonus card"
        yield f"  {text:<46}{row.payout.text:>16}{float(1 / row.chance):>16,.2f}{returned:>12.3f}"
