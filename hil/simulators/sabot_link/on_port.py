"""The simulated device on a pseudo-terminal, in real time.

What a person or a test does to the device goes out at once: whoever acts calls ``poke`` after it.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from sabot.hil.simulators.sabot_link.on_line import Action


class TimedDevice(Protocol):
    """A device that is driven by bytes and times."""

    now: float

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes of the host, and return the bytes of the answer."""

    def tick(self, now: float) -> bytes:
        """Let time pass, and return whatever the device has to say."""

    @property
    def deadline(self) -> float | None:
        """Return when ``tick`` has something to do; None if nothing is due."""

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the device."""


Timed = TypeVar("Timed", bound=TimedDevice)


class DeviceOnPort(Generic[Timed]):
    """A device as ``SimulatedPort`` sees it."""

    def __init__(self, device: Timed) -> None:
        self.device = device
        self._write: Callable[[bytes], None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def attached(self, write: Callable[[bytes], None]) -> None:
        """Take the way to the line, and send what is due."""
        self._write = write
        self.poke()

    def detached(self) -> None:
        """Lose the line; the works go on."""
        self._write = None

    def received(self, data: bytes) -> None:
        """Take bytes from the program."""
        self._send(self.device.receive(data, time.monotonic()))

    def poke(self) -> None:
        """Do what is due now, and wake when the next thing is."""
        self._send(self.device.tick(time.monotonic()))

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the device."""
        return {name: (words, self._acting(act)) for name, (words, act) in self.device.actions().items()}

    def _acting(self, act: Callable[[str], None]) -> Callable[[str], None]:
        def acting(rest: str) -> None:
            self.device.now = time.monotonic()
            act(rest)
            self.poke()

        return acting

    def _send(self, data: bytes) -> None:
        if data and self._write is not None:
            self._write(data)
        if self._timer is not None:
            self._timer.cancel()
        deadline = self.device.deadline
        if deadline is not None:
            delay_s = max(0.0, deadline - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(delay_s, self.poke)

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
