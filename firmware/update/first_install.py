"""The first release on a board, and the last one off it: what ``make install`` and ``make uninstall`` run.

A bundle is installed by the same steps as in an update. Who installs first says whose releases this board
will trust, by handing over the public key; without one it is a development installation and says so at each
start. Settings and state belong to the table: they stay whatever happens to the program.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from sabot.firmware.integrity.manifest import SIGNATURE
from sabot.firmware.integrity.signature import read_public_key
from sabot.firmware.update import units
from sabot.firmware.update.layout import PREFIX, SYSTEM, InstallationLayout, link
from sabot.firmware.update.take_release import one_at_a_time, take_in, unpacked
from sabot.rules.errors import SabotError

# ------------------------------------------------------------ manual pages and completion
#
# They are links through the link to the release that runs, so an update exchanges what is behind them. A
# wheel brings the files below share/ of its environment; the board has them beside the folder of its
# commands.

SHARE = Path("venv", "share")
FOLDERS = (
    "man/man1",
    "bash-completion/completions",
    "zsh/site-functions",
    "fish/vendor_completions.d",
)


def link_pages(layout: InstallationLayout, release: Path, commands: Path) -> None:
    """Link every page of a release, and take the links away whose page it has not."""
    there = dict(_pages(layout, release, commands))
    for place, target in there.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        link(place, target)
    for place in set(_ours(layout, commands)) - there.keys():
        place.unlink()


def unlink_pages(layout: InstallationLayout, commands: Path) -> None:
    """Take away our links, and nothing that somebody else put there."""
    for place in _ours(layout, commands):
        place.unlink()


def _pages(layout: InstallationLayout, release: Path, commands: Path) -> Iterator[tuple[Path, Path]]:
    for folder in FOLDERS:
        for page in sorted((release / SHARE / folder).glob("*")):
            where = Path(folder, page.name)
            yield layout.at(commands.parent / "share" / where), layout.prefix / "current" / SHARE / where


def _ours(layout: InstallationLayout, commands: Path) -> list[Path]:
    """Return the links that lead into our releases."""
    share = layout.at(commands.parent / "share")
    links = [place for folder in FOLDERS for place in (share / folder).glob("*") if place.is_symlink()]
    return [place for place in links if place.readlink().is_relative_to(layout.prefix)]


COMMANDS = Path("/usr/local/bin")
COMMAND = Path("current", "venv", "bin", "sabot")
NEXT = """\
Installed {release} under {prefix}. On the board itself, as root, once:
  systemd-sysusers && systemd-tmpfiles --create && udevadm control --reload && systemctl daemon-reload
  put the table file at {system}/sabot/table.toml, then: sabot check {system}/sabot/table.toml
  sudo -u sabot sabot enrol board, then: systemctl enable --now sabot"""


def install(
    layout: InstallationLayout, bundle_file: Path, release_key: Path | None, commands: Path = COMMANDS
) -> Path:
    """Install a bundle where nothing runs; return the folder of its release."""
    with one_at_a_time(layout):
        pinned = release_key or layout.release_key
        key = read_public_key(pinned) if release_key or pinned.exists() else None
        with unpacked(layout, bundle_file, key) as bundle:
            release = take_in(layout, bundle)
        if release_key is not None:  # pinned by a bundle that it has signed: a refusal changes nothing
            shutil.copyfile(release_key, layout.release_key)
        before = layout.running()
        layout.switch(release)
        units.install(layout, release, before)
        layout.at(commands).mkdir(parents=True, exist_ok=True)
        link(layout.at(commands) / "sabot", layout.prefix / COMMAND)
        link_pages(layout, release, commands)
    return release


def uninstall(layout: InstallationLayout, commands: Path = COMMANDS) -> None:
    """Take the program away; settings and state stay."""
    for release in layout.releases.glob("*"):
        units.remove(layout, release)
    unlink_pages(layout, commands)
    command = layout.at(commands) / "sabot"
    if command.is_symlink() and command.readlink() == layout.prefix / COMMAND:
        command.unlink()
    shutil.rmtree(layout.base, ignore_errors=True)


def main() -> int:
    """Install or uninstall."""
    parser = argparse.ArgumentParser(description="Install a bundle, or take Sabot away.")
    parser.add_argument("bundle", nargs="?", type=Path)
    parser.add_argument("--uninstall", action="store_true")
    parser.add_argument("--destdir", type=Path, default=Path("/"))
    parser.add_argument("--prefix", type=Path, default=PREFIX)
    parser.add_argument("--sysconfdir", type=Path, default=SYSTEM)
    parser.add_argument("--bindir", type=Path, default=COMMANDS)
    parser.add_argument("--release-key", type=Path)
    args = parser.parse_args()
    layout = InstallationLayout(args.destdir.absolute(), args.prefix, args.sysconfdir)
    if args.uninstall:
        uninstall(layout, args.bindir)
        print(f"Sabot is gone from {layout.base}; {layout.settings} and the state of the table stay.")
        return 0
    if args.bundle is None:
        parser.error("name a bundle")
    try:
        release = install(layout, args.bundle, args.release_key, args.bindir)
    except SabotError as error:
        print(f"install: {error}", file=sys.stderr)
        return 2
    if not (release / SIGNATURE).exists():
        print("DEVELOPMENT, NOT FOR A FLOOR: no release key was given, nobody has signed for this program.")
    print(NEXT.format(release=release.name, prefix=layout.prefix, system=layout.system))
    return 0


if __name__ == "__main__":
    sys.exit(main())
