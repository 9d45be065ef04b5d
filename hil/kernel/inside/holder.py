"""The driver of the lines alone, in a process that may be killed.

What it posts goes out as a line of words each. When the chip is gone it ends with 75, as the program would.
"""

import asyncio
import sys
import time

from sabot.drivers.lines.driver import LinesDriver
from sabot.statemachine.vocabulary.effects import OpenSpots
from sabot.statemachine.vocabulary.events import Event, KeyPressed

AGAIN = 75


class HolderTold:
    """A host that says everything."""

    keyring = None

    def __init__(self) -> None:
        self.over = asyncio.Event()

    def now(self) -> float:
        """Return the time for every event."""
        return time.monotonic()

    def post(self, event: Event) -> None:
        """Print an event in words."""
        words = str(event.key) if isinstance(event, KeyPressed) else str(getattr(event, "reason", ""))
        _say(f"{type(event).__name__} {words}")

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Do nothing: lines have no bytes."""

    def must_restart(self, why: str) -> None:
        """Print why, and end this process."""
        _say(f"must_restart {why}")
        self.over.set()


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


async def hold() -> int:
    """Hold the lines until they are gone, and return the exit code."""
    host = HolderTold()
    driver = LinesDriver("lines", {"pull": "off", "lock_wagers": "ante"}, host)  # type: ignore[arg-type]
    await driver.start()
    driver.perform(OpenSpots(spots=((1, "ante"),), cite="rig"))
    _say(f"started {driver.status().is_up}")
    await host.over.wait()
    return AGAIN


if __name__ == "__main__":
    sys.exit(asyncio.run(hold()))
