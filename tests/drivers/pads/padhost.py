"""A program for the driver under test: a loop, an inbox, a keyring, and a bus with one simulated pad on it."""

import asyncio
import itertools
import time
from collections.abc import Callable, Coroutine
from typing import TypeVar

from sabot.drivers.device import Keyring
from sabot.drivers.options import Value
from sabot.drivers.pads import KIND
from sabot.drivers.pads.driver import PadsDriver
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.usb_bus import BUSES, Bus
from sabot.statemachine.vocabulary.events import Event

E = TypeVar("E", bound=Event)
_names = itertools.count()
PATIENCE_S = 10.0


class PadHost:
    """The host and the bus; ``driver`` is made by ``start``."""

    def __init__(self, pad: Pad | None = None, **options: Value) -> None:
        self.pad = pad or Pad(Build(spots=6))
        self.bus, self.name = Bus(), f"bus{next(_names)}"
        BUSES[self.name] = self.bus
        self.keys: dict[str, bytes] = {"pads": self.pad.build.public}
        self.keyring: Keyring = self
        self.events: list[Event] = []
        self.bytes: list[tuple[str, bytes]] = []
        backend = f"sabot.hil.simulators.usb_backend:in_process:{self.name}"
        self.options: dict[str, Value] = {"spots": "ante play bonus", "seats": 2, "backend": backend}
        self.options |= options
        self.driver = PadsDriver("pads", self.options, self)
        assert KIND.make is PadsDriver

    # what a driver asks of its host

    def key_of(self, device: str) -> bytes | None:
        return self.keys.get(device)

    def now(self) -> float:
        return time.monotonic()

    def post(self, event: Event) -> None:
        self.events.append(event)

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        self.bytes.append((f"{device} {direction}", data))

    # what a test asks

    async def up(self, *, plugged: bool = True) -> None:
        if plugged:
            self.bus.plug(self.pad)
        await self.driver.start()
        if plugged:
            await self.until(lambda: self.driver.status().is_up)

    async def until(self, is_so: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < end, (self.events, self.driver.status())
            await asyncio.sleep(0.002)

    def of(self, kind: type[E]) -> list[E]:
        return [each for each in self.events if isinstance(each, kind)]

    async def first(self, kind: type[E]) -> E:
        await self.until(lambda: self.of(kind))
        return self.of(kind)[0]


def run(test: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 30))
