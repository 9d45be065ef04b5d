"""Stand in for a power switch: ``python -m sabot.hil.bench.switch on|off DIRECTORY``.

``on`` starts the program of the table file in the directory, and its console on the directory's serial port,
as the units of a board do; ``off`` takes both away in the middle of whatever they do, as a plug does.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

GROUP, LOG, SERIAL, LONGEST_S = "power.pid", "program.log", "console.tty", 10.0
# A board in three lines: the program, and a console that is there again whenever it ended (Restart=always).
_BOARD = """
"$0" -m sabot run "$1/table.toml" &
while :; do "$0" -m sabot console --ascii --socket "$1/console.sock" <"$2" >"$2" 2>"$2"; sleep 0.2; done
"""


def on(root: Path) -> None:
    """Give power."""
    off(root)
    with (root / LOG).open("ab") as log:
        board = subprocess.Popen(  # noqa: S603 - our own interpreter and modules
            ["/bin/sh", "-c", _BOARD, sys.executable, str(root), str(root / SERIAL)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "SABOT_GPIO_SOCKET": str(root / "gpio.sock"), "TERM": "vt100"},
            start_new_session=True,
        )
    (root / GROUP).write_text(str(board.pid), encoding="ascii")


def off(root: Path) -> None:
    """Take power, and wait until the whole process group is gone."""
    with suppress(OSError, ValueError):
        group = int((root / GROUP).read_text(encoding="ascii"))
        os.killpg(group, signal.SIGKILL)
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            # Signal 0 asks whether anybody of the group still lives; ESRCH, an OSError, ends the loop.
            os.killpg(group, 0)
            time.sleep(0.01)
    (root / "console.sock").unlink(missing_ok=True)


if __name__ == "__main__":
    {"on": on, "off": off}[sys.argv[1]](Path(sys.argv[2]))
