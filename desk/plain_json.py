"""The model as plain data for JSON: field by field, money in cents, payouts as the law prints them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Any

from sabot.rules.payouts import Payout


def plain(value: object) -> object:
    """Return a value as JSON has it; dataclasses become objects with the names of their fields."""
    for kind, form in _FORMS:
        if isinstance(value, kind):
            return form(value)
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _items(values: Iterable[object]) -> list[object]:
    return [plain(each) for each in values]


def _by_name(values: Mapping[object, object]) -> dict[str, object]:
    return {str(key): plain(each) for key, each in values.items()}


# The first kind that fits: a Payout is a dataclass too, and some enumerations are words.
_FORMS: tuple[tuple[type | UnionType, Callable[[Any], object]], ...] = (
    (Payout, lambda payout: payout.text),
    (Enum, lambda member: member.value),
    (Fraction, float),
    (Mapping, _by_name),
    (frozenset, sorted),
    (tuple | list, _items),
)
