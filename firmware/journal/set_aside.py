"""Setting files aside under a dated name: what is doubted is evidence, and is never written over."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from sabot.firmware.credentials.files import flush_directory


def set_aside(folder: Path, names: Iterable[str], why: str = "aside") -> list[Path]:
    """Rename those of these files that exist; their new names."""
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
    """A name that nothing has yet."""
    path, count = folder / f"{prefix}-{name}", 1
    while path.exists():
        count += 1
        path = folder / f"{prefix}-{count}-{name}"
    return path
