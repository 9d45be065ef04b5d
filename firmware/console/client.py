"""A console's end of the socket: one command at a time, and what the program says of it.

A thread reads whatever comes, so that a person who pauses at a full page never makes the program wait; what
it has read is bounded all the same.
"""

import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sabot.firmware.console.errors import ConsoleError

Said = dict[str, Any]
# Lines. Where it is full the thread stops reading, and the program drops whoever does not read (line.py).
MOST_READ_AHEAD = 50_000
CONNECT_S = 5.0


class Client:
    """A connection to the running program."""

    def __init__(self, path: Path) -> None:
        self._socket = _connect(path)
        self._said: queue.Queue[Said | None] = queue.Queue(MOST_READ_AHEAD)
        self._last = 0
        threading.Thread(target=self._read, name="console", daemon=True).start()
        self.hello = self._next()
        if consoles := self.hello.get("consoles"):  # it runs, and is asked by as many as it hears
            raise ConsoleError("E-CONS-017", str(path), consoles=consoles)
        if "hello" not in self.hello:
            raise ConsoleError("E-CONS-013", str(path), why=self.hello.get("why", "no greeting"))

    def close(self) -> None:
        """End the connection; the thread that reads ends with it."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def ask(self, **fields: object) -> Iterator[Said]:
        """Give a command; yield everything that is said of it, its end or its question last."""
        number = self._send(**fields)
        while True:
            try:
                said = self._next()
            except KeyboardInterrupt:
                self.stop()  # and listen on: its end is still to come
                continue
            if said.get("id") != number:
                continue  # the end of a command that was stopped just as it ended
            yield said
            if said.keys() & {"end", "ask", "words"} and "frame" not in said:
                return

    def stop(self) -> None:
        """Ask for no more of the command that goes on."""
        self._write({"id": self._last, "stop": True})

    # ------------------------------------------------------------ lines

    def _send(self, **fields: object) -> int:
        self._last += 1
        self._write({"id": self._last, **{name: value for name, value in fields.items() if value}})
        return self._last

    def _write(self, value: Said) -> None:
        try:
            self._socket.sendall(json.dumps(value).encode() + b"\n")
        except OSError as error:
            raise ConsoleError("E-CONS-014", "console", why=error.strerror or error) from error

    def _next(self) -> Said:
        said = self._said.get()
        if said is None:
            self._said.put(None)  # the end stays the end, however often it is asked for
            raise ConsoleError("E-CONS-014", "console", why="the program ended it")
        return said

    def _read(self) -> None:
        try:
            with self._socket.makefile("rb") as lines:
                for line in lines:
                    self._said.put(json.loads(line))
        except (OSError, ValueError):
            pass  # the end is told below, however it came
        self._said.put(None)


def _connect(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(CONNECT_S)
    try:
        connection.connect(str(path))
    except OSError as error:
        connection.close()
        raise ConsoleError("E-CONS-013", str(path), why=error.strerror or error) from error
    # From here on it may be silent for hours: `follow` says nothing while nothing happens.
    connection.settimeout(None)
    return connection
