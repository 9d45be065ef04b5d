"""A GPIO chip: lines that are driven from outside, claimed by programs, and watched.

It behaves as the kernel's simulated chip was seen to: a claim with a bias drives a line anew, a line that
another program holds is "not allocated", a program that dies leaves its outputs to their pull, and a chip
that vanishes answers every call with an error.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

LINES = 54
IN, OUT = "in", "out"
Alert = Callable[[int, int], None]


class ChipError(Exception):
    """The error of lgpio: neither RuntimeError nor OSError."""


class LineClaim(NamedTuple):
    """The holder of a line, and the way it is held."""

    owner: object
    way: str
    pull: str


class Looks:
    """Tells the reads that were looks at one line from those of a round over all, in their order.

    A program reads a round without a pause. So what may still be the beginning of one is told apart by the
    next read, or when the program has done something else since.
    """

    def __init__(self) -> None:
        self.count = [0] * LINES
        self._order: tuple[int, ...] = ()
        self._pending: list[int] = []
        self._last_s = 0.0

    def know_order(self, pins: Sequence[int]) -> None:
        """Learn the order in which the program goes over its lines."""
        self._order = tuple(pins)

    def note(self, at: float, pin: int) -> None:
        """Take note that a line was read."""
        if self._order[len(self._pending) : len(self._pending) + 1] != (pin,):
            self._were_looks()
        self._last_s = at
        self._pending.append(pin)
        if self._pending == list(self._order):
            self._pending = []
        elif self._pending != list(self._order[: len(self._pending)]):
            self._were_looks()

    def turned(self, at: float) -> None:
        """Take note that the program has done something else: what was read before was no round."""
        if at > self._last_s:
            self._were_looks()

    def _were_looks(self) -> None:
        pending, self._pending = self._pending, []
        for pin in pending:
            self.count[pin] += 1


class Chip:
    """The lines. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._driven = [0] * LINES
        self._output = [0] * LINES
        self._claims: dict[int, LineClaim] = {}
        self._alerts: dict[object, Alert] = {}
        self._is_gone = False
        self.history: list[tuple[float, int, int]] = []
        self.looks = Looks()

    # ---------------------------------------------------------------- what a program asks

    def claim_input(self, owner: object, pin: int, pull: str) -> None:
        """Take a line as input; a bias drives it anew, whatever held it before."""
        with self._lock:
            self._may_have(owner, pin)
            self._claims[pin] = LineClaim(owner, IN, pull)
            if pull != "off":
                self._drive(pin, int(pull == "up"))

    def claim_output(self, owner: object, pin: int, level: int) -> None:
        """Take a line as output, at this level from the first moment."""
        with self._lock:
            self._may_have(owner, pin)
            self._claims[pin] = LineClaim(owner, OUT, "off")
            self._put_out(pin, level)

    def way(self, owner: object, pin: int) -> str:
        """Return whether this program claimed the line as input or output; nobody is asked for that."""
        self._there()
        claim = self._claims.get(pin)
        return claim.way if claim and claim.owner == owner else ""

    def read(self, _owner: object, pin: int) -> int:
        """Return the level of a line."""
        self._there()
        self.looks.note(time.monotonic(), pin)
        return self.level(pin)

    def write(self, _owner: object, pin: int, level: int) -> None:
        """Set an output."""
        with self._lock:
            self._there()
            self._put_out(pin, level)

    def watch(self, owner: object, alert: Alert) -> None:
        """Call back at every edge of this program's inputs."""
        self._alerts[owner] = alert

    def free(self, owner: object, pin: int) -> None:
        """Give a line back: it is an input again, and an output's level is gone."""
        with self._lock:
            self._there()
            if self.way(owner, pin):
                del self._claims[pin]
                self._put_out(pin, 0)

    def left(self, owner: object) -> None:
        """Free what a program held: it is gone, however it went."""
        with self._lock:
            self._alerts.pop(owner, None)
            for pin in [pin for pin, claim in self._claims.items() if claim.owner == owner]:
                del self._claims[pin]
                self._put_out(pin, 0)

    def _may_have(self, owner: object, pin: int) -> None:
        self._there()
        claim = self._claims.get(pin)
        if claim is not None and claim.owner != owner:
            message = "GPIO not allocated"
            raise ChipError(message)

    def _there(self) -> None:
        if self._is_gone:
            message = "bad lineinfo IOCTL"
            raise ChipError(message)

    def _put_out(self, pin: int, level: int) -> None:
        if self._output[pin] != level:
            self._output[pin] = level
            self.history.append((time.monotonic(), pin, level))

    # ---------------------------------------------------------------- what the world does

    def drive(self, pin: int, level: int) -> None:
        """Move a switch, from outside."""
        with self._lock:
            self._drive(pin, level)

    def _drive(self, pin: int, level: int) -> None:
        was, self._driven[pin] = self._driven[pin], level
        claim = self._claims.get(pin)
        if was != level and claim is not None and claim.way == IN and not self._is_gone:
            alert = self._alerts.get(claim.owner)
            if alert is not None:
                alert(pin, level)

    def level(self, pin: int) -> int:
        """Return the level that a meter would show."""
        claim = self._claims.get(pin)
        return self._output[pin] if claim is not None and claim.way == OUT else self._driven[pin]

    def vanish(self) -> None:
        """Take the chip away under whoever holds it."""
        self._is_gone = True
        for alert in list(self._alerts.values()):
            alert(-1, 0)

    def come_back(self) -> None:
        """Bring the chip back, with no claims."""
        self._is_gone = False
        self._claims.clear()

    # ---------------------------------------------------------------- a technician's words

    def actions(self) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        """Return the actions on the lines by name: their words, and the function of each."""
        return {
            "drive": ("drive PIN 0|1: a level from outside", self._drive_words),
            "press": ("press PIN: low for 50 ms, as a key does", self._press),
            "vanish": ("vanish: the chip goes away", lambda _: self.vanish()),
            "back": ("back: it comes back", lambda _: self.come_back()),
        }

    def _drive_words(self, words: str) -> None:
        pin, level = words.split()
        self.drive(int(pin), int(level))

    def _press(self, words: str) -> None:
        pin = int(words)
        self.drive(pin, 0)
        threading.Timer(0.05, self.drive, (pin, 1)).start()
