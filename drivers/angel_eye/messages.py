"""The messages between the shoe and its host, and the words for them.

A report of a card carries the card in its data, so its ``repr`` is a mask: a message may be logged, a card
may not. Only ``describe`` shows it, and only to whoever is allowed to see it.
"""

from dataclasses import dataclass

from sabot.rules.cards import NAMES, RANKS, SUITS
from sabot.rules.frozen import frozen

CARD_KINDS = frozenset("DdR")
_ZERO = 0x30
# The shoe's suits by number, and its thirteen ranks from the ace up.
_SUITS = {1: "d", 2: "c", 3: "s", 4: "h"}
_RANKS = "A23456789TJQK"
# By the byte that the shoe says: bits 6 to 4 the suit, bits 3 to 0 the rank. A byte that is not here is no
# card.
_CARDS = {
    number << 4 | rank: RANKS.index(name) * len(SUITS) + SUITS.index(suit)
    for number, suit in _SUITS.items()
    for rank, name in enumerate(_RANKS, 1)
}
KINDS = {
    "S": "started",
    "P": "standby",
    "D": "card drawn",
    "d": "card drawn outside play",
    "R": "card sent again",
    "G": "result of its own game",
    "C": "cut card seen",
    "E": "error",
    "e": "error cleared",
    "L": "lock changed",
    "M": "setting changed",
}
# How many bytes behind the letter are looked at here: a report with fewer says less than its kind promises.
LEAST_BYTES = {"D": 2, "d": 2, "R": 2, "E": 1, "e": 1, "L": 1}
CANNOT_READ, OVERDRAW, BUTTON, BACK_AT_EXIT, BACK_MIDWAY, CARD_CODE, DRAW_TIMEOUT = range(1, 8)
ERRORS = {
    CANNOT_READ: "cannot read a card",
    OVERDRAW: "more cards drawn than its game wants",
    BUTTON: "a button was mishandled",
    BACK_AT_EXIT: "a card was run backwards at the exit",
    BACK_MIDWAY: "a card was run backwards midway",
    CARD_CODE: "the code of a card is in error",
    DRAW_TIMEOUT: "no card was drawn in its time",
}
REFUSALS = (
    "",
    "line error",
    "wrong check",
    "no ETX",
    "wrong format",
    "wrong address",
    "unknown command",
    "unknown type",
    "busy",
    "write busy",
)


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A report of the shoe on itself; ``missing`` counts the reports before it that never came."""

    sequence: int
    kind: str
    data: bytes = b""
    missing: int = 0

    def __repr__(self) -> str:
        data = "**" if self.kind in CARD_KINDS else self.data.hex(" ")
        missing = f", missing={self.missing}" if self.missing else ""
        return f"Report({self.sequence}, {self.kind!r}, {data}{missing})"

    @property
    def card(self) -> int | None:
        """Return the card, None where the byte names none that a deck has."""
        # data[0], the target, is a notion of baccarat (player, banker, burn): it means nothing at this table.
        return _CARDS.get(self.data[1])

    @property
    def error(self) -> int:
        """Return the number of the error."""
        return self.data[0] & 0x0F

    @property
    def is_in_error_mode(self) -> bool:
        """Return whether the shoe stays in error until it is cleared."""
        return bool(self.data[0] & 0x40)

    @property
    def lock_value(self) -> int:
        """Return the value in a report of the lock; the profile knows what it means."""
        return self.data[0] & 0x0F


@frozen
class ShoeCommand:
    """An order of the host: a type and an argument, two characters each."""

    kind: str
    argument: str


@frozen
class ShoeAck:
    """The command is taken."""


@frozen
class Nak:
    """The command is refused."""

    code: int


Message = Report | ShoeCommand | ShoeAck | Nak
LOCK, UNLOCK, ASK = ShoeCommand("LK", "02"), ShoeCommand("LK", "01"), ShoeCommand("GP", "00")


def clear(error: int) -> ShoeCommand:
    """Return the command that clears an error."""
    return ShoeCommand("EC", f"{error:02d}")


def reason_of(code: int) -> int:
    """Return the number of a refusal, which may come as itself or as its digit."""
    return code - _ZERO if code >= _ZERO else code


def refusal(code: int) -> str:
    """Return in words why a command was refused."""
    number = reason_of(code)
    return REFUSALS[number] if 0 < number < len(REFUSALS) else f"other reason ({code:02X})"


def describe(message: Message, show_cards: bool) -> str:  # noqa: FBT001 - the protocol of a convention
    """Return a message in words, its card only where it may be seen."""
    if isinstance(message, ShoeCommand):
        return f"command {message.kind} {message.argument}"
    if isinstance(message, Nak):
        return f"refused: {refusal(message.code)}"
    if isinstance(message, ShoeAck):
        return "taken"
    return f"{message.sequence:3} {KINDS[message.kind]}{_details(message, show_cards=show_cards)}"


def _details(report: Report, *, show_cards: bool) -> str:
    if report.kind in CARD_KINDS:
        shown = "**" if not show_cards else "no card" if report.card is None else NAMES[report.card]
        return f" {shown}"
    if report.kind == "E":
        return f": {ERRORS.get(report.error, 'unknown error')}"
    return f" {report.data.hex(' ')}" if report.data else ""


_WORDS = {"lock": LOCK, "unlock": UNLOCK, "ask": ASK}


def command_of(words: str) -> ShoeCommand:
    """Return the command that a technician types: ``lock``, ``unlock``, ``ask``, ``clear 3`` or ``LK 02``."""
    first, _, rest = words.strip().partition(" ")
    if first in _WORDS:
        return _WORDS[first]
    if first == "clear" and rest.isdigit():
        return clear(int(rest))
    if len(first) == len(rest) == 2 and words.isascii():  # noqa: PLR2004 - two characters each
        return ShoeCommand(first, rest)
    raise ValueError(f"{words!r} is none of: lock, unlock, ask, clear N, TYPE ARGUMENT (two characters each)")
