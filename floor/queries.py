"""The questions that both stores answer alike, in the SQL that both engines know.

A value is a ``?`` here; an engine that writes it otherwise puts its own in place.
"""

from abc import ABC, abstractmethod
from typing import Any

from sabot.floor.entry import FloorEntry
from sabot.floor.store import FloorDay, Moved, SentMessage, StoreSeen, ToldDay


class Queries(ABC):
    """The queries of a store, whatever its engine is."""

    @abstractmethod
    def _all(self, query: str, *values: object) -> list[Any]:
        """Return all rows of a query."""

    def recall(self, table: str, message: int) -> bytes | None:
        """Return the content of a message that was applied."""
        query = "SELECT content FROM entry WHERE table_name = ? AND message = ? AND message > 0"
        found = self._all(query, table, message)
        return found[0][0].encode() if found else None

    def link(self, number: int) -> bytes | None:
        """Return the link of an entry, None where there is none."""
        found = self._all("SELECT link FROM entry WHERE number = ?", number)
        return bytes(found[0][0]) if found else None

    def ordered(self, *kinds: str) -> list[FloorEntry]:
        """Return the entries that people ordered, of these kinds, in their order."""
        places = ", ".join("?" * len(kinds))
        query = f"SELECT * FROM entry WHERE message = 0 AND kind IN ({places}) ORDER BY number"  # noqa: S608
        return [FloorEntry._make([*row[:-1], bytes(row[-1])]) for row in self._all(query, *kinds)]

    def sent(self, table: str = "", above: int = 0) -> list[SentMessage]:
        """Return the messages above a number that a table (or any) has not heard."""
        query = "SELECT * FROM sent WHERE ? IN ('', table_name) AND number > ? ORDER BY table_name, number"
        rows = self._all(query, table, above)
        return [SentMessage._make([*row[:3], bytes(row[3]), bytes(row[4])]) for row in rows]

    def handled(self, day: str = "") -> dict[FloorDay, tuple[int, int]]:
        """Return how many wagers of how many cents there were, on a day or on all."""
        rows = self._all("SELECT * FROM handled WHERE ? IN ('', day) ORDER BY 1, 2, 3, 4", day)
        return {FloorDay(*row[:4]): (row[4], row[5]) for row in rows}

    def moved(self, day: str = "") -> dict[Moved, int]:
        """Return what each account gained or lost by each cause, on a day or on all."""
        rows = self._all("SELECT * FROM moved WHERE ? IN ('', day) ORDER BY 1, 2, 3", day)
        return {Moved(*row[:3]): row[3] for row in rows}

    def told(self, day: str = "") -> list[ToldDay]:
        """Return how the gaming day of each table went by its own word, on a day or on all."""
        rows = self._all("SELECT * FROM told WHERE ? IN ('', day) ORDER BY 1, 2, 3", day)
        return [ToldDay._make([*row[:4], bytes(row[4]), bytes(row[5])]) for row in rows]

    def seen(self) -> dict[StoreSeen, tuple[int, str, str]]:
        """Return how often each kind of payload was wrong, and when first and last."""
        rows = self._all("SELECT * FROM seen ORDER BY 1, 2")
        return {StoreSeen(*row[:2]): (row[2], row[3], row[4]) for row in rows}
