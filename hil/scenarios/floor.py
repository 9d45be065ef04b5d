"""The floor around a table under test: people, console, diary, and one step after the other."""

# Theory of operation. A step acts and waits through the people's hands (`crew.hands`), which read on in the
# devices' diary; what the rig does itself (power, a console command, the link) is written beside it (`note`),
# and both together are the story. What the program recorded comes from its console: entries after the newest
# one that was there when the scenario began, without the questions that the rig itself asked. Everything is
# in the table's own time, so that a busy machine makes a scenario slower and not wrong.

import json
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.scenarios.people import RigPeople
from sabot.hil.scenarios.rig import Rig, TableUnderTest
from sabot.hil.table.console import ConsoleAnswer, RigConsole
from sabot.hil.table.crew import DEALER, FLOOR, TECHNICIAN
from sabot.hil.table.hands import LOOK_S, NotSeenError

# How long a step may take to be seen or followed, a console to answer, and how soon it is tried again.
SEE_S, FOLLOW_S, CONNECT_S, RETRY_S = 15.0, 120.0, 300.0, 0.01
PEOPLE = {"dealer": DEALER, "floor": FLOOR, "technician": TECHNICIAN}
MOST_ENTRIES = 500
# What people know of the decks, for whoever goes on at a table that was prepared.
REMEMBERED = ("pack", "loaded", "in_play", "_lots")
Row = list[Any]


class ScenarioFloor:
    """Everybody and everything at one table during one scenario."""

    def __init__(
        self,
        table: TableUnderTest,
        chapter: str,
        method: str,
        rig: Rig,
        people: Callable[[Path], RigPeople] = RigPeople,
    ) -> None:
        self.table, self.chapter, self.method, self.rig = table, chapter, method, rig
        self.crew = people(table.root)
        self.crew.hands.patience_s *= rig.patience
        self.crew.on_look = lambda looked: self.note("people", str(looked))
        for name, value in table.memory.items():
            setattr(self.crew, name, value)
        self.notes: list[Row] = []
        self.said: ConsoleAnswer | None = None
        self.measured: list[tuple[str, float]] = []
        self._journal: list[str] = []
        self._entries: list[Any] = []
        self._first = self._newest()
        self.since = self.now()

    def now(self) -> float:
        """Return the table's time, in which everything here is waited for and written down."""
        return self.crew.hands.now()

    def close(self) -> None:
        """Send everybody home."""
        self.crew.close()

    def memory(self) -> dict[str, Any]:
        """Return what the people know, for those who go on at this table."""
        return {name: getattr(self.crew, name) for name in REMEMBERED}

    # ------------------------------------------------------------ waiting

    def patience_s(self, step: ScenarioStep, usual_s: float) -> float:
        """Return how long a step may take on this rig."""
        return (usual_s if step.within_s is None else step.within_s) * self.rig.patience

    def wait(
        self,
        step: ScenarioStep,
        is_so: Callable[[], bool],
        came: Callable[[], object],
        every_s: float = LOOK_S,
    ) -> None:
        """Wait until it is so; raise NotSeenError with what was expected and what came."""
        patience_s, hands = self.patience_s(step, SEE_S), self.crew.hands
        if not hands.comes(is_so, patience_s, every_s):
            message = f"expected within {patience_s:g} s: {step}\ncame: {came()}"
            raise NotSeenError(message)

    def refuse(self, step: ScenarioStep, came: object) -> None:
        """Raise NotSeenError at once: what was expected cannot come any more."""
        message = f"expected: {step}\ncame: {came}"
        raise NotSeenError(message)

    # ------------------------------------------------------------ the console and the journal

    def ask(self, who: str, words: str) -> ConsoleAnswer:
        """Give a command at the console, as somebody, and return the answer."""
        desk = self._desk()
        try:
            if who:
                person = PEOPLE[who]
                desk.unlock(person.number, person.pin)
            return desk.say(words, why="a scenario of the rig")
        finally:
            desk.close()

    def _desk(self) -> RigConsole:
        end = time.monotonic() + CONNECT_S * self.rig.patience
        while True:
            try:
                return RigConsole(self.table.root / "console.sock")
            except OSError:
                if time.monotonic() > end or not self.table.is_on():
                    raise
                time.sleep(RETRY_S)

    def _newest(self) -> int:
        entries = [each for each in self.ask("", "events 1").data if "number" in each]
        return int(entries[-1]["number"]) if entries else 0

    def journal(self) -> list[str]:
        """Return the journal's lines since the scenario began."""
        self._look()
        return self._journal

    def entries(self) -> list[Any]:
        """Return the same entries as the console gives them to programs."""
        self._look()
        return self._entries

    def _look(self) -> None:
        # Of a controller that is off, what was read last is all there is.
        if not self.table.is_on():
            return
        answer = self.ask("", f"events {MOST_ENTRIES}")
        self._journal = list(_since(answer.lines, self._first))
        self._entries = [each for each in answer.data if each.get("number", 0) > self._first]

    # ------------------------------------------------------------ the floor of linked meters

    def at_the_floor(self, words: str) -> list[str]:
        """Have something done at the floor of linked meters, and return what is seen there then."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(CONNECT_S)
            line.connect(str(self.table.root / "link.control"))
            with line.makefile("rwb") as file:
                file.write(f"{words}\n".encode())
                file.flush()
                said = json.loads(file.readline())
        if "error" in said:
            raise ValueError(said["error"])
        return list(said["shows"].splitlines())

    # ------------------------------------------------------------ the diary

    def note(self, what: str, words: str) -> None:
        """Write down something that the rig does itself."""
        self.notes.append([self.now(), what, "", words, "did"])

    def shown(self) -> list[Row]:
        """Return the rows since the scenario began or the controller came back."""
        rows = [row for row in self.diary() if row[4] == "showed"]
        # What a device showed then, it was showing already: the last row of each
        # before that moment counts too.
        at_first = {(row[1], row[2]): row for row in rows if row[0] <= self.since}
        return [*at_first.values(), *(row for row in rows if row[0] > self.since)]

    def diary(self) -> list[Row]:
        """Return everything done and shown, in order."""
        return sorted([*self.crew.hands.diary(), *self.notes], key=lambda row: row[0])


# What the rig itself asks of the console is recorded as well, and is no part of the story.
_OWN = re.compile(r" command nobody: (events|whoami)\b")


def _since(lines: list[str], first: int) -> "list[str]":
    """Return the entries after a number, each with the lines of its effects."""
    kept, is_new = [], False
    for line in lines:
        if not line.startswith(" "):
            is_new = int(line.split()[0]) > first
        kept += [line.strip()] if is_new and not _OWN.search(line) else []
    return kept


Act = Callable[[ScenarioFloor, ScenarioStep], None]
