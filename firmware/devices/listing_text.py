"""The list of what is connected as a person reads it."""

from collections.abc import Iterator, Sequence

from sabot.firmware.devices.listing import Listing, Row

TITLES = {
    "ports": ("serial ports", ("path", "usb_id", "maker", "words", "name")),
    "usb": ("USB devices", ("usb_id", "maker", "model", "serial")),
    "lines": ("lines", ("chip",)),
    "drivers": ("drivers", ("name", "from")),
}


def listing_text(listing: Listing) -> str:
    """Every group that is not empty, then what is missing."""
    parts = [_group(title, columns, getattr(listing, name)) for name, (title, columns) in TITLES.items()]
    if listing.missing:
        parts.append("\n".join(["missing", *(f"  {words}" for words in listing.missing)]))
    return "\n\n".join(part for part in parts if part)


def _group(title: str, columns: Sequence[str], rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in columns]
    return "\n".join([title, *_lines(rows, columns, widths)])


def _lines(rows: Sequence[Row], columns: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for row in rows:
        cells = (row[column].ljust(width) for column, width in zip(columns, widths, strict=True) if width)
        yield ("  " + "  ".join(cells)).rstrip()
