"""A console at a table under test: the words of a person who typed them, and what came back.

It speaks the page of the console (docs/console.md) over the program's socket and knows nothing else of it.
"""

import itertools
import json
import socket
from pathlib import Path
from typing import Any, NamedTuple


class ConsoleAnswer(NamedTuple):
    """The answer to a command: its lines, its data, and how it ended."""

    lines: list[str]
    data: list[Any]
    end: str
    why: str


class RigConsole:
    """A connection to the console."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(20.0)
        self._socket.connect(str(path))
        self._stream = self._socket.makefile("rwb")
        self._numbers = itertools.count(1)
        self.hello = json.loads(self._stream.readline())

    def close(self) -> None:
        """Hang up."""
        self._stream.close()
        self._socket.close()

    def say(self, words: str, **fields: str) -> ConsoleAnswer:
        """Give a command with what it asks for, and return its whole answer."""
        number = next(self._numbers)
        self._stream.write(json.dumps({"id": number, "do": words.split(), **fields}).encode() + b"\n")
        self._stream.flush()
        lines: list[str] = []
        data: list[Any] = []
        for raw in self._stream:
            said = json.loads(raw)
            lines += [said["text"]] if said.get("text") else said.get("frame", [])
            data += [said["data"]] if "data" in said else []
            if "ask" in said:
                return ConsoleAnswer(lines, data, "asked", str(said["ask"]))
            if "end" in said or "refused" in said:
                return ConsoleAnswer(
                    lines, data, said.get("end", "refused"), str(said.get("why", said.get("refused", "")))
                )
        message = "the console hung up"
        raise ConnectionError(message)

    def unlock(self, number: str, pin: str) -> ConsoleAnswer:
        """Prove a role."""
        return self.say(f"unlock {number}", pin=pin)
