"""A chip behind a Unix socket: the program holds the lines, another process drives them.

One line of JSON asks, one answers; edges come unasked. When a program's connection ends, however it ended,
the chip lets go of its lines, as the kernel does.
"""

import json
import socket
import threading
from contextlib import suppress
from queue import SimpleQueue
from socketserver import StreamRequestHandler
from typing import Any

from sabot.hil.simulators.far_end import FarEnd
from sabot.hil.simulators.gpio.chip import IN, OUT, Alert, Chip, ChipError

_OF_A_PROGRAM = frozenset(("claim_input", "claim_output", "read", "write", "free"))
_OF_THE_WORLD = frozenset(("drive", "level", "vanish", "come_back"))


class ChipServer(FarEnd):
    """A chip at the end of a socket."""

    def __init__(self, chip: Chip, path: str) -> None:
        super().__init__(path, _RemoteHandler)
        self.chip = chip


class _RemoteHandler(StreamRequestHandler):
    server: ChipServer

    def handle(self) -> None:
        """Answer every line until the program is gone."""
        chip, writing = self.server.chip, threading.Lock()

        def say(what: dict[str, Any]) -> None:
            with writing, suppress(OSError):
                self.wfile.write(json.dumps(what).encode() + b"\n")

        chip.watch(self, lambda pin, level: say({"alert": [pin, level]}))
        with suppress(OSError):
            for line in self.rfile:
                say(self._answer(chip, json.loads(line)))
        chip.left(self)

    def _answer(self, chip: Chip, asked: dict[str, Any]) -> dict[str, Any]:
        call, arguments = asked["call"], asked["with"]
        try:
            if call in _OF_A_PROGRAM:
                return {"is": getattr(chip, call)(self, *arguments)}
            if call in _OF_THE_WORLD:
                return {"is": getattr(chip, call)(*arguments)}
        except ChipError as error:
            return {"error": str(error)}
        return {"error": f"no such call: {call}"}


class RemoteChip:
    """A chip in another process, with the calls of ``Chip`` that a program and a rig make."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._stream = self._socket.makefile("rwb")
        self._answers: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._asking = threading.Lock()
        self._alert: Alert = lambda _pin, _level: None
        self._ways: dict[int, str] = {}
        threading.Thread(target=self._listen, name="gpio-listener", daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError, ValueError):
            for line in self._stream:
                said = json.loads(line)
                if "alert" in said:
                    self._alert(*said["alert"])
                else:
                    self._answers.put(said)
        # For whoever waits for an answer that will not come; and the alert of a chip that is gone.
        self._answers.put({"error": "bad lineinfo IOCTL"})
        self._alert(-1, 0)

    def _ask(self, call: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON
        with self._asking:
            try:
                self._stream.write(json.dumps({"call": call, "with": arguments}).encode() + b"\n")
                self._stream.flush()
            except (OSError, ValueError) as error:
                raise ChipError(str(error)) from error
            answer = self._answers.get()
        if "error" in answer:
            raise ChipError(answer["error"])
        return answer["is"]

    def claim_input(self, _owner: object, pin: int, pull: str) -> None:
        """Take a line as input."""
        self._ask("claim_input", pin, pull)
        self._ways[pin] = IN

    def claim_output(self, _owner: object, pin: int, level: int) -> None:
        """Take a line as output."""
        self._ask("claim_output", pin, level)
        self._ways[pin] = OUT

    def way(self, _owner: object, pin: int) -> str:
        """Return whether this program claimed the line as input or output; nobody is asked for that."""
        return self._ways.get(pin, "")

    def read(self, _owner: object, pin: int) -> int:
        """Return the level of a line."""
        return int(self._ask("read", pin))

    def write(self, _owner: object, pin: int, level: int) -> None:
        """Set an output."""
        self._ask("write", pin, level)

    def free(self, _owner: object, pin: int) -> None:
        """Give a line back."""
        self._ask("free", pin)
        self._ways.pop(pin, None)

    def watch(self, _owner: object, alert: Alert) -> None:
        """Call back at every edge."""
        self._alert = alert

    def left(self, _owner: object) -> None:
        """Leave: the connection ends, and with it all claims."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def drive(self, pin: int, level: int) -> None:
        """Move a switch, from outside."""
        self._ask("drive", pin, level)

    def level(self, pin: int) -> int:
        """Return the level that a meter would show."""
        return int(self._ask("level", pin))
