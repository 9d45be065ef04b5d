"""One deck taken in and shuffled, every number of it against every other.

The cycle serves several checks: it is run once and kept. What the device does not claim to do is not asked.
"""

import hashlib
from collections import Counter
from typing import NamedTuple

from sabot.hil.conformance.hands import Act, NotTriedError
from sabot.hil.conformance.kit import NotClaimedError, WrongError
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.greeting import COUNTS, DISPENSES, READS, SHUFFLES
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.talk import QUIET_S
from sabot.hil.simulators.sabot_link.wire import WireHeard

DUTIES, TIMING = "sabot-link.md#what-a-device-must-do", "sabot-link.md#timing"
ANSWERS = "sabot-link.md#what-a-command-is-answered"
LOAD = Act("Lay one whole deck of 52 cards, face down, into the intake.", ("load",))
STARTED_S = 10.0
DECK, CARDS = ord("A"), 52
ACCEPTED, BUSY = 0, 1
UNREAD = 52
FACE_UP, SEES_COLORS = 2, 64


class Cycle(NamedTuple):
    """The messages of one cycle."""

    started: WireHeard
    reads: list[WireHeard]
    completed: WireHeard
    busy: dict[str, int]
    running: int
    after: list[str]


def shuffles(kit: LinkKit) -> None:
    """Run a cycle from SHUFFLE to CYCLE_COMPLETED, in time and in order, and keep it."""
    need(kit, SHUFFLES, "shuffle")
    kit.open()
    kit.act(LOAD)
    at = kit.line.now()
    kit.must("SHUFFLE", ACCEPTED, "with a deck in the intake", deck=DECK)
    started = kit.event("CYCLE_STARTED", STARTED_S)
    kit.measure("CYCLE_STARTED after SHUFFLE", kit.line.now() - at, most_s=STARTED_S)
    at = kit.line.now()
    busy, running = _asked_within(kit), kit.query()["cycle"]
    completed = kit.event("CYCLE_COMPLETED", kit.cycle_s)
    kit.measure("CYCLE_COMPLETED after CYCLE_STARTED", kit.line.now() - at, most_s=kit.cycle_s)
    reads = reads_of(kit)
    # Long enough for a device that goes on telling cards: `tells_no_order` looks at what came.
    kit.wait(2 * QUIET_S)
    after = [each.message.name for each in kit.inbox if "event" in each.message]
    kit.cycle = Cycle(started, reads, completed, busy, running, after)
    for told in (started, completed):
        kit.demand(told["deck"] == DECK, f"{told.name} names the deck {told['deck']}, not {DECK}")


def _asked_within(kit: LinkKit) -> dict[str, int]:
    """Return the answers to orders while a deck is taken in."""
    answers = {"SHUFFLE": kit.command("SHUFFLE", deck=DECK)}
    if kit.identity["capabilities"] & DISPENSES:
        # A locked device would refuse a stack for that, and not for being busy.
        kit.must("FREE", ACCEPTED, "within a cycle")
        answers["DISPENSE"] = kit.command("DISPENSE", order=1, deck=DECK, cards=1)
        kit.must("HOLD", ACCEPTED, "within a cycle")
    return answers


def reads_of(kit: LinkKit) -> list[WireHeard]:
    """Return the cards that were told since the last call."""
    found = []
    while came := kit.find("CARD_READ"):
        found.append(came.message)
    return found


def answers_busy(kit: LinkKit) -> None:
    """Check that orders are answered busy while a cycle runs."""
    cycle = whole_cycle(kit)
    for name, code in cycle.busy.items():
        kit.demand(code == BUSY, f"{name} within a cycle: RESULT {code}, not {BUSY}")
    kit.demand(cycle.running == 1, f"STATE within a cycle says cycle {cycle.running}, not 1")


