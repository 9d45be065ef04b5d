"""A GPIO module with the surface of RPi.GPIO and the artefacts of the real one, over a simulated chip.

Name it in place of ``RPi.GPIO``. The chip is ``BOARD_CHIP`` of this process, or one behind the Unix socket
that the variable SABOT_GPIO_SOCKET names. As with rpi-lgpio, callbacks come from a thread of their own, what
they raise is printed and forgotten, edges less than five milliseconds apart may be told once, an error of the
chip is an exception of its own kind, and when the chip vanishes that thread writes to stderr without end.
There is no PWM, no SPI and no I2C: Sabot uses none.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from queue import SimpleQueue

from sabot.hil.simulators.gpio.chip import IN as _WAY_IN
from sabot.hil.simulators.gpio.chip import LINES, Chip, ChipError
from sabot.hil.simulators.gpio.chip import OUT as _WAY_OUT
from sabot.hil.simulators.gpio.remote import RemoteChip

error = ChipError
VERSION = "0.7.2"
RPI_INFO = {"TYPE": "simulated", "REVISION": "0", "P1_REVISION": 3}
UNKNOWN, BOARD, BCM = -1, 10, 11
PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
OUT, IN = 0, 1
LOW, HIGH = 0, 1
RISING, FALLING, BOTH = 31, 32, 33
SOCKET_VARIABLE = "SABOT_GPIO_SOCKET"
COALESCE_S = 0.005
BOARD_CHIP = Chip()
Callback = Callable[[int], object]

_OWNER = "this program"
_PULLS = {PUD_OFF: "off", PUD_DOWN: "down", PUD_UP: "up"}
_EDGES = {RISING: (1,), FALLING: (0,), BOTH: (0, 1)}
_NO_MODE = "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)"


class _State:
    mode = UNKNOWN
    chip: Chip | RemoteChip | None = None
    watcher: "_Watcher | None" = None


class _Watcher:
    """The thread that calls back, as lgpio's does."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[tuple[int, int] | None] = SimpleQueue()
        self.callbacks: dict[int, tuple[int, list[Callback]]] = {}
        self.detected: set[int] = set()
        self._told_at: dict[int, float] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gpio-alerts", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while (alert := self.queue.get()) is not None:
            pin, level = alert
            if pin < 0:
                self._flood()
            elif pin in self.callbacks and level in _EDGES[self.callbacks[pin][0]]:
                self._call(pin)

    def _call(self, pin: int) -> None:
        now = time.monotonic()
        if now - self._told_at.get(pin, 0.0) < COALESCE_S:
            return
        self._told_at[pin] = now
        self.detected.add(pin)
        for callback in list(self.callbacks[pin][1]):
            try:
                callback(pin)
            except Exception as problem:  # just so does the real one
                print(problem, file=sys.stderr)  # noqa: T201

    def _flood(self) -> None:
        while not self._is_over.wait(0.001):
            print("lgPthAlert: read error 19", file=sys.stderr)  # noqa: T201

    def end(self) -> None:
        """End the thread, which only a simulation can."""
        self._is_over.set()
        self.queue.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()


def getmode() -> int | None:
    """Return the numbering; None if none is chosen."""
    return None if _State.mode == UNKNOWN else _State.mode


def setmode(new_mode: int) -> None:
    """Choose the numbering, and open the chip."""
    if _State.mode not in (UNKNOWN, new_mode):
        message = "A different mode has already been set!"
        raise ValueError(message)
    if new_mode != BCM:
        message = "An invalid mode was passed to setmode()"
        raise ValueError(message)
    if _State.chip is None:
        path = os.environ.get(SOCKET_VARIABLE)
        _State.chip = RemoteChip(path) if path else BOARD_CHIP
    _State.mode = new_mode


def setwarnings(value: bool) -> None:  # noqa: FBT001 - the real one's signature
    """Do nothing: nothing warns here."""


def _chip() -> Chip | RemoteChip:
    if _State.mode == UNKNOWN or _State.chip is None:
        raise RuntimeError(_NO_MODE)
    return _State.chip


def _pins(channels: int | Iterable[int]) -> list[int]:
    pins = [channels] if isinstance(channels, int) else list(channels)
    _chip()
    for pin in pins:
        if not 0 <= pin < LINES:
            message = "The channel sent is invalid on a Raspberry Pi"
            raise ValueError(message)
    return pins


