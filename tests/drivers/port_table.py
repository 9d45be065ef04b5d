"""Serial ports with real drivers and whatever devices, and the program around them that watches the ports."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sabot.drivers.device import DeviceStatus, DriverKind
from sabot.drivers.options import Value, defaults
from sabot.firmware.journal.content import Handled
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.driver_guard import Guarded, GuardedDriver
from sabot.firmware.run.driver_host import ProgramHost
from sabot.firmware.run.port_watch import PortPlace, PortWatch
from sabot.firmware.run.supervisor import Supervisor
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.statemachine.vocabulary.events import Event, LinkLost, LinkRestored

PATIENCE_S = 40.0
QUICK: dict[str, Value] = {"deadline_s": 0.2, "tries": 2}
Row = tuple[DriverKind, dict[str, Value], Callable[[], Any]]


class Keys(dict[str, bytes]):
    """Who is enrolled."""

    def key_of(self, device: str) -> bytes | None:
        return self.get(device)


class Around:
    """The program around the devices, as far as they need one."""

    def __init__(self, keys: Keys) -> None:
        self.clock, self.events = Clock(), list[Event]()
        self.supervisor = Supervisor(self)
        self.host = ProgramHost(self.clock, self.post, keys, self)
        self.watch = PortWatch(self, keys, self.host.ears)

    def now(self) -> float:
        return self.clock.now()

    def post(self, event: Event) -> None:
        self.events.append(event)
        self.watch.heed(0, Handled(event, ()))

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        return self.supervisor.spawn(work, name)

    def lost(self, device: str) -> list[str]:
        return [each.reason for each in self.events if isinstance(each, LinkLost) and each.device == device]

    def restored(self, device: str) -> int:
        return sum(isinstance(each, LinkRestored) and each.device == device for each in self.events)

    def tell_again(self, driver: GuardedDriver) -> None:
        raise AssertionError(driver.name)

    def slipped(self, error: BaseException, over: str) -> None:
        raise AssertionError(over) from error

    def device_broke(self, device: str, error: BaseException) -> None:
        raise AssertionError(device) from error

    def line_changed(self, name: str, *, is_active: bool) -> None:
        raise AssertionError(name, is_active)

    def must_restart(self, why: str) -> None:
        raise AssertionError(why)


@dataclass
class Table:
    """The devices, the cables by the name of the port that each is in, and the program's part."""

    around: Around
    drivers: dict[str, GuardedDriver]
    cables: dict[str, SimulatedPort]
    root: Path

    def status(self, name: str) -> DeviceStatus:
        return self.drivers[name].status()

    def device(self, name: str) -> Any:
        return self.cables[name].device

    def are_swapped(self, *names: str) -> bool:
        return all("E-LINK-009" in self.status(name).why for name in names)

    def exchange(self, one: str, other: str) -> None:
        """Pull two cables, and put each into the port of the other."""
        pair = self.cables[one], self.cables[other]
        for cable in pair:
            cable.unplug()
        pair[0].path, pair[1].path = pair[1].path, pair[0].path
        for cable in pair:
            cable.plug_in()


@asynccontextmanager
async def table(
    root: Path,
    rows: dict[str, Row],
    into: dict[str, str] | None = None,
    keys: Keys | None = None,
) -> AsyncIterator[Table]:
    """Devices and drivers at work; ``into`` names the port that a device's cable is in, if not its own."""
    around = Around(Keys() if keys is None else keys)
    cables = {
        name: SimulatedPort(row[2](), path=root / (into or {}).get(name, name)) for name, row in rows.items()
    }
    for cable in cables.values():
        cable.plug_in()
    drivers, places = {}, []
    for name, (kind, options, _device) in rows.items():
        given = defaults(kind.schema) | {"port": str(root / name), **options}
        make = _maker(kind, name, given, around.host)
        drivers[name] = GuardedDriver(Guarded(name, make), around)
        places.append(PortPlace(drivers[name], kind, given))
    for driver in drivers.values():
        await driver.start()
    around.watch.start(places)
    try:
        yield Table(around, drivers, cables, root)
    finally:
        await around.watch.stop()
        for driver in drivers.values():
            await driver.stop()
        for cable in cables.values():
            cable.unplug()


def _maker(kind: DriverKind, name: str, options: dict[str, Value], host: ProgramHost) -> Callable[[], Any]:
    return lambda: kind.make(name, options, host)


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 120))
