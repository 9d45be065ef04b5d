"""The line of figures each minute, and a journal that ends, or stands still, without a word."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from structlog.testing import capture_logs

from sabot.drivers.convention import Statistics
from sabot.drivers.device import DeviceStatus
from sabot.firmware.run import pulse
from sabot.firmware.run.pulse import Pulse

SHOE = DeviceStatus(
    "shoe", "angel-eye", "/dev/shoe", is_up=True, statistics=Statistics(frames_in=7, frames_out=3, resyncs=2)
)


@dataclass
class Inside:
    events: int = 12
    inbox: int = 1


@dataclass
class Journal:
    commits: int = 4
    waiting: int = 0
    is_alive: bool = True
    is_stuck: bool = False


@dataclass
class Keeper:
    told: list[str] = field(default_factory=list)

    def stuck(self, reason: str) -> None:
        self.told.append(reason)

    def unstuck(self) -> None:
        self.told.append("")


@dataclass
class Bench:
    journal: Journal = field(default_factory=Journal)
    keeper: Keeper = field(default_factory=Keeper)

    def watch(self, steps: Callable[["Bench"], None] | None, until: Callable[["Bench"], bool]) -> list[str]:
        """A pulse at work until something is so; what was told of the journal."""

        async def work() -> None:
            beat = Pulse(Inside(), self.journal, lambda: (SHOE,), self.keeper)
            beat.start()
            async with asyncio.timeout(60):
                while not until(self):
                    if steps is not None:
                        steps(self)
                    await asyncio.sleep(0.005)
            beat.stop()

        asyncio.run(work())
        return self.keeper.told


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "LOOK_S", 0.01)
    monkeypatch.setattr(pulse, "STALLED_S", 0.05)


def test_each_minute_one_line_has_all_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "EVERY_S", 0.02)
    with capture_logs() as lines:
        Bench().watch(None, lambda _bench: bool(lines))

    (line, *_) = [each for each in lines if each["event"] == "statistics"]
    assert line.keys() >= {"loop_lag_ms", "inbox", "commits", "celsius", "undervolted", "throttled"}
    assert (line["inbox"], line["events"], line["commits"], line["not_durable"]) == (1, 12, 4, 0)
    assert line["memory_mb"] > 1
    assert line["devices"] == {"shoe": {"up": True, "in": 7, "out": 3, "errors": 2, "retries": 0}}


def test_how_late_the_loop_was_counts_until_it_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "EVERY_S", 0.02)
    late_s = 3600.0

    async def work() -> None:
        beat = Pulse(Inside(), Journal(), lambda: (SHOE,), Keeper())
        beat.lag_s = late_s
        beat.start()
        async with asyncio.timeout(60):
            while len(lines) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        beat.stop()

    with capture_logs() as lines:
        asyncio.run(work())

    first, *others = [each["loop_lag_ms"] for each in lines if each["event"] == "statistics"]
    assert first == late_s * 1000
    assert max(others) < late_s * 1000


def test_a_thread_that_ended_is_told_once() -> None:
    bench = Bench(Journal(is_alive=False))
    looks = 0

    def count(_bench: Bench) -> None:
        nonlocal looks
        looks += 1

    assert bench.watch(count, lambda _bench: looks > 20) == ["the journal's thread has ended"]


def test_a_journal_that_stands_still_while_entries_wait_is_told_and_so_is_its_return() -> None:
    bench = Bench(Journal(waiting=3))
    assert bench.watch(None, lambda each: bool(each.keeper.told)) == ["nothing was written for 0 s"]

    bench = Bench(Journal(waiting=3))

    def go_on(each: Bench) -> None:
        if each.keeper.told:
            each.journal.commits += 1

    told = bench.watch(go_on, lambda each: len(each.keeper.told) > 1)
    assert told == ["nothing was written for 0 s", ""]


@pytest.mark.parametrize("how", ["writes", "idle", "says so itself"])
def test_a_journal_that_writes_or_rests_or_speaks_for_itself_is_left_alone(how: str) -> None:
    bench = Bench(Journal(waiting=0 if how == "idle" else 3, is_stuck=how == "says so itself"))
    looks = 0

    def step(each: Bench) -> None:
        nonlocal looks
        looks += 1
        each.journal.commits += how == "writes"

    assert bench.watch(step, lambda _bench: looks > 40) == []
