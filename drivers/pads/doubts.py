"""What the program does not believe of a pad: each a row with its words, a check and whom it concerns.

The pad judges what came late, for only the pad is there in time; the program checks that its word holds
together from one report to the next. A pad that un-refuses a chip, or that leaves a spot open which was
locked, would be worth more to a cheat than any card.
"""

from collections.abc import Callable
from typing import NamedTuple

from sabot.drivers.pads.messages import Can, Cover, Flag, State


class Look(NamedTuple):
    """What one report is judged by: itself, the one before, and what was ordered."""

    now: State
    before: State | None
    is_unbroken: bool
    ordered: int
    capabilities: Can
    spots: int


class Doubt(NamedTuple):
    """A contradiction, and the spot that it concerns (None: the pad as a whole)."""

    words: str
    spot: int | None = None
    fault: str = "contradiction"
    is_readable: bool = True


_COUNTS = frozenset({Cover.COVERED})
BARE = frozenset({Cover.EMPTY, Cover.LIFTED_LATE})


def doubts(look: Look) -> list[Doubt]:
    """Everything in this report that cannot be."""
    if len(look.now.spots) != look.spots:
        words = f"the pad reports {len(look.now.spots)} spots and said that it has {look.spots}"
        return [Doubt(words, is_readable=False)]
    whole = [Doubt(words, fault="device") for words, is_so in _OF_THE_PAD if is_so(look)]
    return whole + [
        Doubt(words, number)
        for words, is_so in _OF_A_SPOT
        for number in range(look.spots)
        if is_so(look, number)
    ]


def _leaves_open(look: Look, number: int) -> bool:
    return bool(look.ordered & ~look.now.locked & 1 << number)


def _burns(look: Look, number: int) -> bool:
    return bool(look.now.lit & 1 << number) and look.now.spots[number].cover not in _COUNTS


def _is_blind(look: Look, number: int) -> bool:
    return look.now.spots[number].cover is Cover.BLIND


def _has_odd_value(look: Look, number: int) -> bool:
    spot = look.now.spots[number]
    if spot.cover in BARE:
        return spot.cents != 0
    return spot.cents == 0 or (spot.cents is not None and Can.VALUE not in look.capabilities)


def _came_to_count(look: Look, number: int) -> bool:
    """Whether a spot counts now that did not count in the report before."""
    before = look.before
    return (
        before is not None
        and look.now.spots[number].cover in _COUNTS
        and before.spots[number].cover not in _COUNTS
    )


def _accepts_on_locked(look: Look, number: int) -> bool:
    before = look.before
    if before is None or not look.is_unbroken or not _came_to_count(look, number):
        return False
    free = ~before.locked | ~look.now.locked | before.expected | look.now.expected
    return not free & 1 << number


def _unrefuses(look: Look, number: int) -> bool:
    before = look.before
    if before is None or not _came_to_count(look, number):
        return False
    was, now = before.spots[number], look.now.spots[number]
    return was.cover is Cover.COVERED_LATE and (now.changes - was.changes) % 256 < len(("lifted", "placed"))


_OF_THE_PAD: tuple[tuple[str, Callable[[Look], bool]], ...] = (
    ("the pad failed its own test", lambda look: Flag.TEST_FAILED in look.now.flags),
    ("the pad's housing is open", lambda look: Flag.HOUSING_OPEN in look.now.flags),
)
_OF_A_SPOT: tuple[tuple[str, Callable[[Look, int], bool]], ...] = (
    ("leaves open what was locked", _leaves_open),
    ("its lamp burns for a wager that does not count", _burns),
    ("its sensor cannot tell", _is_blind),
    ("its value does not fit", _has_odd_value),
    ("counts a chip that came after the lock", _accepts_on_locked),
    ("counts a refused chip that was never lifted", _unrefuses),
)
