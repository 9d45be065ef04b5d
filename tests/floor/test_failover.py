"""PostgreSQL with a synchronous standby: the primary dies and the standby is promoted, and the money is the same."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

import pytest

from sabot.floor.committer import CommitAnswer
from sabot.floor.errors import FloorError
from sabot.floor.money import DOLLAR, UNITS
from sabot.floor.open_store import open_store

from .keeping import SOON_S, Kept, told
from .making import Teller
from .servers import Server, _children, either

TABLES = ("T1", "T2", "T3", "T4")


@pytest.fixture
def pair() -> Iterator[tuple[Server, Server]]:
    """A primary and its synchronous standby."""
    with Server.fresh() as primary:
        standby = primary.standby("b")
        primary.set("synchronous_standby_names", "b")
        primary.set("synchronous_commit", "remote_apply")
        primary.wait_for_sync()
        try:
            yield primary, standby
        finally:
            standby.stop()


@dataclass
class Talker(threading.Thread):
    """A table that says the same number until it is acknowledged, then the next."""

    kept: Kept
    teller: Teller
    stopped: threading.Event
    acknowledged: list[int] = field(default_factory=list)
    doubts: int = 0

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Until told to stop."""
        while not self.stopped.is_set():
            raw = self.teller.bets(self.teller.number + 1, 1, 2, 3)
            while not self._is_acknowledged(raw):
                self.doubts += 1
                time.sleep(0.05)
            self.acknowledged.append(self.teller.number)

    def _is_acknowledged(self, raw: bytes) -> bool:
        try:
            answer = self.kept.committer.take(raw).result(SOON_S)
        except FloorError:
            return False
        assert isinstance(answer, CommitAnswer)
        applied: int = told(answer)[-1]["applied"]
        return applied >= self.teller.number


def wait_for_more(talkers: list[Talker], more: int) -> None:
    """Until each table has said so many more."""
    before = [len(each.acknowledged) for each in talkers]
    until = time.monotonic() + SOON_S
    while any(len(each.acknowledged) < had + more for each, had in zip(talkers, before, strict=True)):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_prog_6_a_primary_dies_and_its_standby_goes_on_with_every_cent(pair: tuple[Server, Server]) -> None:
    primary, standby = pair
    with Kept.linked(either(primary, standby), *TABLES) as kept:
        stopped = threading.Event()
        talkers = [Talker(kept, teller, stopped) for teller in kept.tellers]
        for each in talkers:
            each.start()
        wait_for_more(talkers, 20)
        primary.crash()
        standby.promote()
        wait_for_more(talkers, 20)
        stopped.set()
        for each in talkers:
            each.join()
        kept.committer.stop()
        kept.reader.close()  # its server is gone; it finds the other one
        rows = sorted((each.table, each.message) for each in kept.reader.entries() if each.table)
        for (table, found), talker in zip(groupby(rows, lambda row: row[0]), talkers, strict=True):
            numbers = [number for _, number in found]
            assert numbers == list(range(1, len(numbers) + 1)), table
            assert set(talker.acknowledged) <= set(numbers)
        assert kept.units("pit.mega") == 10_000 * DOLLAR + len(rows) * 30 * UNITS
        assert sum(each.doubts for each in talkers) > 0


def test_prog_6_a_commit_that_did_not_wait_for_its_standby_is_in_doubt(pair: tuple[Server, Server]) -> None:
    """PostgreSQL reports a cancelled wait as success, with a warning: no table may take that for an answer."""
    primary, standby = pair
    assert standby.process is not None
    with Kept.linked(either(primary, standby), "T1") as kept:
        (one,) = kept.tellers
        frozen = [*_children(standby.process.pid), standby.process.pid]
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        raw = one.bets(1, 1)
        waits = kept.committer.take(raw)
        until = time.monotonic() + SOON_S
        while not primary.sql(
            "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
        ):
            assert time.monotonic() < until
            time.sleep(0.02)

        with pytest.raises(FloorError, match=r"E-FLOOR-013 .*nobody waited for the standby"):
            waits.result(SOON_S)
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
        assert kept.insist(raw).verdict == "again"
        assert kept.units("pit.mega") == 10_000 * DOLLAR + 10 * UNITS


def test_prog_6_a_primary_that_comes_back_after_a_promotion_is_not_led(pair: tuple[Server, Server]) -> None:
    primary, standby = pair
    with Kept.linked(either(primary, standby), "T1") as kept:
        (one,) = kept.tellers
        kept.take(one.bets(1, 1))
        primary.crash()
        standby.promote()
        kept.insist(one.bets(2, 1))
        newest = kept.committer.last
        standby.stop()
        (primary.data / "postmaster.pid").unlink()
        primary.start()

        with pytest.raises(FloorError):
            kept.take(one.bets(3, 1))
        until = time.monotonic() + SOON_S
        while kept.committer.trouble is None or kept.committer.trouble.kind.code != "E-FLOOR-014":
            assert time.monotonic() < until
            time.sleep(0.05)
        fresh = open_store(either(primary, standby))
        with pytest.raises(FloorError, match=f"entry {newest.number} is missing or another"):
            fresh.lead(newest)
        fresh.close()
