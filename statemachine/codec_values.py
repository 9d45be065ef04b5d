"""The values that JSON has, or that stand for one word: numbers, texts, enums, cards.

Each ``Coding`` writes a value, reads it back, and says in words what it wants to read. A refusal is raised
without its place; whoever reads the whole adds step by step where the value lay. No refusal repeats a text:
what stood there might be the name of a card.
"""

from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from math import inf, isfinite
from types import NoneType
from typing import Any, NamedTuple

from sabot.rules.cards import NAMES, CardError, parse
from sabot.rules.errors import SabotError, table
from sabot.statemachine.events import OpenCard, Secret

ERRORS = table(
    (
        "E-EVENT-001",
        "unknown field {field!r}",
        "The fields here are {known}.",
        "Correct the name or take the field out.",
    ),
    (
        "E-EVENT-002",
        "is missing",
        "The field has no default.",
        "Add it.",
    ),
    (
        "E-EVENT-003",
        "is {shown}, expected {wanted}",
        "The value is of the wrong type or out of bounds.",
        "Write a value as docs/events.md describes it.",
    ),
    (
        "E-EVENT-004",
        "there is no {thing} {name!r}",
        "The nearest known {thing} is {nearest}.",
        "Correct the name; docs/events.md has all of them.",
    ),
)


class CodecError(SabotError):
    """A value that cannot be what it is said to be, with its place."""


class CodingError(Exception):
    """Raised for a wrong value; each container on the way out adds where it lay."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts
        self.path = ""

    def within(self, step: str) -> "CodingError":
        """The same, seen from one container further out."""
        self.path = step + self.path
        return self

    def at(self, place: str) -> CodecError:
        """The same as an error that a person reads."""
        return CodecError(ERRORS[self.code], place + self.path, **self.facts)


class Coding(NamedTuple):
    """The encoding of one type: writer, reader, and the reader's wants in words."""

    write: Callable[[Any], object]
    read: Callable[[object], Any]
    wanted: str


def not_wanted(value: object, wanted: str) -> CodingError:
    """A value of the wrong type or out of bounds."""
    return CodingError("E-EVENT-003", shown=_shown(value), wanted=wanted)


_KINDS: dict[type, str] = {str: "a text", list: "a list", dict: "an object", NoneType: "null"}
_LONGEST_NUMBER = 20


def _shown(value: object) -> str:
    if type(value) in _KINDS:
        return _KINDS[type(value)]
    if isinstance(value, bool):
        return str(value).lower()
    fits = isinstance(value, float) or (isinstance(value, int) and value.bit_length() < 3 * _LONGEST_NUMBER)
    return repr(value) if fits else "too large"


def same(value: object) -> object:
    """Return the value: what JSON has itself is written as it is."""
    return value


def _plain(kind: type, wanted: str) -> Coding:
    """A value that JSON has itself; a boolean is no number."""

    def read(value: object) -> object:
        if type(value) is not kind:
            raise not_wanted(value, wanted)
        return value

    return Coding(same, read, wanted)


# ---------------------------------------------------------------- numbers with a fraction

_NUMBER = "a number"


def _read_float(value: object) -> float:
    """A finite number."""
    try:
        number = float(value) if type(value) in (int, float) else inf  # type: ignore[arg-type]
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise not_wanted(value, _NUMBER)
    return number


_FRACTION = "a fraction such as 3/2"


def _read_fraction(value: object) -> Fraction:
    """A fraction in its lowest terms; a whole number is written as one."""
    parts = value.split("/") if isinstance(value, str) else []
    if all(part.isascii() and part.isdigit() and len(part) <= _LONGEST_NUMBER for part in parts):
        found = Fraction(int(parts[0]), int(parts[-1]) or 1) if parts else Fraction(0)
        if found.denominator > 1 and str(found) == value:
            return found
    raise not_wanted(value, _FRACTION)


# ---------------------------------------------------------------- cards

_CARD = "a card such as As"


def _read_card(value: object) -> int:
    """A card by its name; what stood there instead is not repeated."""
    try:
        return parse(value if isinstance(value, str) else "")
    except CardError:
        shown = "null (a card written without its secret)" if value is None else "no card"
        raise CodingError("E-EVENT-003", shown=shown, wanted=_CARD) from None


def _read_secret(value: object) -> Secret:
    return Secret(_read_card(value))


def _mask(_secret: Secret) -> None:
    return None


def _uncover(secret: Secret) -> str:
    return NAMES[secret.card]


MASKED_CARD = Coding(_mask, _read_secret, _CARD)
UNCOVERED_CARD = Coding(_uncover, _read_secret, _CARD)


# ---------------------------------------------------------------- tables

PLAIN: dict[object, Coding] = {
    object: Coding(same, same, "anything"),
    bool: _plain(bool, "true or false"),
    int: _plain(int, "a whole number"),
    str: _plain(str, "a text")._replace(write=str),  # also of a text that is an enum
    NoneType: _plain(NoneType, "null"),
    float: Coding(float, _read_float, _NUMBER),
    Fraction: Coding(str, _read_fraction, _FRACTION),
    OpenCard: Coding(NAMES.__getitem__, _read_card, _CARD),
}


def word(kind: type[Enum]) -> Coding:
    """An enum, by its value."""
    by_value = {each.value: each for each in kind}
    wanted = "one of " + " ".join(by_value)

    def read(value: object) -> Enum:
        found = by_value.get(value) if isinstance(value, str) else None
        if found is None:
            raise not_wanted(value, wanted)
        return found

    return Coding(lambda value: value.value, read, wanted)
