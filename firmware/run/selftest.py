"""The tests at start, before a table may open.

Each check is a row: its name, and a function that raises what is wrong. A check that fails keeps the table
closed with its code on the display and the console; a warning is said and kept, and the table opens.
"""

import os
from pathlib import Path

from sabot.firmware.credentials.atomic_files import free_bytes
from sabot.firmware.examine import Check
from sabot.firmware.run.clock import is_trusted
from sabot.firmware.run.errors import RunError

# A round takes some 75 KB of the file (docs/performance.md): more than eight hundred rounds.
LEAST_FREE_MB = 64
# Above 80 the processor slows itself down, which the log says; here it is at its limit.
HOTTEST_C = 85.0
# The kernel has 108 bytes for the path of a Unix socket, with the zero at its end.
LONGEST_SOCKET = 107
MB = 1_000_000
_ZONES = Path("/sys/class/thermal")
_SUPPLY = Path("/sys/class/hwmon")
_FIRMWARE = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
# Bits of ``get_throttled`` that say how it is now; those from 16 on say what was since the start.
UNDERVOLTED = 1
THROTTLED = {2: "frequency capped", 4: "throttled", 8: "temperature limit"}


def checks(state: Path, second: Path | None = None) -> tuple[Check, ...]:
    """Return the checks of the machine itself; journal and configuration are checked as they are read."""
    return (
        Check("disk", lambda: disk(state)),
        Check("temperature", temperature),
        Check("supply", supply),
        Check("clock", clock, keeps_closed=False),
        Check("second medium", lambda: another_medium(state, second), keeps_closed=False),
    )


def disk(state: Path) -> None:
    """Raise where there is no room for a gaming day's journal."""
    try:
        free_mb = free_bytes(state) // MB
    except OSError as error:
        raise RunError("E-RUN-006", str(state), why=error.strerror or error) from error
    if free_mb < LEAST_FREE_MB:
        raise RunError("E-RUN-002", str(state), least_mb=LEAST_FREE_MB, free_mb=free_mb)


def another_medium(state: Path, second: Path | None) -> None:
    """Raise where the copy lies on the journal's own medium; one that is not there has a fault of its own."""
    if second is None or not (second.is_dir() and state.is_dir()):
        return
    if second.stat().st_dev == state.stat().st_dev:
        raise RunError("E-RUN-012", str(second), state=state)


def place_of_socket(path: Path, code: str = "E-RUN-007") -> None:
    """Raise where a socket cannot be made where it belongs: the console's, or by its code another."""
    if why := _why_no_socket(path):
        raise RunError(code, str(path), why=why)


def _why_no_socket(path: Path) -> str:
    if len(os.fsencode(path)) > LONGEST_SOCKET:
        return f"its path is longer than {LONGEST_SOCKET} characters"
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return "no right to write there" if path.parent.is_dir() else "there is no such directory"
    # The socket of a program that was killed is taken away; no other file is anybody's to remove.
    return "another file has its name" if path.exists() and not path.is_socket() else ""


def celsius() -> float | None:
    """Return the temperature of the warmest part of the board, None where nothing tells."""
    found = [_number(path) for path in _ZONES.glob("thermal_zone*/temp")]
    known = [value / 1000 for value in found if value is not None]
    return max(known, default=None)


def is_undervolted() -> bool:
    """Return whether a Raspberry Pi says that its supply is too weak."""
    is_alarmed = any(_number(path) for path in _SUPPLY.glob("hwmon*/in0_lcrit_alarm"))
    return is_alarmed or bool(_firmware_bits() & UNDERVOLTED)


def throttled() -> str | None:
    """Return how a Raspberry Pi slows itself down now, empty where it does not, None where nothing tells."""
    if not _FIRMWARE.exists():
        return None
    bits = _firmware_bits()
    return ", ".join(words for bit, words in THROTTLED.items() if bits & bit)


def _firmware_bits() -> int:
    try:
        return int(_FIRMWARE.read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return 0


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def temperature() -> None:
    """Raise where the board is too hot."""
    warmest = celsius()
    if warmest is not None and warmest > HOTTEST_C:
        raise RunError("E-RUN-003", "board", celsius=warmest)


def supply() -> None:
    """Raise where the supply does not hold its voltage."""
    if is_undervolted():
        raise RunError("E-RUN-004", "board")


def clock() -> None:
    """Raise where nothing has set UTC."""
    if not is_trusted():
        from datetime import UTC, datetime  # noqa: PLC0415 (only to say what the clock shows)

        raise RunError("E-RUN-005", "clock", utc=datetime.now(UTC).isoformat(timespec="seconds"))
