"""Containers of values: lists, tuples, dicts, one type or another, and objects with fields.

Each is built from the codings of its parts. Reading adds to a refusal where in the container it arose, so
that no place needs to be put together while everything is well.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from itertools import repeat
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from sabot.statemachine.codec_values import Coding, CodingError, not_wanted

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
    """A list, a tuple of any length, or a set, which is written in order."""
    wanted = f"a list, each {item.wanted}"
    in_order = sorted if make is frozenset else list
    return Coding(
        lambda value: [item.write(each) for each in in_order(value)],
        lambda value: make(_read_items(value, repeat(item.read), wanted)),
        wanted,
    )


def row(items: tuple[Coding, ...]) -> Coding:
    """A tuple with a type for each of its places."""
    wanted = "a list of " + " and ".join(item.wanted for item in items)
    readers = [item.read for item in items]

    def read(value: object) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(items):
            raise not_wanted(value, wanted)
        return tuple(_read_items(value, readers, wanted))

    return Coding(lambda value: [c.write(each) for c, each in zip(items, value, strict=True)], read, wanted)


def keyed(key: type, item: Coding) -> Coding:
    """A dict, its order kept; seat numbers become the texts that JSON wants for keys."""
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
    """A key that is a number, written in one way only."""
    number = int(name) if name.isascii() and name.isdigit() and len(name) <= _LONGEST_KEY else None
    if number is None or str(number) != name:
        raise CodingError("E-EVENT-003", shown="a field of this name", wanted="a number for its name")
    return number


def either(codings: Mapping[object, Coding]) -> Coding:
    """One of several types; where null is the only other, the place of a refusal stays exact."""
    wanted = " or ".join(each.wanted for each in codings.values())
    others = [each for kind, each in codings.items() if kind is not NoneType]

    def read(value: object) -> object:
        if value is None and NoneType in codings:
            return None
        if len(others) == 1:
            return others[0].read(value)
        for each in others:
            try:
                return each.read(value)
            except CodingError:
                continue
        raise not_wanted(value, wanted)

    return Coding(lambda value: codings[type(value)].write(value), read, wanted)


def class_of(hint: object) -> object:
    """The class of a hint's values, by which a writer finds the right one of several types."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else get_origin(hint) or hint


# ---------------------------------------------------------------- objects with fields


class Fields:
    """The fields of a dataclass or a named tuple."""

    def __init__(self, codings: Mapping[str, Coding], needed: list[str]) -> None:
        self.codings = codings
        self.needed = needed

    def write(self, value: object) -> dict[str, object]:
        """Every field, in the order it was declared."""
        return {name: each.write(getattr(value, name)) for name, each in self.codings.items()}

    def read(self, value: object) -> dict[str, Any]:
        """The fields that are there; none is unknown and none that is needed is missing."""
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
    """The fields that may be left out."""
    if not is_dataclass(kind):
        return frozenset(getattr(kind, "_field_defaults", ()))
    return frozenset(
        each.name
        for each in fields(kind)
        if each.default is not MISSING or each.default_factory is not MISSING
    )
