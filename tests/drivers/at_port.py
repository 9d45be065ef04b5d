"""A driver at a real port: pyserial on a pseudo-terminal, a simulated device behind it, and a host that listens."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

from sabot.drivers.device import Keyring
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort
from sabot.statemachine.vocabulary.events import Event

PATIENCE_S = 30.0


class HearingTable:
    """The host of a driver: it keeps what is posted, and wakes who waits."""

    def __init__(self, key: bytes | None) -> None:
        self.keyring: Keyring = self
        self.key = key
        self.events: list[Event] = []
        self.heard: list[tuple[str, bytes]] = []
        self._changed = asyncio.Event()

    def key_of(self, _device: str) -> bytes | None:
        return self.key

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def post(self, event: Event) -> None:
        self.events.append(event)
        self._changed.set()

    def overhear(self, _device: str, direction: str, data: bytes) -> None:
        self.heard.append((direction, data))
        self._changed.set()

    async def until(self, is_so: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                self._changed.clear()
                await self._changed.wait()

    async def event(self, kind: type[Event], count: int = 1) -> Any:
        def found() -> list[Event]:
            return [event for event in self.events if isinstance(event, kind)]

        await self.until(lambda: len(found()) >= count)
        return found()[-1]


class Stoppable(Protocol):
    """A driver, as far as its end goes."""

    async def stop(self) -> None: ...


D = TypeVar("D", bound=Stoppable)


class PortRig(Generic[D]):
    """A driver, a port, a device."""

    driver: D
    port: SimulatedPort
    on_port: DeviceOnPort[Any]

    async def down(self) -> None:
        await self.driver.stop()
        self.on_port.stop()
        self.port.unplug()


AtPort = TypeVar("AtPort", bound=PortRig[Any])


def played(make: Callable[[], AtPort], play: Callable[[AtPort], Coroutine[Any, Any, None]]) -> AtPort:
    """Play something at a rig, and take it down again."""

    async def run() -> AtPort:
        rig = make()
        try:
            await play(rig)
        finally:
            await rig.down()
        return rig

    return asyncio.run(run())
