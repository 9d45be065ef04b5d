"""The list of what is connected: serial ports, USB devices and lines, and plain words for what is not there.

Nothing here needs a device, nor the library of one: what cannot be looked at is said, and the rest is shown,
for a program as for a person.
"""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from sabot.config.driver_options import bound_of
from sabot.drivers import port_names, registry
from sabot.drivers.options import Option, Value
from sabot.firmware.integrity.drivers import load

Row = dict[str, str]


class Listing(NamedTuple):
    """Everything that was found, and what is missing, in words."""

    ports: list[Row]
    usb: list[Row]
    lines: list[Row]
    drivers: list[Row]
    missing: list[str]


def everything() -> Listing:
    """Look at all of this machine."""
    serial = [each._asdict() for each in port_names.found()]
    usb, why_no_usb = _usb_devices()
    lines, why_no_lines = _lines()
    drivers = [{"name": name, "from": point.value} for name, point in registry.installed().items()]
    missing = ["" if serial else "no serial port is plugged in", why_no_usb, why_no_lines]
    return Listing(serial, usb, lines, drivers, [words for words in missing if words])


def _usb_devices() -> tuple[list[Row], str]:
    try:
        import usb.core  # noqa: PLC0415 - loaded where it is needed, so that its absence stops nothing else
    except ImportError as error:
        return [], f"USB cannot be looked at: {error}"
    try:
        devices = [_usb_row(each) for each in usb.core.find(find_all=True) or ()]
    except (usb.core.NoBackendError, usb.core.USBError, OSError) as error:
        return [], f"USB cannot be looked at: {error} (is libusb-1.0 installed?)"
    return devices, "" if devices else "no USB device is plugged in"


def _usb_row(device: object) -> Row:
    names = {"maker": "manufacturer", "model": "product", "serial": "serial_number"}
    row = {"usb_id": f"{getattr(device, 'idVendor', 0):04x}:{getattr(device, 'idProduct', 0):04x}"}
    return row | {name: _told(device, where) for name, where in names.items()}


def _told(device: object, where: str) -> str:
    """Return a text of a device; one that may not be opened tells nothing."""
    try:
        return str(getattr(device, where) or "")
    except (ValueError, NotImplementedError, OSError):
        return ""


def _lines() -> tuple[list[Row], str]:
    chips = [{"chip": str(path)} for path in sorted(Path("/dev").glob("gpiochip*"))]
    if not chips:
        return [], "no lines: this machine has no /dev/gpiochip"
    return chips, "" if _has("RPi") else "no lines: RPi.GPIO is not installed (pip install 'sabot[gpio]')"


def _has(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


TITLES = {
    "ports": ("serial ports", ("path", "usb_id", "maker", "words", "name")),
    "usb": ("USB devices", ("usb_id", "maker", "model", "serial")),
    "lines": ("lines", ("chip",)),
    "drivers": ("drivers", ("name", "from")),
}


def listing_text(listing: Listing) -> str:
    """Return every group that is not empty in words, then what is missing."""
    parts = [_group(title, columns, getattr(listing, name)) for name, (title, columns) in TITLES.items()]
    if listing.missing:
        parts.append("\n".join(["missing", *(f"  {words}" for words in listing.missing)]))
    return "\n\n".join(part for part in parts if part)


def _group(title: str, columns: Sequence[str], rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in columns]
    return "\n".join([title, *_table_lines(rows, columns, widths)])


def _table_lines(rows: Sequence[Row], columns: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for row in rows:
        cells = (row[column].ljust(width) for column, width in zip(columns, widths, strict=True) if width)
        yield ("  " + "  ".join(cells)).rstrip()


# ------------------------------------------------------------ the options that a package declares

MUST = "must be given"


def options_of(driver: str) -> list[dict[str, Value | None]]:
    """Return each option: its name, default (None where it must be given), bound and meaning."""
    return [
        {"name": each.name, "default": each.default, "bound": bound_of(each), "words": each.words}
        for each in load(driver).schema
    ]


def options_text(driver: str) -> str:
    """Return the options in words for a person, as ``--option NAME=VALUE`` takes them."""
    kind = load(driver)
    return "\n".join([f"{kind.name}: {kind.title}", *_option_lines(kind.schema)])


def _option_lines(schema: tuple[Option, ...]) -> Iterator[str]:
    rows = [(each.name, _default(each), f"{each.words} ({bound_of(each)})") for each in schema]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)] if rows else [0, 0]
    for name, default, words in rows:
        yield f"  {name:<{wide[0]}}  {default:<{wide[1]}}  {words}"


def _default(option: Option) -> str:
    if option.default is None:
        return MUST
    return str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
