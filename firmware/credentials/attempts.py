"""Wrong PINs: counted by door, by person and overall, with a wait that grows, and a lock-out.

A *door* is where somebody stands: the table's own keys, for which the key must be turned, or the consoles
of one user of the board, by the kernel's word. What is guessed at one door locks nobody out at another, so
whoever reaches a socket cannot take the table from its people; a guesser has as many doors as users to be,
and no more.

A few digits are guarded by nothing but the number of attempts, so the count is on the medium before a PIN is
tried: neither a cut of power nor a restart gives attempts back. A number that nobody has is counted like any
other, so that the answers tell nothing about who is enrolled. Only counts are kept, no times: the clock may
be set back, and a wait that was running begins anew with the program.
"""

import json
from collections.abc import Callable
from pathlib import Path

from sabot.firmware.credentials.atomic_files import PRIVATE, write_whole
from sabot.firmware.credentials.errors import ERRORS, KeepError

# Whoever it was. Behind the name of a door: all attempts there. Alone: at every door, after a damaged file.
OVERALL = "*"
TABLE, OTHERS = "table", "others"
# So many users of the board have a door each; the rest are one.
MOST_DOORS = 8
# Wrong ones without a wait, of anybody and of one person at a door; from then on each wait doubles.
FREE_OVERALL, FREE_OF_A_PERSON = 6, 3
# In a row, of one person at one door: then only two others can let the person in again.
LOCKED_AT = 10
# Five minutes are the longest that waits grow to. Whoever tried so many numbers at a door waits longer.
LONGEST_S, OVERALL_LOCK_S = 300.0, 900.0
OVERALL_LOCK_AT = 30


def _key(door: str, who: str) -> str:
    return f"{door} {who}"


def wait_s(who: str, failures: int) -> float:
    """Return how long the next attempt must wait.

    Nothing at first, then doubling; overall a quarter of an hour at last.
    """
    if who == OVERALL and failures >= OVERALL_LOCK_AT:
        return OVERALL_LOCK_S
    beyond = failures - (FREE_OVERALL if who == OVERALL else FREE_OF_A_PERSON)
    return min(LONGEST_S, 2.0 ** (beyond + 1)) if beyond >= 0 else 0.0


class Attempts:
    """The wrong attempts so far."""

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._failures = _read(path)
        # A wait that was running begins anew with the program: no clock tells how long the board was off.
        started = now()
        self._not_before = {
            key: started + wait_s(key.rpartition(" ")[2], count) for key, count in self._failures.items()
        }

    def verify(self, number: str, door: str = TABLE) -> None:
        """Raise where no attempt is allowed at this door now."""
        door = self._known(door)
        if self._failures.get(_key(door, number), 0) >= LOCKED_AT:
            raise KeepError(ERRORS["E-KEEP-008"], "PIN", number=number, most=LOCKED_AT)
        until = max(self._not_before.get(key, 0.0) for key in (*_keys(door, number), OVERALL))
        if until > self._now():
            raise KeepError(ERRORS["E-KEEP-007"], "PIN", wait_s=max(1.0, until - self._now()))

    def _known(self, door: str) -> str:
        """Return the name of a door; beyond the most, new ones are one, or each would be a new allowance."""
        doors = {key.partition(" ")[0] for key in self._failures if " " in key} - {TABLE, OTHERS}
        return door if door == TABLE or door in doors or len(doors) < MOST_DOORS else OTHERS

    def is_locked_out(self, number: str) -> bool:
        """Return whether at some door only two people can let this person in again."""
        return any(
            count >= LOCKED_AT for key, count in self._failures.items() if key.rpartition(" ")[2] == number
        )

    def count(self, number: str, door: str = TABLE) -> None:
        """Count an attempt as wrong until it turns out right."""
        # Under both: a guesser who tries one number after the other waits all the same.
        for key, who in zip(_keys(self._known(door), number), (number, OVERALL), strict=True):
            self._failures[key] = self._failures.get(key, 0) + 1
            self._not_before[key] = self._now() + wait_s(who, self._failures[key])

    def forgive(self, number: str, door: str = TABLE) -> None:
        """Forget the wrong attempts at this door, as one was right."""
        self._forget(*_keys(self._known(door), number), OVERALL)

    def readmit(self, number: str) -> None:
        """Let the person in again at every door, on the word of two people."""
        self._forget(*(key for key in self._failures if key.rpartition(" ")[2] in (number, OVERALL)))

    def _forget(self, *keys: str) -> None:
        for key in keys:
            self._failures.pop(key, None)
            self._not_before.pop(key, None)

    def save(self) -> None:
        """Put the counts on the medium; one that takes nothing leaves them in memory."""
        try:
            write_whole(self._path, json.dumps(self._failures).encode(), PRIVATE)
        except OSError:
            # A technician must be able to unlock a board whose disk is full: the limits go on in memory.
            return


def _keys(door: str, number: str) -> tuple[str, str]:
    """Return the keys an attempt is counted under: of the person, and of the door whoever it was."""
    return _key(door, number), _key(door, OVERALL)


def _read(path: Path) -> dict[str, int]:
    """Return the counts on the medium; a file that makes no sense is as many wrong attempts at every door.

    Counts of a release that knew one door only are those of the table.
    """
    try:
        found = json.loads(path.read_bytes())
        return {key if " " in key else _key(TABLE, key): int(count) for key, count in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError):
        # A file that was damaged must not give a guesser new attempts.
        return {OVERALL: OVERALL_LOCK_AT}
