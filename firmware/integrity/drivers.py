"""Only drivers that the release names are loaded: a package that somebody added offers one in vain.

The entry points are read without importing anything; the name must be in the manifest, and every package that
offers it must offer the very object that the manifest names, for which of two would win is chance.
"""

from collections.abc import Iterable
from functools import cache

from sabot.drivers import registry
from sabot.drivers.convention import Convention
from sabot.drivers.device import DriverKind
from sabot.drivers.entry_points import offers
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation, here, signed_manifest
from sabot.firmware.integrity.manifest import Manifest

OWN = "sabot.drivers."


def verify_driver(name: str, manifest: Manifest) -> None:
    """Raise where a driver may not load."""
    named = manifest.drivers.get(name)
    if named is None:
        known = ", ".join(sorted(manifest.drivers)) or "none"
        raise VerifyError("E-VERIFY-006", "driver", driver=name, known=known)
    for offer in offers(registry.GROUP, name):
        if offer.value != named:
            raise VerifyError("E-VERIFY-007", "driver", driver=name, found=offer.value, named=named)


def verify_drivers(names: Iterable[str], manifest: Manifest) -> None:
    """Raise at the first that may not load."""
    for name in names:
        verify_driver(name, manifest)


def load(name: str, place: str = "driver") -> DriverKind:
    """Load a driver of the release, or, in development only, any that is installed."""
    where = here()
    if not where.is_development:
        _admit(name, where)
    return registry.load(name, place)


def load_convention(name: str) -> Convention:
    """Load the convention of a driver of the release, or, in development only, of any installed one."""
    where = here()
    if not where.is_development:
        _admit(name, where)
    return registry.load_convention(name)


def _admit(name: str, where: Installation) -> None:
    """Raise where a driver may not load; where no manifest is believed, our own may, to show just that."""
    try:
        manifest = _manifest(where)
    # The table stays closed, and its locked spots and the code on its display still need drivers.
    except VerifyError:
        if all(offer.value.startswith(OWN) for offer in offers(registry.GROUP, name)):
            return
        raise
    verify_driver(name, manifest)


@cache
def _manifest(where: Installation) -> Manifest:
    """Return the manifest, read once: drivers are loaded when a table is checked and when it starts."""
    return signed_manifest(where)
