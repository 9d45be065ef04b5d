"""The pit as its page shows it: what every table says of itself, beside what the ledger says of it.

A table's own word is believed where its enrolled key has signed it, and it is newer than the word before by
the table's clock. A clock may be set back; then it must know as much of the ledger as the word before, for
whoever kept an old word could play it again once the table is silent. What is not heard for five seconds is
shown as old, with since when. Who leads knows the ledger; a service that stands by shows that it does.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sabot.floor import reports, table_state, wire
from sabot.floor.entry import Last
from sabot.floor.errors import FloorError
from sabot.floor.reported_days import told_day
from sabot.floor.state import FloorState
from sabot.floor.store import ToldDay

OLD_AFTER_S = 5.0
Json = dict[str, Any]


class Facts(NamedTuple):
    """The facts of the ledger, as the last commit left it."""

    facility: str
    keys: Mapping[str, str]
    people: frozenset[str]
    meters: Json
    hits: list[Json]
    entry: int


def facts(state: FloorState, last: Last) -> Facts:
    """Return what the page needs of the ledger."""
    keys = {name: table.key for name, table in state.tables.items() if not table.retired}
    people = frozenset(state.people)
    return Facts(state.house.facility, keys, people, reports.meters(state), reports.hits(state), last.number)


def _is_played_again(state: Json, known: Json, heard_at: float, now: float) -> bool:
    """Return whether a word is an old one played again, and not of a clock that was set back."""
    if state["at"] > known["at"]:
        return False
    # Its clock is not ahead: believed only once the table has been silent for a while, at another moment, and
    # with a ledger no shorter than the known word had.
    return (
        now - heard_at <= OLD_AFTER_S or state["at"] == known["at"] or state["ledger"][0] < known["ledger"][0]
    )


class Pit:
    """Everything that the page shows; tables and the service bring it from their own threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._facts: Facts | None = None
        self._tables: dict[str, tuple[Json, float]] = {}
        self._days: dict[tuple[str, str, str], ToldDay] = {}
        self._kept: dict[tuple[str, str], tuple[str, int]] = {}
        self.refused = 0
        self.ahead: list[str] = []
        self.unwritten = ""

    @property
    def people(self) -> frozenset[str]:
        """Return the numbers of the people who are enrolled."""
        known = self._facts
        return known.people if known else frozenset()

    @property
    def enrolled(self) -> frozenset[str]:
        """Return the names of the tables that are enrolled."""
        known = self._facts
        return frozenset(known.keys) if known else frozenset()

    def know(self, found: Facts | None) -> None:
        """Take what the ledger says; None where another service leads."""
        with self._lock:
            self._facts = found

    def hear(self, payload: bytes, now: float) -> Json | None:
        """Take what a table says of itself, and return it; None where it is forged, old or malformed."""
        try:
            state, body, signature = table_state.read_state(payload)
        except FloorError:
            self.refused += 1
            return None
        with self._lock:
            key = self._facts.keys.get(state["table"], "") if self._facts else ""
            known = self._tables.get(state["table"])
            if known is not None and _is_played_again(state, *known, now):
                return None
            # Last, for it costs the most; without an enrolled table the key is empty, and signs nothing.
            if not wire.is_signed(key, wire.TABLE_STATE, body, signature):
                self.refused += 1
                return None
            self._tables[state["table"]] = (state, now)
            self._note(told_day(state, key, body, signature))
        return state

    def _note(self, told: ToldDay) -> None:
        """Note how a day went, where that is another word than the one that is kept."""
        if told.day and self._kept.get((told.table, told.board)) != (told.day, told.counted):
            self._days[told[:3]] = told

    def days(self) -> list[ToldDay]:
        """Return the gaming days that tables told of and that are not kept yet."""
        with self._lock:
            return list(self._days.values())

    def are_kept(self, days: Sequence[ToldDay]) -> None:
        """Let go of the days that are kept now; a newer word that came meanwhile stays."""
        with self._lock:
            for each in days:
                self._kept[each.table, each.board] = (each.day, each.counted)
                # A newer word that came while this one was committed stays, and is kept the next time.
                if self._days.get(each[:3]) is each:
                    del self._days[each[:3]]

    def shown(self, now: float) -> Json:
        """Return the pit: every enrolled table, the meters, the hits, in plain values."""
        with self._lock:
            known, heard = self._facts, dict(self._tables)
        if known is None:
            return {"leads": False, "facility": "", "tables": [], "links": [], "hits": []}
        links = known.meters["links"]
        tables = [self._table(name, heard.get(name), links, now) for name in sorted(known.keys)]
        return {
            "leads": True,
            "facility": known.facility,
            "entry": known.entry,
            "ahead": self.ahead,
            "unwritten": self.unwritten,
            "tables": tables,
            "links": links,
            "hits": known.hits,
        }

    def _table(self, name: str, heard: tuple[Json, float] | None, links: list[Json], now: float) -> Json:
        of_table = [each["link"] for each in links if name in each["tables"]]
        if heard is None:
            return {"table": name, "linked": of_table, "silent_s": None}
        state, at = heard
        silent = now - at
        return {**state, "linked": of_table, "silent_s": int(silent) if silent > OLD_AFTER_S else 0}
