"""The units of a release where the system looks for them: copied, with the prefix of this installation.

They are copies and no links into the release: the system reads them before /opt need be there, and a unit
that was altered is a difference that `sabot verify` shows.
"""

from collections.abc import Iterator
from pathlib import Path

from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.update.bundle import UNITS
from sabot.firmware.update.layout import PREFIX, SYSTEM, InstallationLayout

PLACES = {
    "*.service": "systemd/system",
    "sysusers.d/*.conf": "sysusers.d",
    "tmpfiles.d/*.conf": "tmpfiles.d",
    "udev/*.rules": "udev/rules.d",
}
RIGHTS = 0o644


def install(layout: InstallationLayout, release: Path, before: Path | None = None) -> None:
    """Put the units of a release in place, and take away those that only the one before it had."""
    ours = dict(_units(layout, release))
    for place, source in ours.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, _text(layout, source).encode(), RIGHTS)
        place.chmod(RIGHTS)
    if before is not None:
        for place in dict(_units(layout, before)).keys() - ours.keys():
            place.unlink(missing_ok=True)


def remove(layout: InstallationLayout, release: Path) -> None:
    """Take the units of a release away."""
    for place, _ in _units(layout, release):
        place.unlink(missing_ok=True)


def _units(layout: InstallationLayout, release: Path) -> Iterator[tuple[Path, Path]]:
    """Yield where each unit goes, and where it comes from."""
    for pattern, folder in PLACES.items():
        for source in sorted((release / UNITS).glob(pattern)):
            yield layout.at(layout.system) / folder / source.name, source


def _text(layout: InstallationLayout, source: Path) -> str:
    text = source.read_text(encoding="utf-8")
    return text.replace(f"{PREFIX}/", f"{layout.prefix}/").replace(
        f"{SYSTEM}/sabot/", f"{layout.system}/sabot/"
    )
