"""A curve: one quantity against another, and whether it is flat.

What is called flat ends within a quarter of where it began; for anything else the page of the docs has to
say why.
"""

from collections.abc import Sequence
from dataclasses import dataclass

FLAT_WITHIN = 0.25
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one line, the least first."""

    name: str
    points: tuple[Point, ...]

    @property
    def growth(self) -> float:
        """The last point as a multiple of the first."""
        return self.points[-1][1] / self.points[0][1]

    @property
    def shape(self) -> str:
        """Flat, or what it ends at."""
        is_flat = abs(self.growth - 1) <= FLAT_WITHIN
        return f"{self.growth:.2f} x" + (", flat" if is_flat else "")


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves of one unit over one quantity."""

    title: str
    across: str
    unit: str
    curves: tuple[Curve, ...]
    by_tens: bool = False

    @property
    def places(self) -> Sequence[float]:
        """Where the points are."""
        return [x for x, _ in self.curves[0].points]


def number(value: float) -> str:
    """A number as the axes and tables have it."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def rows(panel: Panel) -> list[tuple[str, ...]]:
    """The head of the panel's table, then a row for each curve."""
    head = (f"{panel.title}, {panel.unit}", *(f"{number(x)}" for x in panel.places), "last / first")
    body = [(curve.name, *(number(y) for _, y in curve.points), curve.shape) for curve in panel.curves]
    return [head, *body]
