"""How values are written as JSON has them and read back: those that JSON has, words, and containers of them.

Each ``Coding`` writes a value, reads it back, and says in words what it wants to read; a container's is built
from those of its parts. A refusal is raised without its place, which whoever reads the whole adds step by
step, so that no place needs to be put together while everything is well. No refusal repeats a text: what
stood there might be the name of a card.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from itertools import repeat
from math import inf, isfinite
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from sabot.rules.cards import NAMES, CardError, parse
from sabot.rules.errors import SabotError, table
from sabot.statemachine.vocabulary.events import OpenCard, Secret

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
        """Put one container further out before the place, and return this error."""
        # From the inside out: a value does not know where it lies.
        self.path = step + self.path
        return self

    def at(self, place: str) -> CodecError:
        """Return this error as one that a person reads, with the place of the whole."""
        return CodecError(ERRORS[self.code], place + self.path, **self.facts)


class Coding(NamedTuple):
    """The encoding of one type: writer, reader, and the reader's wants in words."""

    write: Callable[[Any], object]
    read: Callable[[object], Any]
    wanted: str


def not_wanted(value: object, wanted: str) -> CodingError:
    """Return the error for a value of the wrong type or out of bounds."""
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
    """Return the coding of a value that JSON has itself; a boolean is no number."""

    def read(value: object) -> object:
        # Not ``isinstance``: True is an int, and a text that is an enum is not read back as one.
        if type(value) is not kind:
            raise not_wanted(value, wanted)
        return value

    return Coding(same, read, wanted)


# ---------------------------------------------------------------- numbers with a fraction

_NUMBER = "a number"


def _read_float(value: object) -> float:
    """Return a finite number."""
    try:
        # JSON's numbers know neither NaN nor infinity, but Python's reader takes both.
        number = float(value) if type(value) in (int, float) else inf  # type: ignore[arg-type]
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise not_wanted(value, _NUMBER)
    return number


_FRACTION = "a fraction such as 3/2"


def _read_fraction(value: object) -> Fraction:
    """Return a fraction in its lowest terms; a whole number is no fraction, and is written as a number."""
    parts = value.split("/") if isinstance(value, str) else []
    if all(part.isascii() and part.isdigit() and len(part) <= _LONGEST_NUMBER for part in parts):
        found = Fraction(int(parts[0]), int(parts[-1]) or 1) if parts else Fraction(0)
        # One spelling only: what is written again must be the same bytes.
        if found.denominator > 1 and str(found) == value:
            return found
    raise not_wanted(value, _FRACTION)


# ---------------------------------------------------------------- cards

_CARD = "a card such as As"


def _read_card(value: object) -> int:
    """Return a card by its name; what stood there instead is not repeated in the error."""
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
    """Return the coding of an enum, by its value."""
    by_value = {each.value: each for each in kind}
    wanted = "one of " + " ".join(by_value)

    def read(value: object) -> Enum:
        found = by_value.get(value) if isinstance(value, str) else None
        if found is None:
            raise not_wanted(value, wanted)
        return found

    return Coding(lambda value: value.value, read, wanted)


# ------------------------------------------------------------ containers

Reader = Callable[[object], Any]


def _read_items(value: object, readers: Iterable[Reader], wanted: str) -> list[Any]:
    if type(value) is not list:
        raise not_wanted(value, wanted)
    found = []
    for number, (read, each) in enumerate(zip(readers, value, strict=False)):
        try:
            found.append(read(each))
        except CodingError as wrong:
            raise wrong.within(f"[{number}]") from None
    return found


def many(make: Callable[[list[Any]], Any], item: Coding) -> Coding:
    """Return the coding of a list, a tuple of any length, or a set, which is written in order."""
    wanted = f"a list, each {item.wanted}"
    # A set has no order of its own, and the same events must give the same bytes.
    in_order = sorted if make is frozenset else list
    return Coding(
        lambda value: [item.write(each) for each in in_order(value)],
        lambda value: make(_read_items(value, repeat(item.read), wanted)),
        wanted,
    )


