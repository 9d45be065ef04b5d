"""Media that fail as a card in a controller fails: full, or read-only from one moment to the next.

Both want root: a small file system of its own is mounted for the state directory. Where they cannot be made
the reason is said, and whoever needs them skips.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MB = 1_000_000
SMALL_MB, CARD_MB = 80, 120
FILLER = "filler"


class Medium(NamedTuple):
    """A file system of its own at ``folder``; ``device`` where it has one."""

    folder: Path
    device: str = ""

    def fill(self) -> None:
        """Until it takes nothing more."""
        with (self.folder / FILLER).open("ab", buffering=0) as filler:
            for size in (MB, 4096, 1):
                _write_until_full(filler.fileno(), bytes(size))

    def make_room(self) -> None:
        """Half of what filled it goes."""
        (self.folder / FILLER).unlink()

    def break_read_only(self) -> None:
        """The kernel finds the file system damaged, and takes no more writes."""
        error = Path("/sys/fs/ext4") / Path(self.device).name / "trigger_fs_error"
        error.write_text("chaos", encoding="ascii")

    def mend(self) -> None:
        """Taken out, put right and mounted again; nobody may have a file open on it."""
        _order("umount", str(self.folder))
        _order("fsck.ext4", "-y", self.device, good=(0, 1))
        _order("mount", "-o", "errors=remount-ro", self.device, str(self.folder))


def why_not(*tools: str) -> str:
    """Why no medium can be made here, empty where it can."""
    if os.geteuid():
        return "only root may mount a file system"
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return f"there is no {missing[0]}" if missing else ""


@contextmanager
def small(folder: Path) -> Iterator[Medium]:
    """A medium that is soon full."""
    folder.mkdir()
    _order("mount", "-t", "tmpfs", "-o", f"size={SMALL_MB}m", "tmpfs", str(folder))
    try:
        yield Medium(folder)
    finally:
        _order("umount", "--lazy", str(folder))


@contextmanager
def card(folder: Path) -> Iterator[Medium]:
    """A card with a file system that turns read-only when it is damaged."""
    folder.mkdir()
    image = folder.with_name(f"{folder.name}.img")
    with image.open("wb") as file:
        file.truncate(CARD_MB * MB)
    _order("mkfs.ext4", "-q", str(image))
    device = _order("losetup", "--show", "--find", str(image)).strip()
    try:
        _order("mount", "-o", "errors=remount-ro", device, str(folder))
        yield Medium(folder, device)
    finally:
        _order("umount", "--lazy", str(folder), good=(0, 32))
        _order("losetup", "--detach", device, good=(0, 1))


def _write_until_full(descriptor: int, block: bytes) -> None:
    try:
        while os.write(descriptor, block):
            pass
    except OSError:
        return


def _order(*words: str, good: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in good:
        message = f"{' '.join(words)}: {done.stderr}"
        raise OSError(message)
    return done.stdout
