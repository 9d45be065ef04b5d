"""The diary of a simulated table: what was done to each device and what each showed, with the time of it.

Lines have edges and the display has pictures with a time of their own: every state that they went through is
here, in order, however short it was. Everything else is looked at every few milliseconds, which is finer than
a person sees. Whoever waits for something is woken when there is more in it. Times are the table's monotonic
seconds, so they stand beside those of the journal.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol

Edge = tuple[float, str, object]
Row = tuple[float, str, str, object, str]
DID, SHOWED = "did", "showed"
LOOK_S = 0.01
# What changes all the time and says nothing.
NOISE = frozenset({"time", "cursor"})
_UNKNOWN = object()


class DiaryDevice(Protocol):
    """A device as the diary looks at it."""

    has_pictures: bool

    def shows(self) -> dict[str, Any]:
        """Return what a person could see of it."""

    def edges(self) -> list[Edge]:
        """Return its timed changes."""


class RigDiary:
    """Rows of time, device, name, value, and whether it was done or shown.

    A long pause between two looks says that the machine let the devices stand still.
    """

    def __init__(self, parts: Mapping[str, DiaryDevice], look_s: float = LOOK_S) -> None:
        self._parts, self._look_s = parts, look_s
        self._last: dict[tuple[str, str], object] = {}
        self._whole: dict[str, dict[str, Any]] = {}
        self._more = asyncio.Event()
        self.rows: list[Row] = []
        self.longest_pause_s = 0.0

    async def keep(self) -> None:
        """Look until cancelled."""
        looked = time.monotonic()
        while True:
            self.look()
            self.longest_pause_s = max(self.longest_pause_s, time.monotonic() - looked)
            looked = time.monotonic()
            await asyncio.sleep(self._look_s)

    def did(self, device: str, words: str) -> int:
        """Write down a deed, and return the number of its row, before all that comes of it."""
        self.look()
        self._write(time.monotonic(), device, "", words, DID)
        return len(self.rows) - 1

    async def until(self, number: int, most_s: float) -> list[Row]:
        """Return the rows from a number on, as soon as there is one; none if nothing came in time."""
        rows = self.since(number)
        if not rows:
            self._more.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._more.wait(), most_s)
            rows = self.since(number)
        return rows

    def since(self, number: int) -> list[Row]:
        """Return the rows from a number on, those of this moment among them."""
        self.look()
        return self.rows[number:]

    def look(self) -> None:
        """Note what has changed since the last look."""
        at = time.monotonic()
        for device, part in self._parts.items():
            # Edges first, with their own times: what shows below is how it stands after the last of them.
            for edge_at, name, level in part.edges():
                self._last[device, name] = level
                self._write(edge_at, device, name, level, SHOWED)
            shown = {name: value for name, value in part.shows().items() if name not in NOISE}
            if part.has_pictures:
                shown.pop("lines")
            if shown == self._whole.get(device):
                continue
            self._whole[device] = shown
            for name, value in _flat(shown):
                if self._last.get((device, name), _at_first(name, value)) != value:
                    self._write(at, device, name, value, SHOWED)
                self._last[device, name] = value

    def _write(self, *row: Any) -> None:  # noqa: ANN401 - the fields of a row
        self.rows.append(row)
        self._more.set()


def _at_first(name: str, value: object) -> object:
    """Return the value that need not be said at first: an empty place of a list, or nothing."""
    return value if value is None or ("." in name and not value) else _UNKNOWN


def _flat(shown: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the values with their names; a list has a name for each of its places."""
    for name, value in shown.items():
        if isinstance(value, list):
            yield from ((f"{name}.{place}", each) for place, each in enumerate(value))
        else:
            yield name, value
