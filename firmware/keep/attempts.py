"""Wrong PINs: counted by person and overall, with a wait that grows, and a lock-out.

A few digits are guarded by nothing but the number of attempts, so the count is on the medium before a PIN is
tried: neither a cut of power nor a restart gives attempts back. A number that nobody has is counted like any
other, so that the answers tell nothing about who is enrolled. Only counts are kept, no times: the clock may
be set back, and a wait that was running begins anew with the program.
"""

import json
from collections.abc import Callable
from pathlib import Path

from sabot.firmware.keep.errors import ERRORS, KeepError
from sabot.firmware.keep.files import PRIVATE, write_whole

OVERALL = "*"
FREE_OVERALL, FREE_OF_A_PERSON = 6, 3
LOCKED_AT = 10
LONGEST_S, OVERALL_LOCK_S = 300.0, 900.0
OVERALL_LOCK_AT = 30


def wait_s(who: str, failures: int) -> float:
    """How long the next attempt must wait: nothing, then doubling; overall a quarter of an hour at last."""
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
        started = now()
        self._not_before = {who: started + wait_s(who, count) for who, count in self._failures.items()}

    def verify(self, number: str) -> None:
        """Raise where no attempt is allowed now."""
        if self.is_locked_out(number):
            raise KeepError(ERRORS["E-KEEP-008"], "PIN", number=number, most=LOCKED_AT)
        until = max(self._not_before.get(who, 0.0) for who in (number, OVERALL))
        if until > self._now():
            raise KeepError(ERRORS["E-KEEP-007"], "PIN", wait_s=max(1.0, until - self._now()))

    def is_locked_out(self, number: str) -> bool:
        """Whether only two people can let this person in again."""
        return self._failures.get(number, 0) >= LOCKED_AT

    def count(self, number: str) -> None:
        """An attempt counts as wrong until it turns out right."""
        for who in (number, OVERALL):
            self._failures[who] = self._failures.get(who, 0) + 1
            self._not_before[who] = self._now() + wait_s(who, self._failures[who])

    def forgive(self, number: str) -> None:
        """The attempt was right, or two people let the person in again."""
        for who in (number, OVERALL):
            self._failures.pop(who, None)
            self._not_before.pop(who, None)

    def save(self) -> None:
        """Put the counts on the medium; one that takes nothing leaves them in memory."""
        try:
            write_whole(self._path, json.dumps(self._failures).encode(), PRIVATE)
        except OSError:
            # A technician must be able to unlock a board whose disk is full: the limits go on in memory.
            return


def _read(path: Path) -> dict[str, int]:
    """The counts on the medium; a file that makes no sense counts as many wrong attempts."""
    try:
        found = json.loads(path.read_bytes())
        return {str(who): int(count) for who, count in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError):
        return {OVERALL: OVERALL_LOCK_AT}
