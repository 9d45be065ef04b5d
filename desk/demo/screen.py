"""A terminal as the demo uses it: one picture redrawn in place, nothing left behind.

The picture stands on the alternate screen with the cursor hidden, and both are given back however the demo
ends. Only lines that changed are sent.
"""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Mapping
from enum import Enum, auto
from types import TracebackType
from typing import Self, TextIO

from sabot.desk.demo.canvas import HEIGHT, WIDTH, Canvas, glyphs_of, sgr_8, sgr_256, sgr_none

# Escape sequences of xterm: the alternate screen (1049) and the cursor (25), on and off.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[0m\x1b[?25h\x1b[?1049l"
_CLEAR = "\x1b[0m\x1b[2J"
_ON_HOLD = f"\x1b[{HEIGHT};1H  on hold: space goes on  "
_COLORFUL = ("xterm", "screen", "tmux", "rxvt", "linux", "ansi", "konsole", "alacritty", "foot")
_MONOCHROME = ("vt1", "vt2")


def can_draw(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Return whether the output is a terminal that can be redrawn and is large enough."""
    if not out.isatty() or environment.get("TERM", "dumb") in ("dumb", "unknown", ""):
        return False
    size = os.get_terminal_size(out.fileno())
    return size.columns >= WIDTH and size.lines >= HEIGHT


def styles_of(environment: Mapping[str, str]) -> Callable[[str], str]:
    """Return the styles of this terminal: 256 colors, eight, or none (as NO_COLOR wants)."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term.startswith(_MONOCHROME):
        return sgr_none
    if "256" in term or "direct" in term or environment.get("COLORTERM"):
        return sgr_256
    return sgr_8 if term.startswith(_COLORFUL) or "color" in term else sgr_none


class Screen:
    """The terminal."""

    def __init__(self, out: TextIO, styles: Callable[[str], str], *, waits: bool) -> None:
        self._out = out
        self._styles = styles
        self._waits = waits
        self._glyphs = glyphs_of(out)
        self._keyboard = Keyboard(sys.stdin)
        self._size = os.get_terminal_size(out.fileno())
        self._shown: list[str] = []
        self._is_hold_wanted = False

    def __enter__(self) -> Self:
        """Take the screen."""
        self._keyboard.take()
        self._out.write(_ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the screen back, whatever happened."""
        self._out.write(_LEAVE)
        self._out.flush()
        self._keyboard.give_back()

    def draw(self, canvas: Canvas) -> None:
        """Show a picture: the lines that changed, or all of them when the window has changed its size."""
        size = os.get_terminal_size(self._out.fileno())
        if size != self._size or not self._shown:
            self._size, self._shown = size, [""] * HEIGHT
            self._out.write(_CLEAR)
        lines = [self._line(canvas, row) for row in range(HEIGHT)]
        for row, (new, old) in enumerate(zip(lines, self._shown, strict=True), 1):
            if new != old:
                self._out.write(f"\x1b[{row};1H{new}")
        self._shown = lines
        self._out.flush()

    def _line(self, canvas: Canvas, row: int) -> str:
        return self._glyphs("".join(f"{self._styles(run.style)}{run.text}" for run in canvas.runs(row)))

    def wait(self, seconds: float, *, may_hold: bool = True) -> None:
        """Let people look; they may go on at once, or hold the picture as soon as that is allowed."""
        if self._waits and self._keyboard.wait(seconds) is Pressed.HOLD:
            self._is_hold_wanted = True
        # Not while the key switch is turned: an unlocked role lasts three minutes, held or not.
        if self._is_hold_wanted and may_hold:
            self._is_hold_wanted = False
            self._hold()

    def _hold(self) -> None:
        self._out.write(_ON_HOLD)
        self._out.flush()
        # The words of the hold lie over the last line, which is drawn again next time.
        self._shown[-1] = ""
        while self._keyboard.wait(None) is not Pressed.HOLD:
            pass


class NextShiftError(Exception):
    """Somebody wants to see the next shift."""


class LeaveError(Exception):
    """Somebody has seen enough."""


class Pressed(Enum):
    """What ended a wait."""

    NOTHING = auto()
    HOLD = auto()
    GO_ON = auto()


class Keyboard:
    """Standard input, if it is a terminal."""

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
        """Restore the terminal's settings."""
        if self._is_there:
            termios.tcsetattr(self._number, termios.TCSADRAIN, self._before)

    def wait(self, seconds: float | None) -> Pressed:
        """Wait that long, or for a key that means something; without a time, until one comes."""
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
        # An end of input, as of a terminal that was closed, is somebody leaving too.
        if key in (b"q", b""):
            raise LeaveError
        if key == b"n":
            raise NextShiftError
        return {b" ": Pressed.HOLD, b"\n": Pressed.GO_ON, b"\r": Pressed.GO_ON}.get(key, Pressed.NOTHING)