def row(items: tuple[Coding, ...]) -> Coding:
    """Return the coding of a tuple with a type for each of its places."""
    wanted = "a list of " + " and ".join(item.wanted for item in items)
    readers = [item.read for item in items]

    def read(value: object) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(items):
            raise not_wanted(value, wanted)
        return tuple(_read_items(value, readers, wanted))

    return Coding(lambda value: [c.write(each) for c, each in zip(items, value, strict=True)], read, wanted)


def keyed(key: type, item: Coding) -> Coding:
    """Return the coding of a dict, its order kept; seat numbers become the texts that JSON has for keys."""
    wanted = f"an object, each {item.wanted}"
    read_key = _number_in_words if key is int else str

    def read(value: object) -> dict[Any, Any]:
        if type(value) is not dict:
            raise not_wanted(value, wanted)
        found = {}
        for name, each in value.items():
            try:
                found[read_key(name)] = item.read(each)
            except CodingError as wrong:
                raise wrong.within(f".{name}") from None
        return found

    return Coding(lambda value: {str(name): item.write(each) for name, each in value.items()}, read, wanted)


_LONGEST_KEY = 9


def _number_in_words(name: str) -> int:
    """Return a key that is a number, written in one way only."""
    number = int(name) if name.isascii() and name.isdigit() and len(name) <= _LONGEST_KEY else None
    if number is None or str(number) != name:
        raise CodingError("E-EVENT-003", shown="a field of this name", wanted="a number for its name")
    return number


def either(codings: Mapping[object, Coding]) -> Coding:
    """Return the coding of one of several types; beside null alone, the place of a refusal stays exact."""
    wanted = " or ".join(each.wanted for each in codings.values())
    others = [each for kind, each in codings.items() if kind is not NoneType]

    def read(value: object) -> object:
        if value is None and NoneType in codings:
            return None
        if len(others) == 1:
            return others[0].read(value)
        # Nothing written says which type it was, so each is tried; a refusal can only name them all.
        for each in others:
            try:
                return each.read(value)
            except CodingError:
                continue
        raise not_wanted(value, wanted)

    return Coding(lambda value: codings[type(value)].write(value), read, wanted)


def class_of(hint: object) -> object:
    """Return the class of a hint's values, by which a writer finds the right one of several types."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else get_origin(hint) or hint


# ---------------------------------------------------------------- objects with fields


class Fields:
    """The fields of a dataclass or a named tuple."""

    def __init__(self, codings: Mapping[str, Coding], needed: list[str]) -> None:
        self.codings = codings
        self.needed = needed

    def write(self, value: object) -> dict[str, object]:
        """Return every field, in the order it was declared."""
        return {name: each.write(getattr(value, name)) for name, each in self.codings.items()}

    def read(self, value: object) -> dict[str, Any]:
        """Return the fields that are there; none is unknown and none that is needed is missing."""
        if type(value) is not dict:
            raise not_wanted(value, "an object")
        if not value.keys() <= self.codings.keys():
            field = next(name for name in value if name not in self.codings)
            raise CodingError("E-EVENT-001", field=field, known=" ".join(self.codings) or "none")
        for name in self.needed:
            if name not in value:
                raise CodingError("E-EVENT-002").within(f".{name}")
        found = {}
        for name, each in value.items():
            try:
                found[name] = self.codings[name].read(each)
            except CodingError as wrong:
                raise wrong.within(f".{name}") from None
        return found


def with_default(kind: type) -> frozenset[str]:
    """Return the fields that may be left out."""
    # A named tuple.
    if not is_dataclass(kind):
        return frozenset(getattr(kind, "_field_defaults", ()))
    return frozenset(
        each.name
        for each in fields(kind)
        if each.default is not MISSING or each.default_factory is not MISSING
    )
