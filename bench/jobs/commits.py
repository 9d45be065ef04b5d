"""Times the journal's commit beside a plain SQLite commit and a bare ``fdatasync``, on one medium in turns.

Each event of full rounds is one commit of the journal. After each, another database takes one row of as
many bytes under the same settings, and a file that many bytes and a flush: whatever the medium does just
then, it does to all three.
"""

import asyncio
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from statistics import quantiles
from typing import Any

from journalling import Desk
from playing import full_shift

from sabot.firmware.journal import store
from sabot.firmware.journal.writer import EntryListener, Writer

SEED, FIRST_ROUNDS = 641, 2
SETTINGS = ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=1000", "cache_size=-512")


class TimedWriter(Writer):
    """A writer that notes how long each commit takes until the loop is told, all of it and on the processor.

    What comes after is no part of it: the loop goes on while the thread still returns.
    """

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop, keeper: EntryListener) -> None:
        super().__init__(path, loop, keeper)
        self.commits_us: list[float] = []
        self.processor_us: list[float] = []
        self._began = self._spent = 0.0

    def _write(self, batch: list[Any]) -> bool:
        self._began, self._spent = time.perf_counter(), time.thread_time()
        return super()._write(batch)

    def _tell(self, what: Callable[..., None], *words: object) -> None:
        if what == self._keeper.durable:
            self.processor_us.append((time.thread_time() - self._spent) * 1e6)
            self.commits_us.append((time.perf_counter() - self._began) * 1e6)
        super()._tell(what, *words)


class Plain:
    """A database of one table, and a file."""

    def __init__(self, root: Path) -> None:
        self.db = sqlite3.connect(root / "plain.db", isolation_level=None)
        for setting in SETTINGS:
            self.db.execute(f"PRAGMA {setting}")
        self.db.execute("CREATE TABLE entry (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        self.file = os.open(root / "plain.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def commit(self, data: bytes) -> None:
        """One row, durable."""
        self.db.execute("INSERT INTO entry (body) VALUES (?)", (data,))

    def flush(self, data: bytes) -> None:
        """So many bytes at the end of a file, durable."""
        os.write(self.file, data)
        os.fdatasync(self.file)

    def close(self) -> None:
        """No more."""
        self.db.close()
        os.close(self.file)


def entry_bytes(journal: Path, after: int) -> int:
    """What the entries after one of them hold."""
    with closing(store.open_for_reading(journal)) as db:
        kept = store.entries(db, after + 1)
        return sum(len(each.body.encode()) + len(each.sealed) + len(each.link) for each in kept)


async def measured(root: Path, rounds: int) -> dict[str, list[float]]:
    """Microseconds of each commit; the first rounds say how many bytes one has."""
    shift = full_shift("manual_shoe", FIRST_ROUNDS + rounds, SEED)
    desk, plain = Desk(root, shift.setup, writer=TimedWriter), Plain(root)
    assert isinstance(desk.writer, TimedWriter)
    desk.begin()
    await desk.play(shift.opening)
    first = desk.writer.last
    wrote = await desk.play(event for events in shift.rounds[:FIRST_ROUNDS] for event in events)
    data = os.urandom(entry_bytes(desk.rooms.journal, first) // wrote.commits)
    found: dict[str, list[float]] = defaultdict(list)
    before = len(desk.writer.commits_us)
    for event in (event for events in shift.rounds[FIRST_ROUNDS:] for event in events):
        await desk.play([event])
        for name, way in (("plain", plain.commit), ("flush", plain.flush)):
            start, spent = time.perf_counter(), time.thread_time()
            way(data)
            found[f"{name} processor"].append((time.thread_time() - spent) * 1e6)
            found[name].append((time.perf_counter() - start) * 1e6)
    found["journal"] = desk.writer.commits_us[before:]
    found["processor"] = desk.writer.processor_us[before:]
    plain.close()
    await desk.end()
    return {**found, "bytes": [len(data)]}


def percentiles(times: list[float]) -> Mapping[str, float]:
    """The middle one and 99 of 100."""
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": cuts[49], "p99": cuts[98]}


def main() -> None:
    """Print the percentiles of each."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measured(Path(folder), int(sys.argv[1])))
    (size,) = found.pop("bytes")
    count = len(found["journal"])
    print(
        json.dumps({"bytes": size, "commits": count, **{name: percentiles(us) for name, us in found.items()}})
    )


if __name__ == "__main__":
    main()
