"""The hands at a device, for what no wire can do: a person at the terminal, a simulator's socket, or nobody.

While a person walks to the device the host's conversation must go on, so hands are given something to call
meanwhile. What nobody can do is not tried, and what is not tried is never a pass.
"""

import json
import os
import select
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol, TextIO

from sabot.hil.table import own_time

PATIENCE_S, LOOK_S, TYPED_MOST = 30.0, 0.01, 1024
NO, HELD = ("no", "n", "skip"), "held"
GONE = b'{"error": "it is gone"}'


class NotTriedError(Exception):
    """A check that could not be made, with the reason."""


class Act(NamedTuple):
    """Something to do: the words for a person, and the lines for a simulator."""

    words: str
    lines: tuple[str, ...] = ()

    def at(self, **facts: object) -> "Act":
        """Return the same act with its blanks filled in."""
        return Act(self.words.format(**facts), tuple(line.format(**facts) for line in self.lines))


Idle = Callable[[], None]


class CheckHands(Protocol):
    """What a check can ask of whoever is at the device."""

    name: str

    def do(self, act: Act, idle: Idle) -> None:
        """Do it; raise NotTriedError if it cannot be done."""

    def draw(self, wanted: str, idle: Idle) -> str:
        """Draw a card from the shoe, and return which it was; an empty string if none comes out."""

    def sees(self, question: str, shown: str, idle: Idle) -> bool:
        """Return whether it is to be seen; ``shown`` is what a simulator has to show."""


class NoHands:
    """Nobody: every act is refused."""

    name = "nobody"

    def do(self, act: Act, idle: Idle) -> None:  # noqa: ARG002 - the others need it
        """Raise NotTriedError."""
        raise NotTriedError(f"nobody was there for: {act.words} (say --person, or --hands SOCKET)")

    def draw(self, wanted: str, idle: Idle) -> str:  # noqa: ARG002
        """Raise NotTriedError."""
        raise NotTriedError("nobody was there to draw a card (say --person, or --hands SOCKET)")

    def sees(self, question: str, shown: str, idle: Idle) -> bool:  # noqa: ARG002
        """Raise NotTriedError."""
        raise NotTriedError(f"nobody was there to look: {question} (say --person)")


class CheckPerson:
    """Somebody at this terminal, asked in words."""

    name = "a person"

    def __init__(self, stdin: TextIO | None = None, out: TextIO | None = None) -> None:
        self._in, self._out = stdin or sys.stdin, out or sys.stderr
        self._typed = b""

    def do(self, act: Act, idle: Idle) -> None:
        """Ask for it, and wait for Enter."""
        answer = self._ask(f"{act.words}  [Enter when done, no if it cannot be done]", idle)
        if answer in NO:
            raise NotTriedError(f"it could not be done: {act.words}")

    def draw(self, wanted: str, idle: Idle) -> str:  # noqa: ARG002 - a person draws what comes
        """Ask for a card, and return which it was."""
        answer = self._ask(
            "Draw one card. Which is it?  [as in As, Td, 9h; held if none comes out; no]", idle
        )
        if answer == HELD:
            return ""
        if answer in NO or len(answer) != 2:  # noqa: PLR2004 - rank and suit
            raise NotTriedError("no card was drawn")
        return answer[0].upper() + answer[1].lower()

    def sees(self, question: str, shown: str, idle: Idle) -> bool:  # noqa: ARG002 - eyes see for themselves
        """Ask whether it is to be seen."""
        answer = self._ask(f"{question}  [yes, no; skip]", idle)
        if answer == "skip":
            raise NotTriedError(f"nobody looked: {question}")
        return answer in {"yes", "y"}

    def _ask(self, words: str, idle: Idle) -> str:
        self._out.write(f"\n  >> {words} ")
        self._out.flush()
        while b"\n" not in self._typed:
            self._read(idle)
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace").strip()

    def _read(self, idle: Idle) -> None:
        """Read what was typed, or let the conversation go on."""
        if not select.select([self._in], [], [], LOOK_S)[0]:
            idle()
            return
        # Unbuffered: what a stream had read ahead select would wait for in vain.
        more = os.read(self._in.fileno(), TYPED_MOST)
        if not more:
            raise NotTriedError("nobody answers at the terminal any more")
        self._typed += more


class SocketHands:
    """A simulator's control socket: ``PATH``, or ``PATH:DEVICE`` where several devices stand behind it."""

    name = "the simulator's own"

    def __init__(self, where: str) -> None:
        path, _, self._device = where.partition(":")
        self.time = own_time.beside(Path(path))
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE_S)
        self._socket.connect(str(Path(path)))
        self._stream = self._socket.makefile("rwb")

    def _answer(self, **what: str) -> dict[str, object]:
        asked = {"device": self._device or "device", **what}
        self._stream.write(json.dumps(asked).encode() + b"\n")
        self._stream.flush()
        answer: dict[str, object] = json.loads(self._stream.readline() or GONE)
        if "error" in answer:
            raise NotTriedError(f"the simulator did not do it: {answer['error']}")
        return answer

    def do(self, act: Act, idle: Idle) -> None:
        """Do each line in its turn."""
        for line in act.lines:
            self._answer(do=line)
        # Once, that the kit hears what came of it.
        idle()

    def draw(self, wanted: str, idle: Idle) -> str:
        """Draw the card that was wanted, and return it."""
        self.do(Act("", (f"draw {wanted}",)), idle)
        return wanted

    def sees(self, question: str, shown: str, idle: Idle) -> bool:  # noqa: ARG002 - a simulator shows words
        """Return whether the words are among what it shows; those in lines stand below each other."""
        idle()
        return shown in "\n".join(words_in(self._answer()["shows"]))


def words_in(shows: object) -> Iterator[str]:
    """Yield every text of an answer, in order."""
    if isinstance(shows, str):
        yield shows
    elif isinstance(shows, dict):
        for name, each in shows.items():
            yield name
            yield from words_in(each)
    elif isinstance(shows, list):
        for each in shows:
            yield from words_in(each)
