"""What a device says, as events of the table: a translation that keeps books and believes no summary.

The reporter knows the cycle under way, the mode, and what it has complained of; it knows no port, no
session and no clock. Each type of message has its row.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.intake import Intake
from sabot.statemachine.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    Event,
    Secret,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDelayed,
    StackDispensed,
)

CYCLE_RUNNING = 1


@dataclass(slots=True)
class Reporter:
    """The books of one device."""

    name: str
    confidence: int = 90
    colors: dict[str, str] = field(default_factory=dict)
    capabilities: int = 0
    boot: int = 0
    last_event: int = 0
    deck: str = ""
    cycle: Intake | None = None
    mode: int = 1
    fault: int = 0
    ejected: int | None = None
    asked_of: str = ""
    bad_decks: set[str] = field(default_factory=set)
    at: float = 0.0

    # ---------------------------------------------------------------- what the driver calls

    @property
    def shuffled(self) -> str:
        """The deck of the cycle under way, empty where there is none."""
        return self.cycle.deck if self.cycle else ""

    def connected(self, told: m.IdentityTold) -> None:
        """A session is open: another boot has begun its numbers anew."""
        if told.boot != self.boot:
            self.boot, self.last_event = told.boot, 0
        self.capabilities = told.capabilities

    def is_new(self, message: m.Happened) -> bool:
        """Whether this event was not had before (its acknowledgement was lost with the link)."""
        return message.event > self.last_event

    def on(self, message: m.Message, at: float) -> list[Event]:
        """The events of one message."""
        self.at = at
        found: list[Event] = []
        if isinstance(message, m.Happened):
            if not self.is_new(message):
                return []
            missing = message.event - self.last_event - 1
            if missing and self.last_event:
                found.append(self._fault("contradiction", f"{missing} report(s) of it are missing"))
            self.last_event = message.event
        row = _ROWS.get(type(message))
        return [*found, *row(self, message)] if row else found

    def malformed(self, message: m.Message, at: float) -> list[Event]:
        """It says what the page does not know."""
        self.at = at
        return [self._fault("device", f"it speaks against its own convention ({message!r})")]

    def on_state(self, state: m.State, at: float) -> list[Event]:
        """The state that was read anew: what changed while nobody listened."""
        self.at = at
        found = self._mode(state.mode)
        if state.fault and state.fault != self.fault:
            found += self._latched(state.fault)
        self.fault = state.fault
        if state.doors >> (words.SERVICE_DOOR - 1) & 1:
            found.append(self._fault("device", "the service door is open"))
        return found

    def after_kept(self, state: m.State, at: float) -> list[Event]:
        """All that was kept has come: a cycle that the device no longer knows of has ended unheard."""
        self.at = at
        is_over = self.cycle is not None and state.cycle != CYCLE_RUNNING
        return self._stopped("the cycle was broken off while nothing was heard") if is_over else []

    def fault_found(self, kind: str, detail: str, at: float) -> Event:
        """A fault that the driver found."""
        self.at = at
        return self._fault(kind, detail)

    def stop_found(self, cause: str, at: float) -> Event:
        """A shuffle that does not begin."""
        self.at = at
        return self._stop(self.deck, cause)

    def delayed(self, at: float) -> Event:
        """A stack that has to wait, for the end of a cycle as a rule."""
        return StackDelayed(at=at, source=self.name, device=self.name, deck=self.shuffled)

    def tested(self, fault: str, at: float, *, good: bool) -> Event:
        """The result of a test of a fault of this device."""
        self.at = at
        return self._tested(self.name, fault or "all", good=good)

    def overdue(self, what: str, at: float) -> list[Event]:
        """Something that was accepted did not come in time."""
        self.at = at
        if self.cycle is not None:
            return self._stopped(what)
        return [self._fault("device", what)]

    # ---------------------------------------------------------------- a cycle

    def cycle_started(self, message: m.CycleStarted) -> list[Event]:
        """A deck is being taken in."""
        broken = self._stopped("another cycle began before it ended") if self.cycle else []
        self.cycle = Intake(words.deck_name(message.deck) or self.deck, self.confidence)
        return [*broken, ShuffleStarted(at=self.at, source=self.name, deck=self.cycle.deck)]

    def card_read(self, message: m.CardRead) -> list[Event]:
        """One card at the intake, in its turn."""
        if self.cycle is None:
            return [self._fault("contradiction", "it told a card outside a cycle")]
        if self.cycle.add(message):
            return []
        return [self._fault("contradiction", "it told a card out of its turn")]

    def completed(self, message: m.CycleCompleted) -> list[Event]:
        """Count, reads and digest agree, no card lay wrong: then, and only then, the deck is shuffled."""
        cycle, self.cycle = self.cycle, None
        if cycle is None:
            return [self._fault("contradiction", "it ended a cycle that never began")]
        wrong = cycle.contradiction(message, self.capabilities)
        if wrong:
            return [self._fault("contradiction", wrong)]
        if cycle.face_up:
            return [self._stop(cycle.deck, f"{len(cycle.face_up)} card(s) lay face up")]
        colors = self._color(cycle)
        if f"deck {cycle.deck}" in self.bad_decks:
            return [*colors, self._stop(cycle.deck, "a card of another color")]
        found = [*colors, *self._doubt(cycle)]
        cards = () if cycle.doubtful else tuple(Secret(card) for card in cycle.cards if card is not None)
        count = message.count if self.capabilities & words.COUNTS else None
        done = ShuffleCompleted(at=self.at, source=self.name, deck=cycle.deck, count=count, composition=cards)
        return [*found, done]

    def _color(self, cycle: Intake) -> list[Event]:
        """A card of the other deck; a later cycle without one is the retest of this one."""
        device, wrong = f"deck {cycle.deck}", cycle.wrong_color(self.colors.get(cycle.deck, ""))
        if wrong:
            self.bad_decks.add(device)
            return [self._fault("deck_color", wrong, device)]
        if device not in self.bad_decks:
            return []
        self.bad_decks.remove(device)
        return [self._tested(device, "deck_color", good=True)]

    def _doubt(self, cycle: Intake) -> list[Event]:
        """Cards that were not read prove nothing: the deck is counted, not composed."""
        if not cycle.doubtful:
            return []
        return [self._fault("unreadable_card", f"{len(cycle.doubtful)} card(s) not read at the intake")]

    def cycle_stopped(self, message: m.CycleStopped) -> list[Event]:
        """A jam has said so already."""
        return self._stopped(words.STOP_CAUSES[message.cause]) if self.cycle else []

    def _stopped(self, cause: str) -> list[Event]:
        deck = self.cycle.deck if self.cycle else self.deck
        self.cycle = None
        return [self._stop(deck, cause)]

    def _stop(self, deck: str, cause: str) -> Event:
        return ShufflerStopped(at=self.at, source=self.name, deck=deck, cause=cause)

    # ---------------------------------------------------------------- the rest

    def stack(self, message: m.StackOut) -> list[Event]:
        """A stack; one card not read leaves its identities out, the table then knows a count."""
        found: list[Event] = []
        unread = message.cards.count(m.NOT_READ)
        if unread:
            found.append(self._fault("unreadable_card", f"{unread} card(s) of a stack not read"))
        cards = () if unread else tuple(Secret(card) for card in message.cards)
        return [*found, StackDispensed(at=self.at, source=self.name, count=message.size, cards=cards)]

    def jam(self, message: m.Jam) -> list[Event]:
        """A jam, which the device latches: at an outlet the shoe's, elsewhere in a cycle the shuffle's."""
        self.fault = words.JAM_FAULT
        cause = f"jam at the {words.PLACES[message.place]}: {words.JAM_CAUSES[message.cause]}"
        if self.cycle is not None and message.place not in words.OUTLETS:
            return self._stopped(cause)
        return [DeviceJammed(at=self.at, source=self.name, device=self.name, cause=cause)]

    def door(self, message: m.DoorMoved) -> list[Event]:
        """The lids are opened to load and to take out; the service door is a fault."""
        if message.door != words.SERVICE_DOOR or not message.open:
            return []
        return [self._fault("device", "the service door was opened")]

    def mode_changed(self, message: m.ModeChanged) -> list[Event]:
        """The mode was changed at the device."""
        return self._mode(message.mode)

    def _mode(self, mode: int) -> list[Event]:
        if mode == self.mode:
            return []
        self.mode = mode
        return [DeviceModeChanged(at=self.at, source=self.name, device=self.name, mode=words.MODES[mode])]

    def emptied(self, message: m.Emptied) -> list[Event]:
        """The device was emptied."""
        counts = {"cards_in": message.cards_in, "cards_out": message.cards_out}
        return [DeviceEmptied(at=self.at, source=self.name, device=self.name, **counts)]

    def fault_moved(self, message: m.FaultMoved) -> list[Event]:
        """A fault is latched; that it was cleared is the device's affair."""
        self.fault = message.fault if message.latched else 0
        return self._latched(message.fault) if message.latched else []

    def _latched(self, fault: int) -> list[Event]:
        kind = words.FAULT_KINDS.get(fault, "device")
        return [self._fault(kind, words.FAULT_WORDS.get(fault, f"its fault {fault}"))]

    def retested(self, message: m.Retested) -> list[Event]:
        """The answer to a retest goes to the fault that was asked about."""
        asked, self.asked_of = self.asked_of or "all", ""
        return [self._tested(self.name, asked, good=bool(message.good))]

    def stub(self, message: m.StubEjected) -> list[Event]:
        """The stub came out: a number for the technician."""
        self.ejected = message.count
        return []

    def _fault(self, kind: str, detail: str, device: str = "") -> Event:
        return DeviceFaulted(
            at=self.at, source=self.name, device=device or self.name, fault=kind, detail=detail
        )

    def _tested(self, device: str, fault: str, *, good: bool) -> Event:
        return DeviceRetested(at=self.at, source=self.name, device=device, fault=fault, good=good)


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
    m.StubEjected: Reporter.stub,
}
