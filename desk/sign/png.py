"""A sheet as PNG: its PDF, rasterised by pdfium, so that screen and paper show the same."""

import io

from sabot.desk.sign.elements import Sheet
from sabot.desk.sign.pdf import pdf

DOTS_AN_INCH = 200
_POINTS_AN_INCH = 72


def png(sheet: Sheet) -> bytes:
    """The picture, at 200 dots an inch."""
    from pypdfium2 import PdfDocument  # noqa: PLC0415 (an extra: only who draws a PNG needs it)

    document = PdfDocument(pdf(sheet))
    try:
        picture = document[0].render(scale=DOTS_AN_INCH / _POINTS_AN_INCH).to_pil()
    finally:
        document.close()
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True, dpi=(DOTS_AN_INCH, DOTS_AN_INCH))
    return buffer.getvalue()
