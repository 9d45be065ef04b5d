"""Cycles that must not come to their end: an open door, a card that lies face up."""

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.cycle import ACCEPTED, DECK, LOAD, STARTED_S, need
from sabot.hil.conformance.sabot_link.greeting import SHUFFLES
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.trouble import CLOSE_DOOR, OPEN_DOOR, undoing
from sabot.hil.simulators.sabot_link.wire import WireHeard

SEES_FACES, BY_DOOR, BY_FACE, NO_CYCLE = 32, 2, 5, 0
STOPPED = "sabot-link.md#0x23-cycle_stopped-device--host"
FACE_UP = Act("Lay a deck into the intake in which one card lies face up.", ("load As Kd 7c! 2h 9s",))
UNLOAD = Act("Take the cards out of the intake.", ("load",))


def stops_for_a_door(kit: LinkKit) -> None:
    """Check that the service door ends a cycle, and that the cycle is told as ended."""
    need(kit, SHUFFLES, "shuffle")
    kit.open()
    kit.act(LOAD)
    _start(kit)
    with undoing(kit, OPEN_DOOR, CLOSE_DOOR):
        _judge(kit, kit.event("CYCLE_STOPPED", STARTED_S), BY_DOOR)


def stops_for_a_face(kit: LinkKit) -> None:
    """Check that a card that lies face up ends a cycle, if the device can see it."""
    need(kit, SHUFFLES | SEES_FACES, "see cards face up")
    kit.open()
    with undoing(kit, FACE_UP, UNLOAD):
        _start(kit)
        _judge(kit, kit.event("CYCLE_STOPPED", kit.cycle_s), BY_FACE)


def _start(kit: LinkKit) -> None:
    kit.must("SHUFFLE", ACCEPTED, "with cards in the intake", deck=DECK)
    kit.event("CYCLE_STARTED", STARTED_S)


def _judge(kit: LinkKit, told: WireHeard, cause: int) -> None:
    kit.demand(told["cause"] == cause, f"CYCLE_STOPPED with cause {told['cause']}, not {cause}")
    kit.demand(told["deck"] == DECK, f"CYCLE_STOPPED names the deck {told['deck']}, not {DECK}")
    kit.demand(kit.query()["cycle"] == NO_CYCLE, "after CYCLE_STOPPED a cycle is running")


CHECKS = (
    ConformanceCheck("link.stops", "stops a cycle when its door opens", STOPPED, stops_for_a_door),
    ConformanceCheck(
        "link.face-up",
        "stops for a card that lies face up",
        "sabot-link.md#what-a-device-must-do",
        stops_for_a_face,
    ),
)
