"""A driver that raises costs its device: locked once more, lost with code and place, made anew, or left out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from sabot.drivers.device import DeviceStatus
from sabot.firmware.run import driver_guard
from sabot.firmware.run.driver_guard import Guarded, GuardedDriver
from sabot.firmware.run.supervisor import DEVICE, Supervisor
from sabot.statemachine.vocabulary.effects import Effect, HaltShoe, LightSeat, LockWagers, OpenSpots
from sabot.statemachine.vocabulary.events import DeviceRetested, Event, LinkLost

OPEN = OpenSpots(spots=((1, "ante"),))


class Fragile:
    """A driver that raises where it is told to."""

    def __init__(self, breaks_at: str = "", *, also_when_it_leaves: bool = False) -> None:
        self.name, self.breaks_at, self.also_when_it_leaves = "shoe", breaks_at, also_when_it_leaves
        self.done: list[str] = []
        self.as_device = ""

    def _do(self, what: str) -> None:
        self.done.append(what)
        self.as_device = DEVICE.get()
        if what == self.breaks_at:
            raise ZeroDivisionError

    async def start(self) -> None:
        self._do("start")

    def perform(self, effect: Effect) -> None:
        self._do(type(effect).__name__)

    def retest(self, fault: str) -> None:
        self._do(f"retest {fault}")

    def status(self) -> DeviceStatus:
        self._do("status")
        return DeviceStatus("shoe", "fragile", "here", is_up=True)

    async def test(self, say: Callable[[str], None]) -> bool:
        say("working")
        self._do("test")
        return True

    async def stop(self) -> None:
        self._do("stop")
        if self.also_when_it_leaves:
            raise KeyError


class Around:
    """The program around a guard."""

    def __init__(self) -> None:
        self.time = 0.0
        self.posted: list[Event] = []
        self.told_again: list[str] = []
        self.slips: list[str] = []
        self.supervisor = Supervisor(self)

    def now(self) -> float:
        return self.time

    def post(self, event: Event) -> None:
        self.posted.append(event)

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        return self.supervisor.spawn(work, name)

    def tell_again(self, driver: GuardedDriver) -> None:
        self.told_again.append(driver.name)

    def slipped(self, error: BaseException, over: str) -> None:
        self.slips.append(f"{type(error).__name__}: {over}")

    def device_broke(self, device: str, error: BaseException) -> None:
        raise AssertionError(device) from error


class Bench:
    """A guard with the drivers that it makes, one after the other."""

    def __init__(self, *drivers: Fragile, holds_lock: bool = False) -> None:
        self.around, self.left = Around(), list(drivers)
        self.guard = GuardedDriver(Guarded("shoe", lambda: self.left.pop(0), holds_lock), self.around)

    @property
    def lost(self) -> list[str]:
        return [each.reason for each in self.around.posted if isinstance(each, LinkLost)]


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 20))


async def at(bench: Bench, what: str) -> None:
    """Bring a driver to do this."""
    calls: dict[str, Callable[[], object]] = {
        "LightSeat": lambda: bench.guard.perform(LightSeat(seat=1)),
        "retest all": lambda: bench.guard.retest("all"),
        "status": bench.guard.status,
    }
    if what == "start":
        await bench.guard.start()
    elif what == "test":
        assert not await bench.guard.test(lambda _words: None)
    else:
        calls[what]()


@pytest.mark.parametrize("what", ["start", "LightSeat", "retest all", "status", "test"])
def test_whatever_a_driver_breaks_over_its_device_is_locked_lost_and_left(what: str) -> None:
    async def work() -> None:
        driver = Fragile(what)
        bench = Bench(driver)
        await at(bench, what)
        await asyncio.sleep(0.01)

        assert driver.done[-3:] == ["LockWagers", "HaltShoe", "stop"]
        assert len(bench.lost) == 1
        assert bench.lost[0].startswith(
            "E-RUN-011 its driver stumbled (ZeroDivisionError at tests/firmware/run"
        )
        assert bench.guard.status().why.startswith("its driver stumbled")
        assert not bench.guard.status().is_up
        assert bench.around.slips == []
        bench.guard.perform(OPEN)
        assert "OpenSpots" not in driver.done
        await bench.guard.stop()

    run(work)


def test_a_driver_works_under_the_name_of_its_device() -> None:
    async def work() -> None:
        driver = Fragile()
        bench = Bench(driver)
        await bench.guard.start()
        assert driver.as_device == "shoe"
        bench.guard.perform(OPEN)
        assert driver.as_device == "shoe"
        assert DEVICE.get() == ""
        assert await bench.guard.test(lambda _words: None)
        bench.guard.retest("all")
        assert bench.guard.status().is_up
        await bench.guard.stop()
        assert driver.done == ["start", "OpenSpots", "test", "retest all", "status", "stop"]
        assert bench.around.posted == []

    run(work)


def test_a_driver_that_cannot_even_lock_or_leave_costs_no_more() -> None:
    async def work() -> None:
        driver = Fragile("LockWagers", also_when_it_leaves=True)
        bench = Bench(driver)
        bench.guard.perform(LockWagers())
        await asyncio.sleep(0.01)

        assert driver.done == ["LockWagers", "LockWagers", "HaltShoe", "stop"]
        assert len(bench.lost) == 1
        assert bench.around.slips == []

    run(work)


def test_a_new_driver_is_made_and_told_everything_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_guard, "AGAIN_S", 0.01)

    async def work() -> None:
        second = Fragile()
        bench = Bench(Fragile("LightSeat"), second)
        bench.guard.perform(LightSeat(seat=1))
        await asyncio.sleep(0.1)

        assert second.done == ["start"]
        assert bench.around.told_again == ["shoe"]
        bench.guard.perform(OPEN)
        assert second.done == ["start", "OpenSpots"]

    run(work)


def test_after_the_third_break_in_ten_minutes_it_stays_out_until_a_retest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver_guard, "AGAIN_S", 0.01)

    async def work() -> None:
        last = Fragile()
        bench = Bench(Fragile("start"), Fragile("start"), Fragile("start"), last)
        await bench.guard.start()
        await asyncio.sleep(0.2)
        assert len(bench.lost) == 3
        assert len(bench.left) == 1

        bench.guard.retest("lost_link")
        await asyncio.sleep(0.05)
        assert last.done == ["start"]
        (answer,) = [each for each in bench.around.posted if isinstance(each, DeviceRetested)]
        assert not answer.good

    run(work)


class LeavesSlowly(Fragile):
    """A driver that breaks over a lamp and takes its time to let go of its port."""

    def __init__(self) -> None:
        super().__init__("LightSeat")

    async def stop(self) -> None:
        await asyncio.sleep(0.05)
        await super().stop()


@pytest.mark.parametrize("breaks_at", ["", "start"])
def test_two_retests_while_a_broken_driver_leaves_make_one_new_driver(breaks_at: str) -> None:
    async def work() -> None:
        first, second = LeavesSlowly(), Fragile(breaks_at)
        bench = Bench(first, second, Fragile())
        bench.guard.perform(LightSeat(seat=1))
        bench.guard.retest("lost_link")
        bench.guard.retest("lost_link")
        await asyncio.sleep(0.2)

        assert first.done[-1] == "stop"
        assert second.done[0] == "start"
        assert len(bench.left) == 1
        assert [type(each) for each in bench.around.posted].count(DeviceRetested) == 2
        await bench.guard.stop()
        assert second.done[-1] == "stop"

    run(work)


def test_a_factory_that_breaks_is_a_break_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_guard, "AGAIN_S", 0.01)

    async def work() -> None:
        bench = Bench(Fragile("LightSeat"))  # there is no second one: pop raises IndexError
        bench.guard.perform(LightSeat(seat=1))
        await asyncio.sleep(0.2)

        assert [words.split("(")[1].split(" ")[0] for words in bench.lost] == [
            "ZeroDivisionError",
            "IndexError",
            "IndexError",
        ]
        assert not await bench.guard.test(bench.around.slips.append)
        assert "`retest shoe` starts its driver anew" in bench.around.slips.pop()

    run(work)


def test_a_stopped_guard_makes_no_new_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_guard, "AGAIN_S", 0.01)

    async def work() -> None:
        second = Fragile()
        bench = Bench(Fragile("LightSeat"), second)
        bench.guard.perform(LightSeat(seat=1))
        await bench.guard.stop()
        await asyncio.sleep(0.05)

        assert second.done == []

    run(work)


@pytest.mark.parametrize("what", ["start", "LightSeat", "retest all", "status", "test"])
def test_what_the_driver_of_the_lock_raises_is_its_callers(what: str) -> None:
    async def work() -> None:
        bench = Bench(Fragile(what), holds_lock=True)
        with pytest.raises(ZeroDivisionError):
            await at(bench, what)
        assert bench.lost == []

    run(work)


def test_the_driver_of_the_lock_that_breaks_in_the_loop_ends_the_program() -> None:
    async def work() -> None:
        bench = Bench(Fragile(), holds_lock=True)
        bench.guard.broke(ZeroDivisionError())

        assert bench.around.slips == ["ZeroDivisionError: the device shoe, on which the lock hangs"]
        assert bench.lost == []

    run(work)


def test_a_halt_reaches_a_shoe_that_broke_over_something_else() -> None:
    async def work() -> None:
        driver = Fragile("OpenSpots")
        Bench(driver).guard.perform(OPEN)

        assert driver.done == ["OpenSpots", LockWagers.__name__, HaltShoe.__name__]

    run(work)


class OnALine(Fragile):
    """A driver whose port may be lent."""

    is_mute, is_up, is_unanswered = False, True, False

    async def lend(self, use: Callable[[], Awaitable[None]]) -> None:
        await use()


def test_a_line_is_looked_at_only_while_its_driver_is_at_work() -> None:
    async def work() -> None:
        sound, broken, other = Bench(OnALine()), Bench(OnALine("start")), Bench(Fragile())
        for each in (sound, broken, other):
            await each.guard.start()
        assert sound.guard.line is not None
        assert broken.guard.line is None
        assert other.guard.line is None
        for each in (sound, broken, other):
            await each.guard.stop()
        assert sound.guard.line is None

    run(work)
