"""A floorperson and a technician who know nothing but what is printed: the display and the lines of ``faults``.

They carry a step out by its words: a line of FLOOR is walked to on the display, an order is typed at the
console, whatever is looked at or touched is answered by the device as it would. They never look at the table:
all that they have of it is a ``World``, which has words, keys, a console and devices, and no more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from sabot.statemachine.vocabulary.events import DIGITS, Key, Role

from .printed import Fault, Step, first

if TYPE_CHECKING:
    from collections.abc import Sequence

ROLES = {"a floorperson": Role.FLOOR, "a technician": Role.TECHNICIAN}
LINE = re.compile(r"FLOOR: ([A-Z ]+?)(?:, ([^,]+))?, by (a floorperson|a technician)$")
CONSOLE = re.compile(r"console: (.+), by (a floorperson|a technician)$")
# A thing to do at a device, by the words in which it is printed; looking needs no hand.
TOUCHED = (
    re.compile(r"(make room) on the (.+), or exchange it"),
    re.compile(r"(plug) the (.+) in and"),
    re.compile(r"(set) the (.+) to play mode"),
    re.compile(r"(empty) the (.+): as many cards out as in"),
)
LONGEST_LIST, MOST_STEPS_HOME = 80, 12
DIGIT_KEYS = {digit: key for key, digit in DIGITS.items()}
LOT = "90210"


class StuckError(AssertionError):
    """A step that cannot be carried out as it is printed."""


class World(Protocol):
    """All that people have of a table."""

    @property
    def prompt(self) -> tuple[str, str]:
        """The two lines of the display."""

    def printed(self) -> Sequence[str]:
        """The lines that ``faults`` prints now."""

    def press(self, *keys: Key) -> object:
        """Press keys of the dealer."""

    def unlock(self, role: Role) -> None:
        """Turn the key switch and enter the PIN."""

    def lock(self, role: Role) -> None:
        """Turn the key switch back."""

    def order(self, words: str, role: Role) -> None:
        """Type an order at the console."""

    def touch(self, how: str, device: str) -> None:
        """Do something at a device, which says what it says then."""

    def count_stub(self) -> None:
        """Count the cards that lie there, and enter how many."""


class Robot:
    """Both of them, at one table."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._lots = 0

    def cure(self, *, by_console: bool = False) -> Fault | None:
        """Carry out the fault that is printed first, in as many steps as were printed; None: nothing is."""
        fault = first(self.world.printed())
        done: list[str] = []
        for _ in fault.steps if fault else ():
            now = first(self.world.printed())
            if now is None or now.name != (fault and fault.name):
                break
            left = [step for step in now.steps if step.words not in done]
            if not left:
                break
            done.append(left[0].words)
            self.carry_out(left[0], by_console=by_console)
        return fault

    def carry_out(self, step: Step, *, by_console: bool = False) -> None:
        """Do what a printed step says, by the order beside it where that is wanted and printed."""
        if by_console and step.order:
            self.world.order(step.order, ROLES[step.words.rpartition(", by ")[2]])
        elif line := LINE.match(step.words):
            self._take(line[1], line[2] or "", ROLES[line[3]])
        elif order := CONSOLE.match(step.words):
            self.world.order(order[1], ROLES[order[2]])
        elif step.words.startswith("end the round"):
            self._end_round()
        else:
            self._touch(step.words)

    def _touch(self, words: str) -> None:
        for pattern in TOUCHED:
            if found := pattern.match(words):
                self.world.touch(found[1], found[2])

    # ------------------------------------------------------------ the floor's list

    def _take(self, title: str, value: str, role: Role) -> None:
        self.world.unlock(role)
        self.world.press(Key.FLOOR)
        self._walk(title)
        self.world.press(Key.OK)
        if self.world.prompt[0] == title:
            if value.startswith("DECK "):
                self._walk(value)
            self.world.press(Key.OK)
        if self.world.prompt[0].startswith("LOT OF"):
            self._lots += 1
            self.world.press(*(DIGIT_KEYS[digit] for digit in f"{LOT}{self._lots}"), Key.OK)
        self.world.lock(role)

    def _walk(self, wanted: str) -> None:
        """Go through a list until its second line is what is printed."""
        for _ in range(LONGEST_LIST):
            if self.world.prompt[1] == wanted:
                return
            self.world.press(Key.RIGHT)
        raise StuckError(f"{wanted} is in no list; the display shows {self.world.prompt}")

    # ------------------------------------------------------------ a round that is to end first

    def _end_round(self) -> None:
        """Follow the display until it asks for nothing of a round any more."""
        for _ in range(MOST_STEPS_HOME):
            before, second = self.world.prompt
            asks_ok = "OK" in second or "TAKE BACK" in before
            if before.startswith("HELD: ") or not asks_ok:
                return
            if "COUNT STUB" in before:
                self.world.count_stub()
            else:
                self.world.press(Key.OK)
