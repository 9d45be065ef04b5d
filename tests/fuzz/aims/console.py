"""The console's socket: the real server, journal, people and runner; anything at all comes over the line.

After each input the connection must end, nobody may have logged an error, the loop must not have heard of one,
and now and then an ordinary console must still be answered. A table is used for a while and then made anew.
"""

import atexit
import json
import socket
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import structlog

from at_the_console import PINS, Board, at_the_table, console
from tests.quick_medium import quick_medium

INPUTS_OF_A_TABLE = 2_000
STILL_WORKS_OF = 50
PATIENCE_S = 20.0
ANSWER_S = 0.05
LAST_WORDS = (b'"end":', b'"ask":', b'"refused":', b'"words":')
EVENTS = 60
COMMANDS = (
    "help", "help export", "status", "stats", "config", "verify", "verify 00ff", "events", "events 5", "round 1",
    "meters", "meters adjust prog4.main -12.50", "decks", "register lot L9 red", "faults", "clear 1", "service on",
    "service off", "devices", "devices shoe", "device test shoe", "retest shoe", "people", "keys", "whoami", "lock",
    "sign-on 33", "enrol person 51 dealer Sam", "forget person 33", "person readmit 33", "enrol device shoe 00ff",
    "forget device shoe", "export stream", "export board", "retain board", "unseal 1", "follow", "watch",
    "log level debug",
)  # fmt: skip


class ConsoleError(AssertionError):
    """Something came of an input that must not."""


class Aim:
    """One table's socket."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._errors: list[str] = []
        self._inputs = 0
        self._board: Board | None = None
        structlog.configure(processors=[self._hear])
        atexit.register(self._open.close)
        self.seeds = tuple(_seeds())
        self.words = tuple(dict.fromkeys(each for seed in self.seeds for each in seed.split(b" ")))

    def check(self, data: bytes) -> None:
        """Say it, hang up, and see."""
        board = self._table()
        self._inputs += 1
        self._errors.clear()
        board.server._buckets.clear()
        self._say(board, data)
        if self._inputs % STILL_WORKS_OF == 0:
            self._still_works(board)
        self._errors += board.slipped_over
        board.slipped_over.clear()
        if self._errors:
            raise ConsoleError(self._errors[0])

    def close(self) -> None:
        """Let the table go; without it a process would have to do so while it ends."""
        self._open.close()
        self._board = None

    def _table(self) -> Board:
        if self._board is None or self._inputs % INPUTS_OF_A_TABLE == 0:
            self._open.close()
            folder = self._open.enter_context(
                tempfile.TemporaryDirectory(prefix="fuzz-console-", dir=quick_medium())
            )
            self._board = self._open.enter_context(at_the_table(Path(folder)))
            self._board.play(EVENTS)
            self._board.loop.set_exception_handler(lambda _loop, what: self._errors.append(str(what)))
        return self._board

    def _say(self, board: Board, data: bytes) -> None:
        """Line by line, each after the answer to the one before; after a ``!`` all at once."""
        with socket.socket(socket.AF_UNIX) as line, suppress(BrokenPipeError, ConnectionResetError):
            line.settimeout(PATIENCE_S)
            line.connect(str(board.socket))
            parts = [data[1:]] if data.startswith(b"!") else data.splitlines(keepends=True)
            for part in parts:
                line.sendall(part)
                if len(parts) > 1 and not _is_answered(line):
                    break
            line.shutdown(socket.SHUT_WR)
            try:
                self._hear_out(line)
            except TimeoutError as error:
                raise ConsoleError("the connection does not end") from error

    def _hear_out(self, line: socket.socket) -> None:
        """Until it is closed; each whole line must be JSON."""
        said = b""
        while more := line.recv(65536):
            said += more
        for each in said.split(b"\n")[1:-1]:
            json.loads(each)

    def _still_works(self, board: Board) -> None:
        with console(board) as desk:
            if desk("status")["end"] != "done":
                raise ConsoleError(f"an ordinary console is not answered: {desk.said}")

    def _hear(self, _logger: object, method: str, event: Mapping[str, Any]) -> Any:
        if method in ("error", "critical", "exception"):
            self._errors.append(str(dict(event)))
        raise structlog.DropEvent


def _is_answered(line: socket.socket) -> bool:
    """Wait until the last word on a command was said, or a little while; False where the line is closed."""
    line.settimeout(ANSWER_S)
    try:
        said = b""
        while not any(word in said for word in LAST_WORDS):
            more = line.recv(65536)
            if not more:
                return False
            said += more
    except TimeoutError:
        return True
    finally:
        line.settimeout(PATIENCE_S)
    return True


def _seeds() -> list[bytes]:
    """Each command by each person, alone and with a second one."""
    found = [
        b'{"id": 9, "complete": ["device", "te"]}\n',
        b'!{"id": 1, "do": ["follow"]}\n{"id": 1, "stop": true}\n',
    ]
    for words in COMMANDS:
        for first, second in zip(PINS, [*list(PINS)[1:], next(iter(PINS))], strict=True):
            alone = {"id": 2, "do": words.split(), "why": "because", "pin": PINS[first], "new_pin": "48213"}
            steps = [{"id": 1, "do": ["unlock", first], "pin": PINS[first]}, alone]
            steps += [alone | {"second": second}, alone | {"second": second, "second_pin": PINS[second]}]
            found.append(b"".join(json.dumps(each).encode() + b"\n" for each in steps))
    return found
