"""From a sheet to a file: the renderer by the file's ending, and never half a file.

The picture is made whole in memory, written beside its place and then put there in one step, so that whoever
looks at the file sees the old sign or the new one.
"""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sabot.desk.sign.elements import Box, Element, RuleLine, SignShape, SignSheet, SignText
from sabot.desk.sign.svg import svg
from sabot.firmware.errors import CommandError

DOTS_AN_INCH = 200
_POINTS_AN_INCH = 72


def renderer_for(output: str) -> Callable[[SignSheet], bytes]:
    """Return the renderer that a file's ending asks for."""
    renderer = RENDERERS.get(Path(output).suffix.lower())
    if renderer is None:
        wanted = f"a file ending in {', '.join(RENDERERS)}"
        raise CommandError("E-CLI-003", "--output", text=output, wanted=wanted, command="sign")
    return renderer


def draw(sheet: SignSheet, output: str) -> None:
    """Draw a sheet into a file."""
    renderer = renderer_for(output)
    try:
        content = renderer(sheet)
    except ModuleNotFoundError as error:
        facts = {
            "package": (error.name or "").partition(".")[0],
            "what": f"A sign as {Path(output).suffix}",
            "extra": "sign",
        }
        raise CommandError("E-CLI-004", "sign", **facts) from error
    try:
        replace_file(Path(output), content)
    except OSError as error:
        raise CommandError("E-CLI-005", output, why=error.strerror or str(error)) from error


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in its place, whole or not at all."""
    # Beside its place, for a rename is one step only within a file system.
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def pdf(sheet: SignSheet) -> bytes:
    """Return the whole document: one page in fonts that every printer has."""
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 (an extra: only who draws a PDF needs it)

    buffer = io.BytesIO()
    # Without date and random identifier: the same sign is the same bytes.
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


def _text(canvas: Any, each: SignText, top: float) -> None:  # noqa: ANN401 (reportlab has no types)
    canvas.setFont(each.font, each.size)
    canvas.setFillColor(each.color)
    canvas.drawString(each.x, top - each.y, each.text, charSpace=each.tracking)


def _rule(canvas: Any, each: RuleLine, top: float) -> None:  # noqa: ANN401
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


def _shape(canvas: Any, each: SignShape, top: float) -> None:  # noqa: ANN401
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


_DRAW: dict[type[Element], Callable[..., None]] = {
    SignText: _text,
    RuleLine: _rule,
    Box: _box,
    SignShape: _shape,
}


def png(sheet: SignSheet) -> bytes:
    """Return the picture, at 200 dots an inch."""
    from pypdfium2 import PdfDocument  # noqa: PLC0415 (an extra: only who draws a PNG needs it)

    document = PdfDocument(pdf(sheet))
    try:
        picture = document[0].render(scale=DOTS_AN_INCH / _POINTS_AN_INCH).to_pil()
    finally:
        document.close()
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True, dpi=(DOTS_AN_INCH, DOTS_AN_INCH))
    return buffer.getvalue()


RENDERERS: dict[str, Callable[[SignSheet], bytes]] = {".svg": svg, ".pdf": pdf, ".png": png}
