"""Chips on the spots: the table of states of the page, row by row, and what power and a new host do to it."""

# The rows of the page's table of states, one move at a time. A check brings the spot to the state before
# (`_begin`), lets hands make the move, and waits for the state after; what must not change is looked at again
# a little later (`stays`), as a pad may tell a wrong state only with its next beat.

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.kit import NotClaimedError
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_pads.frame_reader import ToldSpot
from sabot.hil.conformance.sabot_pads.host import PadKit
from sabot.hil.conformance.sabot_pads.talk import BEAT_S, EVERY, QUIET_S

STATES, SESSION = "sabot-pads.md#the-state-of-a-spot", "sabot-pads.md#a-session-step-by-step"
EMPTY, COVERED, LATE, LIFTED, CHANGED, BLIND = range(6)
SENSES_VALUES = 1
LAY = Act("Lay one chip on spot {spot}.", ("chips {spot} 500",))
ADD = Act("Lay another chip on top, on spot {spot}.", ("chips {spot} 1000",))
LIFT = Act("Take every chip off spot {spot}.", ("chips {spot} 0",))
DAZZLE = Act("Blind the sensor of spot {spot}, with a bright lamp.", ("blind {spot}",))
SHADE = Act("Take the lamp away from spot {spot}.", ("see {spot}",))
RESTART = Act("Pull the cable of the pads, and put it in again.", ("restart",))
UNKNOWN_CENTS, BACK_S = 0xFFFFFFFF, 10.0


def _begin(kit: PadKit) -> int:
    """Open a session with nothing on spot 0; return its count of changes."""
    kit.open()
    kit.act(LIFT, spot=0)
    kit.unlocked(0)
    kit.becomes(0, EMPTY, "with every chip taken off and the spot opened")
    return kit.spot(0).changes


def counts_a_wager_in_time(kit: PadKit) -> None:
    """Check an open spot: covered with its value, lit if wanted, empty when lifted in time."""
    before = _begin(kit)
    kit.act(LAY, spot=0)
    spot = kit.becomes(0, COVERED, "a chip on an open spot")
    kit.wait(QUIET_S)
    _judge_value(kit, kit.spot(0))
    kit.demand((spot.changes - before) % 256 >= 1, "changes did not count a chip that came")
    kit.demand(kit.want(lit=1)["lit"] == 1, "the lamp of a wager that counts does not burn")
    kit.want(locked=EVERY)
    kit.stays(0, COVERED, "a wager that was there when its spot was locked")
    kit.unlocked(0)
    kit.act(LIFT, spot=0)
    kit.becomes(0, EMPTY, "a chip taken off an open spot")


def _judge_value(kit: PadKit, spot: ToldSpot) -> None:
    has_values = kit.identity["capabilities"] & SENSES_VALUES
    fits = 0 < spot.cents < UNKNOWN_CENTS if has_values else spot.cents == UNKNOWN_CENTS
    kit.demand(fits, f"cents {spot.cents:08X} {'with' if has_values else 'without'} the capability of values")


def refuses_a_late_wager(kit: PadKit) -> None:
    """Check a locked spot: covered late, without a light, until it is lifted."""
    before = _begin(kit)
    kit.want(locked=EVERY, lit=1)
    kit.act(LAY, spot=0)
    spot = kit.becomes(0, LATE, "a chip on a locked spot")
    kit.demand((spot.changes - before) % 256 >= 1, "changes did not count a late chip")
    kit.demand(not kit.want()["lit"], "a refused wager has a light")
    kit.unlocked(0)
    kit.stays(0, LATE, "a refused wager whose spot was opened")
    kit.demand(not kit.want()["lit"], "a refused wager has a light once its spot is open")
    kit.act(LIFT, spot=0)
    kit.becomes(0, EMPTY, "a refused wager that was lifted")


def tells_a_wager_lifted_late(kit: PadKit) -> None:
    """Check that a wager lifted late stays told until the spot opens."""
    _begin(kit)
    kit.act(LAY, spot=0)
    kit.becomes(0, COVERED, "a chip on an open spot")
    kit.want(locked=EVERY)
    kit.act(LIFT, spot=0)
    kit.becomes(0, LIFTED, "a wager taken off a locked spot")
    kit.stays(0, LIFTED, "a wager taken off a locked spot, a little later")
    kit.unlocked(0)
    kit.becomes(0, EMPTY, "a spot lifted late, opened again")


