"""A sheet as SVG, written by hand: no library, no font file, and it prints at its true size."""

from collections.abc import Callable

from sabot.desk.drawing.svg import Pen, anchor
from sabot.desk.drawing.text_width import SANS, SANS_BOLD, SERIF, SERIF_BOLD, SERIF_ITALIC
from sabot.desk.sign.elements import Box, Element, RuleLine, SignShape, SignSheet, SignText

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
PEN = Pen(3)
# The layout counts neither kerning nor ligatures.
_STYLE = ' xml:space="preserve" style="font-kerning:none;font-variant-ligatures:none"'


def svg(sheet: SignSheet) -> bytes:
    """Return the whole document."""
    width, height = sheet.width, sheet.height
    inches = {"width": f"{PEN.number(width / _POINTS_AN_INCH)}in"}
    inches["height"] = f"{PEN.number(height / _POINTS_AN_INCH)}in"
    lines = [
        PEN.empty("rect", width=width, height=height, fill="#ffffff"),
        *(_DRAW[type(each)](each) for each in sheet.elements),
    ]
    drawn = PEN.document((width, height), sheet.title, lines, size=PEN.attributes(**inches), style=_STYLE)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}'.encode()


def _text(each: SignText) -> str:
    family, weight, style = _FACES[each.font]
    face = PEN.attributes(
        font_family=family,
        font_weight=weight,
        font_style=style,
        font_size=each.size,
        fill=each.color,
    )
    return PEN.text(each.text, _placed(each) + face)


def _placed(each: SignText) -> str:
    """Return the attributes of a text's place, as wide as laid out also in a viewer without these fonts."""
    x = each.x + each.align * each.width
    length = PEN.attributes(textLength=each.width, lengthAdjust="spacingAndGlyphs")
    if each.tracking:  # viewers differ in whether the space behind the last letter is part of the length
        x += each.align * each.tracking
        length = PEN.attributes(letter_spacing=each.tracking)
    # Not every viewer heeds textLength (librsvg does not): there the anchor keeps the aligned edge.
    return PEN.attributes(x=x, y=each.y) + anchor(each.align) + length


def _rule(each: RuleLine) -> str:
    place = PEN.attributes(x1=each.x1, y1=each.y1, x2=each.x2, y2=each.y2)
    return f"<line{place}{PEN.attributes(stroke=each.color, stroke_width=each.width)}/>"


def _box(each: Box) -> str:
    place = PEN.attributes(x=each.x, y=each.y, width=each.width, height=each.height, rx=each.radius or "")
    stroke = PEN.attributes(stroke=each.stroke, stroke_width=each.line) if each.stroke else ""
    return f"<rect{place}{PEN.attributes(fill=each.fill or 'none')}{stroke}/>"


def _shape(each: SignShape) -> str:
    steps = []
    for command, numbers in each.path:
        points = (
            each.x + number * each.size if place % 2 == 0 else each.y + number * each.size
            for place, number in enumerate(numbers)
        )
        steps.append(command + " ".join(map(PEN.number, points)))
    return f"<path{PEN.attributes(d=''.join(steps), fill=each.color)}/>"


_DRAW: dict[type[Element], Callable[..., str]] = {
    SignText: _text,
    RuleLine: _rule,
    Box: _box,
    SignShape: _shape,
}
