"""What the keys may not do: hang, all come at once, or say two things with two contacts.

A key that is held for a minute, three keys together, a button whose second contact says the opposite of its
first: none of these is a person's word. They are reported once, and again only after they had gone.
"""

from collections.abc import Iterator, Mapping

from sabot.drivers.lines.plan import KEYS

_AT_ONCE = 3
_CONTACTS_MAY_DIFFER_S = 0.1


def wrong(
    active_since: Mapping[str, float], now: float, stuck_s: float, *, differ_since: float | None
) -> list[str]:
    """Everything about the keys that cannot be, in words; a line that is not in the mapping is not active.

    ``differ_since`` is when the later of LOCK's two contacts moved to a level that the other does not have.
    """
    return list(_all(active_since, now, stuck_s, differ_since))


def _all(
    active_since: Mapping[str, float], now: float, stuck_s: float, differ_since: float | None
) -> Iterator[str]:
    held = [name for name in KEYS if name in active_since]
    for name in held:
        if now - active_since[name] >= stuck_s:
            yield f"the key {KEYS[name]} is stuck"
    if len(held) >= _AT_ONCE:
        yield f"the keys {', '.join(KEYS[name] for name in held)} at once"
    if differ_since is not None and now - differ_since >= _CONTACTS_MAY_DIFFER_S:
        yield "the two contacts of LOCK contradict each other"
