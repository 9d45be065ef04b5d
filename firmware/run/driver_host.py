"""The host of a driver: the clock, the inbox, enrolled keys, and ears for whoever watches."""

from collections.abc import Callable
from typing import Protocol

from sabot.drivers.device import Keyring
from sabot.firmware.run.clock import Clock
from sabot.statemachine.vocabulary.events import Event

Ear = Callable[[str, str, bytes], None]


class Lines(Protocol):
    """The program's use of lines."""

    def line_changed(self, name: str, *, is_active: bool) -> None:
        """A line that is no event of the table."""

    def must_restart(self, why: str) -> None:
        """Only a new process can have its lines back."""


class ProgramHost:
    """One host for all drivers of a table."""

    def __init__(
        self, clock: Clock, inbox: Callable[[Event], None], keyring: Keyring, program: "Lines"
    ) -> None:
        self.keyring = keyring
        self.ears: list[Ear] = []
        self._program = program
        # A driver's now() and post() are the program's own: a key's way to the lock has no step too many.
        self.now: Callable[[], float] = clock.now
        self.post: Callable[[Event], None] = inbox

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Pass on what went over a wire."""
        for ear in self.ears:
            ear(device, direction, data)

    def line_changed(self, name: str, *, is_active: bool) -> None:
        """A line that is no event of the table: the key switch, a cover."""
        self._program.line_changed(name, is_active=is_active)

    def must_restart(self, why: str) -> None:
        """The lines can never come back in this process."""
        self._program.must_restart(why)
