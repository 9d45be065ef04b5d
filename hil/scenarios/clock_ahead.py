"""Run Sabot that many seconds later: ``python -m sabot.hil.scenarios.clock_ahead SECONDS ARGUMENTS``.

Every clock that the program can read is ahead by that much, from before its first import on, and runs as
fast as ever. So a table that was left at noon is switched on again four hours later, and its journal is a
true one. The other way, a journal made by a clock that was behind, would need a machine that has been up for
that long: monotonic time begins with the machine.
"""

import datetime as dt
import runpy
import sys
import time
from collections.abc import Callable

NANO = 1_000_000_000


def shift(seconds: float) -> None:
    """Set every clock of this interpreter ahead, from now on."""
    for name in ("time", "monotonic"):
        setattr(time, name, _later(getattr(time, name), seconds))
        setattr(time, f"{name}_ns", _later(getattr(time, f"{name}_ns"), int(seconds * NANO)))
    dt.datetime = _later_datetime(seconds)  # type: ignore[misc]


def _later(clock: Callable[[], float], by: float) -> Callable[[], float]:
    return lambda: clock() + by


def _later_datetime(seconds: float) -> type[dt.datetime]:
    plain, by = dt.datetime, dt.timedelta(seconds=seconds)

    class Later(plain):  # type: ignore[valid-type, misc]
        """A datetime whose now is later."""

        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            """Return the time of the clock, plus that many seconds."""
            return plain.now(tz) + by

    return Later


if __name__ == "__main__":
    shift(float(sys.argv[1]))
    sys.argv = ["sabot", *sys.argv[2:]]
    runpy.run_module("sabot", run_name="__main__", alter_sys=True)
