"""The insides of a machine, by what it was told and has told itself: waiting orders, its exit, its decks.

Each message may be well formed and still not follow from the ones before it. Whatever does not is said in
words, for the host holds the table then; nothing here knows a port, a session or a clock.
"""

from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple

from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.rules.frozen import mutable

NOT_THERE = "something was taken from its exit that did not lie there"
NO_SENSOR = "it tells of its exit, for which it has no sensor"


class LyingStack(NamedTuple):
    """The stack in the exit: of which order, out of which deck."""

    order: int
    deck: int


# So many orders are remembered: more than a device may be given.
ORDERS = 8
# Something lies in the exit, and it was laid there before this program listened.
UNKNOWN = LyingStack(-1, -1)


@mutable
class MachineContents:
    """The cards of one machine, as far as they were told."""

    orders: dict[int, int] = field(default_factory=dict)
    stubs: set[int] = field(default_factory=set)
    lies: LyingStack | None = UNKNOWN
    cards: dict[int, int] = field(default_factory=dict)

    def forget(self) -> None:
        """Forget everything: after a start of the device orders are void, and its cards loose."""
        self.orders.clear()
        self.cards.clear()
        self.stubs.clear()
        self.lies = UNKNOWN

    def unsure(self) -> None:
        """Forget decks and exit: a report that was not believed may have been about any of them."""
        self.cards.clear()
        self.lies = UNKNOWN

    # ---------------------------------------------------------------- orders

    def ordered(self, order: m.Message) -> None:
        """Expect what was ordered out; it may come once."""
        if isinstance(order, m.DispenseStack):
            self.orders[order.order] = order.deck
            self.orders.pop(order.order - ORDERS, None)
        elif isinstance(order, m.EjectStubOrder):
            self.stubs.add(order.deck)

    def accepted(self, order: m.Message) -> None:
        """Forget the orders that are older than one that was taken on: none of them comes any more."""
        if isinstance(order, m.DispenseStack):
            self.orders = {each: deck for each, deck in self.orders.items() if each >= order.order}

    def refused(self, order: m.Message) -> None:
        """Stop expecting the outcome of a refused command."""
        if isinstance(order, m.DispenseStack):
            self.orders.pop(order.order, None)
        elif isinstance(order, m.EjectStubOrder):
            self.stubs.discard(order.deck)

    def wrong_order(self, out: m.StackOut, *, is_fresh: bool) -> str:
        """Return why a stack was not ordered so; one that the device kept for a new host passes."""
        # Taken out: one order brings one stack.
        deck = self.orders.pop(out.order, None)
        if deck is None:
            return "" if is_fresh else f"a stack for order {out.order}, which does not wait"
        name = words.deck_name(out.deck)
        return f"a stack out of deck {name}, ordered out of another" if out.deck != deck else ""

    def wrong_stub(self, out: m.StubOut) -> str:
        """Return why a stub is not the one ordered; one that nobody ordered is the table's to judge."""
        ordered, told = self.stubs, words.deck_name(out.deck)
        if not ordered or out.deck in ordered:
            self.stubs = ordered - {out.deck}
            return ""
        wanted = " and ".join(words.deck_name(deck) or "what lies inside" for deck in sorted(ordered))
        return f"the stub of deck {told or 'without a name'} came out, ordered was that of {wanted}"

    # ---------------------------------------------------------------- the exit

    def lay(self, order: int, deck: int, count: int, *, senses: bool) -> str:
        """Count cards that came out, and return what is wrong: nothing comes out on top of others."""
        left = self.cards.get(deck)
        if left is not None:
            self.cards[deck] = left - count
        if not (senses and count):
            return ""
        below, self.lies = self.lies, LyingStack(order, deck)
        # Of what lay there before this program listened nobody can say that it was not taken.
        return "a stack came out on top of another" if below not in (None, UNKNOWN) else ""

    def take(self, taken: m.ExitCleared, *, senses: bool) -> str:
        """Empty the exit, and return what is wrong: only what lay there can be taken."""
        lay, self.lies = self.lies, None
        if not senses:
            return NO_SENSOR
        return "" if lay in (UNKNOWN, LyingStack(taken.order, taken.deck)) else NOT_THERE

    # ---------------------------------------------------------------- the decks

    def empty(self, deck: int) -> None:
        """Forget a deck that is out, or with 0 all that lay inside."""
        if deck:
            self.cards.pop(deck, None)
        else:
            self.cards.clear()

    def found(self, state: m.MachineState) -> Iterable[tuple[int, str]]:
        """Yield the ready decks of STATE, each with what does not fit in it."""
        # STATE has been read anew: a TAKEN of a time without a link is made up for by it.
        if not state.exit:
            self.lies = None
        elif self.lies is None:
            self.lies = UNKNOWN
        seen: set[int] = set()
        for deck, count in ((state.first, state.first_cards), (state.second, state.second_cards)):
            if count:
                yield deck, self._wrong_deck(deck, count, seen)
                seen.add(deck)

    @staticmethod
    def odd(state: m.MachineState, capabilities: int) -> str:
        """Return how a STATE contradicts itself or the device's capabilities; empty where it does not."""
        ready = state.first_cards + state.second_cards
        rows = (
            (state.exit and not capabilities & words.SENSES_EXIT, NO_SENSOR),
            (ready > state.inside, f"{ready} cards of ready decks among {state.inside} inside"),
            (state.second_cards and not state.first_cards, "it tells of a second deck and of no first one"),
            (state.second_cards and not capabilities & words.HOLDS_TWO, "two decks lie in it, it holds one"),
        )
        return next((why for is_so, why in rows if is_so), "")

    def _wrong_deck(self, deck: int, count: int, seen: set[int]) -> str:
        # A deck of which nothing is known is taken as it is told:
        # after a jam, a lost report, or our own start.
        name, told = words.deck_name(deck), self.cards.get(deck, count)
        if deck and deck in seen:
            return f"deck {name} lies in it twice"
        if told != count:
            return f"{count} cards of deck {name} lie in it, by what it told there are {told}"
        return ""
