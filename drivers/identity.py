"""The check that a device is the one that the table file means, and the words for one that is not.

A table file may pin who a device must be. What is not pinned may be anything; what is pinned must be just
that, so that a device that was swapped overnight is a fault until somebody has looked at it and said so.
"""

from collections.abc import Mapping
from dataclasses import fields

from sabot.drivers.device import Identity
from sabot.drivers.options import Option, Schema, Value

PINNABLE = ("maker", "model", "serial", "firmware")
PINS: Schema = tuple(
    Option(f"pin_{what}", "", f"the {what} that the device must say it is of; empty takes any")
    for what in PINNABLE
)


def not_as_pinned(told: Identity, options: Mapping[str, Value]) -> str:
    """Why this is not the device that the table file pins; empty where it is."""
    return "; ".join(
        f"its {what} is {getattr(told, what)!r}, pinned is {options[f'pin_{what}']!r}"
        for what in PINNABLE
        if options.get(f"pin_{what}") and getattr(told, what) != options[f"pin_{what}"]
    )


def swapped(before: Identity, now: Identity) -> str:
    """Return the difference that makes this another device than the one before, or nothing.

    Another firmware counts: what was tested yesterday is not what runs today.
    """
    if before == Identity():
        return ""
    return "; ".join(
        f"its {what} was {getattr(before, what)!r} and is {getattr(now, what)!r}"
        for what in ("kind", *PINNABLE)
        if getattr(before, what) != getattr(now, what)
    )


def in_words(identity: Identity) -> str:
    """Return its identity in one line."""
    told = [str(getattr(identity, each.name)) for each in fields(identity) if each.type in {"str", str}]
    named = " ".join(word for word in told if word)
    proof = "proved with its enrolled key" if identity.authenticated else "not proved"
    return f"{named or 'says nothing of itself'} ({proof})"