def counts_what_it_took(kit: LinkKit) -> None:
    """Check three witnesses against each other: the counter, the number of reads, and the reads."""
    cycle = whole_cycle(kit)
    need(kit, COUNTS, "count")
    count, told = cycle.completed["count"], cycle.completed["reads"]
    kit.count("cards counted", count)
    kit.demand(count == CARDS, f"{count} cards counted of the {CARDS} that were laid in")
    kit.demand(told == len(cycle.reads), f"{told} reads told, {len(cycle.reads)} sent")
    indexes = [each["index"] for each in cycle.reads]
    kit.demand(indexes == list(range(1, len(indexes) + 1)), "the index of CARD_READ does not run from 1")
    if kit.identity["capabilities"] & READS:
        kit.demand(told == count, f"{count} cards counted, {told} read")
    kit.counts_rightly = True


def reads_the_whole_deck(kit: LinkKit) -> None:
    """Check that each card of the deck was read once, and the digest over them."""
    cycle = whole_cycle(kit)
    need(kit, READS, "read faces")
    digest = cycle.completed["digest"]
    kit.demand(digest == digest_of(cycle.reads), "the composition digest is not that of the reads")
    seen = Counter((each["rank"], each["suit"]) for each in cycle.reads if each["rank"])
    twice = [card for card, times in seen.items() if times > 1]
    kit.demand(not twice, f"read twice of one deck: {twice}")
    kit.demand(len(seen) == CARDS, f"{CARDS - len(seen)} cards of the deck were not read")


def is_sure_of_its_reads(kit: LinkKit) -> None:
    """Check that reads are as sure as a table wants them, and the backs known where they are seen."""
    cycle = whole_cycle(kit)
    need(kit, READS, "read faces")
    least = min((each["confidence"] for each in cycle.reads), default=0)
    kit.count("least confidence", least, "%")
    words = f"a card read at {least} %: under {kit.usable} % a table takes it as not read"
    kit.demand(least >= kit.usable, words)
    kit.demand(
        all(each["face"] != FACE_UP for each in cycle.reads), "a card that lay face down is told as up"
    )
    backs = {each["color"] for each in cycle.reads}
    kit.demand(len(backs) == 1, f"one deck, and backs of the colors {sorted(backs)}")
    if kit.identity["capabilities"] & SEES_COLORS:
        kit.demand(0 not in backs, "the color of its backs is told as unknown")


def digest_of(reads: list[WireHeard]) -> bytes:
    """Return SHA-256 over how often each card was read."""
    counts = bytearray(UNREAD + 1)
    for each in reads:
        is_unread = not each["rank"] or each["suit"] > 3  # noqa: PLR2004 - the last suit
        counts[UNREAD if is_unread else (each["rank"] - 2) * 4 + each["suit"]] += 1
    return hashlib.sha256(b"sabot-link/1 composition" + bytes(counts)).digest()


def tells_no_order(kit: LinkKit) -> None:
    """Check that after CYCLE_COMPLETED no card is told but in its stack."""
    cycle = whole_cycle(kit)
    kit.demand("CARD_READ" not in cycle.after, f"{cycle.after.count('CARD_READ')} cards told after the cycle")


def whole_cycle(kit: LinkKit) -> Cycle:
    """Return the cycle that was run; raise NotTriedError if there was none."""
    need(kit, SHUFFLES, "shuffle")
    if not isinstance(kit.cycle, Cycle):
        raise NotTriedError("there was no whole cycle (link.shuffle)")
    return kit.cycle


def need(kit: LinkKit, capability: int, words: str) -> None:
    """Skip the check if the device does not claim what it needs."""
    if not kit.identity:
        raise WrongError("no IDENTITY came")
    if kit.identity["capabilities"] & capability != capability:
        raise NotClaimedError(f"the device does not claim to {words}")


CHECKS = (
    ConformanceCheck("link.shuffle", "shuffles a deck, in time and in order", TIMING, shuffles),
    ConformanceCheck("link.busy", "answers busy while it shuffles", ANSWERS, answers_busy),
    ConformanceCheck("link.count", "counts the cards", DUTIES, counts_what_it_took),
    ConformanceCheck(
        "link.digest",
        "reads the deck, with its digest",
        "sabot-link.md#the-composition-digest",
        reads_the_whole_deck,
    ),
    ConformanceCheck(
        "link.sure",
        "is sure of what it reads",
        "sabot-link.md#0x21-card_read-device--host",
        is_sure_of_its_reads,
    ),
    ConformanceCheck("link.order", "never tells the order", DUTIES, tells_no_order),
)
