"""People at the table: the key switch, the PIN on the dealer's keys, and what is unlocked by them.

While the key is turned and nobody has proved who they are, the dealer's keys are digits: they go neither to
the table nor to the journal nor to a log. The lock-out key always goes to the table. Who proved a role has it
until the key is turned back or nothing was pressed for a while. Dealers sign on in the same way.

``PinEntry`` is pure: keys in, a candidate out. Digits are shown as stars, the person's number too, for a
camera sees the display. The lock-out key is no digit and never belongs to an entry.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, Protocol

from sabot.firmware.credentials.errors import KeepError
from sabot.firmware.credentials.people import UNLOCKED_S, Person
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.vocabulary.events import (
    DIGITS,
    DealerSignedOn,
    Event,
    Key,
    KeyPressed,
    Role,
    RoleLocked,
    RoleUnlocked,
)

NUMBER_DIGITS = 2
# Two of the number, and the ten of the longest PIN.
MOST_DIGITS = 12
ASK = "PERSON+PIN: "
HELP = "OK ENTERS, BACK DEL."


class Candidate(NamedTuple):
    """Somebody who says who they are, to be checked."""

    number: str
    pin: str

    def __repr__(self) -> str:
        return "Candidate(**)"


class PinEntry:
    """A number and a PIN that are being entered."""

    def __init__(self) -> None:
        self._digits = ""

    def __repr__(self) -> str:
        return "PinEntry(**)"

    @property
    def lines(self) -> tuple[str, str]:
        """Return the lines of the display: never a digit."""
        return (ASK + "*" * len(self._digits))[:WIDTH], HELP

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was entered: BACK then leaves."""
        return not self._digits

    def press(self, key: Key) -> Candidate | None:
        """Take a key; return the candidate when OK ended the entry, which then begins anew."""
        if key in DIGITS:
            self._digits = (self._digits + DIGITS[key])[:MOST_DIGITS]
        elif key is Key.BACK:
            self._digits = self._digits[:-1]
        elif key is Key.OK and self._digits:
            digits, self._digits = self._digits, ""
            return Candidate(digits[:NUMBER_DIGITS], digits[NUMBER_DIGITS:])
        return None


ENTRY_S = 30.0
SHOWN_S = 2.0
SOURCE = "key switch"
# What stands on the display where a PIN is not accepted; any other error shows its code.
REASONS = {
    "E-KEEP-006": "NUMBER OR PIN WRONG",
    "E-KEEP-007": "WAIT, THEN TRY AGAIN",
    "E-KEEP-008": "LOCKED OUT",
}


class PinChecker(Protocol):
    """A checker of people and PINs."""

    async def check(self, number: str, pin: str) -> Person:
        """Return the person, or raise KeepError."""


class Display(Protocol):
    """The dealer's two lines, reached without the journal."""

    def show(self, first: str, second: str) -> None:
        """Show these lines for now."""

    def show_table(self) -> None:
        """Show what the table wants shown again."""


class Spawn(Protocol):
    """Begins a task of the program; whoever awaits it expects these exceptions."""

    def __call__(
        self, work: Coroutine[Any, Any, Any], name: str, *expects: type[Exception]
    ) -> "asyncio.Task[Any]":
        """Begin the task."""


class TableUnlock:
    """The key switch of one table, and the dealer's keys before the table gets them."""

    def __init__(
        self,
        people: PinChecker,
        post: Callable[[Event], None],
        display: Display,
        now: Callable[[], float],
        spawn: Spawn,
        wants_dealer: Callable[[], bool] = lambda: False,
    ) -> None:
        self._people, self._post, self._display, self._now = people, post, display, now
        self._spawn, self._wants_dealer = spawn, wants_dealer
        self._entry: PinEntry | None = None
        self._proved: Person | None = None
        self._checking: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.is_turned = False

    @property
    def is_entering(self) -> bool:
        """Return whether the dealer's keys are digits now."""
        return self._entry is not None

    # ------------------------------------------------------------ what comes in

    def key_switch(self, *, is_turned: bool) -> None:
        """Ask who it is where the key was turned, and lock where it was turned back."""
        self.is_turned = is_turned
        if is_turned:
            self.begin()
        else:
            self.lock()

    def begin(self) -> None:
        """Ask for a number and a PIN; also for a dealer who signs on without a key."""
        if self._checking is None:
            self._entry = PinEntry()
            self._show_entry()

    def take(self, event: Event) -> bool:
        """Return whether an event was meant for us; if not, it is the table's."""
        # LOCK is the safe direction: it goes to the table even from the middle of a PIN.
        if not isinstance(event, KeyPressed) or event.key is Key.LOCK:
            return False
        if self._entry is not None:
            self._digit(self._entry, event.key)
            return True
        # Typed on while a PIN is checked: a digit too many must not reach the table as a key.
        if self._checking is not None:
            return True
        if event.key is Key.OK and self._wants_dealer():
            self.begin()
            return True
        if self._proved is not None:
            self._wait(UNLOCKED_S)
        return False

    def lock(self) -> None:
        """Take back what was proved, and end an entry or a check that is under way."""
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None
        self._end_entry()
        if self._proved is not None:
            role, self._proved = self._proved.role, None
            self._post(RoleLocked(at=self._now(), source=SOURCE, role=role))

    def stop(self) -> None:
        """Stop timers and checks."""
        if self._checking is not None:
            self._checking.cancel()
        self._stop_timer()

    # ------------------------------------------------------------ an entry

    def _digit(self, entry: PinEntry, key: Key) -> None:
        if key is Key.BACK and entry.is_empty:
            self._end_entry()
            return
        candidate = entry.press(key)
        if candidate is None:
            self._show_entry()
            return
        self._entry = None
        self._display.show("CHECKING", "")
        self._checking = self._spawn(self._check(candidate), "a PIN at the table")

    async def _check(self, candidate: Candidate) -> None:
        # Where nobody waits any more for the answer, a wrong PIN is no slip of the program.
        check = self._spawn(self._people.check(candidate.number, candidate.pin), "checking a PIN", KeepError)
        try:
            # A key that is turned back meanwhile does not stop the check half-way: its count must stand.
            person = await asyncio.shield(check)
        except KeepError as error:
            code = error.kind.code
            self._display.show("NOT ACCEPTED", REASONS.get(code, code))
            await asyncio.sleep(SHOWN_S)
            self._checking = None
            if self.is_turned:
                self.begin()
            else:
                self._end_entry()
        else:
            self._checking = None
            self._end_entry()
            self._accept(person)

    def _accept(self, person: Person) -> None:
        if person.role is Role.DEALER:
            self._post(DealerSignedOn(at=self._now(), source=SOURCE, person=str(person)))
        # The key may have been turned back while the PIN was checked: then nobody has proved anything.
        elif self.is_turned:
            self._proved = person
            self._post(RoleUnlocked(at=self._now(), source=SOURCE, role=person.role, person=str(person)))
            self._wait(UNLOCKED_S)

    # ------------------------------------------------------------ display and time

    def _show_entry(self) -> None:
        assert self._entry is not None  # whoever shows it has begun it
        self._display.show(*self._entry.lines)
        self._wait(ENTRY_S)

    def _end_entry(self) -> None:
        self._entry = None
        self._stop_timer()
        self._display.show_table()

    def _wait(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.lock)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
