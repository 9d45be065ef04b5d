"""The gaming day of a linked table, counted from its journal: rounds, when they were played, faults by kind.

The floor's report of a day wants them, and the counts that a table keeps in its state begin when it opens.
Each entry is read once, in the link's thread; after a start those of the running day are read again.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from sabot.firmware.journal.content import EVENT
from sabot.floor.clock import day_of
from sabot.floor.table_state import MOST_KINDS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from sabot.config.table_file import DaySettings

    Opened = Callable[[], AbstractContextManager[sqlite3.Connection]]

ROUND, FAULT = "RecordRound", "RaiseFault"
_TIMES = "SELECT number, utc FROM entry WHERE number <= ? ORDER BY number DESC"
# Looked for in the text: nearly no entry has one of them, and each would else be read as JSON.
_TELLING = (
    "SELECT number, utc, body FROM entry WHERE number > ? AND number <= ? AND kind = ?"  # noqa: S608 (no outside text)
    f' AND (instr(body, \'"effect":"{ROUND}"\') OR instr(body, \'"effect":"{FAULT}"\')) ORDER BY number'
)


class PlayedDay:
    """The counts of the gaming day that the newest entry belongs to."""

    def __init__(
        self, journal: Callable[[], AbstractContextManager[sqlite3.Connection]], day: DaySettings
    ) -> None:
        self._journal, self._zone = journal, day.zone
        self._starts = "{:02}:{:02}".format(*divmod(day.starts_min, 60))
        self._upto: int | None = None
        self._begin("")

    def _begin(self, date: str) -> None:
        self.date, self.rounds, self.first, self.last = date, 0, "", ""
        self.faults: Counter[str] = Counter()

    def upto(self, number: int) -> dict[str, object]:
        """Return the counts up to an entry on the medium, as a table's state has them."""
        if number != self._upto:
            with self._journal() as db:
                newest = db.execute("SELECT utc FROM entry WHERE number = ?", (number,)).fetchone()
                if newest is not None:
                    self._read(db, number, self._date(newest[0]))
        faults = [list(each) for each in sorted(self.faults.items())[:MOST_KINDS]]
        return {"date": self.date, "played": [self.rounds, self.first, self.last], "faults": faults}

    def _date(self, utc: str) -> str:
        return day_of(utc[:16], self._starts, self._zone)

    def _read(self, db: sqlite3.Connection, number: int, date: str) -> None:
        if date != self.date:
            self._begin(date)
        # The first time alone: backwards from the newest, to where the day before ends.
        above = self._before(db, number) if self._upto is None else self._upto
        for _, utc, body in db.execute(_TELLING, (above, number, EVENT)):
            if self._date(utc) == date:
                self._take(utc, body)
        self._upto = number

    def _before(self, db: sqlite3.Connection, number: int) -> int:
        """Return the newest entry of a day before."""
        found = ((each, utc) for each, utc in db.execute(_TIMES, (number,)))
        return next((each for each, utc in found if self._date(utc) < self.date), 0)

    def _take(self, utc: str, body: str) -> None:
        for effect in json.loads(body)["effects"]:
            if effect["effect"] == FAULT:
                self.faults[effect["fault"]] += 1
            elif effect["effect"] == ROUND:
                self.rounds += 1
                self.first, self.last = self.first or utc, utc
