"""SVG written by hand: the one place that knows how an element, its attributes and a document are written.

No library, so that the same picture is the same bytes on every machine. A pen has so many places behind the
point: a sheet of paper wants three, a picture for a page one.
"""

from collections.abc import Iterable, Sequence
from math import ceil
from xml.sax.saxutils import escape, quoteattr

from sabot.desk.drawing.colors import INK, WHITE
from sabot.desk.drawing.text_width import ASCENT, DESCENT, SANS, SANS_BOLD, text_width

NAMESPACE = "http://www.w3.org/2000/svg"


class Pen:
    """A pen that writes elements, with that many places behind the point."""

    def __init__(self, places: int) -> None:
        self.places = places

    def number(self, value: float) -> str:
        """Return a number without the zeros that say nothing."""
        return f"{value:.{self.places}f}".rstrip("0").rstrip(".") if self.places else f"{value:.0f}"

    def attributes(self, **values: float | str) -> str:
        """Return attributes with a blank before each; one that is empty is left out."""
        return "".join(
            f" {name.replace('_', '-')}={quoteattr(value if isinstance(value, str) else self.number(value))}"
            for name, value in values.items()
            if value != ""
        )

    def empty(self, name: str, **values: float | str) -> str:
        """Return an element without content."""
        return f"<{name}{self.attributes(**values)}/>"

    def text(self, words: str, attributes: str) -> str:
        """Return a line of text, with attributes that are written already."""
        return f"<text{attributes}>{escape(words)}</text>"

    def group(self, parts: Iterable[str], attributes: str = "", title: str = "") -> str:
        """Return parts in one element; ``title`` is shown to whoever points at one of them."""
        shown = f"<title>{escape(title)}</title>" if title else ""
        return f"<g{attributes}>{shown}{''.join(parts)}</g>"

    def document(
        self, box: tuple[float, float], title: str, lines: Iterable[str], *, size: str = "", style: str = ""
    ) -> str:
        """Return the whole document: ``box`` is its width and height, ``size`` what else is said of them."""
        content = [f"<title>{escape(title)}</title>", *lines]
        return self._whole(box, content, f' xmlns="{NAMESPACE}"{size}', style) + "\n"

    def in_page(self, box: tuple[float, float], title: str, lines: Iterable[str]) -> str:
        """Return a picture for a page of HTML, which needs no namespace."""
        return self._whole(box, lines, "", self.attributes(aria_label=title))

    def _whole(self, box: tuple[float, float], lines: Iterable[str], before: str, after: str) -> str:
        width, height = map(self.number, box)
        head = f'<svg{before} viewBox="0 0 {width} {height}" role="img"{after}>'
        return "\n".join((head, *lines, "</svg>"))


def anchor(align: float) -> str:
    """Return the attribute for the point of a text that stands at its x: begin (none), middle or end."""
    return {0.5: ' text-anchor="middle"', 1: ' text-anchor="end"'}.get(align, "")


PEN = Pen(1)
# Of the corners of boxes and ways; HEAD is the length of an arrow's head.
RADIUS = 6.0
HEAD = 6.0
Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]
# Letters of the usual stand-in are up to so much wider than those of the layout.
WIDEST = 1.2


