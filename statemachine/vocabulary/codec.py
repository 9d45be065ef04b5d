"""Plain values for what goes into the table, comes out of it and is kept by it: JSON and back.

Theory of operation. How a type is written and read follows from its type hints alone: a ``Coding`` is made
once for each type and kept, so a new field of an event or of the state needs no line here. What is written
can be read back to an equal value, seat numbers as keys and enums included; a dict keeps its order, for
wagers go back in the order in which they were placed. Reading is strict, for a journal, a snapshot and a
file of recorded events come from elsewhere: an unknown field, a missing one, a boolean for a number is
refused with its place. A card inside a ``Secret`` is written as null, and by its name only where the caller
asks for secrets.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from types import UnionType
from typing import TypeVar, Union, cast, get_args, get_origin, get_type_hints

from sabot.rules.errors import ANY, nearest
from sabot.statemachine.vocabulary import effects as effects_module
from sabot.statemachine.vocabulary import events as events_module
from sabot.statemachine.vocabulary.codings import (
    MASKED_CARD,
    PLAIN,
    UNCOVERED_CARD,
    Coding,
    CodingError,
    Fields,
    class_of,
    either,
    keyed,
    many,
    not_wanted,
    row,
    with_default,
    word,
)
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event, Secret

T = TypeVar("T")


# ---------------------------------------------------------------- events and effects


def _subclasses(module: object, base: type) -> Mapping[str, type]:
    found = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base))
    return {each.__name__: each for each in found if each is not base}


EVENTS: Mapping[str, type[Event]] = _subclasses(events_module, Event)
EFFECTS: Mapping[str, type[Effect]] = _subclasses(effects_module, Effect)
_LONGEST_NAME = 40


def _named(value: object, kind: str, known: Mapping[str, type]) -> tuple[str, dict[str, object]]:
    """Return the name of an event or effect, and the rest of its fields."""
    if type(value) is not dict:
        raise not_wanted(value, "an object")
    if kind not in value:
        raise CodingError("E-EVENT-002").within(f".{kind}")
    name = value[kind]
    if not isinstance(name, str):
        raise not_wanted(name, f"the name of an {kind}").within(f".{kind}")
    if name not in known:
        raise CodingError(
            "E-EVENT-004", thing=kind, name=name[:_LONGEST_NAME], nearest=nearest(name, known, ANY)
        )
    return name, {field: each for field, each in value.items() if field != kind}


# ---------------------------------------------------------------- any type


class TableCodec:
    """The codings of all types that were met so far, cards masked or uncovered."""

    def __init__(self, card: Coding) -> None:
        # A field of type ``Event`` or ``Effect`` is one of them all, told by its name: known before any hint
        # is met, or it would be taken for an object with the fields of the base.
        self._known = PLAIN | {Secret: card}
        for base, kind, known in ((Event, "event", EVENTS), (Effect, "effect", EFFECTS)):
            self._known[base] = self._one_of(kind, known)

    def coding(self, hint: object) -> Coding:
        """Return the coding of a type, made when it is first asked for."""
        found = self._known.get(hint)
        if found is None:
            found = self._known[hint] = self._make(hint)
        return found

    def _make(self, hint: object) -> Coding:
        # Hints with parts before plain classes: ``issubclass`` takes none of them.
        origin, parts = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            return either({class_of(each): self.coding(each) for each in parts})
        if origin is tuple and parts[-1] is not Ellipsis:
            return row(tuple(self.coding(each) for each in parts))
        if origin in (tuple, list, frozenset):
            return many(origin, self.coding(parts[0]))
        if origin in (dict, Mapping):
            return keyed(parts[0], self.coding(parts[1]))
        kind = cast("type", hint)
        if issubclass(kind, Enum):
            return word(kind)
        own = self.fields(kind)
        return Coding(own.write, lambda value: kind(**own.read(value)), "an object")

    def _one_of(self, kind: str, known: Mapping[str, type]) -> Coding:
        """Return the coding of an event or an effect: its name, then its fields."""

        def read(value: object) -> object:
            name, rest = _named(value, kind, known)
            return self.coding(known[name]).read(rest)

        return Coding(lambda value: {kind: type(value).__name__, **self.object_of(value)}, read, f"an {kind}")

    def object_of(self, value: object) -> dict[str, object]:
        """Return a value with fields as an object."""
        return cast("dict[str, object]", self.coding(type(value)).write(value))

    def fields(self, kind: type, without: frozenset[str] = frozenset()) -> Fields:
        """Return the fields of a type, without those that somebody else reads."""
        hints = get_type_hints(kind, include_extras=True)
        codings = {name: self.coding(hint) for name, hint in hints.items() if name not in without}
        defaults = with_default(kind)
        return Fields(codings, [name for name in codings if name not in defaults])


# ---------------------------------------------------------------- what others use


MASKED, UNCOVERED = TableCodec(MASKED_CARD), TableCodec(UNCOVERED_CARD)


def write(value: object, hint: object = None, *, with_secrets: bool = False) -> object:
    """Return a value as JSON has it; cards that are not public are null unless they are asked for."""
    codec = UNCOVERED if with_secrets else MASKED
    return codec.coding(hint or type(value)).write(value)


def read(hint: type[T], value: object, place: str) -> T:
    """Return a value of this type out of JSON."""
    return cast("T", at_place(place, MASKED.coding(hint).read, value))


def at_place(place: str, reader: Callable[[object], T], value: object) -> T:
    """Read, and say in a refusal where the value stood."""
    try:
        return reader(value)
    except CodingError as wrong:
        raise wrong.at(place) from None


def event_json(event: Event, *, with_secrets: bool = False) -> dict[str, object]:
    """Return an event as JSON has it: its name, then its fields."""
    return cast("dict[str, object]", write(event, Event, with_secrets=with_secrets))


def effect_json(effect: Effect) -> dict[str, object]:
    """Return an effect as JSON has it: its name, then its fields."""
    return cast("dict[str, object]", write(effect, Effect))


def read_event(value: object, place: str = "event") -> Event:
    """Return an event out of JSON."""
    return read(Event, value, place)


def read_effect(value: object, place: str = "effect") -> Effect:
    """Return an effect out of JSON."""
    return read(Effect, value, place)
