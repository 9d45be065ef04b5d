"""What the keys may not do: hang, all come at once, or say two things with two contacts.

A key that is held for a minute, three keys together, a button whose second contact says the opposite of its
first: none of these is a person's word. They are reported once, and again only after they had gone.
"""

from collections.abc import Iterator, Mapping

from sabot.drivers.lines.plan import KEYS, LOCK, LOCK_AT_REST

_AT_ONCE = 3
_CONTACTS_MAY_DIFFER_S = 0.1


def wrong(active_since: Mapping[str, float], now: float, stuck_s: float, *, has_rest: bool) -> list[str]:
    """Everything about the keys that cannot be, in words; a line that is not in the mapping is not active."""
    return list(_all(active_since, now, stuck_s, has_rest=has_rest))


def _all(active_since: Mapping[str, float], now: float, stuck_s: float, *, has_rest: bool) -> Iterator[str]:
    held = [name for name in KEYS if name in active_since]
    for name in held:
        if now - active_since[name] >= stuck_s:
            yield f"the key {KEYS[name]} is stuck"
    if len(held) >= _AT_ONCE:
        yield f"the keys {', '.join(KEYS[name] for name in held)} at once"
    one = [active_since[name] for name in (LOCK, LOCK_AT_REST) if name in active_since]
    if has_rest and len(one) == 1 and now - one[0] >= _CONTACTS_MAY_DIFFER_S:
        yield "the two contacts of LOCK contradict each other"
