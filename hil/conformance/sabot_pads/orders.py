"""The checks of what pads do with an ORDER, and with silence."""

from itertools import pairwise

from sabot.hil.conformance.hands import NotTriedError
from sabot.hil.conformance.kit import middle
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_pads.greeting import FORGED_AHEAD, LET_LOOSE
from sabot.hil.conformance.sabot_pads.host import PadKit
from sabot.hil.conformance.sabot_pads.talk import ANSWER_S, EVERY, SILENCE_S
from sabot.hil.simulators.pads_wire import ORDER

ORDERS = "sabot-pads.md#0x10-order-host--pad"
# The page's four beats a second, and how late it may tell of a self-lock.
TIMES, BEATS, BEAT_S, LATE_S = 20, 4, 0.25, 0.1
ITSELF = 1


def answers_every_order(kit: PadKit) -> None:
    """Check that each ORDER is acknowledged by a STATE of its own, in time."""
    kit.open()
    kit.order_times.clear()
    kit.is_beating = False
    for _ in range(TIMES):
        kit.want()
        kit.demand(kit.states[-1].ack == kit.sent, "an ORDER was not acknowledged by a STATE of its own")
    kit.measure(f"STATE after ORDER, median of {TIMES}", middle(kit.order_times), most_s=ANSWER_S)
    kit.measure("STATE after ORDER, longest", max(kit.order_times))


def locks_at_once(kit: PadKit) -> None:
    """Check that the STATE that acknowledges a lock already says locked, spot by spot and all."""
    kit.open()
    mask = (1 << kit.identity["spots"]) - 1
    times = []
    for number in range(min(kit.identity["spots"], TIMES)):
        told = kit.unlocked(number)
        kit.demand(told["locked"] & mask == mask & ~(1 << number), f"spot {number} was not opened alone")
        at = kit.line.now()
        told = kit.want(locked=EVERY)
        kit.demand(
            told["locked"] & mask == mask, f"an ORDER to lock was acknowledged, spot {number} still open"
        )
        times.append(kit.line.now() - at)
    kit.measure("lock told after ORDER, median", middle(times))


def unlocks_only_who_has_seen(kit: PadKit) -> None:
    """Check that ``seen`` must be its own ``selflocks``; the rest of the ORDER is done anyway."""
    kit.open()
    kit.wants |= {"locked": 0, "expected": 1}
    told = kit.acknowledged(kit.order(seen=(kit.selflocks + 1) % 65536))
    mask = (1 << kit.identity["spots"]) - 1
    kit.demand(told["locked"] & mask == mask, "spots were opened for a host that has not seen the self-lock")
    kit.demand(told["expected"] & mask == 1, "the rest of such an ORDER was not done")


def beats(kit: PadKit) -> None:
    """Check that a STATE comes every 250 ms in any case, without an ORDER."""
    kit.open()
    kit.is_beating = False
    kit.wait(BEAT_S / 5)
    heard = len(kit.states)
    # Short of a second, in which it would lock itself and tell of that out of turn.
    kit.wait(0.85 * SILENCE_S)
    times = [each.at for each in kit.states[heard:]]
    kit.demand(
        len(times) >= max(2, (BEATS - 1) / kit.setting.slack),
        f"{len(times)} STATEs in {0.85 * SILENCE_S:g} s without an ORDER",
    )
    gaps = [late - early for early, late in pairwise(times)]
    kit.measure("from STATE to STATE, longest", max(gaps), most_s=BEAT_S + ANSWER_S)


def locks_itself(kit: PadKit) -> None:
    """Check that a second without an ORDER locks everything, puts lamps out, is counted and told."""
    kit.open()
    kit.want(locked=EVERY & ~1, seats=[1] * 8)
    before, at = kit.selflocks, kit.line.now()
    kit.is_beating = False
    found = kit.until(lambda: kit.told["selflocks"] != before, 2 * SILENCE_S)
    kit.demand(found, "two seconds without an ORDER, and the pads did not lock themselves")
    kit.measure(
        "self-lock told after", kit.states[-1].at - at, least_s=0.9 * SILENCE_S, most_s=SILENCE_S + LATE_S
    )
    told, mask = kit.told, (1 << kit.identity["spots"]) - 1
    kit.demand(told["selflocks"] == (before + 1) % 65536, f"selflocks from {before} to {told['selflocks']}")
    kit.demand(told["locked"] & mask == mask, "a self-lock that leaves spots open")
    kit.demand(told["flags"] & ITSELF, "a self-lock without its flag")
    kit.demand(not any(told["seats"]), "a self-lock that leaves lamps on")


def stays_locked_until_seen(kit: PadKit) -> None:
    """Check that a host that slept opens no spot before it has seen the self-lock."""
    kit.open()
    kit.want(locked=EVERY & ~1)
    slept, mask = kit.selflocks, (1 << kit.identity["spots"]) - 1
    kit.is_beating = False
    kit.wait(SILENCE_S + LATE_S)
    told = kit.acknowledged(kit.order(seen=slept))
    if told["selflocks"] == slept:
        raise NotTriedError("the pads did not lock themselves (pads.silence)")
    kit.demand(told["locked"] & mask == mask, "a host that slept opened a spot")
    kit.is_beating = True
    told = kit.want()
    kit.demand(told["locked"] & mask == mask & ~1, "a host that has seen the self-lock could not open a spot")
    kit.demand(not told["flags"] & ITSELF, "the flag of the self-lock stays after its release")


def lights_the_seats(kit: PadKit) -> None:
    """Check each kind of light at each seat, and that no spot is lit where nothing counts."""
    kit.open()
    for shift in range(4):
        seats = [(number + shift) % 4 for number in range(8)]
        told = kit.want(seats=seats)["seats"]
        kit.demand(told == seats, f"seats {seats} ordered, {told} told")
    empty = [number for number in range(kit.identity["spots"]) if kit.spot(number).state != 1]
    told = kit.want(lit=sum(1 << number for number in empty))
    kit.demand(not told["lit"], "a lamp burns on a spot where no wager counts")
    lamps = bytearray(kit.order_payload(**LET_LOOSE))
    lamps[24] = 4
    kit.silence_after(kit.frame(ORDER, bytes(lamps), kit.sent + FORGED_AHEAD), "a lamp of kind 4")


CHECKS = (
    ConformanceCheck(
        "pads.answer",
        "answers every ORDER in time",
        "sabot-pads.md#a-session-step-by-step",
        answers_every_order,
    ),
    ConformanceCheck("pads.lock", "locks before it acknowledges", ORDERS, locks_at_once),
    ConformanceCheck(
        "pads.seen", "opens only for who has seen its self-lock", ORDERS, unlocks_only_who_has_seen
    ),
    ConformanceCheck(
        "pads.beat", "tells its state four times a second", "sabot-pads.md#0x20-state-pad--host", beats
    ),
    ConformanceCheck(
        "pads.silence", "locks itself after a second of silence", "sabot-pads.md#silence", locks_itself
    ),
    ConformanceCheck(
        "pads.release", "stays locked until that was seen", "sabot-pads.md#silence", stays_locked_until_seen
    ),
    ConformanceCheck("pads.lamps", "lights the lamps that are ordered", ORDERS, lights_the_seats),
)
