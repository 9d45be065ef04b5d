"""A console at the running program, as a floorperson would have it: what happens, one event after the other.

This is all that the demo ever learns of the table. It is told over the console's socket what the program
publishes there to a floorperson, and nothing else; a thread reads it, so that the program never waits.
"""

import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from sabot.firmware.console.client import Client
from sabot.firmware.console.errors import ConsoleError
from sabot.statemachine.faults import FAULT_ROWS, POLICY
from sabot.statemachine.vocabulary import codec
from sabot.statemachine.vocabulary.effects import (
    Effect,
    FreezeHit,
    RaiseFault,
    RemoveDeck,
    RequireRole,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import Event

PATIENCE_S = 600.0
# Cards are masked on their way here, and a stack of masked cards is no event that could be read.
MASKED = ("cards", "composition")
# JSON has only words for keys; seats are numbers again here.
BY_SEAT = ("bets", "raises")


class ToldEvent(NamedTuple):
    """An event as the console told it; None for the event when it told how the table stands."""

    event: Event | None
    effects: Sequence[Effect]
    cites: Sequence[str]
    seen: Mapping[str, Any]


class DemoFollower:
    """A listener at a console."""

    def __init__(self, socket: Path, number: str, pin: str) -> None:
        self._client = Client(socket)
        self.notice = str(self._client.hello.get("notice", ""))
        self._told: SimpleQueue[ToldEvent] = SimpleQueue()
        self._waiting: deque[ToldEvent] = deque()
        self.why_over = ""
        self._unlock(number, pin)
        self._thread = threading.Thread(target=self._listen, name="follower", daemon=True)
        self._thread.start()

    def _unlock(self, number: str, pin: str) -> None:
        (end,) = [said for said in self._client.ask(do=["unlock", number], pin=pin) if "end" in said]
        if end["end"] != "done":
            raise ConsoleError("E-CONS-013", "console", why=end.get("why", end["end"]))

    def _listen(self) -> None:
        try:
            for said in self._client.ask(do=["follow"]):
                if said.get("data"):
                    self._told.put(read_told(said["data"]))
            self.why_over = "the console's command ended"
        except ConsoleError as error:
            self.why_over = error.what

    def first(self) -> ToldEvent:
        """Return the table's first state; raise Empty if none comes."""
        return self._told.get(timeout=PATIENCE_S)

    def wait(self, seconds: float) -> None:
        """Wait until something is told, at most that long."""
        with suppress(Empty):
            self._waiting.append(self._told.get(timeout=seconds))

    def take(self) -> Iterator[ToldEvent]:
        """Yield everything that was told and not yet taken."""
        while self._waiting:
            yield self._waiting.popleft()
        while True:
            try:
                yield self._told.get_nowait()
            except Empty:
                return

    def close(self) -> None:
        """Hang up, and wait for the thread."""
        self._client.close()
        self._thread.join()


def read_told(data: Mapping[str, Any]) -> ToldEvent:
    """Return the console's answer in the words of the table."""
    event = {name: value for name, value in (data["event"] or {}).items() if name not in MASKED}
    view = {name: _by_seat(value) if name in BY_SEAT else value for name, value in data["view"].items()}
    return ToldEvent(
        event=codec.read_event(event) if event else None,
        effects=[codec.read_effect(effect) for effect in data["effects"]],
        cites=[note["cite"] for note in data["notes"]],
        seen=view,
    )


def _by_seat(value: Mapping[str, Any]) -> dict[int, Any]:
    return {int(seat): each for seat, each in value.items()}


# Whose citation is shown when an irregularity has several effects.
GRAVEST_FIRST: Sequence[type[Effect]] = (VoidRound, RemoveDeck, FreezeHit, RaiseFault, RequireRole)


def law_of(told: ToldEvent) -> str:
    """Return the citation of the gravest effect, else of the last note, else of what holds the table."""
    # Told how the table stands, as after a power cut: there is no effect yet, only what is latched.
    if told.event is None:
        return next((held["cite"] for held in told.seen["held"]), "")
    for kind in GRAVEST_FIRST:
        found = next((effect for effect in told.effects if isinstance(effect, kind)), None)
        if found is not None:
            return _with_basis(found)
    return next((cite for cite in reversed(told.cites) if cite), "")


def _with_basis(effect: Effect) -> str:
    """Return an effect's citation; a fault of our own policy says so, even where it leans on a paragraph."""
    is_ours = isinstance(effect, RaiseFault) and FAULT_ROWS[effect.fault].basis == POLICY
    return f"{POLICY}, {effect.cite}" if is_ours and effect.cite != POLICY else effect.cite
