"""One driver at work without a table: for a technician who wants to know who a device is, or to test it."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field

import structlog

from sabot.drivers.device import DeviceStatus, Driver, DriverKind, Keyring
from sabot.drivers.errors import ERRORS, DriverError
from sabot.drivers.options import Value
from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.events import Event

# A device comes up without an event, so its status is looked at so often.
LOOK_S = 0.1


@frozen
class OneKey:
    """The key that the technician gave, for whichever device is asked for."""

    key: bytes | None

    def key_of(self, device: str) -> bytes | None:  # noqa: ARG002 - there is but one device
        """Return that key."""
        return self.key


@dataclass
class SingleDriverHost:
    """A host for a single driver: a clock, and an inbox that nobody decides upon."""

    keyring: Keyring
    news: asyncio.Event = field(default_factory=asyncio.Event)
    events: list[Event] = field(default_factory=list)

    def now(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    def post(self, event: Event) -> None:
        """Keep an event, and wake whoever waits for news."""
        self.events.append(event)
        self.news.set()

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Pass it over: nobody watches, for the monitor opens the port by itself."""


@asynccontextmanager
async def at_work(
    kind: DriverKind, options: Mapping[str, Value], key: bytes | None, patience_s: float
) -> AsyncIterator[tuple[Driver, SingleDriverHost]]:
    """Start a driver, wait for it to come up, and stop it in its safe state in any case."""
    _log_to_standard_error()
    host = SingleDriverHost(OneKey(key))
    try:
        driver = kind.make(kind.name, options, host)
    except ImportError as error:
        raise DriverError(ERRORS["E-LINK-005"], kind.name, driver=kind.name, why=error) from error
    await driver.start()
    try:
        await _until_up(driver, host, patience_s)
        yield driver, host
    finally:
        await driver.stop()


def _log_to_standard_error() -> None:
    """Log to standard error, apart from the answer; a traceback comes without the values of its variables."""
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(
        processors=[structlog.processors.add_log_level, plain],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


async def _until_up(driver: Driver, host: SingleDriverHost, patience_s: float) -> None:
    try:
        async with asyncio.timeout(patience_s):
            while not driver.status().is_up:
                host.news.clear()
                await _news_or_a_while(host)
    except TimeoutError:
        return


async def _news_or_a_while(host: SingleDriverHost) -> None:
    try:
        await asyncio.wait_for(host.news.wait(), LOOK_S)
    except TimeoutError:
        return


def as_json(status: DeviceStatus) -> dict[str, object]:
    """Return the status of a device for other programs."""
    identity, statistics = status.identity, status.statistics
    return {
        "device": status.name,
        "driver": status.driver,
        "port": status.port,
        "is_up": status.is_up,
        "why": status.why,
        "identity": asdict(identity),
        "statistics": {name: getattr(statistics, name) for name in statistics.__slots__},
        "state": dict(status.state),
    }
