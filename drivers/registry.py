"""The drivers that are installed: Sabot's own and those of third parties, found by entry point.

A package adds a device by naming a ``DriverKind`` under the group ``sabot.drivers``, and where its line may
be watched without a table a ``Convention`` under ``sabot.conventions``. Nothing is imported until a table
file or a technician names it, so that a missing library of one device stops no other.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from sabot.drivers.convention import Convention
from sabot.drivers.device import DriverKind
from sabot.drivers.errors import ERRORS, DriverError

GROUP = "sabot.drivers"
CONVENTIONS = "sabot.conventions"
Offered = TypeVar("Offered", DriverKind, Convention)


def installed(group: str = GROUP) -> dict[str, EntryPoint]:
    """The drivers (or conventions) by name, none of them loaded."""
    return {point.name: point for point in sorted(entry_points(group=group))}


def load(name: str) -> DriverKind:
    """One driver, or the error that says which there are."""
    return _load(GROUP, "E-LINK-004", name, DriverKind)


def load_convention(name: str) -> Convention:
    """How the line of one kind of device is read, or the error that says which can be."""
    return _load(CONVENTIONS, "E-LINK-007", name, Convention)


def _load(group: str, unknown: str, name: str, wanted: type[Offered]) -> Offered:
    found = installed(group)
    if name not in found:
        raise DriverError(ERRORS[unknown], "driver", driver=name, known=", ".join(found))
    try:
        offered = found[name].load()
    except (ImportError, AttributeError) as error:
        raise DriverError(ERRORS["E-LINK-005"], found[name].value, driver=name, why=error) from error
    if not isinstance(offered, wanted):
        why = f"it names no {wanted.__name__}"
        raise DriverError(ERRORS["E-LINK-005"], found[name].value, driver=name, why=why)
    return offered
