"""PINs: how they are kept, and which are too easy to guess.

What is kept is scrypt of the PIN with a salt of its own. The cost is memory that a small board can lend for a
moment (8 MB) and a fifth of a second of its time, always spent on a thread: the limit on attempts is what
guards a few digits, the cost is for whoever carries the file away.
"""

import hmac
import os
from collections.abc import Sequence
from typing import NamedTuple

from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from sabot.firmware.credentials.errors import ERRORS, KeepError

SHORTEST, LONGEST = 5, 10
SALT_BYTES = 16
DIGEST_BYTES = 64
# Past nine too: 8901 counts up.
UP = "01234567890123456789"


class Cost(NamedTuple):
    """The parameters of scrypt; they are kept with each PIN, so that they may grow."""

    # It takes 128 * n * r bytes of memory, and p times the work.
    n: int = 2**13
    r: int = 8
    p: int = 4


class KeptPin(NamedTuple):
    """The kept form of a PIN."""

    salt: bytes
    digest: bytes
    cost: Cost

    def __repr__(self) -> str:
        return "Kept(**)"


def verify_good(pin: str, number: str) -> None:
    """Raise where a PIN would be guessed first."""
    if why := _weakness(pin, number):
        raise KeepError(ERRORS["E-KEEP-005"], "PIN", why=why)


def _weakness(pin: str, number: str) -> str:
    if not (pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST):
        return f"is not {SHORTEST} to {LONGEST} digits"
    if len(set(pin)) == 1:
        return "is one digit over and over"
    if pin in UP or pin[::-1] in UP:
        return "counts up or down"
    if pin in number * LONGEST:
        return "is the person's number over and over"
    return ""


def keep(pin: str, cost: Cost | None = None) -> KeptPin:
    """Return the form of a PIN that is to be kept. It takes its time, so call it on a thread."""
    salt, paid = os.urandom(SALT_BYTES), cost or Cost()
    return KeptPin(salt, _digest(pin, salt, paid), paid)


def is_right(pin: str, kept: KeptPin, costs: Sequence[Cost] = ()) -> bool:
    """Return whether this is the PIN; takes its time, so on a thread.

    Every one of the ``costs`` is paid, whoever it is: else the time would tell whose PIN is kept at which.
    """
    is_it = False
    for cost in costs or (kept.cost,):
        digest = _digest(pin, kept.salt, cost)
        is_it |= cost == kept.cost and hmac.compare_digest(digest, kept.digest)
    return is_it


def _digest(pin: str, salt: bytes, cost: Cost) -> bytes:
    return Scrypt(salt, DIGEST_BYTES, n=cost.n, r=cost.r, p=cost.p).derive(pin.encode())
