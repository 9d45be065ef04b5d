"""RAUC's question before it writes a slot: whether a version is older than the one that runs."""

import configparser
import sys
from pathlib import Path

from sabot.firmware.update.version import is_older
from sabot.rules.errors import SabotError

MANIFEST = "manifest.raucm"


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
