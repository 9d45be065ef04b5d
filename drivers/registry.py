"""The drivers that are installed: Sabot's own and those of third parties, found by entry point.

A package adds a device by naming a ``DriverKind`` under the group ``sabot.drivers``. Nothing is imported
until a table file or a technician names it, so that a missing library of one device stops no other.
"""

from importlib.metadata import EntryPoint, entry_points

from sabot.drivers.device import DriverKind
from sabot.drivers.errors import ERRORS, DriverError

GROUP = "sabot.drivers"


def installed() -> dict[str, EntryPoint]:
    """The drivers by name, none of them loaded."""
    return {point.name: point for point in sorted(entry_points(group=GROUP))}


def load(name: str) -> DriverKind:
    """One driver, or the error that says which there are."""
    found = installed()
    if name not in found:
        raise DriverError(ERRORS["E-LINK-004"], "driver", driver=name, known=", ".join(found))
    try:
        kind = found[name].load()
    except (ImportError, AttributeError) as error:
        raise DriverError(ERRORS["E-LINK-005"], found[name].value, driver=name, why=error) from error
    if not isinstance(kind, DriverKind):
        raise DriverError(ERRORS["E-LINK-005"], found[name].value, driver=name, why="it names no DriverKind")
    return kind
