"""The layout of releases: side by side, with one link that says which of them runs.

The link is replaced by a rename, so that a cut of power leaves the old release or the new one and never none.
State and settings lie elsewhere and belong to no release. ``root`` is where a packager builds a tree for
another machine (DESTDIR); no path inside the tree mentions it.
"""

from pathlib import Path

from sabot.firmware.credentials.atomic_files import flush_directory
from sabot.firmware.integrity.installation import RELEASE_KEY, SETTINGS_LINK
from sabot.rules.frozen import frozen

PREFIX, SYSTEM = Path("/opt/sabot"), Path("/etc")


@frozen
class InstallationLayout:
    """The places of one installation; ``prefix`` and ``system`` as they are at work."""

    root: Path = Path("/")
    prefix: Path = PREFIX
    system: Path = SYSTEM

    def at(self, path: Path) -> Path:
        """Return where a path at work is now."""
        return self.root / path.relative_to("/")

    @property
    def base(self) -> Path:
        """The folder of all releases, now."""
        return self.at(self.prefix)

    @property
    def releases(self) -> Path:
        """The releases, a folder each."""
        return self.base / "releases"

    @property
    def current(self) -> Path:
        """The link to the release that runs."""
        return self.base / "current"

    @property
    def previous(self) -> Path:
        """The link to the one before it."""
        return self.base / "previous"

    @property
    def settings(self) -> Path:
        """Table files and the pinned key."""
        return self.at(self.system) / "sabot"

    @property
    def release_key(self) -> Path:
        """The key that releases are checked with."""
        return self.settings / RELEASE_KEY

    @property
    def log(self) -> Path:
        """Return the log of what was done to this installation."""
        return self.base / "updates.jsonl"

    def prepare(self) -> None:
        """Make the folders that every installation has."""
        self.releases.mkdir(parents=True, exist_ok=True)
        self.settings.mkdir(parents=True, exist_ok=True)
        # As it is at work, not below ``root``: the link is read on the board.
        link(self.base / SETTINGS_LINK, self.system / "sabot")

    def running(self) -> Path | None:
        """Return the release that runs, None where there is none."""
        return self.current.resolve() if self.current.is_symlink() else None

    def switch(self, release: Path) -> None:
        """Let this release run from now on; what ran until now is kept as the previous one."""
        before = self.running()
        if before is not None and before != release:
            # The way back first: a cut between the two leaves both links at the release that runs.
            link(self.previous, Path("releases", before.name))
        link(self.current, Path("releases", release.name))

    def switch_back(self, release: Path, former: Path | None) -> None:
        """Let this release run again; the previous one is as it was: this link, or none."""
        link(self.current, Path("releases", release.name))
        if former is not None:
            link(self.previous, former)
            return
        self.previous.unlink(missing_ok=True)
        flush_directory(self.base)


def link(place: Path, target: Path) -> None:
    """Make or replace a link in one step."""
    beside = place.with_name(f".{place.name}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(place)
    flush_directory(place.parent)


def python_of(release: Path) -> Path:
    """Return the interpreter of a release."""
    return release / "venv" / "bin" / "python"
