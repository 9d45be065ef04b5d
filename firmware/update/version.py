"""The order of versions, and RAUC's question about it; a version is numbers with dots, and nothing else is.

RAUC asks before it writes a slot (``image/board/before-install.sh``), whoever orders the update: a version
that is older than the one that runs is refused.
"""

import configparser
import sys
from pathlib import Path

from sabot.firmware.update.errors import UpdateError
from sabot.rules.errors import SabotError

MANIFEST = "manifest.raucm"


def parse(version: str, place: str) -> tuple[int, ...]:
    """Return a version as numbers that compare."""
    parts = version.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise UpdateError("E-UPDATE-001", place, why=f"{version!r} is no version")
    numbers = [int(part) for part in parts]
    # 1.2 and 1.2.0 are one version.
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_older(found: str, current: str, place: str) -> bool:
    """Return whether a version is older than the one that runs."""
    return parse(found, place) < parse(current, place)


def is_same(found: str, current: str, place: str) -> bool:
    """Return whether it is the one that runs."""
    return parse(found, place) == parse(current, place)


# ------------------------------------------------------------ asked by RAUC


def version_of(folder: Path) -> str:
    """Return the version that a bundle's manifest names; RAUC has checked its signature by now."""
    parser = configparser.ConfigParser()
    parser.read(folder / MANIFEST, encoding="utf-8")
    return parser.get("update", "version", fallback="")


def main() -> int:
    """Answer with an exit code; RAUC shows what stands on standard error."""
    current, folder = sys.argv[1], Path(sys.argv[2])
    try:
        found = version_of(folder)
        if not is_older(found, current, str(folder)):
            return 0
    except (SabotError, configparser.Error, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"version {found} is older than {current}, which runs: refused", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
