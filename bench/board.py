"""The program as a board has it: in an environment with what it requires and nothing else.

A development environment has more in it than a board, and some of that costs: structlog imports rich wherever
it finds it, some 5 MB for colours that a log of JSON never shows. The environment is made on demand with pip
and kept in ``envs``; without a package index the interpreter that measures stands in, and the note says so.
"""

import subprocess
import sys
import venv

from fresh import ROOT
from peers import ENVS, MARK, PeerError, install

BOARD = ENVS / "board"
NOTES = {
    True: "in an environment of what the program requires and nothing else",
    False: "in this environment, which may hold more than a board's: pip found no package index",
}


def interpreter() -> tuple[str, bool]:
    """A Python with Sabot and what it requires, and whether that is all that it has."""
    python = BOARD / "bin" / "python"
    if not (BOARD / MARK).exists():
        print(f"installing sabot into {BOARD.relative_to(ROOT)}", file=sys.stderr)
        try:
            venv.create(BOARD, with_pip=True, clear=True)
            install(str(python), "--editable", str(ROOT))
            _leave_nothing_to_install_with(str(python))
        except (PeerError, OSError, subprocess.SubprocessError):
            return sys.executable, False
        (BOARD / MARK).touch()
    _write_byte_code(str(python))
    return str(python), True


def _write_byte_code(python: str) -> None:
    """A release has all of it, and the unit writes none: without it each start would compile the program."""
    package = ROOT / "src" / "sabot"
    rooms = (each.resolve() for each in package.iterdir() if each.is_dir())  # compileall follows no link
    folders = [str(each) for each in (package, *rooms)]
    subprocess.run([python, "-m", "compileall", "-q", *folders, str(BOARD / "lib")], check=False)


def _leave_nothing_to_install_with(python: str) -> None:
    """A release has no pip and no setuptools either, and setuptools would be half imported at each start."""
    order = [python, "-m", "pip", "uninstall", "--quiet", "--disable-pip-version-check", "--yes"]
    subprocess.run([*order, "setuptools", "pip"], check=True)
