"""Checks that take hands: doors, the key, a jam, a deck taken out, power that goes in the middle."""

from collections.abc import Iterator
from contextlib import contextmanager

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.cycle import ACCEPTED, DECK, LOAD, STARTED_S
from sabot.hil.conformance.sabot_link.delivery import FASTEST_CLOCK
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.stacks import RETEST_S
from sabot.hil.conformance.sabot_link.talk import ALIVE_S, ANSWER_S
from sabot.hil.simulators.sabot_link.wire import WireHeard, frame_of

DUTIES, ANSWERS = "sabot-link.md#what-a-device-must-do", "sabot-link.md#what-a-command-is-answered"
SESSION = "sabot-link.md#a-session-step-by-step"
OPEN_DOOR = Act("Open the service door.", ("door 3 open",))
CLOSE_DOOR = Act("Close the service door.", ("door 3 close",))
TO_SERVICE = Act("Turn the key at the device to service.", ("mode service",))
TO_PLAY = Act("Turn the key back to play.", ("mode play",))
JAM = Act("Let a card jam at the exit, or as a jam is made on this device.", ("jam 4 3",))
UNJAM = Act("Take the jammed card away.", ("remain 0",))
STAYS = Act("Leave the jammed card where it is.", ("remain 1",))
EMPTY = Act("Take all cards out of the device by hand.", ("empty",))
REBOOT = Act("Switch the device off, and on again.", ("reboot",))
DOOR_OPEN, WRONG_MODE, FAULTED = 4, 3, 6
SERVICE_DOOR, SERVICE_BIT, SERVICE_MODE, PLAY, JAM_FAULT = 3, 4, 4, 1, 1
BACK_S, BROKEN_OFF = 60.0, 2


@contextmanager
def undoing(kit: LinkKit, act: Act, undo: Act) -> Iterator[None]:
    """Do a mishap, and undo it at the end, whatever came of it, for the checks behind this one."""
    kit.act(act)
    try:
        yield
    finally:
        kit.act(undo)


def tells_its_doors(kit: LinkKit) -> None:
    """Check DOOR and STATE, and that no card moves while the service door is open."""
    kit.open()
    with undoing(kit, OPEN_DOOR, CLOSE_DOOR):
        told = kit.event("DOOR")
        kit.demand(
            (told["door"], told["open"]) == (SERVICE_DOOR, 1), f"door {told['door']} open {told['open']}"
        )
        kit.demand(kit.query()["doors"] & SERVICE_BIT, "STATE does not show the open service door")
        _must_be_refused(kit, DOOR_OPEN, "with the service door open")
    kit.demand(kit.event("DOOR")["open"] == 0, "the closed door is told as open")


def tells_its_mode(kit: LinkKit) -> None:
    """Check MODE and STATE, and that no card moves in another mode."""
    kit.open()
    with undoing(kit, TO_SERVICE, TO_PLAY):
        mode = kit.event("MODE")["mode"]
        kit.demand(mode == SERVICE_MODE, f"mode {mode} is told, not {SERVICE_MODE}")
        kit.demand(kit.query()["mode"] == SERVICE_MODE, "STATE does not show the mode")
        _must_be_refused(kit, WRONG_MODE, "in service mode")
    kit.demand(kit.event("MODE")["mode"] == PLAY, "play mode is not told")


def latches_a_jam(kit: LinkKit) -> None:
    """Check that a jam stays until its cause was tested good and a person has released it."""
    kit.open()
    with undoing(kit, JAM, UNJAM):
        kit.act(STAYS)
        kit.event("JAM")
        kit.demand(kit.query()["fault"] == JAM_FAULT, "STATE does not show the jam as latched")
        _must_be_refused(kit, FAULTED, "under a jam")
        kit.must("CLEAR_FAULT", FAULTED, "before a test", fault=JAM_FAULT)
        kit.demand(_retested(kit) == 0, "a jam that is still there is tested good")
        kit.must("CLEAR_FAULT", FAULTED, "after a test that was not good", fault=JAM_FAULT)
    kit.demand(_retested(kit) == 1, "a jam that was taken away is not tested good")
    kit.demand(kit.query()["fault"] == JAM_FAULT, "the test alone has cleared the fault")
    kit.must("CLEAR_FAULT", ACCEPTED, "after a good test", fault=JAM_FAULT)
    kit.expect("FAULT", ANSWER_S, lambda m: not m["latched"])
    kit.demand(kit.query()["fault"] == 0, "STATE shows a fault after it was cleared")


def _retested(kit: LinkKit) -> int:
    kit.must("RETEST", ACCEPTED, "of a jam", fault=JAM_FAULT)
    return int(kit.event("RETESTED", RETEST_S)["good"])


