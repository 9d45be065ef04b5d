"""The program's end of a line: the reading shoe's driver with its real link, or a bare loop for scale."""

import asyncio
import os
import sys
import time

from sabot.drivers.device import Keyring
from sabot.drivers.options import Value, defaults
from sabot.drivers.registry import load
from sabot.statemachine.vocabulary.events import Event


class Host:
    """Lends the driver what it needs, and takes the events as they come."""

    keyring: Keyring

    def __init__(self) -> None:
        self.keyring, self.events = self, 0

    def key_of(self, _device: str) -> None:
        """A shoe of this dialect has no key."""

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def post(self, _event: Event) -> None:
        """An event is there: the driver answers the shoe only after this."""
        self.events += 1

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Nobody watches."""


async def bare() -> None:
    """For scale: a loop that reads the port and answers one byte, and does nothing else."""
    port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def answer() -> None:
        if os.read(port, 4096):
            os.write(port, b"\x06")

    asyncio.get_running_loop().add_reader(port, answer)
    os.write(port, b"\x02")
    await asyncio.Event().wait()


async def main() -> None:
    """Work until the line dies with the device."""
    kind = load("angel-eye")
    shoe: dict[str, Value] = {
        "port": sys.argv[1],
        "acknowledge_reports": True,
        "poll_s": 60.0,
        "gap_is_fault": False,
    }
    options: dict[str, Value] = {**defaults(kind.schema), **shoe}
    driver = kind.make("shoe", options, Host())
    await driver.start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(bare() if sys.argv[2:] == ["bare"] else main())
