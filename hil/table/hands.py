"""The hands and eyes at a simulated table: what a dealer, players and a technician do, and what they see."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOOK_S = 0.01


class NotSeenError(AssertionError):
    """What was expected did not come to be seen in time; the words say what was seen instead."""


class Hands:
    """A connection to the control socket of a simulated table."""

    def __init__(self, root: Path, patience_s: float = 5.0) -> None:
        # Whoever shows the table to people meanwhile lets them look in these pauses, and counts their time.
        self.rest: Callable[[float], None] = time.sleep
        self.now: Callable[[], float] = time.monotonic
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30.0)
        self._socket.connect(str(root / "control.sock"))
        self._stream = self._socket.makefile("rwb")
        self.patience_s = patience_s

    def close(self) -> None:
        """Go away."""
        self._stream.close()
        self._socket.close()

    def _ask(self, **what: object) -> dict[str, Any]:
        self._stream.write(json.dumps(what).encode() + b"\n")
        self._stream.flush()
        answer: dict[str, Any] = json.loads(self._stream.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def do(self, device: str, action: str) -> None:
        """Do something to a device, in the words of `sabot sim`."""
        self._ask(device=device, do=action)

    def see_all(self) -> dict[str, Any]:
        """What every device shows."""
        return dict(self._ask()["shows"])

    def see(self, device: str) -> dict[str, Any]:
        """What a device shows."""
        return dict(self._ask(device=device)["shows"])

    def diary(self, first: int = 0) -> list[list[Any]]:
        """What was done and shown, from a row on: time, device, name, value, how."""
        return list(self._ask(diary=first)["diary"])

    def keep(self) -> dict[str, Any]:
        """What lies in the devices, for a table that is put away."""
        return dict(self._ask(keep=True)["kept"])

    def longest_pause_s(self) -> float:
        """How long the devices stood still at most, because the machine was busy with something else."""
        return float(self._ask(pause=True)["pause"])

    def program_gone(self) -> None:
        """The program was killed: ports and lines are as at a machine that was switched off."""
        self._ask(gone=True)

    def press(self, *keys: str) -> None:
        """Press keys of the dealer, each with a finger's time."""
        names = " ".join(f"key_{key.lower()}" for key in keys)
        self.do("lines", f"press {names}")

    @property
    def lines(self) -> tuple[str, str]:
        """The two lines of the dealer's display, without the blanks at their ends."""
        first, second = self.see("display")["lines"]
        return first.rstrip(), second.rstrip()

    def wait(self, what: str, is_so: Callable[[], bool], patience_s: float | None = None) -> None:
        """Wait until something is seen."""
        end = self.now() + (patience_s or self.patience_s)
        while not is_so():
            if self.now() > end:
                message = f"{what} was not seen; the display shows {self.lines}"
                raise NotSeenError(message)
            self.rest(LOOK_S)

    def wait_display(self, *words: str, patience_s: float | None = None) -> None:
        """Wait until the display shows all these words."""
        self.wait(
            f"a display with {words}", lambda: all(w in "\n".join(self.lines) for w in words), patience_s
        )
