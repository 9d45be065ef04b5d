"""A program for the lines under test, and the simulated chip that the module opens."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TypeVar

from sabot.drivers.lines import KIND
from sabot.drivers.lines.driver import LinesDriver
from sabot.drivers.options import Value
from sabot.hil.simulators import gpio
from sabot.hil.simulators.gpio.chip import Chip
from sabot.statemachine.vocabulary.events import Event, Key, KeyPressed

E = TypeVar("E", bound=Event)
PATIENCE_S = 10.0
MODULE = "sabot.hil.simulators.gpio"
DEFAULT = {option.name: option.default for option in KIND.schema}
PIN: dict[str, int] = {
    name: int(value)
    for name, value in DEFAULT.items()
    if isinstance(value, int) and not isinstance(value, bool)
}


class LinesHost:
    """The host; the chip is the module's own, new for each test."""

    keyring = None

    def __init__(self, **options: Value) -> None:
        gpio.reset()
        gpio.BOARD_CHIP = Chip()
        self.chip = gpio.BOARD_CHIP
        self.events: list[Event] = []
        self.lines: dict[str, bool] = {}
        self.restarts: list[str] = []
        self.driver = LinesDriver("lines", {"module": MODULE, **options}, self)  # type: ignore[arg-type]

    def now(self) -> float:
        return time.monotonic()

    def post(self, event: Event) -> None:
        self.events.append(event)

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        raise AssertionError((device, direction, data))  # lines have no bytes

    def line_changed(self, name: str, *, is_active: bool) -> None:
        self.lines[name] = is_active

    def must_restart(self, why: str) -> None:
        self.restarts.append(why)

    async def up(self) -> None:
        await self.driver.start()
        # A claim with a pull-up drives a line anew: contacts that are closed at rest close after it.
        for name in ("door", "lock_at_rest"):
            self.chip.drive(PIN[name], 0)
        await self.until(
            lambda: not any(self.driver.status().state.get(name) for name in ("door", "lock_at_rest"))
        )
        self.events.clear()

    async def until(self, is_so: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < end, (self.events, self.driver.status())
            await asyncio.sleep(0.002)

    async def first(self, kind: type[E]) -> E:
        await self.until(lambda: self.of(kind))
        return self.of(kind)[0]

    def of(self, kind: type[E]) -> list[E]:
        return [each for each in self.events if isinstance(each, kind)]

    def pressed(self) -> list[Key]:
        return [each.key for each in self.of(KeyPressed)]

    def press(self, name: str) -> None:
        self.chip.drive(PIN[name], 0)

    def release(self, name: str) -> None:
        self.chip.drive(PIN[name], 1)


def with_lines(test: Callable[[LinesHost], Coroutine[None, None, None]], **options: Value) -> LinesHost:
    """Run a test with lines that are up; what the outputs were left at can be looked at after."""
    host = LinesHost(**options)

    async def whole() -> None:
        try:
            await host.up()
            await test(host)
        finally:
            await host.driver.stop()
            gpio.reset()

    asyncio.run(asyncio.wait_for(whole(), 30))
    return host
