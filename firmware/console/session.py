"""A session: the person who has unlocked one console, until when, and what waits for a second person."""

from collections.abc import Callable
from typing import NamedTuple

from sabot.firmware.credentials.people import UNLOCKED_S, Person
from sabot.rules.frozen import mutable

CONFIRM_S = 60.0


class Peer(NamedTuple):
    """The peer at the other end of the socket, by the kernel's word."""

    pid: int
    uid: int
    gid: int


class _Waiting(NamedTuple):
    words: tuple[str, ...]
    until: float


@mutable
class ConsoleSession:
    """The state of one console: its person, until when, and a command that waits for a second one."""

    number: int
    peer: Peer
    now: Callable[[], float]
    _person: Person | None = None
    _until: float = 0.0
    _waiting: _Waiting | None = None

    @property
    def door(self) -> str:
        """Return the door at which wrong PINs of this console are counted: one for each user of the board."""
        # By the kernel's word, not by the connection: who hangs up and connects anew has the same door.
        return f"user-{self.peer.uid}"

    @property
    def person(self) -> Person | None:
        """Return the person who has unlocked it; nobody after a while without a command."""
        if self._person is not None and self.now() >= self._until:
            self.lock()
        return self._person

    @property
    def who(self) -> str:
        """Return the name and role in words."""
        person = self.person
        return f"{person} ({person.role})" if person else "locked"

    def unlock(self, person: Person) -> None:
        """Unlock the console for a person who has proved a role."""
        self._person, self._waiting = person, None
        self.touch()

    def lock(self) -> None:
        """Lock the console; a command that waits for a second person is given up with it."""
        self._person = self._waiting = None

    def touch(self) -> None:
        """Let the time until the console locks itself begin anew."""
        self._until = self.now() + UNLOCKED_S

    # ------------------------------------------------------------ a second person

    def wait_for_second(self, words: tuple[str, ...]) -> None:
        """Let a second person confirm this command, from the first question on."""
        # The time runs from the first word: repeating the command does not begin it anew.
        if self._waiting is None or self._waiting.words != words or self.now() >= self._waiting.until:
            self._waiting = _Waiting(words, self.now() + CONFIRM_S)

    def is_second_in_time(self, words: tuple[str, ...]) -> bool:
        """Return whether a second person may still confirm this very command.

        A wrong PIN may be tried again.
        """
        waiting = self._waiting
        return waiting is not None and waiting.words == words and self.now() < waiting.until

    def confirmed(self) -> None:
        """Forget what waited, as the command was given or given up: the next one begins anew."""
        self._waiting = None
