"""What is tested at start, before a table may open.

Each check is a row: its name, and a function that raises what is wrong. A check that fails keeps the table
closed with its code on the display and the console; a warning is said and kept, and the table opens.
"""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.run.clock import is_trusted
from sabot.firmware.run.errors import RunError
from sabot.rules.errors import SabotError

LEAST_FREE_MB = 64
HOTTEST_C = 85.0
MB = 1_000_000
_ZONES = Path("/sys/class/thermal")
_SUPPLY = Path("/sys/class/hwmon")


class Finding(NamedTuple):
    """How a check went; ``fault`` None where all is well."""

    name: str
    fault: SabotError | None
    keeps_closed: bool = True


class Check(NamedTuple):
    """A check, and whether the table stays closed where it fails."""

    name: str
    test: Callable[[], None]
    keeps_closed: bool = True


def checks(state: Path) -> tuple[Check, ...]:
    """The checks of the machine itself; those of journal and configuration are made as they are read."""
    return (
        Check("disk", lambda: disk(state)),
        Check("temperature", temperature),
        Check("supply", supply),
        Check("clock", clock, keeps_closed=False),
    )


def examine(rows: Iterable[Check]) -> list[Finding]:
    """Make the checks, every one of them."""
    return [_examine(row) for row in rows]


def _examine(row: Check) -> Finding:
    try:
        row.test()
    except SabotError as fault:
        return Finding(row.name, fault, row.keeps_closed)
    return Finding(row.name, None, row.keeps_closed)


def disk(state: Path) -> None:
    """There is room for a gaming day's journal."""
    free_mb = shutil.disk_usage(state).free // MB
    if free_mb < LEAST_FREE_MB:
        raise RunError("E-RUN-002", str(state), least_mb=LEAST_FREE_MB, free_mb=free_mb)


def celsius() -> float | None:
    """The warmest part of the board, where it tells."""
    found = [_number(path) for path in _ZONES.glob("thermal_zone*/temp")]
    known = [value / 1000 for value in found if value is not None]
    return max(known, default=None)


def is_undervolted() -> bool:
    """Whether a Raspberry Pi says that its supply is too weak."""
    return any(_number(path) for path in _SUPPLY.glob("hwmon*/in0_lcrit_alarm"))


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def temperature() -> None:
    """The board is not too hot."""
    warmest = celsius()
    if warmest is not None and warmest > HOTTEST_C:
        raise RunError("E-RUN-003", "board", celsius=warmest)


def supply() -> None:
    """The supply holds its voltage."""
    if is_undervolted():
        raise RunError("E-RUN-004", "board")


def clock() -> None:
    """Something has set UTC."""
    if not is_trusted():
        from datetime import UTC, datetime  # noqa: PLC0415 (only to say what the clock shows)

        raise RunError("E-RUN-005", "clock", utc=datetime.now(UTC).isoformat(timespec="seconds"))
