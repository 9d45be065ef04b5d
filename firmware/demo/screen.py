"""A terminal as the demo uses it: one picture redrawn in place, nothing left behind.

The picture stands on the alternate screen with the cursor hidden, and both are given back however the demo
ends. Only lines that changed are sent. Where a key can be read, space holds the demo, ``n`` goes to the next
shift and ``q`` leaves; nobody has to press anything.
"""

import contextlib
import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Self, TextIO

from sabot.firmware.demo.canvas import HEIGHT, WIDTH, Canvas, sgr_8, sgr_256, sgr_none

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"
_RESET = "\x1b[0m"
# What a terminal without UTF-8 gets instead; every one is one character wide.
_ASCII = str.maketrans("─│╭╮╰╯░♣♦♥♠◂▸×−·…", "-|++++#cdhs<>x-..")
_COLORFUL = ("xterm", "screen", "tmux", "rxvt", "linux", "vt", "ansi", "konsole", "alacritty", "foot", "kitty")


class NextShiftError(Exception):
    """Somebody wants to see the next shift."""


def can_draw(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether the output is a terminal that can be redrawn and is large enough."""
    if not out.isatty() or environment.get("TERM", "dumb") in ("dumb", "unknown", ""):
        return False
    size = os.get_terminal_size(out.fileno())
    return size.columns >= WIDTH and size.lines >= HEIGHT


def styles_of(environment: Mapping[str, str]) -> Callable[[str], str]:
    """How this terminal shows styles: 256 colors, eight, or none (as NO_COLOR wants)."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term.startswith(("vt1", "vt2")):
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
        self._is_utf8 = (out.encoding or "").lower().replace("-", "") == "utf8"
        self._shown: list[str] = []
        self._size = os.get_terminal_size(out.fileno())
        self._keys = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Take the screen."""
        self._keys.enter_context(_keys_at_once())
        self._out.write(_ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back, whatever happened."""
        self._out.write(_LEAVE)
        self._out.flush()
        self._keys.close()

    def draw(self, canvas: Canvas) -> None:
        """Show a picture: what changed of it, or all where the window changed its size."""
        size = os.get_terminal_size(self._out.fileno())
        if size != self._size or not self._shown:
            self._size, self._shown = size, [""] * HEIGHT
            self._out.write("\x1b[0m\x1b[2J")
        lines = [self._line(canvas, row) for row in range(HEIGHT)]
        for row, (new, old) in enumerate(zip(lines, self._shown, strict=True), 1):
            if new != old:
                self._out.write(f"\x1b[{row};1H{new}")
        self._shown = lines
        self._out.flush()

    def _line(self, canvas: Canvas, row: int) -> str:
        text = "".join(f"{self._styles(run.style)}{run.text}" for run in canvas.runs(row))
        if not self._is_utf8:
            text = text.translate(_ASCII)
        return f"{text}{_RESET}" if self._styles is not sgr_none else text

    def wait(self, seconds: float) -> None:
        """Let people look, and heed what they press meanwhile."""
        if not self._waits:
            return
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if _pressed(left) == " ":
                while _pressed(None) != " ":
                    pass
                return


def _pressed(patience_s: float | None) -> str:
    """The key pressed within this time; waits for ever where none is given and a key can come."""
    if not sys.stdin.isatty():
        time.sleep(patience_s or 0)
        return " "
    ready, _, _ = select.select([sys.stdin], [], [], patience_s)
    key = os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else ""
    if key == "q":
        raise KeyboardInterrupt
    if key == "n":
        raise NextShiftError
    return key


@contextlib.contextmanager
def _keys_at_once() -> Iterator[None]:
    """Let keys arrive without Enter and unechoed, where there is a keyboard."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
