"""The options of a reading shoe of this dialect in the table file: how it differs from the next.

The public texts contradict each other, and none of them covers a game other than baccarat. So every point on
which a real unit may differ is a named option with the default that the texts make most likely; a technician
settles it with a capture, not with an edit of the program.
"""

from collections.abc import Mapping
from enum import StrEnum

from sabot.drivers.angel_eye.messages import KINDS, LEAST_BYTES
from sabot.drivers.device import Spoken
from sabot.drivers.errors import ERRORS, DriverError
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.rules.frozen import frozen

# How many bytes follow the letter of each report. Those of D, d, R and E are known, the others assumed.
LENGTHS = "S0 P0 D2 d2 R2 G1 C0 E1 e1 L1 M2"
_COUNTS = frozenset(str(count) for count in range(100))


class ShoeGame(StrEnum):
    """The game that the shoe believes it deals."""

    NONE = "none"
    BACCARAT = "baccarat"
    UNKNOWN = "unknown"


SCHEMA: Schema = (
    Option("port", None, "the serial port, best by its stable name", kind=str),
    Option("baud", 4800, "speed of the line", choices=(4800, 9600)),
    Option("bcc_with_stx", True, "the check of a command counts its STX, as in the known example"),
    # Which game a real unit needs is not known; by "unknown" nothing that its own game says stops a table.
    Option("shoe_game", "unknown", "the game the shoe deals by itself", choices=tuple(ShoeGame)),
    Option("lengths", LENGTHS, "bytes behind the letter of each report"),
    Option(
        "free_value", 1, "what L carries when the shoe is free: the low four bits of its byte", low=0, high=15
    ),
    Option("locked_value", 2, "what L carries when the shoe is locked", low=0, high=15),
    Option("copies", 3, "how often one report may come", low=1, high=10),
    Option("sequence_low", 0, "the value to which the sequence byte wraps", low=0, high=255),
    Option("sequence_high", 255, "the last value before it wraps", low=1, high=255),
    Option("gap_is_fault", True, "a report that is missing holds the table, as a card that was not read"),
    Option("cannot_read_is_card", True, "a card that could not be read has left the shoe"),
    Option("acknowledge_reports", False, "answer each report with ACK"),
    Option(
        "refusal_bytes", 1, "bytes of the code behind NAK: 1 a number or its digit, 2 digits", low=1, high=2
    ),
    Option("poll_s", 2.0, "seconds between two questions to an idle shoe", low=0.2, high=60.0),
    Option("deadline_s", 1.0, "seconds to wait for an answer", low=0.05, high=10.0),
    Option("tries", 3, "how often a command is sent before the link is lost", low=1, high=20),
)


@frozen
class Profile:
    """The quirks of one shoe."""

    bcc_with_stx: bool
    shoe_game: ShoeGame
    lengths: Mapping[str, int]
    lock_values: Mapping[int, bool]
    copies: int
    sequence_low: int
    sequence_high: int
    gap_is_fault: bool
    cannot_read_is_card: bool
    acknowledge_reports: bool
    refusal_bytes: int

    @property
    def believable_gap(self) -> int:
        """Return how many reports may be missing; behind a longer gap the numbers say nothing any more."""
        # Beyond half a lap a gap cannot be told from numbers that go backwards.
        return (self.sequence_high - self.sequence_low) // 2

    def missing(self, last: int, sequence: int) -> int:
        """Return how many reports are missing between two; too many to believe for a number no shoe has."""
        # Over the wrap: behind ``sequence_high`` the next number is ``sequence_low``. The same number again
        # is a whole lap, which is not believable either: a true copy never comes here.
        size = self.sequence_high - self.sequence_low + 1
        is_known = self.sequence_low <= sequence <= self.sequence_high
        return (sequence - last - 1) % size if is_known else size


def lengths_of(words: str, device: str) -> dict[str, int]:
    """Return the number of bytes behind the letter of each report; raise DriverError for wrong words."""
    pairs = [(word[:1], word[1:]) for word in words.split()]
    if not pairs or not all(_is_length(letter, count) for letter, count in pairs):
        least = " ".join(f"{letter}{count}" for letter, count in LEAST_BYTES.items())
        bound = f"letters of reports with a count each, as in {LENGTHS!r}, and no fewer than {least}"
        facts = {"option": "lengths", "value": words, "bound": bound}
        raise DriverError(ERRORS["E-LINK-008"], device, **facts)
    return {letter: int(count) for letter, count in pairs}


def _is_length(letter: str, count: str) -> bool:
    """Return whether it is a kind of report with as many bytes as the driver looks at."""
    return letter in KINDS and count in _COUNTS and int(count) >= LEAST_BYTES.get(letter, 0)


def _verify_sequence(low: int, high: int, device: str) -> None:
    """Raise DriverError for a sequence of one number: it could tell no repeated report from a new one."""
    if low >= high:
        facts = {"option": "sequence_low", "value": low, "bound": f"less than sequence_high ({high})"}
        raise DriverError(ERRORS["E-LINK-008"], device, **facts)


def lock_values_of(said: Mapping[str, Value], device: str) -> dict[int, bool]:
    """Return the meaning of each value of a lock report; raise DriverError where one value means both."""
    free, locked = int(said["free_value"]), int(said["locked_value"])
    if free == locked:
        facts = {"option": "locked_value", "value": locked, "bound": "another value than free_value"}
        raise DriverError(ERRORS["E-LINK-008"], device, **facts)
    return {free: False, locked: True}


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """Return that each card is read; raise DriverError where an option means nothing."""
    profile_of(options, name)
    return Spoken(knows=("each_card",))


def profile_of(options: Mapping[str, Value], device: str = "shoe") -> Profile:
    """Return the profile that the options name; what they do not say is as in the schema."""
    said = defaults(SCHEMA) | dict(options)
    _verify_sequence(int(said["sequence_low"]), int(said["sequence_high"]), device)
    return Profile(
        bcc_with_stx=bool(said["bcc_with_stx"]),
        shoe_game=ShoeGame(str(said["shoe_game"])),
        lengths=lengths_of(str(said["lengths"]), device),
        lock_values=lock_values_of(said, device),
        copies=int(said["copies"]),
        sequence_low=int(said["sequence_low"]),
        sequence_high=int(said["sequence_high"]),
        gap_is_fault=bool(said["gap_is_fault"]),
        cannot_read_is_card=bool(said["cannot_read_is_card"]),
        acknowledge_reports=bool(said["acknowledge_reports"]),
        refusal_bytes=int(said["refusal_bytes"]),
    )
