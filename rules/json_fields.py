"""Strict reading of JSON values: each getter names the place, what was expected and the cure.

JSON from another program is not trusted: a boolean is not a number, a number with a fraction is not cents,
and a field that nobody knows is an error and not an option left unset.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-ROUND-001",
        "unknown field {field!r}",
        "The fields here are {known}.",
        "Correct the name or take the field out.",
    ),
    (
        "E-ROUND-002",
        "is missing",
        "The field has no default.",
        "Add it.",
    ),
    (
        "E-ROUND-003",
        "is {value}, expected {bound}",
        "The value is of the wrong type or out of bounds.",
        "Write a value within the bound.",
    ),
    (
        "E-ROUND-004",
        "{what}",
        "{why}.",
        "{cure}.",
    ),
)


class RoundError(SabotError):
    """A round that is refused, with the place in its JSON."""


def refuse(place: str, what: str, why: str, cure: str) -> RoundError:
    """Return a refusal in words of its own (E-ROUND-004)."""
    return RoundError(ERRORS["E-ROUND-004"], place, what=what, why=why, cure=cure)


def out_of_bounds(place: str, value: object, bound: str) -> RoundError:
    """Return the error for a value of the wrong type or out of bounds."""
    return RoundError(ERRORS["E-ROUND-003"], place, value=_shown(value), bound=bound)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004


def absent(place: str) -> RoundError:
    """Return the error for a field that must be there and is not."""
    return RoundError(ERRORS["E-ROUND-002"], place)


def fields(value: object, place: str, known: AbstractSet[str]) -> Mapping[str, object]:
    """Return an object whose fields are all known, or raise."""
    if not isinstance(value, dict):
        raise out_of_bounds(place, value, "an object")
    # Refused, not passed over: a misspelt option that is left unset settles another game.
    if not value.keys() <= known:
        name = next(name for name in value if name not in known)
        listed = " ".join(sorted(known)) or "none"
        raise RoundError(ERRORS["E-ROUND-001"], place, field=name, known=listed)
    return value


def required(value: Mapping[str, object], name: str, place: str) -> object:
    """Return a field that must be there, or raise."""
    if name not in value:
        raise absent(f"{place}.{name}" if place else name)
    return value[name]


def whole(value: object, place: str, bound: str, least: int = 0, most: int | None = None) -> int:
    """Return a whole number within bounds, or raise; cents are never fractions."""
    # True is an int in Python.
    if not isinstance(value, int) or isinstance(value, bool):
        raise out_of_bounds(place, value, bound)
    if value < least or (most is not None and value > most):
        raise out_of_bounds(place, value, bound)
    return value


def cents(value: object, place: str) -> int:
    """Return an amount in whole cents, not negative."""
    return whole(value, place, "whole cents, not negative")


def stake(value: object, place: str) -> int | None:
    """Return a stake in whole cents above nothing, or None where the table could not sense its value."""
    if value is None:
        return None
    return whole(value, place, "whole cents above 0, or null where the value is not known", 1)


def text(value: object, place: str) -> str:
    """Return a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise out_of_bounds(place, value, "a text")
    return value


def flag(value: object, place: str) -> bool:
    """Return a flag, which has to be true or false."""
    if not isinstance(value, bool):
        raise out_of_bounds(place, value, "true or false")
    return value


def texts(value: object, place: str) -> dict[str, str]:
    """Return an object whose values are all texts."""
    if not isinstance(value, dict):
        raise out_of_bounds(place, value, "an object")
    return {name: text(each, f"{place}.{name}") for name, each in value.items()}


def one_of(value: object, place: str, known: AbstractSet[str]) -> str:
    """Return one of the known words, or raise."""
    if not isinstance(value, str) or value not in known:
        raise out_of_bounds(place, value, "one of " + " ".join(sorted(known)))
    return value


def items(value: object, place: str) -> list[object]:
    """Return a list, or raise."""
    if not isinstance(value, list):
        raise out_of_bounds(place, value, "a list")
    return value
