"""A gaming day out of the journal: what happened between two moments, and its money.

Handle, win and hold are defined here, and docs/journal.md has the same words. A stake is *decided* when its
round stood: won, lost, folded or pushed. Money is integer cents and is taken from the lines of settlement as
the journal has them, envy and progressive payments with the wager that they belong to.

* handle: all decided stakes of a wager
* returned: the part of the handle that went back to its player, with a payment or as a push
* paid: what was paid beyond that, whoever pays it
* from meters: the part of ``paid`` that progressive meters paid
* envy: the part of ``paid`` that went to others than the holder of the hand
* win: handle - returned - paid; hold: win as a share of the handle
* undone: stakes of void rounds, which are no part of the handle
* unknown: decided stakes that the pads could not value, which are in no sum
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from sabot.config.table_file import DaySettings
from sabot.firmware.journal import store
from sabot.firmware.journal.books import Moves, add
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry
from sabot.rules.chapter import Chapter
from sabot.statemachine.state.ledger import UNITS

# A payment's line is named for the seat whose hand is envied: ``envy:seat3``.
ENVY = "envy:"
SUMS = (
    *("stakes", "handle_cents", "returned_cents", "paid_cents", "from_meters_cents", "envy_cents"),
    *("win_cents", "undone_cents", "unknown"),
)
ALL = "all"


@dataclass(slots=True)
class Figures:
    """The sums of one wager, or of all."""

    stakes: int = 0
    handle_cents: int = 0
    returned_cents: int = 0
    paid_cents: int = 0
    from_meters_cents: int = 0
    envy_cents: int = 0
    undone_cents: int = 0
    unknown: int = 0

    @property
    def win_cents(self) -> int:
        """Return the house's win; negative if it paid out more."""
        return self.handle_cents - self.returned_cents - self.paid_cents

    @property
    def hold(self) -> Fraction | None:
        """Return the win as a share of the handle; None without a handle."""
        return Fraction(self.win_cents, self.handle_cents) if self.handle_cents else None

    def as_json(self) -> dict[str, object]:
        """Return the figures for programs; the hold in percent is rounded, for reading alone."""
        hold = self.hold
        sums = {name: getattr(self, name) for name in SUMS}
        return {**sums, "hold_percent": None if hold is None else f"{float(hold * 100):.2f}"}

    def undo(self, line: Mapping[str, Any]) -> None:
        """Add a line of a void round."""
        self.undone_cents += line["back"] or 0

    def take(self, line: Mapping[str, Any]) -> None:
        """Add a line of settlement, with its own stake or, as a payment, with none."""
        # A pad that felt chips without their value: what came of them cannot be in sums of money either.
        if line["stake"] is None:
            self.unknown += 1
            return
        self.stakes += line["stake"] > 0
        self.handle_cents += line["stake"]
        self.returned_cents += line["back"]
        self.paid_cents += line["paid"]
        if line["wager"].startswith(ENVY):
            self.envy_cents += line["paid"]


@dataclass(slots=True)
class ByWager:
    """The figures of each wager, under the name that the chapter has for it."""

    chapter: Chapter
    wagers: dict[str, Figures] = field(default_factory=dict)
    rounds: int = 0
    void: int = 0
    by_hand: int = 0

    def take(self, record: Mapping[str, Any]) -> None:
        """Add the record of a round."""
        self.rounds += 1
        self.void += bool(record["void"])
        self.by_hand += bool(record["by_hand"])
        for line in record["lines"]:
            figures = self._of(owner_of(self.chapter, line["wager"]))
            (figures.undo if record["void"] else figures.take)(line)
        if not record["void"]:
            self._take_hits(record["hits"])

    def _take_hits(self, hits: Iterable[Mapping[str, Any]]) -> None:
        for hit in hits:
            self._of(owner_of(self.chapter, hit["wager"])).from_meters_cents += hit["cents"]

    def _of(self, wager: str) -> Figures:
        return self.wagers.setdefault(wager, Figures())

    @property
    def whole(self) -> Figures:
        """Return the figures of all wagers together."""
        names = [name for name in SUMS if name != "win_cents"]
        return Figures(**{n: sum(getattr(each, n) for each in self.wagers.values()) for n in names})

    def as_json(self) -> dict[str, object]:
        """Return the figures for programs."""
        rows = {name: each.as_json() for name, each in sorted(self.wagers.items())}
        rounds = {"rounds": self.rounds, "void": self.void, "by_hand": self.by_hand}
        return {**rounds, "by_wager": rows, ALL: self.whole.as_json()}


