"""The cards inside: decks by name, the exit, cards that are known beforehand, decks of a wrong number."""

# Checks of two kinds, and with others between them (`sabot.hil.conformance.conventions` has the order). Those
# of `CHECKS_OUT` use the deck that the cycle of `cycle` left inside. Those of `CHECKS_LAID` want cards of
# their own: each begins by emptying the device, which forgets that cycle, and leaves nothing inside that the
# next one could take for its own.

from sabot.hil.conformance.hands import Act, NotTriedError
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.cycle import (
    ACCEPTED,
    DECK,
    STARTED_S,
    need,
    reads_of,
    whole_cycle,
)
from sabot.hil.conformance.sabot_link.greeting import COUNTS, DISPENSES, EJECTS, READS, READS_STACKS, SHUFFLES
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.stacks import SENSES_EXIT, STUB_S, TOO_FEW, clear_exit, take
from sabot.hil.conformance.sabot_link.trouble import EMPTY, back, reboot, undoing
from sabot.hil.simulators.sabot_link.wire import WireHeard

INSIDE, EXIT = "sabot-link.md#the-cards-inside", "sabot-link.md#the-exit"
EMPTIED = "sabot-link.md#0x28-emptied-device--host"
DUTIES = "sabot-link.md#what-a-device-must-do"
OTHER_DECK = ord("B")
OCCUPIED, CARDS_INSIDE, WRONG_COUNT = 9, 10, 3
GIVEN = 2
NAMES = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")
FIVE = ("As", "Kd", "7c", "2h", "9s")
LAY_FIVE = Act(
    f"Lay exactly these cards, face down, into the intake: {' '.join(FIVE)}.", (f"load {' '.join(FIVE)}",)
)
LAY_SHORT = Act("Lay a deck into the intake in which one card is missing.", (f"load {' '.join(NAMES[1:])}",))
LAY_LONG = Act(
    "Lay a deck into the intake with one card of another like it added.", (f"load {' '.join(NAMES)} As",)
)
LEAVE = Act("Leave the next stack in the exit until you are asked to take it.", ("lift never",))
TAKE_AT_ONCE = Act("From now on take each stack as soon as it comes.", ("lift soon",))


def names_its_decks(kit: LinkKit) -> None:
    """Check that nothing is dealt under another name, and that no deck is shuffled onto itself."""
    need(kit, DISPENSES, "dispense")
    whole_cycle(kit)
    state = kit.open()
    kit.must("FREE", ACCEPTED, "at rest")
    kit.demand(state["first"] == DECK, f"STATE says that the deck {state['first']} is ready, not {DECK}")
    cards = state["first_cards"]
    kit.demand(cards == state["inside"], f"{cards} cards of the deck, {state['inside']} inside")
    kit.must("DISPENSE", TOO_FEW, "of a deck that is not inside", order=20, deck=OTHER_DECK, cards=1)
    kit.must("SHUFFLE", CARDS_INSIDE, "of a deck of which cards are inside", deck=DECK)
    kit.must("DISPENSE", ACCEPTED, "of one", order=21, deck=DECK, cards=1)
    kit.event("STACK", kit.stack_s)
    take(kit)


def waits_for_its_exit(kit: LinkKit) -> None:
    """Check that nothing comes out on top of a stack, and that STATE and TAKEN tell of it."""
    need(kit, DISPENSES | SENSES_EXIT, "sense its exit")
    whole_cycle(kit)
    kit.open()
    clear_exit(kit)
    kit.must("FREE", ACCEPTED, "at rest")
    with undoing(kit, LEAVE, TAKE_AT_ONCE):
        kit.must("DISPENSE", ACCEPTED, "of one", order=30, deck=DECK, cards=1)
        kit.event("STACK", kit.stack_s)
        kit.demand(kit.query()["exit"] == 1, "STATE does not show the stack in the exit")
        kit.must("DISPENSE", OCCUPIED, "over a stack in the exit", order=31, deck=DECK, cards=1)
        if kit.identity["capabilities"] & EJECTS:
            kit.must("EJECT_STUB", OCCUPIED, "over a stack in the exit", deck=DECK)
        told = take(kit)
    kit.demand(told is not None and told["order"] == 30, "TAKEN does not name the order of its stack")  # noqa: PLR2004
    kit.demand(kit.query()["exit"] == 0, "STATE shows a stack in the exit that was taken")


def knows_the_cards(kit: LinkKit) -> None:
    """Check five known cards: read at the intake, and told in their stacks, as they are."""
    need(kit, SHUFFLES | READS, "read faces")
    kit.open()
    _empty(kit)
    _shuffle(kit, LAY_FIVE)
    reads = reads_of(kit)
    codes = sorted((each["rank"] - 2) * 4 + each["suit"] for each in reads if each["rank"])
    wanted = sorted(code_of(name) for name in FIVE)
    kit.demand(codes == wanted, f"{' '.join(FIVE)} were laid in, and read as {codes}, not {wanted}")
    if kit.identity["capabilities"] & (DISPENSES | READS_STACKS) == DISPENSES | READS_STACKS:
        kit.must("FREE", ACCEPTED, "at rest")
        told = sorted([*_stack(kit, 40, 2), *_stack(kit, 41, 3)])
        kit.demand(
            told == wanted, f"{' '.join(FIVE)} were laid in, and told in stacks as {told}, not {wanted}"
        )
    _empty(kit)


