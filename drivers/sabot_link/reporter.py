"""The words of a device as events of the table: a translation that keeps books and believes no summary.

The reporter knows the cycle under way, the mode, and what it has complained of; it knows no port, no
session and no clock. Each type of message has its row.
"""

# Theory of operation. A shuffle is told to the table in three events (started, then completed or stopped),
# and everything in between is kept here: ``Intake`` collects the reads, and only when counter, reads and
# digest agree does the table hear of a shuffled deck. There are four ways in which the deck that was shuffled
# may not be known, and each ends in a stop, so that the deck is shuffled anew: the cycle began before anybody
# listened (``is_passed_over``), under a name that nobody ordered, it ends under another name, or its
# witnesses contradict each other. ``is_fresh`` is true until the first session's kept events have all come:
# till then a cycle without a beginning is not the device's mistake but ours.
#
# Cards that leave are held against what was ordered and what lies inside (``contents``). A fault that
# concerns a deck and not the machine is reported for ``deck A``, and a later cycle without it is its retest.

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.books import LinkBooks
from sabot.drivers.sabot_link.contents import UNKNOWN, MachineContents
from sabot.drivers.sabot_link.cycle_proof import Intake
from sabot.rules.frozen import mutable
from sabot.statemachine.vocabulary.events import (
    DecksFound,
    DeviceEmptied,
    DeviceJammed,
    DeviceModeChanged,
    Event,
    Exit,
    Secret,
    ShuffleBlocked,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDelayed,
    StackDispensed,
    StackTaken,
    StubEjected,
)

CYCLE_RUNNING = 1
# Cards come out of a shoe, whatever else the machine is that has the exit.
EXIT_OF = "shoe"
UNHEARD = "its beginning was not heard: this program started meanwhile"


