"""The tables below a picture: irregularities of the cards, and faults, a row each."""

from collections.abc import Iterable, Sequence

from sabot.desk.diagram.svg import Svg
from sabot.desk.diagram.trouble import Fault, Irregularity
from sabot.desk.sign.fonts import SANS, wrap
from sabot.desk.sign.palette import GREY, HAIR
from sabot.statemachine.faults import LAW

# Left edge, top and width of a table.
Room = tuple[float, float, float]
# The columns of the two tables: their heads and their share of the width.
_IRREGULARITIES = (
    ("irregularity", 13),
    ("in the phases", 17),
    ("what it does", 25),
    ("then", 17),
    ("paragraph", 28),
)
_FAULTS = (("fault", 13), ("says", 17), ("cure", 25), ("released by", 17), ("whose rule", 28))
_LEAD, _CELL, _HEAD = 12.5, 10.0, 9.5


def draw_irregularities(svg: Svg, rows: Iterable[Irregularity], room: Room, chapters: int) -> float:
    """The irregularities; an outcome that is not that of all ``chapters`` names those it is of."""
    cells = []
    for row in rows:
        for place, each in enumerate(row.outcomes):
            those = "" if len(each.chapters) == chapters else f" ({', '.join(each.chapters)})"
            first = (row.kind, row.phases) if place == 0 else ("", "")
            cells.append((*first, each.fate + those, each.then, each.cite))
    return _draw_table(svg, _IRREGULARITIES, cells, room)


def draw_faults(svg: Svg, rows: Iterable[Fault], room: Room) -> float:
    """The faults."""
    cells = [(row.kind, row.words, row.cure, row.releases, _basis(row)) for row in rows]
    return _draw_table(svg, _FAULTS, cells, room)


def _basis(row: Fault) -> str:
    return row.cite if row.basis in (LAW, row.cite) else f"{row.basis}, beside {row.cite}"


def _draw_table(
    svg: Svg, heads: Sequence[tuple[str, int]], rows: Iterable[Sequence[str]], room: Room
) -> float:
    left, y, width = room
    widths = [width * share / sum(share for _, share in heads) for _, share in heads]
    lefts = [left + sum(widths[:place]) for place in range(len(widths))]
    for x, (head, _) in zip(lefts, heads, strict=True):
        svg.text(x, y, head.upper(), _HEAD, bold=True, color=GREY)
    y += 6
    for row in rows:
        cells = [wrap(cell, SANS, _CELL, space - 10) for cell, space in zip(row, widths, strict=True)]
        if row[0]:
            svg.rule(left, y, left + width, HAIR)
        for x, lines, is_name in zip(lefts, cells, (True, *[False] * len(cells)), strict=False):
            for place, line in enumerate(lines):
                svg.text(x, y + 12 + _LEAD * place, line, _CELL, bold=is_name)
        y += 5 + _LEAD * max(map(len, cells))
    return y