def setup(
    channels: int | Iterable[int], direction: int, pull_up_down: int = PUD_OFF, initial: int | None = None
) -> None:
    """Claim lines."""
    for pin in _pins(channels):
        if direction == IN:
            _chip().claim_input(_OWNER, pin, _PULLS[pull_up_down])
        elif direction == OUT and pull_up_down == PUD_OFF:
            level = _chip().read(_OWNER, pin) if initial is None else int(bool(initial))
            _chip().claim_output(_OWNER, pin, level)
        else:
            message = "An invalid direction was passed to setup()"
            raise ValueError(message)


def gpio_function(channel: int) -> int:
    """Return whether a line is an input or an output."""
    return OUT if _chip().way(_OWNER, *_pins(channel)) == _WAY_OUT else IN


def input(channel: int) -> int:  # noqa: A001 - the real one's name
    """Return the level of a line."""
    (pin,) = _pins(channel)
    if not _chip().way(_OWNER, pin):
        message = "You must setup() the GPIO channel first"
        raise RuntimeError(message)
    return _chip().read(_OWNER, pin)


def output(channels: int | Iterable[int], value: int | Iterable[int]) -> None:
    """Set outputs."""
    pins = _pins(channels)
    values = [value] * len(pins) if isinstance(value, int) else list(value)
    if len(values) != len(pins):
        message = "Number of channels != number of values"
        raise RuntimeError(message)
    for pin, level in zip(pins, values, strict=True):
        if _chip().way(_OWNER, pin) != _WAY_OUT:
            message = "The GPIO channel has not been set up as an OUTPUT"
            raise RuntimeError(message)
        _chip().write(_OWNER, pin, int(bool(level)))


def add_event_detect(
    channel: int, edge: int, callback: Callback | None = None, bouncetime: int | None = None
) -> None:
    """Watch a line."""
    (pin,) = _pins(channel)
    if _chip().way(_OWNER, pin) != _WAY_IN:
        message = "You must setup() the GPIO channel as an input first"
        raise RuntimeError(message)
    if edge not in _EDGES or bouncetime is not None:
        message = "The edge must be set to RISING, FALLING or BOTH, and Sabot debounces by itself"
        raise ValueError(message)
    watcher = _watcher()
    known = watcher.callbacks.setdefault(pin, (edge, []))
    if known[0] != edge:
        message = "Conflicting edge detection already enabled for this GPIO channel"
        raise RuntimeError(message)
    if callback is not None:
        known[1].append(callback)


def add_event_callback(channel: int, callback: Callback) -> None:
    """Add a callback to a line that is watched."""
    (pin,) = _pins(channel)
    if pin not in _watcher().callbacks:
        message = "Add event detection using add_event_detect first before adding a callback"
        raise RuntimeError(message)
    _watcher().callbacks[pin][1].append(callback)


def remove_event_detect(channel: int) -> None:
    """Watch a line no longer."""
    (pin,) = _pins(channel)
    _watcher().callbacks.pop(pin, None)


def event_detected(channel: int) -> bool:
    """Return whether an edge has come since the last call."""
    (pin,) = _pins(channel)
    was = pin in _watcher().detected
    _watcher().detected.discard(pin)
    return was


def _watcher() -> _Watcher:
    if _State.watcher is None:
        watcher = _State.watcher = _Watcher()
        _chip().watch(_OWNER, lambda pin, level: watcher.queue.put((pin, level)))
    return _State.watcher


def cleanup(channels: int | Iterable[int] | None = None) -> None:
    """Give lines back; all of them, and the chip, if none is named."""
    if _State.chip is None:
        return
    for pin in range(LINES) if channels is None else _pins(channels):
        if _State.watcher is not None:
            _State.watcher.callbacks.pop(pin, None)
        _State.chip.free(_OWNER, pin)
    if channels is None:
        reset()


def reset() -> None:
    """Forget everything, as a new process would; the real one has no such thing."""
    chip, watcher = _State.chip, _State.watcher
    _State.mode, _State.chip, _State.watcher = UNKNOWN, None, None
    if chip is not None:
        chip.left(_OWNER)
    if watcher is not None:
        watcher.end()
