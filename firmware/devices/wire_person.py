"""The person in front of a wiring walk: told in words or JSON, heard while pins are watched."""

import json
import os
import select
import sys
from typing import Protocol


class Gone(Exception):  # noqa: N818 - nobody is wrong: the walk is kept
    """The person stopped, or is not there any more."""


class WiringPerson(Protocol):
    """A person who presses keys, looks at lamps and answers."""

    def tell(self, words: str, **facts: object) -> None:
        """Say a line; the facts are for programs."""

    def typed(self) -> str | None:
        """Return a line that was typed since, None where none was; Gone where nobody can type any more."""


class Terminal:
    """A person at standard input and output."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._kept = b""
        self._is_over = False

    def tell(self, words: str, **facts: object) -> None:
        """Print it at once."""
        print(json.dumps({"say": words, **facts}) if self._as_json else words, flush=True)

    def typed(self) -> str | None:
        """Take a whole line, if there is one; what comes after the last line is the end."""
        if b"\n" not in self._kept and not self._is_over:
            self._read()
        if b"\n" in self._kept:
            line, _, self._kept = self._kept.partition(b"\n")
            return line.decode(errors="replace").strip().lower()
        if self._is_over:
            raise Gone
        return None

    # By the descriptor and not by ``sys.stdin``: lines in a buffer of Python are none that ``select`` sees.
    def _read(self) -> None:
        fd = sys.stdin.fileno()
        if select.select([fd], [], [], 0)[0]:
            more = os.read(fd, 4096)
            self._kept += more
            self._is_over = not more
