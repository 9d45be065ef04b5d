"""A sheet as SVG, written by hand: no library, no font file, and it prints at its true size."""

from collections.abc import Callable
from xml.sax.saxutils import escape, quoteattr

from sabot.firmware.sign.elements import Box, Element, Rule, Shape, Sheet, Text
from sabot.firmware.sign.fonts import SANS, SANS_BOLD, SERIF, SERIF_BOLD, SERIF_ITALIC, text_width

_SERIFS = "Times New Roman,Liberation Serif,Nimbus Roman,Times,serif"
_SANS = "Helvetica,Arial,Liberation Sans,Nimbus Sans,sans-serif"
# Family, weight and style of each font; the families that follow a name have its widths.
_FACES = {
    SERIF: (_SERIFS, "400", "normal"),
    SERIF_BOLD: (_SERIFS, "700", "normal"),
    SERIF_ITALIC: (_SERIFS, "400", "italic"),
    SANS: (_SANS, "400", "normal"),
    SANS_BOLD: (_SANS, "700", "normal"),
}
_POINTS_AN_INCH = 72
# The layout counts neither kerning nor ligatures.
_STYLE = 'xml:space="preserve" style="font-kerning:none;font-variant-ligatures:none"'


def svg(sheet: Sheet) -> bytes:
    """The whole document."""
    width, height = _number(sheet.width), _number(sheet.height)
    size = " ".join(
        f'{side}="{_number(points / _POINTS_AN_INCH)}in"'
        for side, points in (("width", sheet.width), ("height", sheet.height))
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}" role="img" {_STYLE}>',
        f"<title>{escape(sheet.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_DRAW[type(each)](each) for each in sheet.elements),
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode()


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _attributes(**values: float | str) -> str:
    return "".join(
        f" {name.replace('_', '-')}={quoteattr(value if isinstance(value, str) else _number(value))}"
        for name, value in values.items()
        if value != ""
    )


def _text(each: Text) -> str:
    family, weight, style = _FACES[each.font]
    face = _attributes(
        font_family=family,
        font_weight=weight,
        font_style=style,
        font_size=each.size,
        fill=each.color,
    )
    return f"<text{_placed(each)}{face}>{escape(each.text)}</text>"


def _placed(each: Text) -> str:
    """Where the text stands: as wide as it was laid out, also in a viewer without these fonts."""
    if not each.tracking:
        length = _attributes(textLength=each.width, lengthAdjust="spacingAndGlyphs")
        return _attributes(x=each.x, y=each.y) + length
    starts = (
        each.x + text_width(each.text[:place], each.font, each.size) + place * each.tracking
        for place in range(len(each.text))
    )
    return _attributes(x=" ".join(map(_number, starts)), y=each.y)


def _rule(each: Rule) -> str:
    place = _attributes(x1=each.x1, y1=each.y1, x2=each.x2, y2=each.y2)
    return f"<line{place}{_attributes(stroke=each.color, stroke_width=each.width)}/>"


def _box(each: Box) -> str:
    place = _attributes(x=each.x, y=each.y, width=each.width, height=each.height, rx=each.radius or "")
    stroke = _attributes(stroke=each.stroke, stroke_width=each.line) if each.stroke else ""
    return f"<rect{place}{_attributes(fill=each.fill or 'none')}{stroke}/>"


def _shape(each: Shape) -> str:
    steps = []
    for command, numbers in each.path:
        points = (
            each.x + number * each.size if place % 2 == 0 else each.y + number * each.size
            for place, number in enumerate(numbers)
        )
        steps.append(command + " ".join(map(_number, points)))
    return f"<path{_attributes(d=''.join(steps), fill=each.color)}/>"


_DRAW: dict[type[Element], Callable[..., str]] = {Text: _text, Rule: _rule, Box: _box, Shape: _shape}
