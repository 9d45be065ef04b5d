"""SVG written by hand: the one place that knows how an element, its attributes and a document are written.

No library, so that the same picture is the same bytes on every machine. A pen has so many places behind the
point: a sheet of paper wants three, a picture for a page one.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.w3.org/2000/svg"


class Pen:
    """What writes elements, with so many places behind the point."""

    def __init__(self, places: int) -> None:
        self.places = places

    def number(self, value: float) -> str:
        """A number, without places that say nothing."""
        return f"{value:.{self.places}f}".rstrip("0").rstrip(".") if self.places else f"{value:.0f}"

    def attributes(self, **values: float | str) -> str:
        """Attributes with a blank before each; one that is empty is left out."""
        return "".join(
            f" {name.replace('_', '-')}={quoteattr(value if isinstance(value, str) else self.number(value))}"
            for name, value in values.items()
            if value != ""
        )

    def empty(self, name: str, **values: float | str) -> str:
        """An element without content."""
        return f"<{name}{self.attributes(**values)}/>"

    def text(self, words: str, attributes: str) -> str:
        """A line of text with attributes that are written already."""
        return f"<text{attributes}>{escape(words)}</text>"

    def document(
        self, box: tuple[float, float], title: str, lines: Iterable[str], *, size: str = "", style: str = ""
    ) -> str:
        """The whole: ``box`` is its width and height, ``size`` what else is said of them."""
        width, height = map(self.number, box)
        head = f'<svg xmlns="{NAMESPACE}"{size} viewBox="0 0 {width} {height}" role="img"{style}>'
        return "\n".join((head, f"<title>{escape(title)}</title>", *lines, "</svg>", ""))


def anchor(align: float) -> str:
    """Which point of the text stands at its x: its begin (nothing is said), its middle or its end."""
    return {0.5: ' text-anchor="middle"', 1: ' text-anchor="end"'}.get(align, "")
