"""The safe lane: what an event locks or halts, decided before anything else of it is computed.

Theory of operation. Two things must not wait for a round to be made, a plan to be laid or a prompt to be
worded: the lock that the dealer calls for, and the stop that a device's fault calls for. Both are decided
here from a few fields, whatever the chapter, the seats or the wagers. ``Table.safe`` gives them to the
runner, which performs them; only then is the rest computed, and ``Table.handle`` repeats them at the head of
its effects, so that the journal has them too.

LOCK is answered out of what the event before it left *armed*: whether it would be in order, what it would
lock, and until when a deck is not due. A fault is answered by its row. Doubt errs on the safe side: where the
rest of the event finds that nothing has to be held after all, the table opens and frees again what the lane
closed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sabot.statemachine import (
    display,
    orders,
    shoe_reading,
)
from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.action import Refused
from sabot.statemachine.alarms import Alarms
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.outbox import LastTold
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.parts import Devices, TableClock, Trouble
from sabot.statemachine.state.phases import BETS_OPEN, DEALING
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import AUTOMATED, EACH_CARD, NO_CARD
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.effects import Effect, HaltShoe, LockWagers
from sabot.statemachine.vocabulary.fault_kinds import FAULT_ROWS, POLICY

NOTHING: tuple[Effect, ...] = ()


class Armed(NamedTuple):
    """The lock that LOCK brings about, and the time from which it is out of order: the deck is due."""

    lock: tuple[Effect, ...]
    until: float


class Suspect(NamedTuple):
    """A fault that an event speaks of: its kind, its device, and its rule where that is not its row's."""

    kind: str
    device: str
    section: str = ""


@lru_cache(maxsize=8)
def _armed(spots: frozenset[display.Spot], cite: str, until: float) -> Armed:
    """Return the lock of some spots; all are open at most events, so the same one is armed again."""
    return Armed((LockWagers(spots=display.in_order(spots), cite=cite),), until)


