"""A gaming day out of the journal: what happened between two moments, money by cause among it."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sabot.config.table_file import Day
from sabot.firmware.journal import store
from sabot.firmware.journal.books import Moves, add
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry

COUNTED = {
    "RecordRound": "rounds",
    "VoidRound": "voids",
    "RaiseFault": "faults",
    "ClearFault": "faults cleared",
    "FreezeHit": "hits frozen",
}
TOLD_AGAIN = ("Resumed", "hits frozen")
HOUR_MIN = 60


@dataclass(slots=True)
class DayReport:
    """What a gaming day came to."""

    begins: str
    ends: str
    opened: dict[str, int] = field(default_factory=dict)
    moves: Moves = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    closing: list[list[str]] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)
    first: int = 0
    last: int = 0
    untrusted: int = 0

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {name: getattr(self, name) for name in self.__slots__} | {"counts": dict(self.counts)}

    def take(self, entry: Entry) -> None:
        """An entry of the day."""
        self.first, self.last = self.first or entry.number, entry.number
        self.untrusted += not entry.stamp.trusted
        body = json.loads(entry.body)
        add(self.moves, body.get("moves", {}))
        if entry.kind != EVENT:
            self.counts[entry.kind] += 1
            return
        self.counts["unlocks"] += body["event"]["event"] == "RoleUnlocked"
        for effect in body["effects"]:
            name = COUNTED.get(effect["effect"])
            if name and (body["event"]["event"], name) != TOLD_AGAIN:
                self.counts[name] += 1
            if effect["effect"] == "ReportDay":
                self.closing.append(effect["lines"])
        if body["event"]["event"] == "MeterAdjusted":
            self.causes.append(f"entry {entry.number}: {body['event']['cause']}")


def bounds(day: Day, when: date) -> tuple[str, str]:
    """When a gaming day begins and ends, in UTC as entries have it."""
    begins = [
        datetime.combine(each, time(*divmod(day.starts_min, HOUR_MIN)), ZoneInfo(day.zone)).astimezone(UTC)
        for each in (when, when + timedelta(days=1))
    ]
    first, last = (each.isoformat(timespec="milliseconds").replace("+00:00", "Z") for each in begins)
    return first, last


def day_of(day: Day, now: datetime) -> date:
    """The gaming day that a moment belongs to."""
    local = now.astimezone(ZoneInfo(day.zone)) - timedelta(minutes=day.starts_min)
    return local.date()


def report(
    db: sqlite3.Connection, span: tuple[str, str], carried: Moves, tick: Callable[[int], None]
) -> DayReport:
    """A gaming day; ``carried`` is what entries moved that are no longer here."""
    found, before = DayReport(*span), dict(carried)
    for entry in store.entries(db, max(1, store.first_of(db))):
        tick(1)
        if entry.stamp.utc >= span[1]:
            continue
        if entry.stamp.utc >= span[0]:
            found.take(entry)
        elif not found.first:
            add(before, json.loads(entry.body).get("moves", {}))
    found.opened = {account: sum(causes.values()) for account, causes in sorted(before.items())}
    return found
