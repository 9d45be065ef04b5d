"""The files of a folder in a fixed order, and which of them Python compiled.

Compiled files lie apart from what a release brings: the board makes them, and Python runs them in place of
the source, so they are neither forgotten nor mixed with what a signature covers.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from sabot.firmware.integrity.errors import VerifyError

COMPILED = ".pyc"


def files_below(folder: Path, *, leave_out: frozenset[str] = frozenset()) -> Iterator[Path]:
    """Yield every regular file below a folder; links to folders are followed (a source tree has some).

    VerifyError where a link leads back to a folder that it lies in: what is below it has no end.
    """
    yield from _below(str(folder), leave_out, ())


def _below(folder: str, leave_out: frozenset[str], above: tuple[tuple[int, int], ...]) -> Iterator[Path]:
    """Yield the files of a folder, then those of its folders; one that is not there has none."""
    try:
        found = os.stat(folder)  # noqa: PTH116 (at each start, hundreds of times)
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda each: each.name)
    except OSError:
        return
    # By its number and not by its name: a link has another name each time round.
    this = found.st_dev, found.st_ino
    if this in above:
        raise VerifyError("E-VERIFY-009", folder, why="a link leads back to a folder above it")
    folders = [each for each in listed if each.is_dir()]
    yield from (Path(each.path) for each in listed if each.is_file())
    for each in folders:
        if each.name not in leave_out:
            yield from _below(each.path, leave_out, (*above, this))


def is_compiled(path: Path) -> bool:
    """Return whether Python made the file and would run it in place of a source."""
    return path.suffix == COMPILED
