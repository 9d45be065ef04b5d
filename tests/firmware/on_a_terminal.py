"""Running ``sabot`` on a terminal of 80 x 24, and seeing what stands on it."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

COLUMNS, LINES = 80, 24
PATIENCE_S = 60.0
_PLACE = re.compile(r"\x1b\[(\d+);1H")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A process on a terminal of its own."""

    def __init__(
        self,
        *words: str,
        columns: int = COLUMNS,
        lines: int = LINES,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.settings_before = termios.tcgetattr(self._master)
        self.process = subprocess.Popen(
            [sys.executable, "-Im", "sabot", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=_environment(environment or {}),
        )
        os.close(slave)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def read_until(self, text: str = "") -> str:
        """Everything up to a text, or to the end of the process."""
        end = time.monotonic() + PATIENCE_S
        while not text or text not in self.plain():
            assert time.monotonic() < end, f"{text!r} did not come: {self.plain()[-500:]!r}"
            if not self.read_some():
                break
        return self.seen

    def read_some(self) -> bool:
        """What has come meanwhile; whether more may come."""
        ready, _, _ = select.select([self._master], [], [], 0.2)
        if ready:
            try:
                chunk = os.read(self._master, 65536)
            except OSError:
                return False
            self.seen += self._decoder.decode(chunk)
            return bool(chunk)
        return True

    def press(self, key: str) -> None:
        """Press a key."""
        os.write(self._master, key.encode())

    def settings(self) -> list[Any]:
        """How the terminal is set now."""
        return termios.tcgetattr(self._master)

    def plain(self) -> str:
        """What came, without escapes."""
        return _ESCAPE.sub("", self.seen)

    def drawn_lines(self) -> list[str]:
        """Every line that was drawn at a place of the alternate screen, without escapes."""
        inside = self.seen.partition("\x1b[?1049h")[2].partition("\x1b[?1049l")[0]
        return [_ESCAPE.sub("", line) for line in _PLACE.split(inside)[2::2]]


def _environment(changes: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM")}
    return kept | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | dict(changes)
