"""A number and a PIN on the dealer's keys: which key is which digit, and what the display shows meanwhile.

Pure: keys in, a candidate out. Digits are shown as stars, the person's number too, for a camera sees the
display. The lock-out key is no digit and never belongs to an entry.
"""

from typing import NamedTuple

from sabot.statemachine.events import DIGITS, Key
from sabot.statemachine.labels import WIDTH

NUMBER_DIGITS = 2
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
    """An entry that is going on."""

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
        """A key; the candidate when OK ended the entry, which then begins anew."""
        if key in DIGITS:
            self._digits = (self._digits + DIGITS[key])[:MOST_DIGITS]
        elif key is Key.BACK:
            self._digits = self._digits[:-1]
        elif key is Key.OK and self._digits:
            digits, self._digits = self._digits, ""
            return Candidate(digits[:NUMBER_DIGITS], digits[NUMBER_DIGITS:])
        return None
