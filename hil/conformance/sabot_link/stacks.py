"""The cards that come out: the gate, stacks, the stub; and the test of a fault that is none."""

from sabot.hil.conformance.hands import Act
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.cycle import ACCEPTED, CARDS, DECK, UNREAD, need, whole_cycle
from sabot.hil.conformance.sabot_link.greeting import DISPENSES, EJECTS, READS_STACKS
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.simulators.sabot_link.wire import WireHeard

HELD, TOO_FEW, NONSENSE, NOT_READ = 2, 5, 8, 255
STACK, STUB_S, TAKEN_S, RETEST_S, SENSES_EXIT = 4, 10.0, 10.0, 30.0, 256
TAKE = Act("Take the stack out of the exit.", ("lift",))


def frees_and_holds(kit: LinkKit) -> None:
    """Check that FREE opens the gate, HOLD shuts it, and STATE says so."""
    kit.open()
    kit.must("FREE", ACCEPTED, "at rest")
    kit.demand(kit.query()["gate"] == 0, "after FREE the gate is not free")
    kit.must("HOLD", ACCEPTED, "at rest")
    kit.demand(kit.query()["gate"] == 1, "after HOLD the gate is not held")


def tests_again(kit: LinkKit) -> None:
    """Check that RETEST is answered, good if nothing is wrong, and CLEAR_FAULT then accepted."""
    kit.open()
    at = kit.line.now()
    kit.must("RETEST", ACCEPTED, "of all faults", fault=0)
    told = kit.event("RETESTED", RETEST_S)
    kit.measure("RETESTED", kit.line.now() - at, most_s=RETEST_S)
    kit.demand(told["fault"] == 0, "RETESTED names another fault than RETEST")
    kit.demand(told["good"] == 1, "the device finds a fault: the kit needs one that works")
    kit.must("CLEAR_FAULT", ACCEPTED, "after a good test", fault=0)


def take(kit: LinkKit) -> WireHeard | None:
    """Have the stack taken; return TAKEN from a device that senses its exit."""
    kit.act(TAKE)
    return kit.event("TAKEN", TAKEN_S) if kit.identity["capabilities"] & SENSES_EXIT else None


def clear_exit(kit: LinkKit) -> None:
    """Have taken whatever an earlier check has left in the exit."""
    if kit.query()["exit"]:
        take(kit)


def dispenses(kit: LinkKit) -> None:
    """Check that a held device refuses, and a free one gives the stack that was ordered."""
    need(kit, DISPENSES, "dispense")
    whole_cycle(kit)
    state = kit.open()
    kit.must("DISPENSE", HELD, "while held", order=7, deck=DECK, cards=STACK)
    kit.must("FREE", ACCEPTED, "at rest")
    if state["inside"] < CARDS:
        kit.must("DISPENSE", TOO_FEW, "of more than there are", order=8, deck=DECK, cards=CARDS)
    at = kit.line.now()
    kit.must("DISPENSE", ACCEPTED, "of four", order=9, deck=DECK, cards=STACK)
    stack = kit.event("STACK", kit.stack_s)
    kit.measure("STACK after DISPENSE", kit.line.now() - at, most_s=kit.stack_s)
    kit.demand(stack["order"] == 9, f"STACK names the order {stack['order']}, not 9")  # noqa: PLR2004
    kit.demand(stack["size"] == STACK, f"a stack of {stack['size']}, not {STACK}")
    take(kit)
    for order, words in ((9, "of an order that was carried out"), (8, "under a lower number")):
        kit.must("DISPENSE", NONSENSE, words, order=order, deck=DECK, cards=STACK)
    kit.demand(stack["deck"] == DECK, f"STACK names the deck {stack['deck']}, not {DECK}")
    codes = list(stack["cards"])
    reads = bool(kit.identity["capabilities"] & READS_STACKS)
    kit.demand(len(codes) == STACK * reads, f"{len(codes)} card codes in a stack of {STACK}")
    known = [code for code in codes if code < UNREAD]
    kit.demand(NOT_READ not in codes, f"{codes.count(NOT_READ)} cards of a stack were not read")
    kit.demand(len(set(known)) == len(known), "a card is twice in one stack")
    after = kit.query()
    kit.demand(
        after["inside"] == state["inside"] - STACK,
        f"{after['inside']} inside after {STACK} of {state['inside']}",
    )
    kit.demand(after["stacks"] == state["stacks"] + 1, "STATE does not count the stack")


def hides_the_cards_of_a_stack(kit: LinkKit) -> None:
    """Check that a host that does not want identities is told none."""
    need(kit, DISPENSES | READS_STACKS, "read the cards of a stack")
    whole_cycle(kit)
    kit.open(wants=1 if kit.setting.is_authenticated else 0)
    clear_exit(kit)
    kit.must("FREE", ACCEPTED, "at rest")
    kit.must("DISPENSE", ACCEPTED, "of four", order=10, deck=DECK, cards=STACK)
    stack = kit.event("STACK", kit.stack_s)
    take(kit)
    kit.demand(not stack["cards"], "cards were told to a host that did not want them")


def ejects_the_stub(kit: LinkKit) -> None:
    """Check that all that is left comes out, counted."""
    need(kit, EJECTS, "eject the stub")
    whole_cycle(kit)
    inside = kit.open()["inside"]
    kit.must("EJECT_STUB", HELD, "while held", deck=DECK)
    kit.must("FREE", ACCEPTED, "at rest")
    kit.must("EJECT_STUB", ACCEPTED, "with cards inside", deck=DECK)
    told = kit.event("EJECTED", STUB_S)
    take(kit)
    kit.demand(told["deck"] == DECK, f"EJECTED names the deck {told['deck']}, not {DECK}")
    kit.demand(told["count"] == inside, f"a stub of {told['count']}, where {inside} were inside")
    kit.demand(kit.query()["inside"] == 0, "cards are inside after the stub was ejected")


CHECKS_OUT = (
    ConformanceCheck(
        "link.stack",
        "dispenses the stack that was ordered",
        "sabot-link.md#0x24-stack-device--host",
        dispenses,
    ),
    ConformanceCheck(
        "link.hides",
        "hides cards that nobody wants",
        "sabot-link.md#0x24-stack-device--host",
        hides_the_cards_of_a_stack,
    ),
    ConformanceCheck(
        "link.stub", "ejects the stub, counted", "sabot-link.md#0x2b-ejected-device--host", ejects_the_stub
    ),
)
CHECKS_AT_REST = (
    ConformanceCheck(
        "link.gate", "frees and holds its cards", "sabot-link.md#0x14-free-host--device", frees_and_holds
    ),
    ConformanceCheck(
        "link.retest",
        "tests a fault again and clears it",
        "sabot-link.md#0x16-retest-host--device",
        tests_again,
    ),
)
