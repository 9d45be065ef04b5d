"""Where files are made by the thousand: in memory, where the machine has a place for it."""

from pathlib import Path

IN_MEMORY = Path("/dev/shm")


def quick_medium() -> str | None:
    """A folder for ``tempfile``, None where the usual one must do."""
    return str(IN_MEMORY) if IN_MEMORY.is_dir() else None
