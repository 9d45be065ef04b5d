"""A terminal as small as a VT100 of 80 x 24 at 9600 baud: pages, live screens, keys, words typed unseen.

Only what every such terminal knows is sent: place the cursor, clear to the end of a line. A live screen sends
the lines that changed and no others, for a whole one takes two seconds at 9600 baud.
"""

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

COLUMNS, ROWS = 80, 24
MORE = "-- more: SPACE a page, ENTER a line, q no more --"
QUIT = "qQ\x03\x04"


def size() -> tuple[int, int]:
    """Return columns and rows; a serial line does not tell, and has those of a VT100."""
    found = os.terminal_size((0, 0))
    if sys.stdout.isatty():
        found = os.get_terminal_size(sys.stdout.fileno())
    return found.columns or COLUMNS, found.lines or ROWS


@contextmanager
def keys() -> Iterator[None]:
    """Let single keys be read, unseen, as long as the block runs."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)  # what was pressed already counts
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def key() -> str:
    """Return one key, while ``keys`` holds."""
    return os.read(sys.stdin.fileno(), 1).decode("latin-1")


def has_key() -> bool:
    """Return whether a key waits."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


def unseen(words: str) -> str:
    """Ask for a line that is not shown as it is typed; it enters no history."""
    before = termios.tcgetattr(sys.stdin)
    hidden = termios.tcgetattr(sys.stdin)
    hidden[3] &= ~termios.ECHO
    try:
        # What was typed ahead was shown, and is thrown away: it is no part of a PIN.
        termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, hidden)
        return asked(words)
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
        print(file=sys.stderr)


def asked(words: str) -> str:
    """Ask for a line; the question goes where it does not mix with answers that are redirected."""
    print(f"{words}: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


class Pager:
    """Prints lines, and waits for a key when the screen is full."""

    def __init__(self) -> None:
        self._columns, self._rows = size()
        self._left = self._rows - 1

    def print(self, line: str) -> bool:
        """Print a line; return False where the person wants no more."""
        takes = max(1, -(-len(line) // self._columns))
        if takes > self._left and not self._more():
            return False
        print(line)
        self._left -= takes
        return True

    def _more(self) -> bool:
        with keys():
            print(MORE, end="", flush=True)
            pressed = key()
        print(f"\r{' ' * len(MORE)}\r", end="")
        self._left = 1 if pressed in "\r\n" else self._rows - 1
        return pressed not in QUIT


class TerminalScreen:
    """A live screen."""

    def __init__(self) -> None:
        self._shown: list[str] = []

    @property
    def is_open(self) -> bool:
        """Return whether something was drawn."""
        return bool(self._shown)

    def draw(self, lines: Sequence[str]) -> None:
        """Draw the lines that changed, each at its place."""
        out = "" if self._shown else "\x1b[2J"
        for number in range(max(len(lines), len(self._shown))):
            line = lines[number] if number < len(lines) else ""
            if number >= len(self._shown) or self._shown[number] != line:
                out += f"\x1b[{number + 1};1H{line}\x1b[K"
        self._shown = list(lines)
        print(f"{out}\x1b[{len(lines) + 1};1H", end="", flush=True)
