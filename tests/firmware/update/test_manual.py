"""The pages of the release that runs are where the board looks for them; those of others stay."""

from __future__ import annotations

from pathlib import Path

from sabot.firmware.update.first_install import link_pages, unlink_pages
from sabot.firmware.update.layout import InstallationLayout, link

COMMANDS = Path("/usr/local/bin")


def release(layout: InstallationLayout, name: str, *pages: str) -> Path:
    """A release with these pages, which runs from now on."""
    folder = layout.releases / name
    for page in pages:
        place = folder / "venv" / "share" / page
        place.parent.mkdir(parents=True)
        place.write_text(page, encoding="ascii")
    layout.switch(folder)
    return folder


def test_pages_are_linked_through_the_release_that_runs_and_go_with_it(tmp_path: Path) -> None:
    layout = InstallationLayout(tmp_path)
    share = tmp_path / "usr/local/share"
    (share / "man/man1").mkdir(parents=True)
    link(share / "man/man1/other.1", Path("/usr/share/man/man1/ls.1.gz"))

    link_pages(
        layout, release(layout, "1", "man/man1/sabot.1", "fish/vendor_completions.d/sabot.fish"), COMMANDS
    )
    page = share / "man/man1/sabot.1"
    assert page.readlink() == Path("/opt/sabot/current/venv/share/man/man1/sabot.1")
    assert (share / "fish/vendor_completions.d/sabot.fish").is_symlink()

    link_pages(layout, release(layout, "2", "man/man1/sabot.1"), COMMANDS)
    assert page.is_symlink()
    assert not (share / "fish/vendor_completions.d/sabot.fish").is_symlink()

    unlink_pages(layout, COMMANDS)
    assert [place.name for place in (share / "man/man1").iterdir()] == ["other.1"]
