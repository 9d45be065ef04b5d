"""Decks: when they are due, in and out, and what a bad one touched (x.3)."""

from dataclasses import dataclass, field

from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.state.parts import Devices, TableClock
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Deck, PlayedRound, Stock
from sabot.statemachine.vocabulary.effects import RemoveDeck
from sabot.statemachine.vocabulary.events import Role, TimeReached

LONG_SINCE, NEVER = float("-inf"), float("inf")


def blast_radius(deck: Deck) -> str:
    """The rounds that a bad deck touched since it was last proven good."""
    numbers = [played.number for played in deck.unproven]
    if not numbers:
        return "no round since it was proven"
    return f"{len(numbers)} round(s) since it was proven: {numbers[0]} to {numbers[-1]}"


@dataclass(slots=True, eq=False, repr=False)
class Decks:
    """Watch the decks: when they are due, and what a bad one touched."""

    law: Law
    out: Outbox
    clock: TableClock
    stock: Stock
    devices: Devices
    play: Play
    calling: Calling
    faults: FaultLatch
    # The deadline of each deck by its name, and the next moment at which one is due or soon is. They are
    # asked for some six times an event, and what they follow from changes a few times a day.
    _ends: dict[str, float] = field(init=False, default_factory=dict)
    _next: float = field(init=False, default=LONG_SINCE)
    # Until then none of them is due.
    _first_end: float = field(init=False, default=LONG_SINCE)

    def deadline(self, deck: Deck) -> float:
        """When a deck must be changed."""
        end = self._ends.get(deck.name)
        if end is None:
            end = self._ends[deck.name] = self._worked_out(deck)
        return end

    def forget_deadlines(self) -> None:
        """Work out all deadlines anew: a deck, the way of dealing or the trust in the clock has changed."""
        self._ends.clear()
        self._next = self._first_end = LONG_SINCE

    def next_moment(self) -> float:
        """Return the next moment at which a deck is due, or soon is."""
        # Each moment that was to come then is to come still, until the first of them has.
        if self.clock.now >= self._next:
            notice, now = self.law.setup.change_notice_s, self.clock.now
            ends = [*map(self.deadline, self.stock.decks.values())]
            self._first_end = min(ends, default=LONG_SINCE)
            # Two moments a deck: the notice to the floor, and the end of its life.
            self._next = min((at for end in ends for at in (end - notice, end) if at > now), default=NEVER)
        return self._next

    def deal_by(self, deck: Deck, method: str) -> None:
        """A deck is dealt by this method, among others."""
        if method not in deck.methods:
            deck.deal_by(method)
            self.forget_deadlines()

    def _worked_out(self, deck: Deck) -> float:
        """The shortest life of the ways by which a deck was dealt and is to be dealt (x.3(c))."""
        # Due at any time that the clock may show.
        if deck.age_unknown:
            return LONG_SINCE
        lives, method = self.law.lives_s, self.devices.method
        life = lives[method]
        # Also the ways of before: a deck that was dealt from the hand keeps that shorter life in a shoe.
        for way in deck.methods:
            if way != method:
                life = min(life, lives[way])
        return deck.opened_at + life

    def on_time(self, _event: TimeReached) -> None:
        """The deadline that the table named has come."""
        self.give_notice()

    def is_due(self, deck: Deck) -> bool:
        """Return whether a deck may not begin another round (x.3(c))."""
        now = self.clock.now
        return now >= self._first_end and now >= self.deadline(deck)

    def retire(self, name: str, why: str, cite: str) -> None:
        """A deck leaves the table; its lineage stays for the report of the day."""
        deck = self.stock.retire(name, why)
        self.forget_deadlines()
        self.out.emit(RemoveDeck(deck=name, why=f"{why}; {blast_radius(deck)}", cite=cite))

    def give_notice(self) -> None:
        """A floorperson is called once for a deck that will be due soon."""
        for deck in self.stock.decks.values():
            left = self.deadline(deck) - self.clock.now
            # Ahead of the time: a floorperson has to bring cards and
            # verify them before the round that may not begin.
            if left <= self.law.setup.change_notice_s and not deck.noticed:
                deck.noticed = True
                cite = self.law.chapter.deck.rules["change"].cite
                why = f"deck {deck.name} is due in {int(max(left, 0.0) // 60)} min"
                self.out.note(why, cite)
                self.calling.call(Role.FLOOR, why, cite)

    def remove_deck(self, name: str, why: str, cite: str) -> None:
        """A bad deck leaves the table for good; the table waits for another."""
        self.retire(name, why, cite)
        self.faults.hold("deck_removed", f"deck {name}", why, cite)

    def touched(self, name: str) -> list[PlayedRound]:
        """The rounds that a deck dealt since it was last proven good, the one on the felt among them."""
        known = {deck.name: deck for deck in [*self.stock.retired, *self.stock.decks.values()]}
        if name not in known:
            return []
        round_ = self.play.round
        now = [PlayedRound(round_.number, round_.bets)] if round_ and round_.deck == name else []
        return [*known[name].unproven, *now]
