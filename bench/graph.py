"""Curves as a picture: a panel for each quantity, from zero up, so that what is flat looks flat."""

from collections.abc import Sequence
from math import log10

from curve import Curve, Panel, number

from sabot.desk.drawing.colors import BRASS, GREEN, HAIR, INK, RED
from sabot.desk.drawing.svg import Svg

WIDTH, HEIGHT, TOP = 440.0, 250.0, 58.0
LEFT, RIGHT, HEAD, FOOT = 56.0, 24.0, 46.0, 40.0
SIZE, SMALL, TICKS = 11.0, 9.5, 4
COLORS = (GREEN, BRASS, RED, INK)
ROUND_STEPS = (1, 2, 2.5, 5, 10)


def graph(title: str, words: str, panels: Sequence[Panel]) -> str:
    """The whole document, two panels beside each other."""
    svg = Svg()
    svg.text(16, 26, title, 15, bold=True)
    svg.text(16, 44, words, SMALL)
    for place, panel in enumerate(panels):
        _Plot(svg, panel, place % 2 * WIDTH, TOP + place // 2 * HEIGHT).draw()
    return svg.document(2 * WIDTH, TOP + (len(panels) + 1) // 2 * HEIGHT, title)


def step_of(most: float) -> float:
    """A round step of which some reach the greatest value."""
    power = 10.0 ** int(log10(most / TICKS) // 1)
    return next(power * each for each in ROUND_STEPS if power * each * TICKS >= most)


class _Plot:
    """A panel at its place."""

    def __init__(self, svg: Svg, panel: Panel, x: float, y: float) -> None:
        self.svg, self.panel = svg, panel
        self.left, self.right = x + LEFT, x + WIDTH - RIGHT
        self.top, self.bottom = y + HEAD, y + HEIGHT - FOOT
        self.step = step_of(max(value for curve in panel.curves for _, value in curve.points))

    def draw(self) -> None:
        """Title, axes, curves and their names."""
        self.svg.text(self.left, self.top - 28, f"{self.panel.title}, {self.panel.unit}", SIZE, bold=True)
        self._grid()
        for place, curve in enumerate(self.panel.curves):
            self._curve(curve, COLORS[place % len(COLORS)], self.left + place * (self.right - self.left) / 2)

    def _grid(self) -> None:
        for tick in range(TICKS + 1):
            y = self._y(tick * self.step)
            self.svg.line([(self.left, y), (self.right, y)], HAIR)
            self.svg.text(self.left - 6, y + 3, number(tick * self.step), SMALL, align=1)
        for value in self._marked():
            self.svg.text(self._x(value), self.bottom + 14, number(value), SMALL, align=0.5)
        self.svg.text((self.left + self.right) / 2, self.bottom + 28, self.panel.across, SMALL, align=0.5)

    def _marked(self) -> Sequence[float]:
        """The places that have a word under them: not more than there is room for."""
        places = self.panel.places
        return places if len(places) <= 8 else [*places[1::2]]

    def _curve(self, curve: Curve, color: str, name_x: float) -> None:
        points = [(self._x(x), self._y(y)) for x, y in curve.points]
        self.svg.line(points, color, 1.8)
        for x, y in points:
            self.svg.dot(x, y, color)
        self.svg.text(name_x, self.top - 12, f"{curve.name}: {curve.shape}", SMALL, color=color)

    def _x(self, value: float) -> float:
        places = self.panel.places
        low, high, at = (
            log10(each) if self.panel.by_tens else each for each in (places[0], places[-1], value)
        )
        return self.left + (at - low) / (high - low) * (self.right - self.left)

    def _y(self, value: float) -> float:
        return self.bottom - value / (TICKS * self.step) * (self.bottom - self.top)
