"""Taking a release in: from a bundle to a folder beside the others, complete, nothing of it running yet."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sabot.firmware.integrity.check import AGAIN
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE
from sabot.firmware.update import environment
from sabot.firmware.update.bundle import UNITS, Bundle, unpack
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.layout import InstallationLayout

OPEN = 0o755
INCOMING = ".incoming-"


@contextmanager
def one_at_a_time(layout: InstallationLayout) -> Iterator[None]:
    """Hold the right to change this installation while the block runs."""
    try:
        layout.prepare()
        fd = os.open(layout.base / ".update.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UpdateError("E-UPDATE-008", str(layout.base), why=error.strerror) from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise UpdateError("E-UPDATE-012", str(layout.base)) from error
    finally:
        os.close(fd)


def clear_leftovers(layout: InstallationLayout) -> None:
    """Take away what an update left that was cut off while it unpacked: nobody else has a folder there."""
    for left in layout.releases.glob(f"{INCOMING}*"):
        shutil.rmtree(left, ignore_errors=True)


@contextmanager
def unpacked(layout: InstallationLayout, file: Path, key: Ed25519PublicKey | None) -> Iterator[Bundle]:
    """Give a checked bundle in a folder of its own, which goes when the block ends."""
    with tempfile.TemporaryDirectory(dir=layout.releases, prefix=INCOMING) as folder:
        yield unpack(file, key, Path(folder))


def take_in(layout: InstallationLayout, bundle: Bundle) -> Path:
    """Make the folder of a new release, complete; what was left of an earlier attempt goes first."""
    environment.verify_fits(bundle.manifest, str(bundle.folder))
    release = _free_folder(layout, bundle.manifest.version)
    shutil.rmtree(release, ignore_errors=True)
    try:
        release.mkdir(mode=OPEN)
        shutil.copytree(bundle.folder / UNITS, release / UNITS)
        for name in (MANIFEST, SIGNATURE):
            if (bundle.folder / name).exists():
                shutil.copyfile(bundle.folder / name, release / name)
        environment.make(release, bundle.folder, bundle.manifest)
    except (OSError, UpdateError) as error:
        shutil.rmtree(release, ignore_errors=True)
        if isinstance(error, UpdateError):
            raise
        raise UpdateError("E-UPDATE-008", str(release), why=error.strerror or error) from error
    return release


def _free_folder(layout: InstallationLayout, version: str) -> Path:
    """Return a place that neither the release that runs nor the one before it has."""
    kept = {each.resolve() for each in (layout.current, layout.previous) if each.is_symlink()}
    # A version that is installed again lies beside itself: what runs is never built over.
    places = [version, *(f"{version}{AGAIN}{number}" for number in range(2, 5))]
    return next(place for name in places if (place := layout.releases / name) not in kept)


def clear_old(layout: InstallationLayout) -> list[str]:
    """Remove all but the release that runs and the one before it; return the names of those that went."""
    kept = {each.resolve().name for each in (layout.current, layout.previous) if each.is_symlink()}
    gone = [path for path in layout.releases.iterdir() if path.name not in kept]
    for path in gone:
        shutil.rmtree(path, ignore_errors=True)
    return sorted(path.name for path in gone)
