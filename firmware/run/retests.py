"""Causes of faults tested again by order of the table: RETEST of the floor's list reaches its driver."""

from collections.abc import Iterable

from sabot.drivers.device import Driver
from sabot.statemachine.alarms import ONE_MACHINE
from sabot.statemachine.vocabulary.effects import Effect, RetestDevice


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
