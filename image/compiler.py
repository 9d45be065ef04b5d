"""Python's compiled files, made when the image is: a board with a read-only root cannot make them later.

They are compiled by Debian's Python of the board's version for the building machine, unpacked and not
installed; compiled files are the same on every machine, and the same bytes each time (``pyc.py``).
"""

import hashlib
import platform
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.image.errors import ImageError
from sabot.image.recipe import PYTHON
from sabot.image.tree import Tree

LOADERS = {"x86_64": "usr/lib64/ld-linux-x86-64.so.2", "aarch64": "usr/lib/ld-linux-aarch64.so.1"}
PROGRAM = Path(__file__).with_name("pyc.py")
PATIENCE_S = 1800


class Compiler:
    """A Python of the board's version, unpacked in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def compile(self, tree: Tree, place: str) -> dict[str, tuple[int, str]]:
        """Compile what lies below a place of a tree into that tree; return sizes and digests of the files."""
        sources = [
            path for path in tree.below(place) if path.endswith(".py") and stat.S_ISREG(tree[path].mode)
        ]
        made: dict[str, tuple[int, str]] = {}
        with _laid_out(tree, sources) as folder:
            self._run(folder, place)
            for path in sorted(folder.rglob("*.pyc")):
                data, name = path.read_bytes(), path.relative_to(folder).as_posix()
                tree.write(name, data)
                made[name] = (len(data), hashlib.sha256(data).hexdigest())
        # A few are templates that do not compile (``pyc.py`` passes them over); more than that is a mistake.
        if len(made) < len(sources) * 0.95:
            raise ImageError(f"of {len(sources)} files below {place} only {len(made)} compiled")
        return made

    def _run(self, folder: Path, place: str) -> None:
        machine = platform.machine()
        usr = self._folder / "usr"
        library = usr / "lib" / f"{machine}-linux-gnu"
        words = [self._folder / LOADERS[machine], "--library-path", library, usr / "bin" / f"python{PYTHON}"]
        subprocess.run(  # noqa: S603 (our own words)
            # Nothing of this machine: no site, no user's packages, no folder of ours on the path.
            [*map(str, words), "-B", "-s", "-S", "-P", str(PROGRAM), str(folder), place],
            check=True, timeout=PATIENCE_S, capture_output=True,
            env={"PYTHONHOME": str(usr), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        )  # fmt: skip


@contextmanager
def _laid_out(tree: Tree, paths: list[str]) -> Iterator[Path]:
    """Lay these files of a tree into a folder, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            to = Path(folder, path)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(tree.read(path))
        yield Path(folder)
