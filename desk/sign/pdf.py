"""A sheet as PDF, through reportlab; the same sheet gives the same bytes."""

import io
from collections.abc import Callable
from typing import Any

from sabot.desk.sign.elements import Box, Element, Rule, Shape, Sheet, Text


def pdf(sheet: Sheet) -> bytes:
    """The whole document: one page in fonts that every printer has."""
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 (an extra: only who draws a PDF needs it)

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(sheet.width, sheet.height), invariant=1)
    canvas.setTitle(sheet.title)
    canvas.setAuthor(sheet.author)
    canvas.setCreator("Sabot")
    for each in sheet.elements:
        _DRAW[type(each)](canvas, each, sheet.height)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


# A canvas counts y upwards from the bottom edge: `top` is the y of the sheet's own origin.


def _text(canvas: Any, each: Text, top: float) -> None:  # noqa: ANN401 (reportlab has no types)
    canvas.setFont(each.font, each.size)
    canvas.setFillColor(each.color)
    canvas.drawString(each.x, top - each.y, each.text, charSpace=each.tracking)


def _rule(canvas: Any, each: Rule, top: float) -> None:  # noqa: ANN401
    canvas.setStrokeColor(each.color)
    canvas.setLineWidth(each.width)
    canvas.line(each.x1, top - each.y1, each.x2, top - each.y2)


def _box(canvas: Any, each: Box, top: float) -> None:  # noqa: ANN401
    if each.fill:
        canvas.setFillColor(each.fill)
    if each.stroke:
        canvas.setStrokeColor(each.stroke)
        canvas.setLineWidth(each.line)
    place = (each.x, top - each.y - each.height, each.width, each.height)
    canvas.roundRect(*place, each.radius, stroke=bool(each.stroke), fill=bool(each.fill))


def _shape(canvas: Any, each: Shape, top: float) -> None:  # noqa: ANN401
    path = canvas.beginPath()
    steps = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
    for command, numbers in each.path:
        points = (
            each.x + number * each.size if place % 2 == 0 else top - each.y - number * each.size
            for place, number in enumerate(numbers)
        )
        steps[command](*points)
    canvas.setFillColor(each.color)
    canvas.drawPath(path, stroke=0, fill=1)


_DRAW: dict[type[Element], Callable[..., None]] = {Text: _text, Rule: _rule, Box: _box, Shape: _shape}