class Svg:
    """Elements of a picture, in the order of drawing."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        # What was put where, for the tests: they hold that no words touch others,
        # and no way runs through any.
        self.texts: list[tuple[Rectangle, str]] = []
        self.reach = 0.0
        self.boxes: list[Rectangle] = []
        self.ways: list[Sequence[Point]] = []

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str, line: float
    ) -> None:
        """Draw a rounded box."""
        self.boxes.append((x, y, x + width, y + height))
        place = PEN.attributes(x=x, y=y, width=width, height=height, rx=RADIUS)
        self.lines.append(f"<rect{place}{PEN.attributes(fill=fill, stroke=stroke, stroke_width=line)}/>")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        color: str = INK,
        align: float = 0,
    ) -> None:
        """Draw a line of text; ``align`` 0 begins at x, 0.5 has its middle there, 1 ends there."""
        font = SANS_BOLD if bold else SANS
        width = text_width(text, font, size)
        left = x - align * width
        self.reach = max(self.reach, x + (1 - align) * width * WIDEST)
        self.texts.append(((left, y - ASCENT * size, left + width, y + DESCENT * size), text))
        look = PEN.attributes(x=x, y=y, font_size=size, fill=color, textLength=width)
        weight = ' font-weight="700"' if bold else ""
        self.lines.append(PEN.text(text, look + anchor(align) + weight))

    def rule(self, x: float, y: float, to: float, color: str) -> None:
        """Draw a thin line across."""
        self.lines.append(
            f"<path{PEN.attributes(d=f'M{PEN.number(x)} {PEN.number(y)}H{PEN.number(to)}', stroke=color)}/>"
        )

    def line(self, points: Sequence[Point], color: str, width: float = 1.0) -> None:
        """Draw a line from point to point."""
        path = "M" + "L".join(_pair(point) for point in points)
        look = PEN.attributes(d=path, fill="none", stroke=color, stroke_width=width)
        self.lines.append(f"<path{look}/>")

    def way(self, points: Sequence[Point], color: str) -> None:
        """Draw a line with rounded corners and a head at its end."""
        self.ways.append(points)
        path = _rounded(points)
        self.lines.append(f"<path{PEN.attributes(d=path, fill='none', stroke=color, stroke_width=1.3)}/>")
        self.lines.append(f"<path{PEN.attributes(d=_head(points), fill=color)}/>")

    def dot(self, x: float, y: float, color: str) -> None:
        """Draw a mark."""
        self.lines.append(f"<circle{PEN.attributes(cx=x, cy=y, r=3.6, fill=color)}/>")

    def document(self, width: float, height: float, name: str) -> str:
        """Return the document, as wide as its texts may become in a viewer that has other fonts."""
        width = ceil(max(width, self.reach))
        face = (
            "text{font-family:Helvetica,Arial,Liberation Sans,Nimbus Sans,sans-serif;"
            # A white rim under each letter: words that a line runs through can still be read.
            "paint-order:stroke;stroke:#fff;stroke-width:2.4px;stroke-linejoin:round}"
        )
        ground = PEN.empty("rect", width=width, height=height, fill=WHITE)
        lines = [f"<style>{face}</style>", ground, *self.lines]
        return PEN.document((width, height), name, lines, size=PEN.attributes(width=width, height=height))


def _rounded(points: Sequence[Point]) -> str:
    """Return a path along the corners, each rounded as far as its two sides allow."""
    corners = [point for place, point in enumerate(points) if place == 0 or point != points[place - 1]]
    path = f"M{PEN.number(corners[0][0])} {PEN.number(corners[0][1])}"
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        near, far = _toward(corner, before), _toward(corner, after)
        path += f"L{_pair(near)}Q{_pair(corner)} {_pair(far)}"
    # The line ends inside the head, or its blunt end would show beside the point.
    return path + f"L{_pair(_toward(corners[-1], corners[-2], HEAD - 1))}"


def _pair(point: Point) -> str:
    return f"{PEN.number(point[0])} {PEN.number(point[1])}"


def _toward(start: Point, end: Point, far: float = RADIUS) -> Point:
    """Return a point on the way from one corner to the next, at most half of it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    # Ways run across or down, never askew, so that this is their length.
    length = abs(dx) + abs(dy)
    part = min(far, length / 2) / length
    return start[0] + dx * part, start[1] + dy * part


def _head(points: Sequence[Point]) -> str:
    (x, y), before = points[-1], next(point for point in reversed(points[:-1]) if point != points[-1])
    dx, dy = (x > before[0]) - (x < before[0]), (y > before[1]) - (y < before[1])
    back, wide = (x - HEAD * dx, y - HEAD * dy), HEAD / 2
    left, right = (back[0] - wide * dy, back[1] + wide * dx), (back[0] + wide * dy, back[1] - wide * dx)
    return f"M{_pair((x, y))}L{_pair(left)}L{_pair(right)}Z"
