"""Starts the program with a wall clock that somebody else moves: ``python -m tests.chaos.launch TABLE.toml``.

Beside the table file ``wall`` says by how many seconds the time of day is off, ``set`` is there while the time
of day was set by the network, and ``boot`` names the start of the machine where it is to be another one.
Nothing else of the program is touched; what it knows of monotonic time is the kernel's. The class of times of
day is exchanged before anything of Sabot is imported.
"""

import datetime as dt
import sys
import time
from pathlib import Path

WALL, SET, BOOT = "wall", "set", "boot"
_now = time.time


def ahead_s(folder: Path) -> float:
    """By how much the time of day is off now."""
    try:
        return float((folder / WALL).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0.0


def move_clocks(folder: Path) -> None:
    """From here on the time of day is what the file says."""

    class Moved(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> "Moved":
            return cls.fromtimestamp(_now() + ahead_s(folder), tz)

    dt.datetime = Moved  # type: ignore[misc]
    time.time = lambda: _now() + ahead_s(folder)


def main() -> int:
    """The program, as its command line starts it."""
    table_file = Path(sys.argv[1]).resolve()
    move_clocks(table_file.parent)
    from sabot.cli import main as run  # noqa: PLC0415 - after the clocks
    from sabot.firmware.run import clock  # noqa: PLC0415

    clock._SET_BY_NETWORK = table_file.parent / SET
    clock._HARDWARE_CLOCKS = table_file.parent / "no-rtc"
    if (table_file.parent / BOOT).exists():
        clock._BOOT_ID = table_file.parent / BOOT
    sys.argv = ["sabot", "run", str(table_file)]
    return run()


if __name__ == "__main__":
    sys.exit(main())