def owner_of(chapter: Chapter, name: str) -> str:
    """Return the wager that a line belongs to: its own, the one whose bonus it is, or the envied one."""
    if name.startswith(ENVY):
        return next((each.name for each in chapter.wagers.values() if each.envy), name)
    base = name.partition(":")[0]
    if base in chapter.wagers:
        return base
    bonuses = (result.bonus for result in chapter.contest.results.values() if result.bonus)
    return next((bonus.on for bonus in bonuses if bonus.line == base), base)


# Effects that a day counts, and one that must not be counted twice: after a restart the table tells again
# which hits are frozen.
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
    """The report of a gaming day."""

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
        """Return the report for programs."""
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
        """Return the rounds an hour from the first record to the last, pauses and all; None below two."""
        first, last = self.recorded[:1], self.recorded[1:][-1:]
        if not last:
            return None
        spent = datetime.fromisoformat(last[0]) - datetime.fromisoformat(first[0])
        hours = spent.total_seconds() / HOUR_S
        return round((len(self.recorded) - 1) / hours, 1) if hours > 0 else None

    @property
    def meters(self) -> dict[str, int]:
        """Return the figure of each sign at the end of the day, in whole cents."""
        accounts = sorted(self.opened.keys() | self.moves)
        ends = {name: self.opened.get(name, 0) + sum(self.moves.get(name, {}).values()) for name in accounts}
        # Accounts with one dot are a meter's levels, which have signs; reserves and the rest have none.
        return {name: units // UNITS for name, units in ends.items() if name.count(".") == 1}

    def take(self, entry: Entry) -> None:
        """Add an entry of the day."""
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


def bounds(day: DaySettings, when: date) -> tuple[str, str]:
    """Return when a gaming day begins and ends, in UTC as entries have it."""
    begins = [
        datetime.combine(each, time(*divmod(day.starts_min, HOUR_MIN)), ZoneInfo(day.zone)).astimezone(UTC)
        # Each end by its own date in the house's zone: a day on which clocks change has 23 or 25 hours.
        for each in (when, when + timedelta(days=1))
    ]
    first, last = (each.isoformat(timespec="milliseconds").replace("+00:00", "Z") for each in begins)
    return first, last


def day_of(day: DaySettings, now: datetime) -> date:
    """Return the gaming day that a moment belongs to."""
    local = now.astimezone(ZoneInfo(day.zone)) - timedelta(minutes=day.starts_min)
    return local.date()


def report(
    db: sqlite3.Connection,
    span: tuple[str, str],
    carried: Moves,
    tick: Callable[[int], None],
    chapter: Chapter | None = None,
) -> DayReport:
    """Return the report of a gaming day; ``carried`` is what entries moved that are no longer here."""
    found, before = DayReport(*span), dict(carried)
    found.money = ByWager(chapter) if chapter else None
    for entry in store.entries(db, max(1, store.first_of(db))):
        tick(1)
        # Not the end of the loop: a clock that was set back stamps a later entry with an earlier time.
        if entry.stamp.utc >= span[1]:
            continue
        if entry.stamp.utc >= span[0]:
            found.take(entry)
        # Only before the first entry of the day, for the same reason.
        elif not found.first:
            add(before, json.loads(entry.body).get("moves", {}))
    found.opened = {account: sum(causes.values()) for account, causes in sorted(before.items())}
    return found
