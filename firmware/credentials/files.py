"""Writing a small file so that a cut of power leaves the old one or the new one, never half of one."""

import os
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
    """Return how much may still be written where a folder lies."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
