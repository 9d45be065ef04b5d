"""A driver on a real pseudo-terminal with a simulated device behind it, and a host that writes down its events."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sabot.drivers.device import DriverKind, Keyring
from sabot.drivers.options import Value
from sabot.drivers.wired import WiredDriver
from sabot.hil.simulators.lossy import Lossy
from sabot.hil.simulators.pty_port import ByteDevice, SimulatedPort
from sabot.statemachine.vocabulary.events import Event

from .waiting import until

VECTORS = Path(__file__).parent / "vectors"
Kind = TypeVar("Kind", bound=Event)


def vectors(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return found


class NoKeys:
    """Nobody is enrolled: these devices cannot prove who they are."""

    def key_of(self, device: str) -> bytes | None:
        raise AssertionError(f"{device} cannot authenticate")


@dataclass
class Paper:
    """The host: it keeps what is posted and what goes over the wire."""

    keyring: Keyring = field(default_factory=NoKeys)
    events: list[Event] = field(default_factory=list)
    wire: list[tuple[str, bytes]] = field(default_factory=list)

    def now(self) -> float:
        return time.monotonic()

    def post(self, event: Event) -> None:
        self.events.append(event)

    def overhear(self, _device: str, direction: str, data: bytes) -> None:
        self.wire.append((direction, data))

    def said(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    async def has(self, kind: type[Kind], count: int = 1) -> list[Kind]:
        await until(lambda: len(self.said(kind)) >= count, 30)
        return self.said(kind)

    def sent(self) -> bytes:
        return b"".join(data for direction, data in self.wire if direction == "out")


@dataclass
class Bench:
    """Everything that a test touches."""

    paper: Paper
    driver: Any
    port: SimulatedPort


@asynccontextmanager
async def at_work(
    kind: DriverKind,
    device: ByteDevice,
    path: Path,
    options: dict[str, Value] | None = None,
    line: Lossy | None = None,
    name: str = "shoe",
) -> AsyncIterator[Bench]:
    port = SimulatedPort(device, path=path, line=line)
    port.plug_in()
    paper = Paper()
    driver = kind.make(name, {"port": str(path), **(options or {})}, paper)
    assert isinstance(driver, WiredDriver)
    await driver.start()
    try:
        yield Bench(paper, driver, port)
    finally:
        await driver.stop()
        port.unplug()
    assert driver._task is None, "a driver that was stopped works no more"


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 90))
