"""A gaming day out of the journal: what happened between two moments, money by cause among it."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sabot.config.table_file import Day
from sabot.desk.report.figures import ByWager
from sabot.firmware.journal import store
from sabot.firmware.journal.books import Moves, add
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry
from sabot.rules.chapter import Chapter
from sabot.statemachine.ledger import UNITS

COUNTED = {
    "RecordRound": "rounds",
    "VoidRound": "voids",
    "RaiseFault": "faults",
    "ClearFault": "faults cleared",
    "FreezeHit": "hits frozen",
}
TOLD_AGAIN = ("Resumed", "hits frozen")
HOUR_MIN, HOUR_S = 60, 3600


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
    faults: Counter[str] = field(default_factory=Counter)
    money: ByWager | None = None
    recorded: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """For programs."""
        plain = ("begins", "ends", "opened", "moves", "closing", "causes", "first", "last", "untrusted")
        return {
            **{name: getattr(self, name) for name in plain},
            "counts": dict(self.counts),
            "faults_by_kind": dict(sorted(self.faults.items())),
            "rounds_an_hour": self.rounds_an_hour,
            "meters_cents": self.meters,
            "money": self.money.as_json() if self.money else None,
        }

    @property
    def rounds_an_hour(self) -> float | None:
        """From the first record of the day to its last, pauses among them; None below two."""
        first, last = self.recorded[:1], self.recorded[1:][-1:]
        if not last:
            return None
        spent = datetime.fromisoformat(last[0]) - datetime.fromisoformat(first[0])
        hours = spent.total_seconds() / HOUR_S
        return round((len(self.recorded) - 1) / hours, 1) if hours > 0 else None

    @property
    def meters(self) -> dict[str, int]:
        """What each sign showed at the end of the day."""
        accounts = sorted(self.opened.keys() | self.moves)
        ends = {name: self.opened.get(name, 0) + sum(self.moves.get(name, {}).values()) for name in accounts}
        return {name: units // UNITS for name, units in ends.items() if name.count(".") == 1}

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
        self._take_record(entry, body.get("record"))
        for effect in body["effects"]:
            name = COUNTED.get(effect["effect"])
            if name and (body["event"]["event"], name) != TOLD_AGAIN:
                self.counts[name] += 1
            if effect["effect"] == "RaiseFault":
                self.faults[effect["fault"]] += 1
            if effect["effect"] == "ReportDay":
                self.closing.append(effect["lines"])
        if body["event"]["event"] == "MeterAdjusted":
            self.causes.append(f"entry {entry.number}: {body['event']['cause']}")

    def _take_record(self, entry: Entry, record: dict[str, Any] | None) -> None:
        if record and self.money:
            self.recorded.append(entry.stamp.utc)
            self.money.take(record)


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
    db: sqlite3.Connection,
    span: tuple[str, str],
    carried: Moves,
    tick: Callable[[int], None],
    chapter: Chapter | None = None,
) -> DayReport:
    """A gaming day; ``carried`` is what entries moved that are no longer here."""
    found, before = DayReport(*span), dict(carried)
    found.money = ByWager(chapter) if chapter else None
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
