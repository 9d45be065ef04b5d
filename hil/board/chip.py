"""The lines of an emulated board, moved and read through a port of it; the kernel's trace tells each read.

It is the chip of the kernel's rig with its files in another machine. A contact is moved by a line on the
port; that the program has seen it is told by its looks, which are in the trace, and by no clock.
"""

import re
import socket
import threading
from pathlib import Path

from sabot.hil.kernel.devices.chip import TracedLooks

_READ = re.compile(rb"^ *(.+)-\d+ +\[.* ([0-9.]+): gpio_value: (\d+) (get|set) (\d)")
_MARK = re.compile(
    rb"tracing_mark_write: sabot (?:chip gpiochip(\d+) base (\d+)|memory (MemTotal|MemAvailable): +(\d+)"
    rb"|program (\d+)([^\n]*))"
)
_PULLS = ("pull-down", "pull-up")
# The kernel reads a line itself when it has an edge, in a thread of this name: that is nobody's look.
_OF_THE_KERNEL = b"irq/"


class BoardChip:
    """One chip; ``number`` is that of its /dev/gpiochip in the board."""

    def __init__(self, port: Path) -> None:
        self._wire = socket.socket(socket.AF_UNIX)
        self._wire.connect(str(port))
        self.looks = TracedLooks()
        self.history: list[tuple[float, int, int]] = []
        self.number = -1
        self._base, self._levels = 0, dict[int, int]()
        self._driven: dict[int, int] = {}
        self.used_kb, self._total_kb = 0, 0
        self.program: tuple[int, str] | None = None
        threading.Thread(target=self._follow, name="gpio-trace", daemon=True).start()

    def drive(self, pin: int, level: int) -> None:
        """Move a switch, from outside."""
        self._driven[pin] = level
        self.ask(f"{pin} {_PULLS[level]}")

    def vanish(self) -> None:
        """Take the chip away under whoever holds it; on one that is gone nothing is driven."""
        self.ask("vanish")
        self._levels.clear()

    def come_back(self) -> None:
        """Bring the chip back, its switches as they were left."""
        self.ask("back")
        for pin, level in self._driven.items():
            self.drive(pin, level)

    def ask(self, words: str) -> None:
        """Send a line of words to the board's end of the port.

        ``go`` lets the board start, its contacts being where they rest; others are ``memory``, ``program``,
        ``signal KILL`` for the program and ``first SEGV`` for the first process.
        """
        self._wire.sendall(f"{words}\n".encode())

    def level(self, pin: int) -> int:
        """Return the level that the program has set last."""
        return self._levels.get(pin, 0)

    def close(self) -> None:
        """Hear no more."""
        self._wire.close()

    def _follow(self) -> None:
        rest = b""
        while data := self._heard():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if found := _READ.match(line):
                    self._note(found)
                elif found := _MARK.search(line):
                    self._mark(found)

    def _heard(self) -> bytes:
        try:
            return self._wire.recv(65_536)
        except OSError:
            return b""

    def _note(self, found: re.Match[bytes]) -> None:
        at, pin = float(found[2]), int(found[3]) - self._base
        # Lines below the chip's base are another chip's.
        if found[1].startswith(_OF_THE_KERNEL) or pin < 0:
            return
        if found[4] == b"get":
            self.looks.note(at, pin)
        else:
            self._levels[pin] = int(found[5])
            self.history.append((at, pin, int(found[5])))

    def _mark(self, found: re.Match[bytes]) -> None:
        if found[1]:
            self.number, self._base = int(found[1]), int(found[2])
        elif found[5]:
            self.program = (int(found[5]), found[6].decode().strip())
        elif found[3] == b"MemTotal":
            self._total_kb = int(found[4])
        else:
            self.used_kb = self._total_kb - int(found[4])
