"""Every figure as a picture: a dot at the median, a line from the best to the worst, a mark at the goal.

What has one unit in a section shares one axis, and every axis is by powers of ten: a peer that is five times
slower stands as far to the right of a nanosecond as of a second.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10

from curve import number
from figure import Figure, Section, cells, machine_line

from sabot.desk.drawing.colors import GREEN, HAIR, INK, RED
from sabot.desk.drawing.svg import Svg

WIDTH, LEFT, RIGHT, TOP = 960.0, 470.0, 180.0, 64.0
ROW, HEAD, GAP, SIZE, SMALL = 17.0, 40.0, 14.0, 11.0, 9.5
SPREAD = "#7fa093"
TITLE = "Speed and size of Sabot, measured"


def picture(facts: Mapping[str, object], sections: Sequence[Section]) -> str:
    """The whole document."""
    svg, y = Svg(), TOP
    svg.text(16, 26, TITLE, 16, bold=True)
    svg.text(16, 46, f"{machine_line(facts)}. Mark: the goal. By powers of ten.", SIZE)
    for title, figures in panels(sections):
        y = _panel(svg, title, figures, y)
    return svg.document(WIDTH, y, TITLE)


def panels(sections: Sequence[Section]) -> Iterator[Section]:
    """Each section, unit by unit; what was not measured, or is nothing, has no place on an axis."""
    for title, figures in sections:
        shown = [figure for figure in figures if figure.samples and min(figure.samples) > 0]
        for unit in dict.fromkeys(figure.unit for figure in shown):
            yield f"{title}, {unit}", [figure for figure in shown if figure.unit == unit]


class Axis:
    """From a power of ten to another one, across the panel."""

    def __init__(self, figures: Sequence[Figure]) -> None:
        values = [value for figure in figures for value in (*figure.samples, figure.goal or 0.0) if value > 0]
        self.first = floor(log10(min(values)))
        self.last = max(ceil(log10(max(values))), self.first + 1)

    def x(self, value: float) -> float:
        """Where a value stands."""
        part = (log10(value) - self.first) / (self.last - self.first)
        return LEFT + part * (WIDTH - LEFT - RIGHT)


def _panel(svg: Svg, title: str, figures: Sequence[Figure], y: float) -> float:
    axis, bottom = Axis(figures), y + HEAD + ROW * len(figures)
    svg.text(16, y + 14, title, SIZE, bold=True)
    for power in range(axis.first, axis.last + 1):
        x = axis.x(10.0**power)
        svg.line([(x, y + HEAD - 8), (x, bottom - 4)], HAIR)
        svg.text(x, y + HEAD - 12, number(10.0**power), SMALL, align=0.5)
    for place, figure in enumerate(figures):
        _row(svg, axis, figure, y + HEAD + ROW * place + ROW / 2)
    return bottom + GAP


def _row(svg: Svg, axis: Axis, figure: Figure, y: float) -> None:
    _, goal, middle, *_ = cells(figure)
    is_missed = figure.verdict == "MISSED"
    svg.text(LEFT - 12, y + 4, figure.name, SIZE, align=1)
    svg.line([(axis.x(min(figure.samples)), y), (axis.x(max(figure.samples)), y)], SPREAD, 2.4)
    svg.dot(axis.x(figure.median or 0.0), y, RED if is_missed else GREEN)
    if figure.goal:
        svg.line([(axis.x(figure.goal), y - 7), (axis.x(figure.goal), y + 7)], INK, 1.6)
    words = f"{middle}  (goal {goal})" if goal else middle
    svg.text(WIDTH - RIGHT + 12, y + 4, words, SIZE, bold=is_missed)
