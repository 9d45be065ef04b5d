"""Decks: registered, when they are due, in and out, and what a bad one touched (x.3).

A deck is registered by the name of its lot before the table wants it, and is opened when it does. What a
deck's count or composition proved is written on the deck, with the rounds played since, so that a bad deck
can name what it touched.
"""

# Theory of operation. A deck's deadline follows from when it was opened and from the shortest life of all
# ways by which it was dealt and is to be dealt (x.3(c)). It is worked out once, and forgotten when one of
# these changes. It matters twice: some minutes ahead of it a floorperson is called, and after it no round
# begins with the deck. The table asks to be woken for whichever comes next.

from dataclasses import dataclass, field

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.labels import WIDTH, first_that_fits
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.state.parts import Devices, EntryState, TableClock, TableCrew
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Deck, Lot, PlayedRound, Stock
from sabot.statemachine.vocabulary.effects import RemoveDeck
from sabot.statemachine.vocabulary.events import DIGITS, Key, Role, TimeReached

LONG_SINCE, NEVER = float("-inf"), float("inf")


def blast_radius(deck: Deck) -> str:
    """Return the rounds that a bad deck touched since it was last proven good."""
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

    def register(self, name: str, color: str, *, preshuffled: bool) -> None:
        """Put a deck in line, by the name of its lot, which no other had."""
        # The floor chooses among lots on the display, where a name that was cut may be another's.
        if not 0 < len(name) <= WIDTH:
            raise Refused(f"a lot has a name of at most {WIDTH} characters")
        # Decks of today only: a lot is known for a day, like the decks that have left.
        opened = [deck.lot for deck in [*self.stock.decks.values(), *self.stock.retired]]
        if name in opened or any(lot.lot == name for lot in self.stock.lots):
            raise Refused(f"lot {name} is known already")
        self.stock.put_in_line(Lot(name, color, preshuffled))

    def deadline(self, deck: Deck) -> float:
        """Return the moment at which a deck must be changed."""
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
        # Until the first of them has come, the moments that were worked out before still stand.
        if self.clock.now >= self._next:
            notice, now = self.law.setup.change_notice_s, self.clock.now
            ends = [*map(self.deadline, self.stock.decks.values())]
            self._first_end = min(ends, default=LONG_SINCE)
            # Two moments a deck: the notice to the floor, and the end of its life.
            self._next = min((at for end in ends for at in (end - notice, end) if at > now), default=NEVER)
        return self._next

    def deal_by(self, deck: Deck, method: str) -> None:
        """Note that a deck is dealt by this method too, which may shorten its life."""
        if method not in deck.methods:
            deck.deal_by(method)
            self.forget_deadlines()

    def _worked_out(self, deck: Deck) -> float:
        """Return the shortest life of the ways by which a deck was dealt and is to be dealt (x.3(c))."""
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
        """Give notice of decks that are due soon: the moment that the table asked for has come."""
        self.give_notice()

    def is_due(self, deck: Deck) -> bool:
        """Return whether a deck may not begin another round (x.3(c))."""
        now = self.clock.now
        # Mostly no deck is due, and the first deadline of all says so without a look at each.
        return now >= self._first_end and now >= self.deadline(deck)

    def retire(self, name: str, why: str, cite: str) -> None:
        """Take a deck off the table; its lineage stays for the report of the day."""
        deck = self.stock.retire(name, why)
        self.forget_deadlines()
        self.out.emit(RemoveDeck(deck=name, why=f"{why}; {blast_radius(deck)}", cite=cite))

    def give_notice(self) -> None:
        """Call a floorperson, once, for each deck that will be due soon."""
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
        """Take a bad deck off the table for good, and hold the table until another has come."""
        self.retire(name, why, cite)
        self.faults.hold("deck_removed", f"deck {name}", why, cite)

    def touched(self, name: str) -> list[PlayedRound]:
        """Return the rounds that a deck dealt since it was last proven good, the present one included."""
        known = {deck.name: deck for deck in [*self.stock.retired, *self.stock.decks.values()]}
        if name not in known:
            return []
        round_ = self.play.round
        now = [PlayedRound(round_.number, round_.bets)] if round_ and round_.deck == name else []
        return [*known[name].unproven, *now]


# ------------------------------------------------------------ a deck registered at the keys
#
# The console takes any name of a lot; at the table it is the number that stands on the box, digit by digit,
# and the color out of a list. So a deck can be brought by the floor alone, without anybody at the console
# inside the cabinet.

COLORS = ("red", "blue", "green", "brown", "black", "purple")
PRESHUFFLED = "preshuffled"


@dataclass(slots=True, eq=False, repr=False)
class Registering:
    """Register a deck at the keys."""

    law: Law
    out: Outbox
    crew: TableCrew
    entry: EntryState
    stock: Stock
    play: Play
    deck_room: Decks

    def colors(self) -> list[str]:
        """Return the backs to choose from, unused colors first, then the same as preshuffled decks."""
        used = {deck.color for deck in self.stock.decks.values()} | {lot.color for lot in self.stock.lots}
        in_turn = sorted(COLORS, key=lambda color: color in used)
        return in_turn + [f"{color} {PRESHUFFLED}" for color in in_turn]

    def begin(self, value: str) -> None:
        """Take a color; from now on the keys are the digits of its lot."""
        self.entry.clear_pending()
        self.entry.pending.lot = value

    def takes_digits(self) -> bool:
        """Return whether the keys are the digits of a lot: a color was chosen, and the floor is there."""
        if not self.entry.pending.lot or self.play.round is not None:
            return False
        return Role.FLOOR.value in self.crew.unlocked

    def digit_key(self, key: Key) -> None:
        """Take a digit; OK registers the lot, BACK takes a digit off, or leaves where there is none."""
        pending = self.entry.pending
        if key is Key.OK:
            self._register()
        elif key is Key.BACK and not pending.digits:
            self.entry.clear_pending()
        elif key is Key.BACK:
            pending.digits = pending.digits[:-1]
        elif len(pending.digits) >= WIDTH:
            raise Refused("no lot has more digits")
        else:
            pending.digits += DIGITS[key]

    def _register(self) -> None:
        pending = self.entry.pending
        if not pending.digits:
            raise Refused("the number of the lot?")
        color, _, rest = pending.lot.partition(" ")
        self.deck_room.register(pending.digits, color, preshuffled=rest == PRESHUFFLED)
        self.out.note(f"lot {pending.digits}, {pending.lot}, registered", "", self.crew.person(Role.FLOOR))
        self.entry.clear_pending()

    def lines(self) -> tuple[str, str, str]:
        """Return the display's lines while a lot is entered."""
        pending = self.entry.pending
        color = pending.lot.partition(" ")[0].upper()
        return (
            f"LOT OF {color} DECK",
            first_that_fits(f"{pending.digits or 'DIGITS'}, OK", pending.digits),
            self.law.cite("4(a)"),
        )


REGISTERING_ACTIONS = (
    Action(
        "register_deck",
        "REGISTER DECK",
        Role.FLOOR,
        BETWEEN_ROUNDS,
        "4(a)",
        Registering.begin,
        values=Registering.colors,
        while_held=True,
    ),
)
