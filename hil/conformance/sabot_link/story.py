"""A whole run retold: what a device was ordered and what it told, each message against all before it.

A message may be well formed and still not follow from the others. A table holds then, so the kit reads the
run once more at its end, with books of its own; what a check has judged already is not named a second time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sabot.hil.conformance.hands import NotTriedError
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.cycle import digest_of
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.talk import SAID, SESSION, Entry
from sabot.hil.simulators.sabot_link.wire import WireHeard

COUNTS, READS, SENSES_EXIT, HOLDS_TWO = 4, 8, 256, 512
RUNNING, PLAY = 1, 1
CYCLE, ORDERED, TAKEN, INSIDE = "link.cycle", "link.ordered", "link.taken", "link.inside"
SHOWN = 3
# Checks that look at the same numbers one by one: what they found is not named again.
OF_CYCLES = tuple(
    f"link.{name}" for name in ("shuffle", "count", "digest", "order", "cards", "miscount", "mode")
)
OF_STACKS = tuple(f"link.{name}" for name in ("stack", "deck", "exit", "stub"))


class StoryStack(NamedTuple):
    """The stack in the exit."""

    order: int
    deck: int


NOBODY_KNOWS = StoryStack(-1, -1)


@dataclass
class ToldCycle:
    """A cycle under way; one of which the beginning was not heard is not judged."""

    deck: int
    is_heard: bool = True
    reads: list[WireHeard] = field(default_factory=list)


@dataclass
class DeviceBooks:
    """A listener's books on one device."""

    capabilities: int = 0
    boot: int = 0
    commands: dict[int, WireHeard] = field(default_factory=dict)
    due: set[int] = field(default_factory=set)
    cycle: ToldCycle | None = field(default_factory=lambda: ToldCycle(0, is_heard=False))
    orders: dict[int, int] = field(default_factory=dict)
    stubs: set[int] = field(default_factory=set)
    lies: StoryStack | None = NOBODY_KNOWS
    cards: dict[int, int] = field(default_factory=dict)
    is_first: bool = True
    first_state: WireHeard | None = None
    kept: int = 0
    wrong: list[tuple[str, str]] = field(default_factory=list)

    def read(self, entry: Entry) -> None:
        """Take in one more entry."""
        row = _ROWS.get(entry.name)
        if row is not None:
            row(self, entry)
        # The first STATE of a session is newer than the events that were kept: it is
        # compared behind the last of them.
        if "event" in entry:
            self.kept -= 1
        if self.first_state is not None and self.kept <= 0:
            self._compare(self.first_state)

    def _say(self, check: str, words: str) -> None:
        self.wrong.append((check, words))

    # ---------------------------------------------------------------- sessions and orders

    def session(self, who: WireHeard) -> None:
        """Begin a session; after a start of the device nothing is as it was."""
        if who["boot"] != self.boot:
            self.due, self.orders, self.stubs, self.cards = set(), {}, set(), {}
            self.cycle = None if self.boot else ToldCycle(0, is_heard=False)
            self.lies = NOBODY_KNOWS
        self.boot, self.capabilities = who["boot"], who["capabilities"]
        self.commands, self.first_state, self.is_first = {}, None, True

    def said(self, command: WireHeard) -> None:
        """Note a command that went out."""
        self.commands[command.sequence] = command

    def answered(self, result: WireHeard) -> None:
        """Note what an accepted command lets come."""
        command = self.commands.pop(result["command"], None)
        if command is None or result["code"]:
            return
        if command.name == "SHUFFLE":
            self.due.add(command["deck"])
        elif command.name == "DISPENSE":
            self.orders = {command["order"]: command["deck"]}  # of an older one nothing comes any more
        elif command.name == "EJECT_STUB":
            self.stubs.add(command["deck"])

    # ---------------------------------------------------------------- a cycle

    def started(self, told: WireHeard) -> None:
        """Judge CYCLE_STARTED: one for each SHUFFLE, under its name, after the one before."""
        if self.cycle is not None and self.cycle.is_heard:
            self._say(CYCLE, "CYCLE_STARTED within a cycle")
        if told["deck"] and told["deck"] not in self.due:
            self._say(CYCLE, f"CYCLE_STARTED of the deck {told['deck']}, for which no SHUFFLE waits")
        self.due.discard(told["deck"])
        self.cycle = ToldCycle(told["deck"])

    def card_read(self, told: WireHeard) -> None:
        """Judge CARD_READ: within a cycle, in its turn, from a device that reads."""
        if self.cycle is None:
            self._say(CYCLE, "CARD_READ outside a cycle")
        elif self.cycle.is_heard:
            self.cycle.reads.append(told)
            if told["index"] != len(self.cycle.reads):
                self._say(CYCLE, f"CARD_READ {told['index']} where {len(self.cycle.reads)} is the next")
        if not self.capabilities & READS:
            self._say(CYCLE, "CARD_READ from a device that does not read faces")

    def _ended(self, told: WireHeard) -> ToldCycle | None:
        """Return the cycle that this ends, if its beginning was heard."""
        cycle, self.cycle = self.cycle, None
        if cycle is None:
            self._say(CYCLE, f"{told.name} of a cycle that never began")
        elif cycle.is_heard and told["deck"] != cycle.deck:
            self._say(CYCLE, f"{told.name} of the deck {told['deck']}, begun as the deck {cycle.deck}")
        return cycle if cycle is not None and cycle.is_heard else None

    def completed(self, told: WireHeard) -> None:
        """Judge CYCLE_COMPLETED: its witnesses must agree."""
        cycle = self._ended(told)
        if cycle is None:
            return
        if self.capabilities & READS:
            self._witnesses(told, cycle.reads)
        elif told["reads"]:
            self._say(CYCLE, f"{told['reads']} reads told by a device that does not read faces")
        if told["deck"] and self.capabilities & COUNTS:
            self.cards[told["deck"]] = told["count"]

    def _witnesses(self, told: WireHeard, reads: list[WireHeard]) -> None:
        if told["reads"] != len(reads):
            self._say(CYCLE, f"{told['reads']} reads told, {len(reads)} sent")
        if self.capabilities & COUNTS and told["count"] != len(reads):
            self._say(CYCLE, f"{told['count']} cards counted, {len(reads)} read")
        if told["digest"] != digest_of(reads):
            self._say(CYCLE, "a composition digest that is not that of the reads")

    def stopped(self, told: WireHeard) -> None:
        """Take CYCLE_STOPPED: a cycle ends without a deck."""
        self._ended(told)

    # ---------------------------------------------------------------- what comes out

    def stack(self, told: WireHeard) -> None:
        """Judge STACK: the order that waits, once."""
        deck = self.orders.pop(told["order"], None)
        if deck is None:
            self._say(ORDERED, f"STACK for the order {told['order']}, which does not wait")
        elif deck != told["deck"]:
            self._say(ORDERED, f"STACK out of the deck {told['deck']}, ordered out of {deck}")
        self._lay(StoryStack(told["order"], told["deck"]), told["size"])

    def ejected(self, told: WireHeard) -> None:
        """Judge EJECTED: the deck that was ordered out, if one was."""
        if self.stubs and told["deck"] not in self.stubs:
            self._say(ORDERED, f"EJECTED of the deck {told['deck']}, ordered was {sorted(self.stubs)}")
        self.stubs.discard(told["deck"])
        self._lay(StoryStack(0, told["deck"]), told["count"])
        self._empty(told["deck"])

    def _lay(self, lying: StoryStack, count: int) -> None:
        if lying.deck in self.cards:
            self.cards[lying.deck] -= count
        if not (self.capabilities & SENSES_EXIT and count):
            return
        if self.lies not in (None, NOBODY_KNOWS):
            self._say(TAKEN, "cards came out on top of what was not taken")
        self.lies = lying

    def taken(self, told: WireHeard) -> None:
        """Judge TAKEN: the stack that lay there, once."""
        lay, self.lies = self.lies, None
        if not self.capabilities & SENSES_EXIT:
            self._say(TAKEN, "TAKEN from a device that does not sense its exit")
        elif lay not in (NOBODY_KNOWS, StoryStack(told["order"], told["deck"])):
            lies = f"order {lay.order} of the deck {lay.deck} lay" if lay else "nothing lay"
            self._say(TAKEN, f"TAKEN of order {told['order']}, deck {told['deck']}, where {lies}")

    # ---------------------------------------------------------------- what lies inside

    def _empty(self, deck: int) -> None:
        if deck:
            self.cards.pop(deck, None)
        else:
            self.cards.clear()

    def emptied(self, told: WireHeard) -> None:
        """Take EMPTIED: what lay inside was taken out by hand."""
        self._empty(told["deck"])

    def mode(self, told: WireHeard) -> None:
        """Take MODE: in any other mode than play, ready decks become loose."""
        if told["mode"] != PLAY:
            self.cards.clear()

    def jammed(self, _told: WireHeard) -> None:
        """Take JAM: people take out what is stuck, and nobody counts it."""
        self.cards.clear()

    def state(self, told: WireHeard) -> None:
        """Judge STATE: it must agree with itself, and the first of a session with what was told."""
        for is_so, words in _odd_in(told, self.capabilities):
            if is_so:
                self._say(INSIDE, words)
        if told["exit"] and not self.capabilities & SENSES_EXIT:
            self._say(TAKEN, "STATE with a stack in an exit that is not sensed")
        if self.is_first:
            self.is_first, self.first_state, self.kept = False, told, told["kept"]

    def _compare(self, state: WireHeard) -> None:
        self.first_state = None
        if state["cycle"] != RUNNING:
            self.cycle = None
        self.lies = (self.lies or NOBODY_KNOWS) if state["exit"] else None
        for name in ("first", "second"):
            deck, cards = state[name], state[f"{name}_cards"]
            told = self.cards.get(deck, cards)
            if deck and cards and told != cards:
                self._say(INSIDE, f"STATE with {cards} cards of the deck {deck}, by what was told {told}")


