"""The place of this program: its packages, its interpreter, its release, and the settings of this board.

A release is a folder with a virtual environment and a manifest beside it. A program that is not in one is a
development installation, and says so wherever it matters.
"""

import sys
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import sabot
from sabot.firmware.integrity import signature
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Manifest, from_bytes
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


@cache
def _paths(_prefix: str) -> Mapping[str, str]:
    """Return the folders of an interpreter, worked out once: sysconfig reads how it was built each time."""
    return sysconfig.get_paths()


def here() -> Installation:
    """Return the installation of the program that runs now."""
    paths = _paths(sys.prefix)
    program = Path(sabot.__file__).parent
    release = Path(sys.prefix).resolve().parent
    # A source tree that the interpreter of a release was pointed at is none.
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


def signed_manifest(where: Installation) -> Manifest:
    """Return the manifest of this release once the pinned key has checked it; VerifyError in development."""
    if where.is_development:
        raise VerifyError("E-VERIFY-001", str(where.release or where.program))
    assert where.release is not None  # else it were development
    path = where.release / MANIFEST
    try:
        content, made = path.read_bytes(), (where.release / SIGNATURE).read_bytes()
    except OSError as error:
        raise VerifyError("E-VERIFY-002", str(path), why=error.strerror) from error
    # Over the bytes that were read, and before a word of them is understood.
    signature.verify(content, made, signature.read_public_key(where.release_key), str(path))
    return from_bytes(content, str(path))