@dataclass(slots=True, eq=False, repr=False)
class SafeLane:
    """Decide what locks or halts before anything else is computed."""

    law: Law
    last_told: LastTold
    clock: TableClock
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play
    accounts: GameAccounts
    alarms: Alarms
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    lockout: Lockout
    shuffling: Shuffling
    armed: Armed | None = None

    def decide(self, event: ev.Event) -> tuple[Effect, ...]:
        """Return what this event locks and halts, in the order to be performed. Changes nothing."""
        if type(event) is ev.KeyPressed:
            armed = self.armed
            if armed is None or event.key is not ev.Key.LOCK:
                return NOTHING
            # A deck comes due while nothing happens: the time of the press decides, not that of the arming.
            return armed.lock if event.at + self.clock.clock_offset < armed.until else NOTHING
        # What no row names can neither lock nor halt; most events are
        # of that kind, and this look-up is all they pay.
        find = SUSPECTS.get(type(event))
        suspect = find(self, event) if find is not None else None
        if suspect is None or not self.faults.would_stop(suspect.kind, suspect.device):
            return self._at_start() if type(event) is ev.Resumed else NOTHING
        cite = self.law.cite(suspect.section or FAULT_ROWS[suspect.kind].section)
        return LockWagers(cite=cite), HaltShoe(cite=cite)

    def _at_start(self) -> tuple[Effect, ...]:
        """Return the effects of a start: nobody knows what is open, nor whether a halted shoe still is."""
        held = self.faults.held
        return (LockWagers(cite=POLICY), *([HaltShoe(cite=held.cite)] if held is not None else ()))

    def arm(self) -> None:
        """Work out what LOCK would do now, so that a press of it need not."""
        self.armed = None
        # Faults are walked only where anything is latched at all: this is asked after each event.
        if self.play.phase is not BETS_OPEN or (self.trouble.holds and self.faults.held is not None):
            return
        try:
            self.lockout.verify_lock("")
        except Refused:
            return
        deck = self.stock.decks[self.stock.in_play]
        self.armed = _armed(self.last_told.spots, self.law.cite("7(c)"), self.deck_room.deadline(deck))

    # ---------------------------------------------------------------- the faults that events speak of

    def jammed(self, event: ev.DeviceJammed) -> Suspect:
        """Suspect what a jam is latched as."""
        return Suspect(*self.alarms.jam(event))

    def faulted(self, event: ev.DeviceFaulted) -> Suspect:
        """Suspect what a device's own fault is latched as."""
        return Suspect(*self.alarms.fault(event))

    def silent(self, event: ev.LinkLost) -> Suspect:
        """Suspect a device that is not heard."""
        return Suspect("lost_link", event.device)

    def stopped(self, _event: ev.ShufflerStopped) -> Suspect:
        """Suspect the shuffler."""
        return Suspect("shuffler_jam", "shuffler")

    def other_mode(self, event: ev.DeviceModeChanged) -> Suspect | None:
        """Suspect a device that left play mode."""
        return Suspect("sort_mode", event.device) if event.mode != "play" else None

    def emptied(self, event: ev.DeviceEmptied) -> Suspect | None:
        """Suspect a device that lost cards, or a shoe that was emptied in the deal."""
        # Cards that are missing hold the table in every phase, a
        # deck that is gone only where it is being dealt.
        if event.cards_in != event.cards_out:
            return Suspect("not_emptied", event.device)
        return self._gone(event.device, {event.deck} if event.deck else set(self.stock.decks))

    def ejected(self, event: ev.StubEjected) -> Suspect | None:
        """Suspect a shoe that put out cards nobody ordered."""
        # The stub that the table itself has ordered out.
        if self.play.round is not None and self.play.current.ejecting:
            return None
        return self._gone(event.device, {event.deck} if event.deck else set(self.stock.decks))

    def found(self, event: ev.DecksFound) -> Suspect | None:
        """Suspect a shoe that lost a deck of the deal."""
        # A deck without a name may be any of them: then nothing can be said to be gone.
        gone = set(self.stock.decks) - set(event.decks)
        return self._gone(event.device, gone) if "" not in event.decks else None

    def _gone(self, device: str, names: set[str]) -> Suspect | None:
        return Suspect("not_emptied", device, "13(f)") if self.alarms.ends_deal(device, names) else None

    def in_service(self, event: ev.ServiceModeChanged) -> Suspect | None:
        """Suspect the controller while it is served."""
        return Suspect(orders.SERVICE, orders.CONTROLLER) if event.on else None

    def shuffled_wrong(self, event: ev.ShuffleCompleted) -> Suspect | None:
        """Suspect a deck with a wrong count, or a report that cannot be."""
        deck = self.stock.decks.get(event.deck)
        if deck is None:
            return None
        # In the order in which the room itself looks: lane and room must name the same fault.
        if not self.shuffling.may_be_in_shuffler(deck):
            return Suspect("contradiction", "shuffler")
        return (
            Suspect("deck_removed", f"deck {event.deck}", "5(b)") if self.shuffling.why_bad(event) else None
        )

    def missed(self, _event: ev.CardsMissed) -> Suspect | None:
        """Suspect a card whose report never came, where a shoe reads the cards."""
        is_read = self.devices.knowledge == EACH_CARD and "shoe" not in self.devices.out_of_order
        return Suspect(shoe_reading.MISSED, "shoe") if is_read else None

    def card(self, event: ev.CardDrawn) -> Suspect | None:
        """Suspect a card not due, not read, seen twice, or behind a report that never came."""
        if self.devices.knowledge != EACH_CARD or "shoe" in self.devices.out_of_order:
            return None
        # Before the question whether this card was due: behind a gap nobody knows which one is.
        if event.missed and self.law.policies.unreadable_card:
            return Suspect(shoe_reading.MISSED, "shoe")
        if not self._is_due():
            return Suspect("card_out_of_turn", "shoe")
        if event.card is None:
            return Suspect("unreadable_card", "shoe")
        return self._twice((event.card,))

    def stack(self, event: ev.StackDispensed) -> Suspect | None:
        """Suspect a stack not due, of a wrong number, or with a card that its deck cannot give any more."""
        reports = self.devices.method.startswith(AUTOMATED) and self.devices.knowledge != NO_CARD
        if not reports or "shoe" in self.devices.out_of_order:
            return None
        if not (self._is_due() and self.dealing.is_automated()):
            return Suspect("card_out_of_turn", "shoe")
        # As ``Dealing.on_stack``: without an order it is what the plan still wants of this stack.
        if event.count != (self.play.current.ordered or self.dealing.next_stack()):
            return Suspect("short_stack", "shoe")
        if event.cards and len(event.cards) != event.count:
            return Suspect("contradiction", "shoe")
        return self._twice(event.cards)

    def _is_due(self) -> bool:
        """Return whether a card may leave the shoe now."""
        is_held = self.trouble.holds and self.faults.held is not None
        return self.play.phase is DEALING and not is_held and not self.dealing.waits_for_deck()

    def _twice(self, cards: tuple[ev.Secret, ...]) -> Suspect | None:
        """Suspect the deck of a card that it has given already, or has not at all."""
        is_wrong = self.dealing.wrong_with(cards)
        return Suspect("composition", f"deck {self.play.current.deck}") if is_wrong else None

    def resumed(self, event: ev.Resumed) -> Suspect | None:
        """Suspect a round that a restart interrupted, or a program that had stopped itself."""
        if self.play.round is not None:
            return Suspect("restarted", orders.CONTROLLER)
        return Suspect("slip", orders.CONTROLLER) if event.slip else None

    def credited(self, event: ev.AccountCredited) -> Suspect | None:
        """Suspect a credit that is not owed: paid twice, or not as it was told."""
        is_owed = self.accounts.find_owed(event) is not None
        return None if is_owed else Suspect("contradiction", event.device)

    def counted(self, event: ev.AccountsRead) -> Suspect | None:
        """Suspect a wagering system that has other stakes."""
        return Suspect("contradiction", event.device) if self.accounts.has_other_stakes(event) else None

    def sealed(self, event: ev.DrawSealed) -> Suspect | None:
        """Suspect a draw that has another seal than before."""
        return Suspect("contradiction", event.device) if self.accounts.has_other_seal(event) else None


SUSPECTS: Mapping[type[ev.Event], Callable[[Any, Any], Suspect | None]] = {
    ev.DeviceJammed: SafeLane.jammed,
    ev.DeviceFaulted: SafeLane.faulted,
    ev.LinkLost: SafeLane.silent,
    ev.ShufflerStopped: SafeLane.stopped,
    ev.DeviceModeChanged: SafeLane.other_mode,
    ev.DeviceEmptied: SafeLane.emptied,
    ev.StubEjected: SafeLane.ejected,
    ev.DecksFound: SafeLane.found,
    ev.ServiceModeChanged: SafeLane.in_service,
    ev.ShuffleCompleted: SafeLane.shuffled_wrong,
    ev.CardDrawn: SafeLane.card,
    ev.CardsMissed: SafeLane.missed,
    ev.StackDispensed: SafeLane.stack,
    ev.Resumed: SafeLane.resumed,
    ev.AccountCredited: SafeLane.credited,
    ev.AccountsRead: SafeLane.counted,
    ev.DrawSealed: SafeLane.sealed,
}