def tells_a_wager_changed_late(kit: PadKit) -> None:
    """Check that a wager added to while locked stays told until the spot opens."""
    _begin(kit)
    if not kit.identity["capabilities"] & SENSES_VALUES:
        raise NotClaimedError("the pads do not claim to sense values")
    kit.act(LAY, spot=0)
    kit.becomes(0, COVERED, "a chip on an open spot")
    kit.want(locked=EVERY)
    kit.act(ADD, spot=0)
    kit.becomes(0, CHANGED, "a chip laid on top of a locked wager")
    kit.unlocked(0)
    kit.becomes(0, COVERED, "a spot changed late, opened again")
    kit.act(LIFT, spot=0)


def lets_the_dealer_move_chips(kit: PadKit) -> None:
    """Check that chips expected on a locked spot are as on an open one, and counted all the same."""
    before = _begin(kit)
    told = kit.want(locked=EVERY, expected=1)
    kit.demand(told["expected"] & 1, "an expected movement was ordered and is not told")
    kit.act(LAY, spot=0)
    spot = kit.becomes(0, COVERED, "a chip that the dealer laid, expected")
    kit.demand((spot.changes - before) % 256 >= 1, "changes did not count an expected chip")
    kit.act(LIFT, spot=0)
    kit.becomes(0, EMPTY, "a chip that the dealer took, expected")
    kit.want(expected=0)


def says_when_it_is_blind(kit: PadKit) -> None:
    """Check that blind is told, and that what is seen again counts as new."""
    _begin(kit)
    kit.act(LAY, spot=0)
    kit.becomes(0, COVERED, "a chip on an open spot")
    kit.act(DAZZLE, spot=0)
    try:
        kit.becomes(0, BLIND, "a sensor that cannot tell")
        kit.want(locked=EVERY)
    finally:
        kit.act(SHADE, spot=0)
    kit.becomes(0, LATE, "a chip seen again on a locked spot")
    kit.act(LIFT, spot=0)


def locks_for_a_new_host(kit: PadKit) -> None:
    """Check that HELLO locks: a chip laid before the first ORDER is late, other spots stay."""
    _begin(kit)
    kit.act(LIFT, spot=1)
    kit.unlocked(0, 1)
    kit.act(LAY, spot=1)
    kit.becomes(1, COVERED, "a chip on an open spot")
    kit.greet()
    kit.act(LAY, spot=0)
    kit.wait(BEAT_S / 2)
    kit.acknowledged(kit.order(seen=0))
    kit.is_beating = True
    kit.becomes(0, LATE, "a chip laid after HELLO, before any ORDER")
    kit.stays(1, COVERED, "a chip that lay there before HELLO")
    for number in (0, 1):
        kit.act(LIFT, spot=number)


def begins_anew_after_a_start(kit: PadKit) -> None:
    """Check for another boot, no old session, everything locked, and chips told as late."""
    _begin(kit)
    kit.act(LAY, spot=0)
    kit.becomes(0, COVERED, "a chip on an open spot")
    before = kit.identity["boot"]
    kit.act(RESTART)
    kit.revive()
    kit.ear.clear()
    kit.states.clear()
    kit.order()
    kit.wait(QUIET_S)
    kit.is_beating = False
    kit.demand(not kit.states, "after a start an ORDER of the session before is answered")
    kit.until(lambda: _is_back(kit), BACK_S)
    told = kit.open()
    kit.demand(kit.identity["boot"] != before, "boot is the same as before the start")
    mask = (1 << kit.identity["spots"]) - 1
    kit.demand(told["locked"] & mask == mask, "after a start a spot is open")
    kit.demand(
        # Nobody knows when it came: it may have been laid while the pads were without power.
        kit.spot(0).state == LATE,
        f"a chip that lay there at the start is told as {kit.spot(0).state}",
    )
    kit.act(LIFT, spot=0)


def _is_back(kit: PadKit) -> bool:
    kit.hello()
    kit.wait(QUIET_S)
    return bool(kit.answers)


CHECKS = (
    ConformanceCheck("pads.covered", "counts a wager that was there in time", STATES, counts_a_wager_in_time),
    ConformanceCheck("pads.late", "refuses a late wager until it is lifted", STATES, refuses_a_late_wager),
    ConformanceCheck(
        "pads.lifted", "tells a wager that was taken back late", STATES, tells_a_wager_lifted_late
    ),
    ConformanceCheck(
        "pads.changed", "tells a wager that was changed late", STATES, tells_a_wager_changed_late
    ),
    ConformanceCheck("pads.expected", "lets the dealer move chips", STATES, lets_the_dealer_move_chips),
    ConformanceCheck("pads.blind", "says when it cannot see", STATES, says_when_it_is_blind),
    ConformanceCheck(
        "pads.new-host", "locks for a new host, and forgets no chip", SESSION, locks_for_a_new_host
    ),
    ConformanceCheck("pads.start", "begins anew after a start", SESSION, begins_anew_after_a_start),
)
