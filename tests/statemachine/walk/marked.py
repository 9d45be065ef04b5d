"""Cards that can be recognised wherever they turn up, and a walk to everything that can be reached.

A marked card counts and compares like the number it is, but it is of its own type and writes itself as a
mark. So a card that leaked is found as an object, as a name in a text, or as a mark in a text.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING

from sabot.rules.cards import NAMES
from sabot.statemachine.vocabulary.events import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = re.compile(r"(?<![A-Za-z0-9_])(?:10|[2-9TJQKA])[cdhs](?![A-Za-z0-9_])")
PLURALS = re.compile(r"Pair of \w+ to \w+")  # "Pair of 6s to 10s" is a row of a paytable and no card
MARK = re.compile(r"<card (\d+)>")


class Marked(int):
    """A card that writes itself so that it is found."""

    def __repr__(self) -> str:
        return f"<card {int(self)}>"

    __str__ = __repr__

    def __format__(self, _spec: str) -> str:
        return repr(self)


class LeakError(AssertionError):
    """A card can be reached that nobody may see yet."""


def cards_within(thing: object) -> Iterator[int]:
    """Every card that can be reached from a value; a ``Secret`` must not be reached at all."""
    if isinstance(thing, Secret):
        raise LeakError("a secret can be reached")
    if isinstance(thing, Marked):
        yield int(thing)
    elif isinstance(thing, str):
        yield from cards_in_text(thing)
    elif thing is None or isinstance(thing, (int, float, Enum)):
        return
    elif isinstance(thing, dict):
        yield from _each((*thing.keys(), *thing.values()))
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from _each(thing)
    elif is_dataclass(thing):
        yield from _each(getattr(thing, each.name) for each in fields(thing))
    else:
        raise LeakError(f"{type(thing).__name__} leaves the table")


def _each(things: object) -> Iterator[int]:
    for thing in things:  # type: ignore[attr-defined]
        yield from cards_within(thing)


def cards_in_text(text: str) -> Iterator[int]:
    """Cards that a text names, or that were formatted into it."""
    yield from (int(number) for number in MARK.findall(text))
    yield from (NAMES.index(name.replace("10", "T")) for name in NAME.findall(PLURALS.sub("", text)))
