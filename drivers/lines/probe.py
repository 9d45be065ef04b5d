"""The pins one by one, for a technician who does not know yet what hangs on which.

Every pin but those of known outputs is read with the pull of the plan; one that another program holds is
left alone. Nothing is energised but by ``drive``, and ``close`` leaves every pin as it is without a program.
"""

import os
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from sabot.drivers.lines.errors import ERRORS, LinesGoneError
from sabot.drivers.lines.gpio import MODULE_VARIABLE, USUAL_MODULE
from sabot.drivers.lines.plan import FREE_PINS

if TYPE_CHECKING:
    from types import ModuleType


class Probe:
    """The pins of a board."""

    def __init__(self, module: str) -> None:
        self._name = os.environ.get(MODULE_VARIABLE, "") or module if module == USUAL_MODULE else module
        self._gpio: ModuleType
        self._pull = 0
        self.watched: list[int] = []
        self.held: list[int] = []

    def open(self, pull: str, outputs: Iterable[int]) -> None:
        """Take known outputs low first, then every other pin that can be had as an input."""
        try:
            self._gpio = gpio = import_module(self._name)
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            self._pull = {"up": gpio.PUD_UP, "down": gpio.PUD_DOWN, "off": gpio.PUD_OFF}[pull]
        except Exception as error:  # off a Pi it differs from version to version
            raise LinesGoneError(ERRORS["E-LINE-003"], "gpio", module=self._name, why=error) from error
        low = set(outputs)
        for pin in sorted(low):
            self._is_ours(pin, is_output=True)
        self.watched = [pin for pin in FREE_PINS if pin not in low and self._is_ours(pin, is_output=False)]

    def _is_ours(self, pin: int, *, is_output: bool) -> bool:
        """Take a pin, and return whether it could be had."""
        try:
            self._take(pin, is_output=is_output)
        except LinesGoneError:
            self.held.append(pin)
            return False
        return True

    def _take(self, pin: int, *, is_output: bool) -> None:
        gpio = self._gpio
        try:
            if is_output:
                gpio.setup(pin, gpio.OUT, initial=0)
            else:
                gpio.setup(pin, gpio.IN, pull_up_down=self._pull)
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-004"], "gpio", why=error) from error

    def levels(self) -> dict[int, int]:
        """Return the level of every pin that is watched."""
        try:
            return {pin: int(self._gpio.input(pin)) for pin in self.watched}
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-005"], "gpio", why=error) from error

    def drive(self, pin: int, level: int) -> None:
        """Set a pin as an output; it is watched no longer."""
        if pin in self.watched:
            self.watched.remove(pin)
        try:
            self._gpio.setup(pin, self._gpio.OUT, initial=level)
            self._gpio.output(pin, level)
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-004"], "gpio", why=error) from error

    def close(self) -> None:
        """Give every pin back: without a program each is an input."""
        try:
            self._gpio.cleanup()
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-005"], "gpio", why=error) from error
