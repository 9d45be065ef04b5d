"""Reports of a pad that are not believed: each a row with its words, a check and whom it concerns.

The pad judges what came late, for only the pad is there in time; the program checks that its word holds
together from one report to the next. A pad that un-refuses a chip, or that leaves a spot open which was
locked, would be worth more to a cheat than any card.
"""

# Theory of operation. A pad may say anything about the present, for only it can see; it may not say what
# cannot follow from what it said before and from what it was ordered. So each row looks at one report, the
# report before it, the order that it acknowledges, and what all orders in between had in common. The first
# report of a session has none before it and is judged by itself alone, but for a pad that has restarted: of
# that one nothing may count. A retest asks these rows again without the report before: a step that could not
# be was told once, and what matters then is how it stands (``Reports.retest``).

from collections.abc import Callable
from typing import NamedTuple

from sabot.drivers.pads.messages import Can, Cover, Flag, PadOrder, PadState


class ReportLook(NamedTuple):
    """The evidence for judging a report: itself, the one before, and what was ordered, now and in between."""

    now: PadState
    before: PadState | None
    ordered: PadOrder
    kept_locked: int
    capabilities: Can
    spots: int
    is_restarted: bool = False


class Inconsistency(NamedTuple):
    """A contradiction, and the spot that it concerns (None: the pad as a whole)."""

    words: str
    spot: int | None = None
    fault: str = "contradiction"
    is_readable: bool = True
    lifts: str = ""


REPLACE = "pull its plug and put it back, else replace the pad"
LIFT = "lift the chips there until it was tested again"
_COUNTS = frozenset({Cover.COVERED})
BARE = frozenset({Cover.EMPTY, Cover.LIFTED_LATE})


def doubts(look: ReportLook) -> list[Inconsistency]:
    """Return everything in this report that cannot be."""
    # Alone: of another number of spots nobody knows which is which.
    if len(look.now.spots) != look.spots:
        words = f"the pad reports {len(look.now.spots)} spots and said that it has {look.spots}"
        return [Inconsistency(words, is_readable=False, lifts=REPLACE)]
    whole = [
        Inconsistency(words, fault="device", lifts=lifts)
        for words, lifts, is_so in _OF_THE_PAD
        if is_so(look)
    ]
    return whole + [
        Inconsistency(words, number, lifts=lifts)
        for words, lifts, is_so in _OF_A_SPOT
        for number in range(look.spots)
        if is_so(look, number)
    ]


# What each row asks. All masks have bit n for spot n. What was ordered is the order that this report
# acknowledges, so a report cannot be blamed for an order that it had not had.


def _leaves_open(look: ReportLook, number: int) -> bool:
    return bool(look.ordered.locked & ~look.now.locked & 1 << number)


def _expects(look: ReportLook, number: int) -> bool:
    """Return whether the pad takes for the dealer's own hand what nobody announced as such."""
    return bool(look.now.expected & ~look.ordered.expected & 1 << number)


def _is_lit_by_itself(look: ReportLook, number: int) -> bool:
    is_counted = look.now.spots[number].cover in _COUNTS
    return is_counted and bool(look.now.lit & ~look.ordered.lit & 1 << number)


def _burns(look: ReportLook, number: int) -> bool:
    return bool(look.now.lit & 1 << number) and look.now.spots[number].cover not in _COUNTS


def _is_blind(look: ReportLook, number: int) -> bool:
    return look.now.spots[number].cover is Cover.BLIND


def _has_odd_value(look: ReportLook, number: int) -> bool:
    spot = look.now.spots[number]
    if spot.cover is Cover.BLIND:
        return False  # one doubt of a sensor that cannot tell is enough
    if spot.cover in BARE:
        return spot.cents != 0
    return spot.cents == 0 or (spot.cents is not None and Can.VALUE not in look.capabilities)


def _came_to_count(look: ReportLook, number: int) -> bool:
    """Return whether a spot counts now that did not count in the report before."""
    before = look.before
    return (
        before is not None
        and look.now.spots[number].cover in _COUNTS
        and before.spots[number].cover not in _COUNTS
    )


# The next four compare two reports of one session. In between the pad took orders that no report speaks of,
# which is why ``kept_locked`` is asked and not the order alone.


def _accepts_on_locked(look: ReportLook, number: int) -> bool:
    return _came_to_count(look, number) and _stayed_locked(look, number)


def _stayed_locked(look: ReportLook, number: int) -> bool:
    """Return whether a spot stayed locked, and no hand was expected there, since the report before."""
    before = look.before
    # Locked before and after is not enough: it may have been open in between.
    is_locked = before.locked & look.now.locked & look.kept_locked if before is not None else 0
    return bool(is_locked & 1 << number)


def _counts_a_change(look: ReportLook, number: int) -> bool:
    """Return whether a wager that counts has changed its value behind the lock."""
    if look.before is None or not _stayed_locked(look, number):
        return False
    was, now = look.before.spots[number], look.now.spots[number]
    is_counted = was.cover in _COUNTS and now.cover in _COUNTS
    return is_counted and None not in (was.cents, now.cents) and was.cents != now.cents


def _moves_uncounted(look: ReportLook, number: int) -> bool:
    """Return whether chips came or went without a change; an opening alone moves none."""
    if look.before is None:
        return False
    was, now = look.before.spots[number], look.now.spots[number]
    sees = Cover.BLIND not in (was.cover, now.cover)
    return sees and (was.cover in BARE) != (now.cover in BARE) and was.changes == now.changes


def _survives_start(look: ReportLook, number: int) -> bool:
    # A pad that has just started cannot know when what lies there came.
    is_first = look.is_restarted and look.before is None
    return is_first and look.now.spots[number].cover in _COUNTS


def _unrefuses(look: ReportLook, number: int) -> bool:
    before = look.before
    if before is None or not _came_to_count(look, number):
        return False
    was, now = before.spots[number], look.now.spots[number]
    # To count again it must have been lifted and placed: two changes, of a counter of one byte.
    return was.cover is Cover.COVERED_LATE and (now.changes - was.changes) % 256 < len(("lifted", "placed"))


# A row says what is doubted, what lifts it, and whether it is so.
_OF_THE_PAD: tuple[tuple[str, str, Callable[[ReportLook], bool]], ...] = (
    ("the pad failed its own test", REPLACE, lambda look: Flag.TEST_FAILED in look.now.flags),
    ("the pad's housing is open", "close it", lambda look: Flag.HOUSING_OPEN in look.now.flags),
)
_OF_A_SPOT: tuple[tuple[str, str, Callable[[ReportLook, int], bool]], ...] = (
    ("leaves open what was locked", REPLACE, _leaves_open),
    ("its lamp burns for a wager that does not count", REPLACE, _burns),
    ("its lamp burns, and the table leaves it dark", REPLACE, _is_lit_by_itself),
    ("expects the dealer's hand, which nobody announced", REPLACE, _expects),
    ("its sensor cannot tell", "take away what covers or blinds it, else replace the pad", _is_blind),
    ("its value does not fit", LIFT, _has_odd_value),
    ("counts a chip that came after the lock", LIFT, _accepts_on_locked),
    ("counts a refused chip that was never lifted", LIFT, _unrefuses),
    ("counts a change that came after the lock", LIFT, _counts_a_change),
    ("tells of chips that moved and counted no change", LIFT, _moves_uncounted),
    ("counts a chip from before its start", LIFT, _survives_start),
)
