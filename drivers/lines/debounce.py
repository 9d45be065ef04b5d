"""Debounce, as a pure function of (time, level) pairs.

The two GPIO libraries debounce differently, and edges close together may be reported once or not at all; so
neither is asked to. A callback gives a time, the level is read again, and when a contact has moved it is read
once more after it should have settled: all of these are pairs, and what they mean is decided here.

A *settled* line changes when the other level has held for ``settle_s``, at the time of its first pair. An
*eager* line changes with the first pair of the other level and is deaf for ``settle_s``: for the lock-out
button, whose false press is the safe direction and whose true one cannot wait.
"""

from collections.abc import Iterable
from typing import NamedTuple

_NEVER = float("-inf")


class BounceRule(NamedTuple):
    """The longest time a contact may bounce, and whether its first touch counts."""

    settle_s: float
    is_eager: bool = False


class Contact(NamedTuple):
    """A contact as far as it is known: its level, since when it may be another, until when it is deaf."""

    level: bool
    other_since: float | None = None
    deaf_until: float = _NEVER


class Change(NamedTuple):
    """A contact went to another level at this time."""

    at: float
    level: bool


def debounce(rule: BounceRule, contact: Contact, at: float, *, level: bool) -> tuple[Contact, Change | None]:
    """Return the state of a contact after a pair of readings, and the change where there is one."""
    deaf_until = contact.deaf_until if at < contact.deaf_until else _NEVER
    if level == contact.level:
        return Contact(level, None, deaf_until), None
    # The time of the first touch is the time of the press, though it counts only once it has held.
    since = at if contact.other_since is None else contact.other_since
    if at < deaf_until or (not rule.is_eager and at < since + rule.settle_s):
        return Contact(contact.level, since, deaf_until), None
    if rule.is_eager:
        # Deaf from here: what bounces after the first touch is one press.
        return Contact(level, None, at + rule.settle_s), Change(at, level)
    return Contact(level), Change(since, level)


def look_again_at(rule: BounceRule, contact: Contact) -> float | None:
    """Return when the level must be read once more, None when nothing is open."""
    if contact.deaf_until > _NEVER:
        return contact.deaf_until
    return None if contact.other_since is None else contact.other_since + rule.settle_s


def changes(rule: BounceRule, start: Contact, pairs: Iterable[tuple[float, bool]]) -> list[Change]:
    """Return the changes in a recording: each pair as it came, and each look when it is due."""
    found: list[Change] = []
    contact, level = start, start.level

    def take(at: float) -> None:
        nonlocal contact
        contact, change = debounce(rule, contact, at, level=level)
        if change is not None:
            found.append(change)

    for at, next_level in [*pairs, (float("inf"), start.level)]:
        while (due := look_again_at(rule, contact)) is not None and due < at:
            take(due)
        if at < float("inf"):
            level = next_level
            take(at)
    return found