def _must_be_refused(kit: LinkKit, code: int, words: str) -> None:
    """Check that each claimed command that moves cards is refused."""
    has = kit.identity["capabilities"]
    if has & 1:
        kit.must("SHUFFLE", code, words, deck=DECK)
    if has & 2:
        kit.must("DISPENSE", code, words, order=1, deck=DECK, cards=1)


def tells_when_it_was_emptied(kit: LinkKit) -> None:
    """Check that EMPTIED comes, with both counts."""
    kit.open()
    kit.act(EMPTY)
    told = kit.event("EMPTIED")
    kit.demand(told["deck"] == 0, f"all was taken out, and EMPTIED names the deck {told['deck']}")
    kit.demand(told["cards_in"] == told["cards_out"], f"{told['cards_in']} in, {told['cards_out']} out")
    kit.demand(kit.query()["inside"] == 0, "STATE shows cards inside an emptied device")


def begins_anew_after_a_start(kit: LinkKit) -> None:
    """Check for another boot, no old session, events from 1, and cards held."""
    kit.open()
    kit.must("FREE", ACCEPTED, "at rest")
    before, old = kit.identity["boot"], frame_of(kit.body("PING", token=kit.token + 100))
    began = kit.line.now()
    reboot(kit)
    kit.inbox.clear()
    kit.send(b"\0" + old)
    kit.wait(ALIVE_S)
    kit.demand(not kit.inbox, "after a start the session of before is still answered")
    state = back(kit)
    kit.demand(kit.identity["boot"] != before, "boot is the same as before the start")
    kit.demand(state["gate"] == 1, "after a start the cards are not held")
    _judge_counters(kit, state, kit.line.now() - began)
    kit.must("RETEST", ACCEPTED, "of all faults", fault=0)
    kit.event("RETESTED", RETEST_S)
    mine = [each.number for each in kit.told if each.boot == kit.identity["boot"]]
    kit.demand(mine[0] == 1, f"the first event of a boot has the number {mine[0]}")


def _judge_counters(kit: LinkKit, state: WireHeard, most_s: float) -> None:
    """Check that counters and clock begin at the device's start."""
    for name in ("cycles", "stacks", "cards_out"):
        kit.demand(not state[name], f"after a start STATE says {name} {state[name]}")
    # By its own clock, which may be as fast as `link.time` lets it be.
    told = f"time {state['time']} ms, {most_s * 1000:.0f} ms after a start"
    kit.demand(state["time"] <= most_s * FASTEST_CLOCK * 1000, told)


def tells_of_a_broken_cycle(kit: LinkKit) -> None:
    """Check that ``cycle`` is 2 after a power cut within one, until the next cycle or EMPTIED."""
    kit.open()
    kit.act(LOAD)
    kit.must("SHUFFLE", ACCEPTED, "with a deck in the intake", deck=DECK)
    kit.event("CYCLE_STARTED", STARTED_S)
    reboot(kit)
    cycle = back(kit)["cycle"]
    kit.demand(cycle == BROKEN_OFF, f"after power was gone in a cycle STATE says cycle {cycle}, not 2")
    kit.act(EMPTY)
    kit.event("EMPTIED")
    kit.demand(kit.query()["cycle"] == 0, "EMPTIED does not end a broken cycle")


def reboot(kit: LinkKit) -> None:
    """Switch the device off and on, while the host goes on pinging."""
    known = len(kit.ear.defects)
    kit.act(REBOOT)
    kit.revive()
    kit.wait(ALIVE_S)
    kit.ear.clear()
    # Half a frame at the moment of a power cut is no fault of the device.
    del kit.ear.defects[known:]


def back(kit: LinkKit) -> WireHeard:
    """Return the first STATE of the device that was away, as soon as it answers."""
    kit.hello()
    end = kit.line.now() + BACK_S
    while not kit.until(lambda: kit.find("IDENTITY"), ALIVE_S) and kit.line.now() < end:
        kit.hello()
    kit.cycle = None
    return kit.open()


CHECKS = (
    ConformanceCheck(
        "link.door",
        "tells its doors and holds its cards",
        "sabot-link.md#0x26-door-device--host",
        tells_its_doors,
    ),
    ConformanceCheck(
        "link.mode", "tells its mode and stays in it", "sabot-link.md#0x27-mode-device--host", tells_its_mode
    ),
    ConformanceCheck("link.latch", "latches a jam until it was tested and released", DUTIES, latches_a_jam),
    ConformanceCheck(
        "link.emptied",
        "tells when it was emptied",
        "sabot-link.md#0x28-emptied-device--host",
        tells_when_it_was_emptied,
    ),
    ConformanceCheck("link.start", "begins anew after a start", SESSION, begins_anew_after_a_start),
    ConformanceCheck(
        "link.broken", "tells of a cycle that a power cut broke off", SESSION, tells_of_a_broken_cycle
    ),
)
