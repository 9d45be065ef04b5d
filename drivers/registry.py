"""The drivers that are installed: Sabot's own and those of third parties, found by entry point.

A package adds a device by naming a ``DriverKind`` under the group ``sabot.drivers``, and where its line may
be watched without a table a ``Convention`` under ``sabot.conventions``. Nothing is imported until a table
file or a technician names it, so that a missing library of one device stops no other.
"""

import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

from sabot.drivers.convention import Convention
from sabot.drivers.device import DriverKind
from sabot.drivers.entry_points import Offer, offers
from sabot.drivers.errors import ERRORS, DriverError

GROUP = "sabot.drivers"
CONVENTIONS = "sabot.conventions"
Offered = TypeVar("Offered", DriverKind, Convention)


def installed(group: str = GROUP) -> Mapping[str, Offer]:
    """Return the drivers (or conventions) by name, none of them loaded."""
    return _installed(group, tuple((place, _changed_ns(place)) for place in sys.path))


@lru_cache(maxsize=4)
def _installed(group: str, _places: tuple[tuple[str, int], ...]) -> Mapping[str, Offer]:
    """Return the offers of every package's notes, read anew once a package comes or goes."""
    # Reversed, so that of two packages with one name the first on the path stays.
    first = {offer.name: offer for offer in reversed(offers(group))}
    return MappingProxyType(dict(sorted(first.items())))


def _changed_ns(place: str) -> int:
    """Return when a directory of packages had something added or taken away; 0 where it is none."""
    try:
        return os.stat(place).st_mtime_ns  # noqa: PTH116 - asked of each place for each driver
    except OSError:
        return 0


def load(name: str, place: str = "driver") -> DriverKind:
    """Return one driver; raise DriverError, which names those that there are, at the place that names it."""
    return _load(GROUP, "E-LINK-004", name, DriverKind, place)


def load_convention(name: str) -> Convention:
    """Return the convention of one kind of device; raise DriverError, which names those that there are."""
    return _load(CONVENTIONS, "E-LINK-007", name, Convention)


def _load(group: str, unknown: str, name: str, wanted: type[Offered], place: str = "driver") -> Offered:
    found = installed(group)
    if name not in found:
        raise DriverError(ERRORS[unknown], place, driver=name, known=", ".join(found))
    try:
        offered = found[name].load()
    except (ImportError, AttributeError) as error:
        raise DriverError(ERRORS["E-LINK-005"], found[name].value, driver=name, why=error) from error
    if not isinstance(offered, wanted):
        why = f"it names no {wanted.__name__}"
        raise DriverError(ERRORS["E-LINK-005"], found[name].value, driver=name, why=why)
    return offered
