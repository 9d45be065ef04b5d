"""The program as its drivers have it: the host that each is given, and the performer of a retest.

A host has the clock, the inbox, enrolled keys, and ears for whoever watches. RETEST of the floor's list
reaches the driver whose device it names.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from sabot.drivers.device import Driver, Keyring
from sabot.firmware.run.clock import Clock
from sabot.statemachine.alarms import ONE_MACHINE
from sabot.statemachine.vocabulary.effects import Effect, RetestDevice
from sabot.statemachine.vocabulary.events import Event

Ear = Callable[[str, str, bytes], None]


class Lines(Protocol):
    """The part of the program that hears of lines."""

    def line_changed(self, name: str, *, is_active: bool) -> None:
        """Take a line that is no event of the table."""

    def must_restart(self, why: str) -> None:
        """End the program to be started again: only a new process can have its lines back."""


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
        """Pass on a line that is no event of the table: the key switch, a cover."""
        self._program.line_changed(name, is_active=is_active)

    def must_restart(self, why: str) -> None:
        """Pass on that the lines can never come back in this process."""
        self._program.must_restart(why)


def driver_of(drivers: Iterable[Driver], device: str, *, is_one_machine: bool) -> Driver | None:
    """Return the driver of a device; one machine that shuffles and deals answers to both names."""
    names = ONE_MACHINE if is_one_machine and device in ONE_MACHINE else {device}
    return next((driver for driver in drivers if driver.name in names), None)


class Retests:
    """A performer that lets drivers test again."""

    def __init__(self, drivers: Iterable[Driver], *, is_one_machine: bool) -> None:
        self._drivers, self._is_one_machine = drivers, is_one_machine

    def perform(self, effect: Effect) -> None:
        """Hand an order to the driver that it concerns; a device that is none has nobody to ask."""
        if type(effect) is RetestDevice:
            driver = driver_of(self._drivers, effect.device, is_one_machine=self._is_one_machine)
            if driver is not None:
                driver.retest(effect.fault)
