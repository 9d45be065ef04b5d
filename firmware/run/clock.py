"""Time as the journal keeps it: which start, monotonic seconds, UTC, and whether UTC is to be trusted.

The table lives in monotonic seconds. UTC is for people, and a board without a battery clock wakes up in the
past: it is trusted only when something has set it. How long the board was down is known exactly where the
machine itself kept running, from UTC where that was trusted at both ends, and otherwise not at all.
"""

import time
from datetime import UTC, datetime
from pathlib import Path

from sabot.firmware.journal.entry import Entry, Stamp

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_SET_BY_NETWORK = Path("/run/systemd/timesync/synchronized")
_HARDWARE_CLOCKS = Path("/sys/class/rtc")


def boot_id() -> str:
    """Return the running kernel's own name for this start."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"


def is_trusted() -> bool:
    """Return whether UTC was set by the network or by a clock with a battery."""
    if _SET_BY_NETWORK.exists():
        return True
    # 1 where the kernel set the time of day from this very clock at its start.
    clocks = _HARDWARE_CLOCKS.glob("rtc*/hctosys")
    return any(_reads_one(path) for path in clocks)


def _reads_one(path: Path) -> bool:
    try:
        return path.read_text(encoding="ascii").strip() == "1"
    except OSError:
        return False


class Clock:
    """The clocks of this start."""

    def __init__(self) -> None:
        self.boot = boot_id()

    def now(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    def stamp(self, at: float) -> Stamp:
        """Return the stamp of something that happened at this monotonic second."""
        utc = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return Stamp(self.boot, f"{at:.6f}", utc, is_trusted())

    def down_since(self, last: Entry) -> float | None:
        """Return how long nothing was recorded, None where nobody can know."""
        # The machine itself ran on: its monotonic clock knows exactly.
        if last.stamp.boot == self.boot != "unknown":
            return max(0.0, self.now() - float(last.stamp.at))
        # Unknown is said as unknown: the table takes every deck for due then (x.3(c)).
        if not (last.stamp.trusted and is_trusted()):
            return None
        then = datetime.fromisoformat(last.stamp.utc)
        down_s = (datetime.now(UTC) - then).total_seconds()
        # UTC was set back in between: then it proves nothing.
        return down_s if down_s >= 0 else None
