"""The files of a folder in a fixed order, with the names under which they are covered.

Compiled files lie apart from what a release brings: the board makes them, and Python runs them in place of
the source, so they are neither forgotten nor mixed with what a signature covers.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

COMPILED = ".pyc"
FOREIGN = frozenset({"site-packages", "dist-packages"})
Wanted = Callable[[Path], bool]


def files_below(folder: Path, *, leave_out: frozenset[str] = frozenset()) -> Iterator[Path]:
    """Every regular file below a folder; links to folders are followed (a source tree has some)."""
    for above, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if name not in leave_out)
        for name in sorted(names):
            path = Path(above, name)
            if path.is_file():
                yield path


def is_compiled(path: Path) -> bool:
    """Whether Python made the file and would run it in place of a source."""
    return path.suffix == COMPILED
