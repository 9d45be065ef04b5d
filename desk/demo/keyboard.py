"""The keys that a person may press while the demo plays; nobody has to.

Space holds the picture and lets it go on, Enter goes on at once, ``n`` goes to the next shift, ``q`` leaves.
Without a keyboard time passes and nothing else.
"""

import os
import select
import termios
import time
import tty
from enum import Enum, auto
from typing import TextIO


class NextShiftError(Exception):
    """Somebody wants to see the next shift."""


class LeaveError(Exception):
    """Somebody has seen enough."""


class Pressed(Enum):
    """How a wait ended."""

    NOTHING = auto()
    HOLD = auto()
    GO_ON = auto()


class Keyboard:
    """Standard input, where it is a terminal."""

    def __init__(self, stdin: TextIO) -> None:
        self._is_there = stdin.isatty()
        self._number = stdin.fileno() if self._is_there else -1
        self._before: list[int | list[bytes | int]] = []

    def take(self) -> None:
        """Let keys arrive without Enter, and unechoed."""
        if self._is_there:
            self._before = termios.tcgetattr(self._number)
            tty.setcbreak(self._number)

    def give_back(self) -> None:
        """Leave the terminal as it was."""
        if self._is_there:
            termios.tcsetattr(self._number, termios.TCSADRAIN, self._before)

    def wait(self, seconds: float | None) -> Pressed:
        """Wait so long, or for a key that means something; for ever where no time is given."""
        if not self._is_there:
            time.sleep(seconds or 0)
            return Pressed.NOTHING
        end = None if seconds is None else time.monotonic() + seconds
        while end is None or time.monotonic() < end:
            left = None if end is None else max(0.0, end - time.monotonic())
            ready, _, _ = select.select([self._number], [], [], left)
            pressed = self._read() if ready else Pressed.NOTHING
            if pressed is not Pressed.NOTHING:
                return pressed
        return Pressed.NOTHING

    def _read(self) -> Pressed:
        key = os.read(self._number, 1)
        if key in (b"q", b""):
            raise LeaveError
        if key == b"n":
            raise NextShiftError
        return {b" ": Pressed.HOLD, b"\n": Pressed.GO_ON, b"\r": Pressed.GO_ON}.get(key, Pressed.NOTHING)
