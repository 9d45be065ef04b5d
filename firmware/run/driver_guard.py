"""A driver behind a guard: what it raises costs its device, and never the table.

A driver promises not to raise; one that does all the same is taken out of work. Its device is locked and
halted once more in the same turn and then left in its safe state; the table hears that the link is lost, with
code and place; after a while a new driver is made for the device, as if it had been plugged in again. One
that breaks again and again stays out until a technician orders a retest.

The driver of the lock is the exception: with it broken nobody knows what the lock output does, so the program
stops, and without a program the output falls to its safe level.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, Protocol

import structlog

from sabot.drivers.device import DeviceStatus, Driver, OnALine
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.slips import places
from sabot.firmware.run.supervisor import DEVICE, of_device
from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.effects import Effect, HaltShoe, LockWagers
from sabot.statemachine.vocabulary.events import DeviceRetested, Event, LinkLost
from sabot.statemachine.vocabulary.fault_kinds import POLICY

AGAIN_S = 5.0
MOST_BREAKS, WITHIN_S = 3, 600.0
LEAVING_S = 2.0


class Surroundings(Protocol):
    """The part of the program that a guard needs."""

    def now(self) -> float:
        """Return monotonic seconds."""

    def post(self, event: Event) -> None:
        """Put an event into the inbox."""

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> "asyncio.Task[Any]":
        """Begin a task of the program."""

    def tell_again(self, driver: "GuardedDriver") -> None:
        """Tell a driver that was made anew everything that holds."""

    def slipped(self, error: BaseException, over: str) -> None:
        """Stop the program."""


@frozen
class Guarded:
    """A device of the table file: how a driver for it is made, and whether the lock hangs on it."""

    name: str
    make: Callable[[], Driver]
    holds_lock: bool = False


class GuardedDriver:
    """One device of the table: its driver of the moment, and what becomes of it when it breaks."""

    def __init__(self, device: Guarded, around: Surroundings) -> None:
        self.name = device.name
        self._device, self._around = device, around
        self._take(device.make())
        # Says that another device is on its port; as long as it does, this one counts as down.
        self.misplaced = ""
        self._broken: RunError | None = None
        self._breaks: list[float] = []
        self._later: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._is_due = self._is_stopped = False
        # What the lock's driver raises is left to whoever called, so that nothing more is done on the way.
        self._caught: tuple[type[Exception], ...] = () if device.holds_lock else (Exception,)
        self._log = structlog.get_logger().bind(device=device.name)

    def _take(self, driver: Driver) -> None:
        self._driver = driver
        # Asked once: whether something fits a protocol is looked up name by name, each time.
        self._on_a_line = driver if isinstance(driver, OnALine) else None

    # ------------------------------------------------------------ a driver, as the program sees it

    async def start(self) -> None:
        """Start the driver; all that it leaves to the loop carries the name of its device."""
        before = DEVICE.set(self.name)
        try:
            await self._driver.start()
        except self._caught as error:
            self.broke(error)
        finally:
            DEVICE.reset(before)

    def perform(self, effect: Effect) -> None:
        """Pass an effect on; a driver that breaks over it is out of work."""
        if self._broken is not None:
            return
        before = DEVICE.set(self.name)
        try:
            self._driver.perform(effect)
        except self._caught as error:
            self.broke(error)
        finally:
            DEVICE.reset(before)

    def retest(self, fault: str) -> None:
        """Test the cause of a fault again. Of a broken driver a new one is made, which is the test."""
        if self._broken is None:
            try:
                of_device(self.name, self._driver.retest, fault)
            except self._caught as error:
                self.broke(error)
            return
        # A person has looked: the count begins anew.
        self._breaks.clear()
        self._make_anew()  # good news comes with the link
        about = {"at": self._around.now(), "source": self.name, "device": self.name}
        self._around.post(DeviceRetested(**about, fault=fault, good=False))  # type: ignore[arg-type]

    def status(self) -> DeviceStatus:
        """Return the status of the device; a broken or misplaced one is down, and the status says why."""
        try:
            found = self._driver.status()
        except self._caught as error:
            self.broke(error)
            found = DeviceStatus(self.name, "?", "?", is_up=False)
        why = self._broken.what if self._broken is not None else self.misplaced
        return replace(found, is_up=False, why=why) if why else found

    @property
    def line(self) -> OnALine | None:
        """The driver, where it is on a line that may be looked at; None while it is out of work."""
        is_at_work = self._broken is None and not self._is_stopped
        return self._on_a_line if is_at_work else None

    async def lend(self, use: Callable[[], Awaitable[None]]) -> None:
        """Leave the port to somebody else for a while; all that the driver begins anew carries its name."""
        line, before = self.line, DEVICE.set(self.name)
        try:
            if line is not None:
                await line.lend(use)
        except self._caught as error:
            self.broke(error)
        finally:
            DEVICE.reset(before)

    async def test(self, say: Callable[[str], None]) -> bool:
        """Run the technician's test of the device."""
        if self._broken is None:
            try:
                return await self._driver.test(say)
            except self._caught as error:
                self.broke(error)
        say(f"{self.name}: {self._why}; `retest {self.name}` starts its driver anew")
        return False

    async def stop(self) -> None:
        """Leave the device in its safe state and let go of it."""
        self._is_stopped = True
        if self._later is not None:
            self._later.cancel()
        if self._broken is None:
            await self._driver.stop()
        elif self._leaving is not None:
            await self._leaving

    # ------------------------------------------------------------ a driver that broke

    def broke(self, error: BaseException) -> None:
        """Lose the device over what its driver raised; over the driver of the lock the program stops."""
        if self._device.holds_lock:
            self._around.slipped(error, f"the device {self.name}, on which the lock hangs")
        elif self._broken is None:
            self._lose(error)

    def _lose(self, error: BaseException) -> None:
        now, frames = self._around.now(), places(error)
        self._broken = RunError("E-RUN-011", self.name, error=type(error).__name__, at=frames[-1])
        self._log.error("driver broke", error=type(error).__name__, frames=frames)
        self._breaks = [each for each in self._breaks if now - each < WITHIN_S] + [now]
        self._lock_once_more()
        self._leaving = self._around.spawn(self._leave(self._driver), f"leaving {self.name}")
        # For the table a broken driver is a device that is not heard.
        self._around.post(LinkLost(at=now, source=self.name, device=self.name, reason=self._why))
        # From the third time on a person asks for a new one, with `retest`.
        if len(self._breaks) < MOST_BREAKS:
            self._later = asyncio.get_running_loop().call_later(AGAIN_S, self._make_anew)

    def _lock_once_more(self) -> None:
        """Lock and halt once more: the driver may have broken over the very lock, and still manage it now."""
        for effect in (LockWagers(cite=POLICY), HaltShoe(cite=POLICY)):
            try:
                of_device(self.name, self._driver.perform, effect)
            except Exception as error:
                self._log.error("not locked by its driver", error=type(error).__name__, frames=places(error))

    @property
    def _why(self) -> str:
        return f"{self._broken.kind.code} {self._broken.what}" if self._broken is not None else ""

    def _make_anew(self) -> None:
        if self._later is not None:
            self._later.cancel()
        # Once, however often somebody asks while the old one leaves: two new drivers would meet at one port.
        if not self._is_due:
            self._is_due = True
            self._around.spawn(self._begin_anew(), f"starting {self.name}")

    async def _begin_anew(self) -> None:
        """Start a new driver once the old one has let go of the port; it says itself when it is up."""
        if self._leaving is not None:
            await self._leaving
        self._is_due = False
        if self._is_stopped:
            return
        # Before it is made: one that cannot be made is lost once more, and counts.
        self._broken = None
        try:
            self._take(self._device.make())
        except self._caught as error:
            self.broke(error)
            return
        await self.start()
        self._around.tell_again(self)

    async def _leave(self, driver: Driver) -> None:
        """Let a driver go, as far as it can still leave its device safe."""
        try:
            async with asyncio.timeout(LEAVING_S):
                await driver.stop()
        except Exception as error:
            self._log.warning("driver not left in order", error=type(error).__name__, frames=places(error))
