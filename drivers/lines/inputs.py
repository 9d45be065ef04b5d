"""The inputs as they stand: each contact debounced, each key that is held, and what cannot be.

Reading a pin may fail, for a chip can vanish; that is for whoever asked to deal with.

Keys may not do three things: hang, all come at once, or say two things with two contacts.

A key that is held for a minute, three keys together, a button whose second contact says the opposite of its
first: none of these is a person's word. They are reported once, and again only after they had gone.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from sabot.drivers.lines.debounce import BounceRule, Contact, debounce, look_again_at
from sabot.drivers.lines.gpio import Pins
from sabot.drivers.lines.plan import KEYS, LOCK, LOCK_AT_REST, WiredLine

_AT_ONCE = 3
# The time between breaking the one contact and making the other.
_CONTACTS_MAY_DIFFER_S = 0.1


def wrong(
    active_since: Mapping[str, float], now: float, stuck_s: float, *, differ_since: float | None
) -> list[str]:
    """Return everything about the keys that cannot be, in words; a line not in the mapping is not active.

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


# The first touch of LOCK counts; then it may bounce as long as any button does.
_LOCK_RULE = BounceRule(0.03, is_eager=True)
_BUTTON = (LOCK, LOCK_AT_REST)


class LineListener(NamedTuple):
    """Callbacks for key presses and settled lines."""

    pressed: Callable[[str, float], None]
    switched: Callable[[str, bool], None]


class Inputs:
    """The lines that are read."""

    def __init__(
        self, pins: Pins, lines: tuple[WiredLine, ...], rule: BounceRule, stuck_s: float, ears: LineListener
    ) -> None:
        self._pins, self.lines, self._rule, self._stuck_s, self._ears = pins, lines, rule, stuck_s, ears
        self._contacts: dict[str, Contact] = {}
        self.active_since: dict[str, float] = {}
        self._moved: dict[str, float] = {}
        self._reported: set[str] = set()

    def begin(self, now: float) -> None:
        """Take every line as it stands: each level is news, and none of them is a press."""
        # A key that is held while the lines are opened is no press: it counts when it is pressed again.
        self.active_since.clear()
        for line in self.lines:
            active = self._pins.is_active(line)
            self._contacts[line.name] = Contact(active)
            self._settle(line.name, now, active=active)

    def read(self, line: WiredLine, at: float) -> float | None:
        """Read a line that may have moved at this time; return when it must be read again."""
        rule = _LOCK_RULE if line.name == LOCK else self._rule
        level = self._pins.is_active(line)
        contact, change = debounce(rule, self._contacts[line.name], at, level=level)
        self._contacts[line.name] = contact
        if change is not None:
            self._settle(line.name, change.at, active=change.level)
            if change.level and line.name in KEYS:
                # A press is the change to active; letting go means nothing at this table.
                self._ears.pressed(line.name, change.at)
        return look_again_at(rule, contact)

    def _settle(self, name: str, at: float, *, active: bool) -> None:
        self._moved[name] = at
        if active:
            self.active_since[name] = at
        else:
            self.active_since.pop(name, None)
        if name not in KEYS:
            self._ears.switched(name, active)

    def is_active(self, name: str) -> bool:
        """Return whether a line is active."""
        return name in self.active_since

    def wrong(self, now: float) -> list[str]:
        """Return everything about the keys that cannot be."""
        return wrong(self.active_since, now, self._stuck_s, differ_since=self._differ_since())

    def _differ_since(self) -> float | None:
        """Return since when LOCK's two contacts have differed, None while they agree or one has not settled.

        LOCK counts at its first touch and its second contact only when it has settled: let go, the two differ
        for as long as that takes, however long the button was held before.
        """
        pair = [self._contacts[name] for name in _BUTTON if name in self._contacts]
        is_open = any(each.other_since is not None for each in pair)
        if is_open or len({each.level for each in pair}) < len(_BUTTON):
            return None
        return max(self._moved[name] for name in _BUTTON)

    def newly_wrong(self, now: float) -> list[str]:
        """Return the faults that have appeared since the last call."""
        found = set(self.wrong(now))
        news, self._reported = sorted(found - self._reported), found
        return news
