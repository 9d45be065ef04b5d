"""A session: who has proved what at one console, until when, and what waits for a second person."""

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
    """One console."""

    number: int
    peer: Peer
    now: Callable[[], float]
    _person: Person | None = None
    _until: float = 0.0
    _waiting: _Waiting | None = None

    @property
    def door(self) -> str:
        """Return where wrong PINs of this console are counted: with those of the same user of the board."""
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
        """Somebody proved a role."""
        self._person, self._waiting = person, None
        self.touch()

    def lock(self) -> None:
        """Nobody has proved anything any more."""
        self._person = self._waiting = None

    def touch(self) -> None:
        """Something was typed."""
        self._until = self.now() + UNLOCKED_S

    # ------------------------------------------------------------ a second person

    def wait_for_second(self, words: tuple[str, ...]) -> None:
        """From now on a second person may confirm this command."""
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
        """The command is given, or was given up: the next one begins anew."""
        self._waiting = None
