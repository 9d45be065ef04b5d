"""PINs of those who may look at the page of the pit: kept as scrypt, guessed a few times and no more.

Who looks orders nothing: orders want a key. So the number of an enrolled person and a PIN are enough, and all
that a stranger could do is guess. After five wrong ones a number is shut for five minutes, whoever asks.
"""

import hashlib
import hmac
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

from sabot.floor.errors import FloorError

SHORTEST, LONGEST = 6, 10
MOST_WRONG, SHUT_S = 5, 300.0
# 8 MB for a guess (128 * n * r); one guess is reckoned at a time.
_COST = {"n": 2**13, "r": 8, "p": 1, "maxmem": 2**26}


def set_pin(file: Path, person: str, pin: str) -> None:
    """Keep a person's PIN; raise FloorError where it would be guessed first."""
    is_plain = len(set(pin)) < 3 or pin in "01234567890" or pin in "09876543210"  # noqa: PLR2004 - three digits
    if not (pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST) or is_plain:
        raise FloorError(
            "E-FLOOR-023", str(file), why=f"takes PINs of {SHORTEST} to {LONGEST} digits, not in a row"
        )
    known = _read(file) if file.exists() else {}
    salt = os.urandom(16)
    known[person] = [salt.hex(), _digest(pin, salt).hex()]
    beside = file.with_name(f".{file.name}.new")
    beside.touch(mode=0o600)
    beside.write_text(json.dumps(known))
    beside.replace(file)


def _digest(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, **_COST)


def _read(file: Path) -> dict[str, list[str]]:
    try:
        found: dict[str, list[str]] = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise FloorError("E-FLOOR-023", str(file), why=f"cannot be read: {error}") from error
    return found


class Door:
    """The door of the page: the people who may come in."""

    def __init__(self, file: Path, now: Callable[[], float]) -> None:
        self._file, self._now = file, now
        self._wrong: dict[str, list[float]] = {}
        self._one = threading.Lock()

    def admits(self, person: str, pin: str) -> bool:
        """Return whether this is the PIN of that person, and they have not guessed too often.

        One guess after the other: those of many connections at once would all be counted too late.
        """
        with self._one:
            return self._admits(person, pin)

    def _admits(self, person: str, pin: str) -> bool:
        since = self._now() - SHUT_S
        wrong = [each for each in self._wrong.get(person, ()) if each > since]
        if len(wrong) >= MOST_WRONG:
            return False
        # Somebody without a PIN costs as long as a wrong one: the time does not tell who has one.
        salt, digest = _read(self._file).get(person, ["00" * 16, ""])
        if hmac.compare_digest(_digest(pin, bytes.fromhex(salt)).hex(), digest):
            self._wrong.pop(person, None)
            return True
        # Names come from whoever asks: those whose guesses are over are let go, so that they do not pile up.
        self._wrong = {name: each for name, each in self._wrong.items() if each[-1] > since}
        self._wrong[person] = [*wrong, self._now()]
        return False