def _odd_in(state: WireHeard, capabilities: int) -> tuple[tuple[object, str], ...]:
    """Return what would contradict itself within a STATE, each with its words."""
    first, second = state["first_cards"], state["second_cards"]
    return (
        (state["first"] and not first, "STATE names a first deck of no cards"),
        (state["second"] and not second, "STATE names a second deck of no cards"),
        (second and not first, "STATE with a second deck and no first one"),
        (second and state["second"] and state["second"] == state["first"], "STATE with one deck twice"),
        (second and not capabilities & HOLDS_TWO, "STATE with two decks in a device that holds one"),
        (first + second > state["inside"], f"STATE with {first} + {second} cards, {state['inside']} inside"),
        (state["deck"] and not state["cycle"], "STATE with the deck of a cycle and no cycle"),
    )


_ROWS: Mapping[str, Callable[[DeviceBooks, WireHeard], None]] = {
    SESSION: DeviceBooks.session,
    **dict.fromkeys(SAID, DeviceBooks.said),
    "RESULT": DeviceBooks.answered,
    "CYCLE_STARTED": DeviceBooks.started,
    "CARD_READ": DeviceBooks.card_read,
    "CYCLE_COMPLETED": DeviceBooks.completed,
    "CYCLE_STOPPED": DeviceBooks.stopped,
    "STACK": DeviceBooks.stack,
    "EJECTED": DeviceBooks.ejected,
    "TAKEN": DeviceBooks.taken,
    "EMPTIED": DeviceBooks.emptied,
    "MODE": DeviceBooks.mode,
    "JAM": DeviceBooks.jammed,
    "STATE": DeviceBooks.state,
}


