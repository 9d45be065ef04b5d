"""Reading a file that may be one JSON value or a stream of them, without making a live writer wait.

A stream is answered line by line as it comes; one value may stretch over many lines. The first line
decides, and only when it cannot be used by itself does the reader look further.
"""

import json
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from sabot.firmware.errors import CommandError

# A writer that sends nothing more for this long is waiting for its answer: then it is a stream.
PATIENCE_S = 1.0


def open_input(name: str) -> BinaryIO:
    """Return a file opened for reading, or standard input for ``-``."""
    if name == "-":
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise CommandError("E-CLI-001", name, why=error.strerror or str(error)) from error


def parse_json(text: str, place: str) -> object:
    """Return a JSON value; refuse NaN, infinities and bottomless nesting like any other slip."""
    try:
        return json.loads(text, parse_constant=no_constant)
    except RecursionError as error:
        raise CommandError("E-CLI-002", place, why="nested too deeply") from error
    except ValueError as error:
        raise CommandError("E-CLI-002", place, why=str(error)) from error


def no_constant(name: str) -> object:
    """Refuse NaN and infinities, which Python reads and JSON does not have."""
    message = f"{name} is not a JSON number"
    raise ValueError(message)


class Input:
    """The form of an input file: ``text`` is one value, else ``lines`` are many."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        first = self._first_line()
        self.text: str | None = None
        self._read: list[str] = [first]
        if not _is_json(first) and not _looks_whole(first):
            self._read_all()
        elif not self._has_more():
            self.text = first

    def _first_line(self) -> str:
        for raw in self._stream:
            if raw.strip():
                return _decode(raw)
        return ""

    def _read_all(self) -> None:
        """Read on where the first line is no value: the whole is one, or that line is bad."""
        self._read += [_decode(raw) for raw in self._stream]
        whole = "".join(self._read)
        # Many bad lines and not one good: meant as one value, and refused once.
        if _is_json(whole) or not any(_is_json(line) for line in self._read[1:]):
            self.text = whole

    def _has_more(self) -> bool:
        """Return whether more is to come after a whole first line."""
        ready, _, _ = select.select([self._stream], [], [], PATIENCE_S)
        if not ready:
            return True
        # What is ready may be only blank lines up to the end; select cannot tell.
        for raw in self._stream:
            if raw.strip():
                self._read.append(_decode(raw))
                return True
        return False

    @property
    def lines(self) -> Iterator[str]:
        """Yield the lines that are not blank."""
        yield from (line for line in self._read if line.strip())
        for raw in self._stream:
            if raw.strip():
                yield _decode(raw)


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _looks_whole(line: str) -> bool:
    """Return whether a line opens and closes an object: it was meant as a whole one, even if spoilt."""
    return line.strip().startswith("{") and line.strip().endswith("}")
