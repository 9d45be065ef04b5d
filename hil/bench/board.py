"""Make a board that nobody has opened yet: ``python -m sabot.hil.bench.board DIRECTORY CHAPTER METHOD``.

It lets the program itself write its table file, its keys and its people, and stops it before anybody came.
What the rig put into the directory (its serial line, its logs) stays.
"""

import shutil
import subprocess
import sys
import time
from pathlib import Path

LONGEST_S, LOOK_S = 60.0, 0.01
OF_THE_RIG = ("console.tty", "program.log", "devices.log")


def prepare(root: Path, chapter: str, method: str) -> None:
    """Make the directory that of a new board."""
    for path in root.iterdir():
        if path.name not in OF_THE_RIG:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    words = ["run", "--sim", chapter, "--method", method, "--state", str(root)]
    with (root / "program.log").open("ab") as log:
        program = subprocess.Popen([sys.executable, "-m", "sabot", *words], stdout=log, stderr=log)  # noqa: S603
    end = time.monotonic() + LONGEST_S
    # The console comes last: by then every file of a new board is written.
    while not (root / "console.sock").exists():
        if program.poll() is not None or time.monotonic() > end:
            program.kill()
            message = f"the program of a new board did not come up: {root / 'program.log'}"
            raise SystemExit(message)
        time.sleep(LOOK_S)
    program.terminate()
    program.wait(LONGEST_S)


if __name__ == "__main__":
    prepare(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