def _judged(name: str, *before: str) -> Callable[[LinkKit], None]:
    """Return a check of what the run told, unless one of the checks before has judged it already."""

    def judge(kit: LinkKit) -> None:
        known = [each for each in before if each in kit.wrong]
        if known:
            raise NotTriedError(f"{known[0]} comes first")
        books = DeviceBooks()
        for entry in kit.entries:
            books.read(entry)
        wrong = [words for check, words in books.wrong if check == name]
        kit.demand(not wrong, "; ".join(wrong[:SHOWN]))

    return judge


CHECKS = (
    ConformanceCheck(
        CYCLE,
        "tells each cycle whole and in order",
        "sabot-link.md#0x20-cycle_started-device--host",
        _judged(CYCLE, *OF_CYCLES),
    ),
    ConformanceCheck(
        ORDERED,
        "puts out what was ordered, once",
        "sabot-link.md#0x24-stack-device--host",
        _judged(ORDERED, *OF_STACKS),
    ),
    ConformanceCheck(
        TAKEN, "tells what lay in its exit, once", "sabot-link.md#the-exit", _judged(TAKEN, *OF_STACKS)
    ),
    ConformanceCheck(
        INSIDE,
        "says in STATE what lies inside",
        "sabot-link.md#the-cards-inside",
        _judged(INSIDE, *OF_STACKS, *OF_CYCLES, ORDERED),
    ),
)
