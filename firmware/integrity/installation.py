"""Where this program lies: its packages, its interpreter, its release, and what was set for this board.

A release is a folder with a virtual environment and a manifest beside it. A program that is not in one is a
development installation, and says so wherever it matters.
"""

import sys
import sysconfig
from pathlib import Path

import sabot
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE
from sabot.rules.frozen import frozen

SETTINGS = Path("/etc/sabot")
SETTINGS_LINK = "settings"
RELEASE_KEY = "release.pub"


@frozen
class Installation:
    """One installed program; ``release`` is None in development."""

    site: Path
    program: Path
    library: Path
    interpreter: Path
    release: Path | None
    settings: Path = SETTINGS
    root: Path = Path("/")

    @property
    def release_key(self) -> Path:
        """The public key that releases are checked with."""
        return self.settings / RELEASE_KEY

    @property
    def is_development(self) -> bool:
        """Return whether nobody has signed for it."""
        return self.release is None or not (self.release / SIGNATURE).exists()


def here() -> Installation:
    """The program that runs now."""
    paths = sysconfig.get_paths()
    program = Path(sabot.__file__).parent
    release = Path(sys.prefix).resolve().parent
    is_release = (release / MANIFEST).exists() and program.is_relative_to(sys.prefix)
    return Installation(
        site=Path(paths["purelib"]),
        program=program,
        library=Path(paths["stdlib"]),
        interpreter=Path(sys.executable).resolve(),
        release=release if is_release else None,
        settings=settings_of(release) if is_release else SETTINGS,
    )


def settings_of(release: Path) -> Path:
    """Return the folder of this board's settings.

    It lies beside all releases, so that none of them brings its own.
    """
    link = release.parent.parent / SETTINGS_LINK
    return link.resolve() if link.is_symlink() else SETTINGS
