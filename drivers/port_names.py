"""The names of serial ports: a path, a stable path, or the serial number of the adapter.

A port that is plugged in again may come back under another number. So a table file names a port by what does
not change, and the name is looked up afresh each time that the port is opened.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from serial.tools import list_ports

from sabot.drivers.errors import ERRORS, LinkError

BY_SERIAL = "usb-serial:"
_UNKNOWN = {"n/a": ""}
STABLE = Path("/dev/serial/by-id")


class PortFound(NamedTuple):
    """A serial port that is there, with what its adapter says of itself."""

    path: str
    name: str
    words: str
    maker: str = ""
    serial: str = ""
    usb_id: str = ""


def found() -> list[PortFound]:
    """Return the serial ports of this machine, each with the best name for a table file."""
    stable = _stable_names()
    ports = sorted(list_ports.comports(), key=lambda each: each.device)
    return [
        PortFound(
            path=each.device,
            name=stable.get(each.device) or _by_serial(each.serial_number) or each.device,
            words=each.product or _UNKNOWN.get(each.description, each.description) or "",
            maker=each.manufacturer or "",
            serial=each.serial_number or "",
            usb_id="" if each.vid is None else f"{each.vid:04x}:{each.pid:04x}",
        )
        for each in ports
    ]


def path_of(name: str) -> str:
    """Return the path under which a port is reached now; raise LinkError where nothing has that name."""
    if not name.startswith(BY_SERIAL):
        return name
    wanted = name.removeprefix(BY_SERIAL)
    paths = sorted(each.device for each in list_ports.comports() if each.serial_number == wanted)
    if not paths:
        raise LinkError(ERRORS["E-LINK-001"], name, why="no adapter with this serial number is plugged in")
    # Adapters may share a serial number: a guess would open another device's port.
    if len(paths) > 1:
        raise LinkError(ERRORS["E-LINK-001"], name, why=f"{', '.join(paths)} all have this serial number")
    return paths[0]


def _by_serial(serial: str | None) -> str:
    return f"{BY_SERIAL}{serial}" if serial else ""


def _stable_names() -> dict[str, str]:
    return {str(link.resolve()): str(link) for link in _links()}


def _links() -> Iterator[Path]:
    if STABLE.is_dir():
        yield from sorted(STABLE.iterdir())
