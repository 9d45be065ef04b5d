"""The people at an emulated board: they type on its serial console, and play by the display alone.

The console is the board's own PL011. What it asks is answered as a person does, when the question stands
there.
"""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sabot.hil.table.crew import DEALER, FLOOR, TECHNICIAN, Crew, CrewMember
from sabot.image.emulator import Emulator
from sabot.image.errors import ImageError

# The person, or nobody, at the beginning of a line.
PROMPT = r"(?m:^[^\n:>]+)> $"
PATIENCE_S, CREW_S, LOOK_S, QUIET_S = 300.0, 120.0, 5.0, 2.0
# People's patience is for a board; an emulated one is so much slower.
SLOWER = 3.0
WHY = "first day"
# A release as the console itself proposes it, behind each hold that is released there.
_ORDERS = re.compile(r"or here: `(clear [^`]+)`")


class SerialConsole:
    """Somebody at the board's serial port."""

    def __init__(self, board: Emulator) -> None:
        self._board = board

    def ready(self) -> None:
        """Press ENTER until the console asks for a command, and hear out what it says to all of them."""
        end = time.monotonic() + PATIENCE_S
        while not self._is_asked(LOOK_S):
            if time.monotonic() > end:
                raise ImageError("the console asks for no command")
        # Each ENTER that was typed too early is answered by a prompt of its own.
        while self._board.says(PROMPT, patience_s=QUIET_S):
            pass

    def begin_anew(self) -> None:
        """Give a command to a console whose program is another one: it learns of it so, and begins anew."""
        self.ready()
        self.say("status")
        self.ready()

    def _is_asked(self, patience_s: float) -> bool:
        self._board.type("")
        return self._board.says(PROMPT, patience_s=patience_s)

    def say(self, words: str, answers: Mapping[str, str] | None = None) -> str:
        """Give a command, answer its questions by their first words, and return what was said to it."""
        known = answers or {}
        asked = [f"{re.escape(each)}[^\n]*: $" for each in known]
        begun = self._board.place()
        self._board.type(words)
        while True:
            found = self._board.wait(PROMPT, *asked, patience_s=PATIENCE_S)
            question = next((each for each in known if found.startswith(each)), None)
            if question is None:
                return self._board.since(begun).partition("\n")[2].rpartition("\n")[0].strip()
            self._board.type(known[question])

    def order(self, words: str, answers: Mapping[str, str] | None = None) -> str:
        """Give a command and return what was said; raise ImageError where it was refused."""
        said = self.say(words, answers)
        if re.search(r"E-[A-Z]+-\d{3}", said):
            raise ImageError(f"{words}: {said}")
        return said

    def rounds(self) -> int:
        """Return how many rounds the table counts; raise ImageError where it is out of service."""
        said = self.say("status")
        found = re.search(r"(?m)^rounds +(\d+)$", said)
        if found is None:
            raise ImageError(f"the table is not in service: {said}")
        return int(found[1])

    def unlock(self, person: CrewMember) -> None:
        """Prove a person's role by number and PIN."""
        self.order(f"unlock {person.number}", {"PIN": person.pin})


class BoardCrew(Crew):
    """Dealer, floor and technician, whose console is the serial port."""

    def __init__(self, root: Path, console: SerialConsole) -> None:
        super().__init__(root)
        self.hands.patience_s = CREW_S
        self.hands.now = lambda: time.monotonic() / SLOWER
        self.console = console

    def register(self, color: str) -> str:
        """Register a deck at the console, and return its lot."""
        self._lots += 1
        lot = f"LOT{self._lots}"
        self.console.unlock(FLOOR)
        self.console.order(f"register lot {lot} {color}")
        return lot

    @contextmanager
    def turned_key(self) -> Iterator[None]:
        """Hold the key switch turned for the length of the block."""
        self.hands.do("lines", "hold key_switch")
        yield
        self.hands.do("lines", "let key_switch")

    def enrol_everybody(self, keys: Mapping[str, str]) -> None:
        """Enrol the first day's people, at the turned key and then by two, and the devices."""
        console = self.console
        with self.turned_key():
            for person, role in ((FLOOR, "floor"), (TECHNICIAN, "technician")):
                console.order(f"enrol person {person.number} {role} {role}", _new(person))
        console.unlock(FLOOR)
        console.order(f"enrol person {DEALER.number} dealer dealer", {**_new(DEALER), **_second(TECHNICIAN)})
        console.unlock(TECHNICIAN)
        for name, key in keys.items():
            console.order(f"enrol device {name} {key}", {**_second(FLOOR), "Why": WHY})

    def order_update(self) -> None:
        """Have technician and floorperson agree, in service mode, to the update that lies ready."""
        self.console.unlock(TECHNICIAN)
        self.console.say("service on", {"Why": WHY})
        self.console.order("update", {**_second(FLOOR), "Why": WHY})

    def release_devices(self) -> None:
        """Wait until every device is heard, and release what was held for its key."""
        end = time.monotonic() + PATIENCE_S
        while "DOWN" in (said := self.console.say("devices")):
            if time.monotonic() > end:
                raise ImageError(said)
        for person in (TECHNICIAN, FLOOR):
            self.console.unlock(person)
            for order in _ORDERS.findall(self.console.say("faults")):
                self.console.say(order, {"Why": WHY})
        self.console.order("lock")


def _new(person: CrewMember) -> dict[str, str]:
    return {"New PIN": person.pin, "once more": person.pin}


def _second(person: CrewMember) -> dict[str, str]:
    return {"Number of a second": person.number, "PIN of the second": person.pin}
