"""A copy of the tree with an interpreter of its own, so that whoever a test starts loads the copy and no other Sabot.

Its environment has no packages but a path file: the copy's ``src`` before the packages of the environment that made
it. A program that a test starts with ``sys.executable`` reads the same file, with ``-I`` too, and so sees a mutant.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
NAME = "mutants.pth"


def copy_tree(to: Path) -> None:
    """A copy of what git knows or would, links kept, importable from its own ``src``."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=REPO, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        source, target = REPO / name, to / name
        if source.exists() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


class Ground:
    """A copy of the tree in a folder, and its interpreter."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tree = folder, folder / "tree"
        self.python = folder / "env" / "bin" / "python"

    def lay(self, *lines: str) -> None:
        """Copy the tree, and make its interpreter."""
        copy_tree(self.tree)
        self.make(*lines)

    def make(self, *lines: str) -> None:
        """Make the interpreter; further lines of the path file may load something in each program."""
        venv.EnvBuilder(symlinks=True).create(self.folder / "env")
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        path_file = self.folder / "env" / "lib" / version / "site-packages" / NAME
        paths = [self.tree / "src", sysconfig.get_path("purelib"), self.tree / "tests" / "mutants"]
        path_file.write_text("\n".join([*map(str, paths), *lines]) + "\n")

    def call(self, *words: str, **environment: str) -> "subprocess.Popen[bytes]":
        """Start the interpreter of the copy, in the copy."""
        order = [str(self.python), "-I", *words]
        return subprocess.Popen(order, cwd=self.tree, env={**os.environ, **environment})
