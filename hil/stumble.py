"""An input for a slip: at a signal the program is handed an event that it cannot handle.

For the rig alone, as a driver whose device is the rig itself: nothing in the program knows of it, and a
bundle for a floor has neither this module nor the driver's name (``tools/make_bundle.py``). The event has a
time that nothing can be added to, as no device's has; so the table raises where it handles it, as over a
mistake of its own.
"""

import asyncio
from collections.abc import Callable, Mapping

from sabot.drivers.device import DeviceStatus, DriverKind, Host
from sabot.drivers.options import Value
from sabot.hil.slip_input import NAME, SIGNAL
from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event


@frozen(kw_only=True)
class Impossible(Event):
    """An event that no device makes."""


class NoTime(float):
    """A time that cannot be reckoned with."""

    def __add__(self, _other: object) -> float:
        """Raise ArithmeticError."""
        message = "the rig asked for a slip"
        raise ArithmeticError(message)


class StumbleDriver:
    """Hands the program an impossible event at each signal."""

    def __init__(self, name: str, _options: Mapping[str, Value], host: Host) -> None:
        self.name, self._host = name, host
        self._is_up = False

    async def start(self) -> None:
        """Listen for the signal."""
        asyncio.get_running_loop().add_signal_handler(SIGNAL, self._stumble)
        self._is_up = True

    def _stumble(self) -> None:
        self._host.post(Impossible(at=NoTime(self._host.now()), source=self.name))

    def perform(self, effect: Effect) -> None:
        """Do nothing: no effect means anything to it."""

    def retest(self, fault: str) -> None:
        """Do nothing: nothing is ever wrong with it."""

    def status(self) -> DeviceStatus:
        """Return that it listens."""
        return DeviceStatus(self.name, NAME, "signal", is_up=self._is_up)

    async def test(self, say: Callable[[str], None]) -> bool:
        """Say how it is used."""
        say(f"signal {SIGNAL.name} lets the program stumble: not for play")
        return True

    async def stop(self) -> None:
        """Listen no more."""
        asyncio.get_running_loop().remove_signal_handler(SIGNAL)
        self._is_up = False


KIND = DriverKind(
    NAME, "the rig's input for a slip of the program: not for play", "signal", (), StumbleDriver
)
