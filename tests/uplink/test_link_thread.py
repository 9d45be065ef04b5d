"""The link's thread and the table's loop: what one says after the other has ended harms nothing."""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sabot.floor.wire import hex_of
from sabot.uplink.durable_end import KeptEnd
from sabot.uplink.link_thread import LinkThread, clock_after
from tests.floor.making import key

FEW = 8


class Journal:
    """A journal without an entry; ``broken`` is raised in place of an answer."""

    def __init__(self, broken: Exception | None = None) -> None:
        self._broken = broken

    def last(self) -> int:
        if self._broken is not None:
            raise self._broken
        return 0

    def says(self, _above: int, _upto: int) -> list[Any]:
        return []

    def day(self, _upto: int) -> dict[str, object]:
        return {}


class Loop:
    """The table's loop, which hears how the thread broke."""

    def __init__(self) -> None:
        self.broke: list[BaseException] = []

    def floor_said(self, message: Any, about: Any) -> None: ...

    def link_is(self, link: str, config: int, why: str) -> None: ...

    def sign_is(self, link: str, sign: Any) -> None: ...

    def link_broke(self, error: BaseException) -> None:
        self.broke.append(error)


def thread_of(folder: Path, loop: Loop, journal: Journal) -> LinkThread:
    def opened() -> KeptEnd:
        return KeptEnd(folder / "link.db", "T1", key("T1"), hex_of(key("floor")))

    return LinkThread(opened, ("pit",), folder / "link", journal, loop, 0)


def written_elsewhere(thread: LinkThread, folder: Path) -> list[bytes]:
    """Open files, which take the numbers of whatever was closed, then have the loop speak to the thread."""
    with ExitStack() as stack:
        for each in range(FEW):
            stack.enter_context((folder / f"file{each}").open("wb"))
        thread.durable(1)
    return [(folder / f"file{each}").read_bytes() for each in range(FEW)]


def test_prog_12_the_loop_writes_into_no_file_after_the_thread_broke(tmp_path: Path) -> None:
    loop = Loop()
    thread = thread_of(tmp_path, loop, Journal(ValueError("nobody expected it")))
    thread.start()
    thread.join()

    assert [str(each) for each in loop.broke] == ["nobody expected it"]
    assert written_elsewhere(thread, tmp_path) == [b""] * FEW
    thread.end()


def test_prog_12_the_loop_writes_into_no_file_after_the_link_has_ended(tmp_path: Path) -> None:
    thread = thread_of(tmp_path, Loop(), Journal())
    thread.start()
    thread.end()
    thread.end()

    assert not thread.is_alive()
    assert written_elsewhere(thread, tmp_path) == [b""] * FEW


def test_prog_12_a_link_that_never_began_leaves_nothing_open(tmp_path: Path) -> None:
    before = set(Path("/proc/self/fd").iterdir())
    thread = thread_of(tmp_path, Loop(), Journal())
    thread.end()

    assert set(Path("/proc/self/fd").iterdir()) <= before


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_prog_9_a_clock_that_is_set_back_puts_no_hour_into_a_minute() -> None:
    at, now, seen = NOON, NOON - timedelta(hours=1), []
    while at > now:
        now += timedelta(seconds=30)
        at = clock_after(at, now, 30.0)
        seen.append(at)

    assert all(after > before for before, after in itertools.pairwise(seen))
    minutes = [each.replace(second=0, microsecond=0) for each in seen]
    assert max(minutes.count(each) for each in minutes) <= 4, "two minutes of play in one, at most"
    assert seen[-1] == now == NOON + timedelta(hours=1)


def test_prog_12_no_time_of_a_table_is_said_twice() -> None:
    first = clock_after(NOON, NOON, 0.0)

    assert first - NOON == timedelta(milliseconds=1)
    assert clock_after(first, NOON, 0.0) > first
    assert clock_after(first, NOON + timedelta(hours=1), 0.1) == NOON + timedelta(hours=1)
