"""The GPIO library, behind one adapter: RPi.GPIO's surface, whichever package provides it.

Its callbacks come from a thread of its own and their exceptions are printed and forgotten, so a callback
here does nothing but note the time and post, and cannot raise. Its errors are of many kinds (RuntimeError,
OSError, lgpio.error, which is neither): they leave here as one. After ``open`` and before ``close`` each
output has a level that was chosen, the safe one first.
"""

import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from sabot.drivers.lines.errors import ERRORS, LinesGoneError
from sabot.drivers.lines.plan import LinePlan, WiredLine
from sabot.drivers.threads import LoopDoor

MODULE_VARIABLE = "SABOT_GPIO_MODULE"
USUAL_MODULE = "RPi.GPIO"


class Pins:
    """The pins of a plan, in active and inactive, never in high and low."""

    def __init__(self, module: str, plan: LinePlan) -> None:
        self._name = os.environ.get(MODULE_VARIABLE, "") or module if module == USUAL_MODULE else module
        self._plan = plan
        self._gpio: ModuleType | None = None

    def open(self, edge_of: Callable[[WiredLine], Callable[[int], None]]) -> None:
        """Take the pins, safe outputs first; ``edge_of`` makes a callback for a thread of the library."""
        try:
            self._gpio = gpio = import_module(self._name)
        except Exception as error:  # what it raises off a Pi differs from version to version
            raise LinesGoneError(ERRORS["E-LINE-003"], "gpio", module=self._name, why=error) from error
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            # Outputs before inputs: from the first moment on a relay rests.
            self._make_safe(gpio)
            pull = {"up": gpio.PUD_UP, "down": gpio.PUD_DOWN, "off": gpio.PUD_OFF}[self._plan.pull]
            for line in self._plan.inputs:
                gpio.setup(line.pin, gpio.IN, pull_up_down=pull)
            # No ``bouncetime``: the libraries debounce differently, so neither is asked to.
            for line in self._plan.inputs:
                gpio.add_event_detect(line.pin, gpio.BOTH, callback=edge_of(line))
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-004"], "gpio", why=error) from error

    def _make_safe(self, gpio: ModuleType) -> None:
        for line in self._plan.outputs:
            gpio.setup(line.pin, gpio.OUT, initial=int(not line.is_active_high))

    def is_active(self, line: WiredLine) -> bool:
        """Return whether a line is active now, as its pin reads."""
        gpio = self._gpio
        try:
            return bool((gpio or _not_open()).input(line.pin)) == line.is_active_high
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-005"], "gpio", why=error) from error

    def drive(self, line: WiredLine, *, active: bool) -> None:
        """Set an output."""
        gpio = self._gpio
        try:
            (gpio or _not_open()).output(line.pin, int(active == line.is_active_high))
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-005"], "gpio", why=error) from error

    def is_driven(self, line: WiredLine) -> bool:
        """Return whether an output stands at its active level, read back from the pin."""
        try:
            return self.is_active(line)
        except LinesGoneError:
            # Not known is not safe: whoever asks wants to hear that it rests.
            return True

    def make_safe(self) -> list[str]:
        """Set every output to its safe level, each by itself; return the names of those that refused."""
        failed = []
        for line in self._plan.outputs:
            try:
                self.drive(line, active=False)
            except LinesGoneError:
                # The next one all the same: one pin that refuses must not keep the others energised.
                failed.append(line.name)
        return failed

    def close(self) -> None:
        """Give the chip back; outputs were made safe before, and a free pin is an input."""
        gpio, self._gpio = self._gpio, None
        try:
            if gpio is not None:
                gpio.cleanup()
        except Exception as error:
            raise LinesGoneError(ERRORS["E-LINE-005"], "gpio", why=error) from error


def _not_open() -> NoReturn:
    message = "the lines are not open"
    raise RuntimeError(message)


def poster(
    door: LoopDoor, now: Callable[[], float], noted: Callable[[WiredLine, float], None]
) -> Callable[[WiredLine], Callable[[int], None]]:
    """Return a maker of callbacks for lines; each notes the time and posts, and cannot raise."""

    def edge_of(line: WiredLine) -> Callable[[int], None]:
        def edge(_pin: int) -> None:
            try:
                door.post(noted, line, now())
            except Exception as error:  # the library would print it and go on
                door.broke(error)

        return edge

    return edge_of
