"""The manual pages and the completion that a release carries, where the board's own programs look for them.

They are links through the link to the release that runs, so an update exchanges what is behind them. A wheel
brings the files below share/ of its environment; the board has them beside the folder of its commands.
"""

from collections.abc import Iterator
from pathlib import Path

from sabot.firmware.update.layout import InstallationLayout, link

SHARE = Path("venv", "share")
FOLDERS = (
    "man/man1",
    "bash-completion/completions",
    "zsh/site-functions",
    "fish/vendor_completions.d",
)


def put(layout: InstallationLayout, release: Path, commands: Path) -> None:
    """Link every page of a release, and take the links away whose page it has not."""
    there = dict(_pages(layout, release, commands))
    for place, target in there.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        link(place, target)
    for place in set(_ours(layout, commands)) - there.keys():
        place.unlink()


def take_away(layout: InstallationLayout, commands: Path) -> None:
    """Take away our links, and nothing that somebody else put there."""
    for place in _ours(layout, commands):
        place.unlink()


def _pages(layout: InstallationLayout, release: Path, commands: Path) -> Iterator[tuple[Path, Path]]:
    for folder in FOLDERS:
        for page in sorted((release / SHARE / folder).glob("*")):
            where = Path(folder, page.name)
            yield layout.at(commands.parent / "share" / where), layout.prefix / "current" / SHARE / where


def _ours(layout: InstallationLayout, commands: Path) -> list[Path]:
    """The links that lead into our releases."""
    share = layout.at(commands.parent / "share")
    links = [place for folder in FOLDERS for place in (share / folder).glob("*") if place.is_symlink()]
    return [place for place in links if place.readlink().is_relative_to(layout.prefix)]
