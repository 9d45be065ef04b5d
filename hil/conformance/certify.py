"""One run of the kit over one device: the checks in their order, each told as it ends, into one record.

What was wrong while the machine let the kit stand still may be the machine's doing. So a thread sleeps a
little and looks at the clock. Where it wakes late, the kit would have been late too: with a PING that keeps a
session, with a read that takes a time.
"""

import hashlib
import platform
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import sabot
from sabot.hil.conformance.conventions import KINDS, Kind
from sabot.hil.conformance.hands import CheckHands, NoHands, SocketHands
from sabot.hil.conformance.kit import Kit, Setting
from sabot.hil.conformance.lines import InOwnTime
from sabot.hil.conformance.record import NOT_TRIED, CheckResult, Record
from sabot.hil.conformance.run import ConformanceCheck, run_checks

LOOK_S = 0.005


class Stillness:
    """A watch over how long the machine lets the kit stand still, for as long as the process lives."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._now, self._sleep = now, sleep
        self._longest_s = 0.0
        threading.Thread(target=self._watch, name="stillness", daemon=True).start()

    def longest_s(self) -> float:
        """Return the longest time that it stood still since the last call."""
        longest, self._longest_s = self._longest_s, 0.0
        return longest

    def _watch(self) -> None:
        while True:
            self.look()

    def look(self) -> None:
        """Sleep once, and see how late it is."""
        due = self._now() + LOOK_S
        self._sleep(LOOK_S)
        self._longest_s = max(self._longest_s, self._now() - due)


ROOT = Path(__file__).resolve().parents[2]


class CheckTelling(NamedTuple):
    """Callbacks of a check: before it, while it waits (with the seconds), and after it."""

    begins: Callable[[int, int, ConformanceCheck], None]
    waits: Callable[[float], None]
    ended: Callable[[CheckResult], None]


def certify(
    name: str, port: str, setting: Setting, hands: CheckHands | None, telling: CheckTelling
) -> Record:
    """Put a device under test, and return the record, also if somebody stops it in the middle."""
    kind = KINDS[name]
    record = Record(name, kind.page, port, datetime.now(UTC).isoformat(timespec="seconds"))
    line = kind.open(port, setting.options)
    # A simulator that stands alone brings its own time: on a busy machine its deadlines are stretched with
    # ours, so stillness is no excuse there.
    if isinstance(hands, SocketHands) and hands.time.exists():
        line = InOwnTime(line, hands.time)
    try:
        kit = kind.kit(line, hands or NoHands(), setting)
        kit.waits = telling.waits
        if not isinstance(line, InOwnTime):
            kit.stood_still_s = Stillness().longest_s
        record.conditions = conditions(kind, kit)
        _run(kit, kind, record, telling)
    finally:
        line.close()
    record.device = kit.device
    return record


def _run(kit: Kit, kind: Kind, record: Record, telling: CheckTelling) -> None:
    try:
        for result in run_checks(kit, kind.checks, telling.begins):
            record.results.append(result)
            telling.ended(result)
    except KeyboardInterrupt:
        for check in kind.checks[len(record.results) :]:
            rest = CheckResult(check.name, check.title, check.section, NOT_TRIED, "the run was stopped")
            record.results.append(rest)


def conditions(kind: Kind, kit: Kit) -> dict[str, str]:
    """Return the conditions under which the device was judged."""
    setting = kit.setting
    found = {
        "kit": f"sabot {sabot.__version__}",
        "page sha256": _digest(ROOT / kind.page),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "hands": kit.hands.name,
    }
    if setting.slack != 1.0:
        found["limits of time"] = f"widened {setting.slack:g} times"
    if kind.can_prove:
        found["authentication"] = (
            "on" if setting.is_authenticated else "OFF: nothing proves who the device is"
        )
    else:
        found["authentication"] = "none: the convention cannot prove who the device is"
    said = " ".join(f"{name}={value}" for name, value in setting.options.items())
    return found | ({"options": said} if said else {})


def _digest(page: Path) -> str:
    """Return the digest of the page as it lies here; empty if the pages are not installed."""
    try:
        return hashlib.sha256(page.read_bytes()).hexdigest()
    except OSError:
        return ""