@mutable(kw_only=True)
class Reporter(LinkBooks):
    """The books of one machine for cards; a method that takes a message returns the events that it makes."""

    confidence: int = 90
    colors: dict[str, str] = field(default_factory=dict)
    deck: str = ""
    cycle: Intake | None = None
    mode: int = 1
    is_door_open: bool = False
    ejected: int | None = None
    bad_decks: set[str] = field(default_factory=set)
    insides: MachineContents = field(default_factory=MachineContents)
    due: set[str] = field(default_factory=set)
    is_passed_over: bool = False
    is_exit_doubted: bool = False
    is_fresh: bool = True

    # ---------------------------------------------------------------- what the driver calls

    @property
    def shuffled(self) -> str:
        """The deck of the cycle under way, empty where there is none."""
        return self.cycle.deck if self.cycle else ""

    @property
    def senses_exit(self) -> bool:
        """Return whether it knows that its exit is empty."""
        return bool(self.capabilities & words.SENSES_EXIT)

    @property
    def is_exit_timed(self) -> bool:
        """Return whether something lies in the exit of a machine whose word on that is believed."""
        return self.sees_exit and self.insides.lies is not None

    @property
    def sees_exit(self) -> bool:
        """Return whether it senses its exit, and nobody doubts it."""
        return self.senses_exit and not self.is_exit_doubted

    def fills_exit(self, out: m.StackOut | m.StubOut) -> bool:
        """Return whether these cards lie in an exit from which their taking should be told."""
        return self.sees_exit and bool(out.size if isinstance(out, m.StackOut) else out.count)

    def connected(self, told: m.IdentityTold) -> None:
        """Begin a session; after a start of the device nothing inside is as it was."""
        # After a start everything inside is loose: nobody can say what was done to it meanwhile.
        if told.boot != self.boot:
            self.insides.forget()
        LinkBooks.connected(self, told)

    def unsure(self) -> None:
        """Forget what is known of its insides: not everything that it reported is known."""
        self.insides.unsure()

    def told(self, message: m.Message) -> Iterable[Event]:
        """Return the events that a message stands for, by its row."""
        row = _ROWS.get(type(message))
        return row(self, message) if row else ()

    def on_state(self, state: m.MachineState, at: float) -> list[Event]:
        """Return what a newly read state shows to have changed while nobody listened."""
        self.at = at
        found = self._mode(state.mode)
        if state.fault and state.fault != self.fault:
            found += self._latched(state.fault)
        self.fault = state.fault
        self.is_door_open = bool(state.doors >> (words.SERVICE_DOOR - 1) & 1)
        if self.is_door_open:
            found.append(self._fault("device", "the service door is open"))
        return found

    def after_kept(self, state: m.MachineState, at: float) -> list[Event]:
        """Return the stop of a cycle that ended unheard, or began before anybody listened."""
        self.at, self.is_fresh = at, False
        if state.cycle != CYCLE_RUNNING:
            self.is_passed_over = False
            is_over = self.cycle is not None
            return self._stopped("the cycle was broken off while nothing was heard") if is_over else []
        return [] if self.cycle else self._pass_over(words.deck_name(state.deck))

    def stop_found(self, cause: str, at: float) -> Event:
        """Return that a shuffle does not begin, and why."""
        self.at = at
        return self._stop(self.deck, cause)

    def found(self, state: m.MachineState, at: float) -> list[Event]:
        """Return the events for a session's beginning: the ready decks inside, and an empty exit."""
        self.at = at
        decks = list(self.insides.found(state))
        names = tuple(words.deck_name(deck) or self.deck for deck, wrong in decks if not wrong)
        wrongs = [self.insides.odd(state, self.capabilities), *(wrong for _, wrong in decks)]
        told: list[Event] = [self._fault("contradiction", wrong) for wrong in wrongs if wrong]
        told.append(self._decks_found(names))
        return [*told, self._taken()] if self.senses_exit and not state.exit else told

    def inside(self, state: m.MachineState, at: float) -> Event:
        """Return the decks that lie in it after a test, which says nothing of cards that were taken out."""
        self.at = at
        told = ((state.first, state.first_cards), (state.second, state.second_cards))
        return self._decks_found(tuple(words.deck_name(deck) or self.deck for deck, count in told if count))

    def _decks_found(self, names: tuple[str, ...]) -> Event:
        return DecksFound(at=self.at, source=self.name, device=self.name, decks=names)

    def blocked(self, deck: str, at: float, *, is_empty: bool) -> Event:
        """Return that a shuffle waits until cards are out of the device, or until its deck is in it."""
        return ShuffleBlocked(at=at, source=self.name, device=self.name, deck=deck, is_empty=is_empty)

    def delayed(self, at: float, *, by_exit: bool = False) -> Event:
        """Return that a stack has to wait for the end of a cycle, or for a stack that nobody has taken."""
        deck = "" if by_exit else self.shuffled
        return StackDelayed(at=at, source=self.name, device=self.name, deck=deck, by_exit=by_exit)

    def overdue(self, what: str, at: float) -> list[Event]:
        """Return the fault for something that was accepted and did not come in time; in a cycle, its stop."""
        self.at = at
        if self.cycle is not None:
            return self._stopped(what)
        return [self._fault("device", what)]

    # ---------------------------------------------------------------- a cycle

    def cycle_started(self, message: m.CycleStarted) -> list[Event]:
        """Begin a cycle with a deck that was ordered, or that has no name."""
        broken = self._stopped("another cycle began before it ended") if self.cycle else []
        name = words.deck_name(message.deck)
        # A cycle under a name that nobody ordered: which deck is shuffled now, nobody knows.
        if name and name not in self.due and not self.is_fresh:
            self.is_passed_over = True
            why = f"it begins to shuffle deck {name}, which was not ordered"
            return [*broken, self._fault("contradiction", why), self._stop(self.deck, why)]
        self.due.discard(name or self.deck)
        self.is_passed_over, self.cycle = False, Intake(name or self.deck, self.confidence, message.deck)
        return [*broken, ShuffleStarted(at=self.at, source=self.name, deck=self.cycle.deck)]

    def _pass_over(self, deck: str) -> list[Event]:
        """Pass over a cycle of which a part was missed: it proves nothing, and is stopped once."""
        if self.is_passed_over:
            return []
        self.is_passed_over = True
        return [self._stop(deck or self.deck, UNHEARD)]

    def card_read(self, message: m.CardRead) -> list[Event]:
        """Take one card at the intake, in its turn."""
        # Reads without their beginning prove nothing: this program has started in the middle of the cycle.
        if self.cycle is None and (self.is_passed_over or self.is_fresh):
            return self._pass_over("")
        if self.cycle is None:
            return [self._fault("contradiction", "it told a card outside a cycle")]
        if self.cycle.add(message):
            return []
        return [self._fault("contradiction", "it told a card out of its turn")]

    def completed(self, message: m.CycleCompleted) -> list[Event]:
        """Report the deck as shuffled, if count, reads and digest agree and no card lay wrong."""
        cycle, self.cycle = self.cycle, None
        if cycle is None:
            return self._ended_unbegun(words.deck_name(message.deck))
        if message.deck != cycle.code:
            return self._other_name(message.deck, cycle)
        wrong = cycle.contradiction(message, self.capabilities)
        if wrong:
            # Both: what it says holds the table, and the deck is shuffled anew once that is released.
            return [self._fault("contradiction", wrong), self._stop(cycle.deck, wrong)]
        # A card that lay face up was seen: the shuffle is made again.
        if cycle.face_up:
            return [self._stop(cycle.deck, f"{len(cycle.face_up)} card(s) lay face up")]
        colors = self._color(cycle)
        if f"deck {cycle.deck}" in self.bad_decks:
            return [*colors, self._stop(cycle.deck, "a card of another color")]
        found = [*colors, *self._doubt(cycle)]
        # One card that was not read, and the composition is not proven: then only the count is told.
        cards = () if cycle.doubtful else tuple(Secret(card) for card in cycle.cards if card is not None)
        count = message.count if self.capabilities & words.COUNTS else None
        done = ShuffleCompleted(at=self.at, source=self.name, deck=cycle.deck, count=count, composition=cards)
        if message.deck and count is not None:
            self.insides.cards[message.deck] = count
        return [*found, done]

    def _ended_unbegun(self, deck: str) -> list[Event]:
        """Take the end of a cycle that was passed over, that began unheard, or that there never was."""
        if self.is_passed_over or self.is_fresh:
            found = self._pass_over(deck)
            self.is_passed_over = False
            return found
        return [self._fault("contradiction", "it ended a cycle that never began")]

    def _other_name(self, deck: int, cycle: Intake) -> list[Event]:
        """Stop a cycle that ends under another name than it began: nobody knows which deck was shuffled."""
        ended, began = (words.deck_name(each) or "without a name" for each in (deck, cycle.code))
        why = f"it ends a cycle of deck {ended} and began one of deck {began}"
        return [self._fault("contradiction", why), self._stop(cycle.deck, why)]

    def _color(self, cycle: Intake) -> list[Event]:
        """Report cards of another color; a later cycle without one is the retest of that fault."""
        device, wrong = f"deck {cycle.deck}", cycle.wrong_color(self.colors.get(cycle.deck, ""))
        if wrong:
            self.bad_decks.add(device)
            return [self._fault("deck_color", wrong, device)]
        if device not in self.bad_decks:
            return []
        self.bad_decks.remove(device)
        return [self._tested(device, "deck_color", "")]

    def _doubt(self, cycle: Intake) -> list[Event]:
        """Report cards that were not read: the deck is counted then, and its composition not proven."""
        if not cycle.doubtful:
            return []
        return [self._fault("unreadable_card", f"{len(cycle.doubtful)} card(s) not read at the intake")]

    def cycle_stopped(self, message: m.CycleStopped) -> list[Event]:
        """Stop the cycle, unless a jam has stopped it already."""
        cycle, self.is_passed_over = self.cycle, False
        if cycle is not None and message.deck != cycle.code:
            self.cycle = None
            return self._other_name(message.deck, cycle)
        return self._stopped(words.STOP_CAUSES[message.cause]) if cycle else []

    def _stopped(self, cause: str) -> list[Event]:
        deck = self.cycle.deck if self.cycle else self.deck
        self.cycle = None
        return [self._stop(deck, cause)]

    def _stop(self, deck: str, cause: str) -> Event:
        return ShufflerStopped(at=self.at, source=self.name, deck=deck, cause=cause)

    # ---------------------------------------------------------------- the rest

    def stack(self, message: m.StackOut) -> list[Event]:
        """Report a stack; one card not read leaves all identities out, and the table knows a count alone."""
        wrong = self.insides.wrong_order(message, is_fresh=self.is_fresh)
        on_top = self.insides.lay(message.order, message.deck, message.size, senses=self.sees_exit)
        if wrong or on_top:
            self.unsure()
            return [self._fault("contradiction", wrong or on_top)]
        unread = message.cards.count(m.NOT_READ)
        cards = () if unread else tuple(Secret(card) for card in message.cards)
        lies = Exit.SENSED if self.sees_exit else Exit.UNSENSED
        out = StackDispensed(at=self.at, source=self.name, count=message.size, cards=cards, exit=lies)
        # The stack first: the table that is held for it was not held when it came.
        return (
            [out, self._fault("unreadable_card", f"{unread} card(s) of a stack not read")]
            if unread
            else [out]
        )

    def taken(self, message: m.ExitCleared) -> list[Event]:
        """Report that the dealer took what lay in the exit."""
        wrong = self.insides.take(message, senses=self.senses_exit)
        return [self._fault("contradiction", wrong)] if wrong else [self._taken()]

    def exit_overdue(self, at: float, after_s: float) -> list[Event]:
        """Doubt the exit's sensor, which saw it occupied for too long, until it is heard of again."""
        self.at, self.is_exit_doubted, self.insides.lies = at, True, UNKNOWN
        why = f"its exit was told as occupied for {after_s:g} s"
        return [self._fault("exit_sensor", why, EXIT_OF)]

    def _taken(self) -> Event:
        self.is_exit_doubted = False
        return StackTaken(at=self.at, source=self.name, device=self.name)

    def jam(self, message: m.Jam) -> list[Event]:
        """Report a jam, which the device latches: within a cycle it stops that, unless it is at an outlet."""
        self.fault = words.JAM_FAULT
        self.insides.cards.clear()  # people take out what is stuck, and nobody counts it
        cause = f"jam at the {words.PLACES[message.place]}: {words.JAM_CAUSES[message.cause]}"
        if self.cycle is not None and message.place not in words.OUTLETS:
            return self._stopped(cause)
        return [DeviceJammed(at=self.at, source=self.name, device=self.name, cause=cause)]

    def door(self, message: m.DoorMoved) -> list[Event]:
        """Report an opened service door as a fault; lids are opened to load and to take out."""
        if message.door != words.SERVICE_DOOR:
            return []
        self.is_door_open = bool(message.open)
        if not message.open:
            return []
        return [self._fault("device", "the service door was opened")]

    def mode_changed(self, message: m.ModeChanged) -> list[Event]:
        """Report a mode that was changed at the device."""
        return self._mode(message.mode)

    def _mode(self, mode: int) -> list[Event]:
        if mode == self.mode:
            return []
        self.mode = mode
        self.insides.empty(0)  # what is ready becomes loose
        return [DeviceModeChanged(at=self.at, source=self.name, device=self.name, mode=words.MODES[mode])]

    def emptied(self, message: m.Emptied) -> list[Event]:
        """Report that the device was emptied by hand."""
        counts = {"cards_in": message.cards_in, "cards_out": message.cards_out}
        deck = words.deck_name(message.deck)
        self.insides.empty(message.deck)
        return [DeviceEmptied(at=self.at, source=self.name, device=self.name, deck=deck, **counts)]

    def fault_moved(self, message: m.FaultMoved) -> list[Event]:
        """Report a fault that is latched; that it was cleared is the device's affair."""
        self.fault = message.fault if message.latched else 0
        return self._latched(message.fault) if message.latched else []

    def _latched(self, fault: int) -> list[Event]:
        kind = words.FAULT_KINDS.get(fault, "device")
        return [self._fault(kind, words.FAULT_WORDS.get(fault, f"its fault {fault}"))]

    def retested(self, message: m.Retested) -> list[Event]:
        """Report a test for the fault that was asked about; one that is good unasked lifts nothing."""
        asked, self.asked_of = self.asked_of, ""
        if message.good and not asked:
            return []
        left = "" if message.good else self._remaining()
        if message.good and message.fault:  # all were asked for: a good test of one may not lift another
            left = f"it tested its fault {message.fault} alone"
        return [self._tested(self.name, asked or "all", left)]

    def _remaining(self) -> str:
        """Return what a failed test has left, and what lifts each: RETESTED itself does not name it."""
        found = (
            [words.remaining(self.fault, words.FAULT_WORDS, words.LIFTS)]
            if self.fault or not self.is_door_open
            else []
        )
        return "; ".join(found + ([words.SHUT_IT] if self.is_door_open else []))

    def stub(self, message: m.StubOut) -> list[Event]:
        """Report a stub that came out."""
        wrong = self.insides.wrong_stub(message)
        on_top = self.insides.lay(0, message.deck, message.count, senses=self.sees_exit)
        self.insides.empty(message.deck)
        if wrong or on_top:
            self.unsure()
            return [self._fault("contradiction", wrong or on_top)]
        self.ejected, deck = message.count, words.deck_name(message.deck)
        told = StubEjected(at=self.at, source=self.name, device=self.name, deck=deck, count=message.count)
        return [told]


_ROWS: dict[type, Callable[[Reporter, Any], Iterable[Event]]] = {
    m.CycleStarted: Reporter.cycle_started,
    m.CardRead: Reporter.card_read,
    m.CycleCompleted: Reporter.completed,
    m.CycleStopped: Reporter.cycle_stopped,
    m.StackOut: Reporter.stack,
    m.Jam: Reporter.jam,
    m.DoorMoved: Reporter.door,
    m.ModeChanged: Reporter.mode_changed,
    m.Emptied: Reporter.emptied,
    m.FaultMoved: Reporter.fault_moved,
    m.Retested: Reporter.retested,
    m.StubOut: Reporter.stub,
    m.ExitCleared: Reporter.taken,
}
