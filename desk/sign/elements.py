"""The elements of a sign: texts, rules, boxes and suit signs, each at its place.

Points from the top left corner, y downwards; a text stands on its base line and starts at its x, so that no
renderer has to know how wide anything is. One whose fonts are others keeps to ``align``: what was put to the
right ends there, and what was centred has its middle there.
"""

from dataclasses import dataclass, field

from sabot.desk.drawing.text_width import ASCENT, DESCENT, text_width

Rectangle = tuple[float, float, float, float]
# A path in a unit square: M and L with a point, C with three, Z to close.
Path = tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True)
class SignText:
    """A line of text; ``tracking`` goes after each letter, ``align`` is 1 at the right, 0.5 in the middle."""

    x: float
    y: float
    text: str
    font: str
    size: float
    color: str
    tracking: float = 0.0
    align: float = 0.0

    @property
    def width(self) -> float:
        """Return its width."""
        return text_width(self.text, self.font, self.size) + self.tracking * (len(self.text) - 1)

    @property
    def bounds(self) -> Rectangle:
        """Return left, top, right and bottom of everything its letters may cover."""
        return self.x, self.y - ASCENT * self.size, self.x + self.width, self.y + DESCENT * self.size


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    color: str

    @property
    def bounds(self) -> Rectangle:
        """Return left, top, right and bottom."""
        half = self.width / 2
        return min(self.x1, self.x2) - half, self.y1 - half, max(self.x1, self.x2) + half, self.y2 + half


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, filled or drawn in outline."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    line: float = 0.0
    radius: float = 0.0

    @property
    def bounds(self) -> Rectangle:
        """Return left, top, right and bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height


@dataclass(frozen=True, slots=True)
class SignShape:
    """A filled outline, given in a unit square and drawn ``size`` wide and high."""

    x: float
    y: float
    size: float
    path: Path
    color: str

    @property
    def bounds(self) -> Rectangle:
        """Return left, top, right and bottom."""
        return self.x, self.y, self.x + self.size, self.y + self.size


Element = SignText | RuleLine | Box | SignShape


@dataclass(slots=True)
class SignSheet:
    """A sheet of paper with everything on it, in the order of drawing."""

    width: float
    height: float
    title: str
    author: str
    elements: list[Element] = field(default_factory=list)

    def add(self, *elements: Element) -> None:
        """Put elements on the sheet, above those already there."""
        self.elements += elements

    @property
    def texts(self) -> list[SignText]:
        """Return every text on it."""
        return [each for each in self.elements if isinstance(each, SignText)]


_SPADE = (
    ("M", (0.5, 0.0)),
    ("C", (0.62, 0.2, 0.98, 0.36, 0.98, 0.62)),
    ("C", (0.98, 0.84, 0.68, 0.88, 0.56, 0.7)),
    ("C", (0.56, 0.84, 0.6, 0.94, 0.7, 1.0)),
    ("L", (0.3, 1.0)),
    ("C", (0.4, 0.94, 0.44, 0.84, 0.44, 0.7)),
    ("C", (0.32, 0.88, 0.02, 0.84, 0.02, 0.62)),
    ("C", (0.02, 0.36, 0.38, 0.2, 0.5, 0.0)),
    ("Z", ()),
)
_HEART = (
    ("M", (0.5, 1.0)),
    ("C", (0.4, 0.78, 0.02, 0.56, 0.02, 0.28)),
    ("C", (0.02, 0.02, 0.38, -0.04, 0.5, 0.22)),
    ("C", (0.62, -0.04, 0.98, 0.02, 0.98, 0.28)),
    ("C", (0.98, 0.56, 0.6, 0.78, 0.5, 1.0)),
    ("Z", ()),
)
_DIAMOND = (
    ("M", (0.5, 0.0)),
    ("C", (0.6, 0.2, 0.74, 0.38, 0.9, 0.5)),
    ("C", (0.74, 0.62, 0.6, 0.8, 0.5, 1.0)),
    ("C", (0.4, 0.8, 0.26, 0.62, 0.1, 0.5)),
    ("C", (0.26, 0.38, 0.4, 0.2, 0.5, 0.0)),
    ("Z", ()),
)
_CLUB = (
    ("M", (0.5, 0.0)),
    ("C", (0.66, 0.0, 0.76, 0.12, 0.76, 0.24)),
    ("C", (0.76, 0.3, 0.74, 0.35, 0.7, 0.4)),
    ("C", (0.88, 0.34, 1.0, 0.46, 1.0, 0.6)),
    ("C", (1.0, 0.74, 0.88, 0.84, 0.76, 0.84)),
    ("C", (0.68, 0.84, 0.6, 0.8, 0.55, 0.72)),
    ("C", (0.56, 0.84, 0.6, 0.94, 0.7, 1.0)),
    ("L", (0.3, 1.0)),
    ("C", (0.4, 0.94, 0.44, 0.84, 0.45, 0.72)),
    ("C", (0.4, 0.8, 0.32, 0.84, 0.24, 0.84)),
    ("C", (0.12, 0.84, 0.0, 0.74, 0.0, 0.6)),
    ("C", (0.0, 0.46, 0.12, 0.34, 0.3, 0.4)),
    ("C", (0.26, 0.35, 0.24, 0.3, 0.24, 0.24)),
    ("C", (0.24, 0.12, 0.34, 0.0, 0.5, 0.0)),
    ("Z", ()),
)
# Black and red in turn.
SUIT_SIGNS: tuple[Path, ...] = (_SPADE, _HEART, _CLUB, _DIAMOND)
