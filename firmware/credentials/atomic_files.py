"""Small files through a cut of power: the old one or the new one is left, never half of one.

A file that is doubted is evidence: it is set aside under a dated name and never written over.
"""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

PRIVATE = 0o600
SHARED = 0o640


def write_whole(path: Path, content: bytes, rights: int = SHARED) -> None:
    """Replace a file's content: written beside it, flushed to the medium, then renamed over it."""
    beside = path.with_name(f".{path.name}.new")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, rights)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
        file.flush()
        # Before the rename: a cut of power could else leave the new name with nothing in it.
        os.fsync(file.fileno())
    beside.replace(path)
    flush_directory(path.parent)


def flush_directory(path: Path) -> None:
    """Make a rename last."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def free_bytes(folder: Path) -> int:
    """Return how many bytes may still be written where a folder lies."""
    found = os.statvfs(folder)
    # Not ``f_bfree``: part of what is free is for root alone.
    return found.f_bavail * found.f_frsize


def set_aside(folder: Path, names: Iterable[str], why: str = "aside") -> list[Path]:
    """Rename those of these files that exist; return their new names."""
    day = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    moved = []
    for name in names:
        path = folder / name
        if path.exists():
            moved.append(path.rename(_free(folder, f"{why}-{day}", name)))
    if moved:
        flush_directory(folder)
    return moved


def _free(folder: Path, prefix: str, name: str) -> Path:
    """Return a name that no file has yet."""
    path, count = folder / f"{prefix}-{name}", 1
    while path.exists():
        count += 1
        path = folder / f"{prefix}-{count}-{name}"
    return path