def _stack(kit: LinkKit, order: int, cards: int) -> list[int]:
    kit.must("DISPENSE", ACCEPTED, f"of {cards}", order=order, deck=DECK, cards=cards)
    codes = list(kit.event("STACK", kit.stack_s)["cards"])
    take(kit)
    return codes


def code_of(name: str) -> int:
    """Return the code of a card."""
    return "23456789TJQKA".index(name[0]) * 4 + "cdhs".index(name[1])


def tells_a_wrong_number(kit: LinkKit) -> None:
    """Check that a card too few and a card too many are counted as they are."""
    need(kit, SHUFFLES | COUNTS, "count")
    if not kit.counts_rightly:
        raise NotTriedError("no whole deck was counted rightly (link.shuffle, link.count)")
    kit.open()
    _empty(kit)
    # A counter that always says 52 counts nothing, and would have passed with a whole deck.
    for laid, act in ((len(NAMES) - 1, LAY_SHORT), (len(NAMES) + 1, LAY_LONG)):
        ended = _shuffle(kit, act)
        kit.demand(ended["count"] == laid, f"{laid} cards laid in, and {ended['count']} counted")
        is_told = ended.name == "CYCLE_COMPLETED" or ended["cause"] == WRONG_COUNT
        kit.demand(
            is_told, f"{laid} cards laid in: CYCLE_STOPPED cause {ended.get('cause')}, not {WRONG_COUNT}"
        )
        _empty(kit)


def deals_nothing_after_a_start(kit: LinkKit) -> None:
    """Check that cards are loose after a start: nobody knows what was done to them meanwhile."""
    need(kit, SHUFFLES | DISPENSES, "shuffle and dispense")
    kit.open()
    _empty(kit)
    _shuffle(kit, LAY_FIVE)
    inside = kit.query()["inside"]
    reboot(kit)
    state = back(kit)
    ready = state["first_cards"] + state["second_cards"]
    kit.demand(not ready, f"after a start STATE says {ready} cards of a ready deck")
    kit.demand(state["inside"] == inside, f"{state['inside']} inside after a start, {inside} before")
    kit.must("FREE", ACCEPTED, "at rest")
    kit.must("DISPENSE", TOO_FEW, "after a start", order=1, deck=DECK, cards=1)
    kit.must("SHUFFLE", CARDS_INSIDE, "over loose cards", deck=DECK)
    if kit.identity["capabilities"] & EJECTS:
        _puts_out_what_is_loose(kit)
    _empty(kit)


def counts_what_it_gave_out(kit: LinkKit) -> None:
    """Check that EMPTIED counts a stack among what was given out."""
    need(kit, SHUFFLES | DISPENSES, "shuffle and dispense")
    kit.open()
    _empty(kit)
    _shuffle(kit, LAY_FIVE)
    kit.must("FREE", ACCEPTED, "at rest")
    kit.must("DISPENSE", ACCEPTED, "of two", order=50, deck=DECK, cards=GIVEN)
    kit.event("STACK", kit.stack_s)
    take(kit)
    kit.act(EMPTY)
    told = kit.event("EMPTIED")
    lacking = told["cards_in"] - told["cards_out"]
    # Hands may lose a card; just these two lacking means that stacks are not counted.
    kit.demand(lacking != GIVEN, f"the {GIVEN} cards of a stack are not among those given out")
    kit.cycle = None


def _puts_out_what_is_loose(kit: LinkKit) -> None:
    clear_exit(kit)
    kit.must("EJECT_STUB", ACCEPTED, "of loose cards", deck=0)
    kit.event("EJECTED", STUB_S)
    take(kit)
    left = kit.query()["inside"]
    kit.demand(not left, f"{left} inside after the loose cards were put out")


def _shuffle(kit: LinkKit, act: Act) -> WireHeard:
    """Run one cycle, and return the message that ended it, whichever it was."""
    kit.act(act)
    kit.must("SHUFFLE", ACCEPTED, "with cards in the intake", deck=DECK)
    kit.event("CYCLE_STARTED", STARTED_S)
    ended = kit.until(lambda: kit.find("CYCLE_COMPLETED") or kit.find("CYCLE_STOPPED"), kit.cycle_s)
    kit.demand(ended, f"no end of the cycle within {kit.cycle_s:g} s")
    message: WireHeard = ended.message
    return message


def _empty(kit: LinkKit) -> None:
    """Take out everything that lies inside."""
    if kit.query()["inside"]:
        kit.act(EMPTY)
        kit.event("EMPTIED")
    kit.cycle = None


CHECKS_OUT = (
    ConformanceCheck("link.deck", "deals out of the deck that is named", INSIDE, names_its_decks),
    ConformanceCheck("link.exit", "puts nothing on top of a stack", EXIT, waits_for_its_exit),
)
CHECKS_LAID = (
    ConformanceCheck("link.cards", "knows the cards that were laid in", DUTIES, knows_the_cards),
    ConformanceCheck("link.miscount", "tells a wrong number of cards", DUTIES, tells_a_wrong_number),
    ConformanceCheck(
        "link.given", "counts what it gave out before it was emptied", EMPTIED, counts_what_it_gave_out
    ),
    ConformanceCheck("link.loose", "deals nothing after a start", INSIDE, deals_nothing_after_a_start),
)
