"""What devices report of themselves: jams, faults, tests, modes, lost links, cards left inside (x.13(e)-(f)).

Each report finds its row in the table of faults. What means that an automated shoe stopped in a deal voids
the round, and what means that a shuffle failed has its cards shuffled anew, by whatever word the device says
it and whatever policy latches it. A device's own word that a cause is gone counts as its test, never as the
release: that is a person's.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sabot.statemachine.action import Refused
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.irregular import Irregularities
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.shuffling import (
    FAILS,
    Shuffling,
)
from sabot.statemachine.state.parts import Devices, HeldFault, Trouble
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import AUTOMATED, Shuffler
from sabot.statemachine.state.stock import Deck, Stock
from sabot.statemachine.vocabulary.events import (
    DecksFound,
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    LinkLost,
    LinkRestored,
    StubEjected,
)
from sabot.statemachine.vocabulary.fault_kinds import kind_of

# The names under which one machine that shuffles and deals reports: a fault of the one is of the other.
ONE_MACHINE = {"shoe", "shuffler"}

# What is certain: a shoe of which one of these is latched deals no more (x.13(f); reading V19).
STOPS = frozenset({"device", "lost_link", "short_stack", "sort_mode", "not_emptied"})


class Alarm(NamedTuple):
    """The fault that a report is latched as: its kind, its name, and its rule."""

    kind: str
    device: str
    section: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Alarms:
    """Hear what devices report of themselves."""

    law: Law
    out: Outbox
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play
    dealing: Dealing
    faults: FaultLatch
    irregularities: Irregularities
    shuffling: Shuffling

    def is_shoe(self, device: str) -> bool:
        """Return whether a device deals: a shuffler does only where it is the shoe too."""
        return device == "shoe" or (device == "shuffler" and self.devices.shuffler == Shuffler.RESHUFFLER)

    def jam(self, event: DeviceJammed) -> Alarm:
        """Return the fault that a jam is latched as: by (e) for what shuffles, by (f) for what deals."""
        if not self.is_shoe(event.device) and self.shuffling.is_shuffler(event.device):
            return Alarm("shuffler_jam", event.device, "13(e)")
        # One machine shuffles and deals: the paragraph is that of what it was doing for this table.
        shuffles = self.shuffling.is_shuffler(event.device) and not self.dealing.waits_for_shoe()
        return Alarm("device", event.device, "13(e)" if shuffles else "13(f)")

    def fault(self, event: DeviceFaulted) -> Alarm:
        """Return the fault that a device's report is latched as; what stops a shuffler is of (e)."""
        kind = kind_of(event.fault)
        fails = (
            kind == "device"
            and self.shuffling.is_shuffler(event.device)
            and not self.dealing.waits_for_shoe()
        )
        return Alarm(kind, event.device, "13(e)" if fails else "")

    def on_jam(self, event: DeviceJammed) -> None:
        """Latch a jam; that of an automated shoe voids the round (x.13(f)), that of a manual one does not."""
        alarm = self.jam(event)
        # A jam voids also before the first order; of other words
        # only those that come after it (docs/table.md).
        if self.is_shoe(event.device) and self.dealing.waits_for_shoe():
            self._void()
        elif self.shuffling.is_shuffler(event.device):
            self.shuffling.jam_shuffler()
        self._latch(alarm, event.cause)

    def on_fault(self, event: DeviceFaulted) -> None:
        """Latch a device's own fault, or one that its driver found."""
        alarm = self.fault(event)
        # From now on the sensor is not believed, and OK names the next place.
        if alarm.kind == "exit_sensor":
            self.dealing.doubt_exit()
        self._heed(alarm.device, alarm.kind)
        self._latch(alarm, event.detail or event.fault)

    def _latch(self, alarm: Alarm, why: str) -> None:
        self.faults.hold(alarm.kind, alarm.device, why, self.law.cite(alarm.section) if alarm.section else "")

    def _heed(self, device: str, kind: str) -> None:
        """Do what the law wants after a shoe stopped in a deal, or a shuffle failed."""
        if kind in STOPS and self.is_shoe(device) and self.dealing.has_begun():
            self._void()
        if kind in FAILS and self.shuffling.is_shuffler(device):
            self.shuffling.fail_shuffle()

    def _void(self) -> None:
        self.play.confirm()  # what a device did nobody takes back
        self.irregularities.irregular("shoe_jam")

    def on_retested(self, event: DeviceRetested) -> None:
        """Note the result of a retest; good or not, only a person lifts the hold.

        One that stays bad says which doubt remains, which whoever asks reads from now on. A device that finds
        itself well does not account for cards that are missing by its own count: emptying it does.
        """
        found = [each for each in self.trouble.holds if self._is_of(each.device, event.device)]
        if not found:
            raise Refused(f"{event.device} has no fault")
        for held in found:
            # A good test of another fault of the device lifts nothing.
            if event.fault in (held.kind, "", "all"):
                held.tested(is_good=event.good and held.needs_retest and not held.unaccounted)
                held.why = held.why if event.good else event.detail or held.why

    def on_mode(self, event: DeviceModeChanged) -> None:
        """Hold the table while a device is not in play mode, and have its deck shuffled anew in play mode.

        The return to play mode is the retest.
        """
        sorting = self.devices.sorting
        if event.mode == "play":
            if event.device in sorting:
                sorting.remove(event.device)
            self._passed("sort_mode", event.device)
            return
        if event.device not in sorting:
            sorting.append(event.device)
        # Sixteen hands were once dealt in the order of suits by a shuffler that was left in sort mode.
        if self.law.policies.sort_mode:
            self.shuffling.sorted_by(event.device)
        self._heed(event.device, "sort_mode")
        self.faults.hold("sort_mode", event.device, f"in {event.mode} mode")

    def _passed(self, kind: str, device: str) -> None:
        """Take a device's own word that the cause is gone as the retest of its fault."""
        for held in self._held_of(kind, device):
            held.passed()

    def _held_of(self, kind: str, device: str) -> list[HeldFault]:
        return [held for held in self.trouble.holds if held.kind == kind and self._is_of(held.device, device)]

    def _is_of(self, held: str, device: str) -> bool:
        """Return whether a fault is of the device that reports; one machine may have two names."""
        return held == device or (self.law.setup.one_machine and {held, device} == ONE_MACHINE)

    def on_emptied(self, event: DeviceEmptied) -> None:
        """Hold the table unless all cards came out that went in; if they did, that is the retest."""
        left = event.cards_in - event.cards_out
        self.shuffling.unblock()
        # In the deal an emptied shoe has failed to deal all cards (x.13(f)); its count matters besides.
        if event.deck in ("", self.stock.in_play):
            self._heed(event.device, "not_emptied")
        self._lose(event.device, {event.deck} if event.deck else set(self.stock.decks))
        if left:
            self.faults.hold("not_emptied", event.device, f"{left} card(s) not accounted for")
            for held in self._held_of("not_emptied", event.device):
                held.miss_cards(left)
        else:
            self._passed("not_emptied", event.device)

    # ---------------------------------------------------------------- the decks that lie in an automated shoe

    def on_stub_ejected(self, event: StubEjected) -> None:
        """Take note of an ejected stub: as many cards as there should be, or the dealer counts them."""
        round_ = self.play.round
        self.shuffling.unblock()
        # The stub that the round had ordered out: its deck was dealt, and is not lost by it.
        if round_ is not None and event.deck in ("", round_.deck) and round_.ejecting:
            expected = round_.stub_came()
            if event.count != expected and not round_.void:
                round_.want_count(is_wanted=True)
                self.faults.hold(
                    "contradiction", event.device, f"a stub of {event.count}, {expected} were left"
                )
            return
        self._lose(event.device, {event.deck} if event.deck else set(self.stock.decks))

    def on_decks_found(self, event: DecksFound) -> None:
        """Lose the decks that a shoe no longer has now that it is heard again: they are not dealt."""
        if "" not in event.decks:
            self._lose(event.device, set(self.stock.decks) - set(event.decks))

    def _lose(self, device: str, names: set[str]) -> None:
        """Lose ready decks out of a shoe: each is shuffled anew, and one being dealt voids the round."""
        for deck in [each for each in self._inside(device) if each.name in names]:
            is_wanted = deck.name == self.stock.in_play and self.dealing.waits_for_shoe()
            is_dealing = is_wanted and self.dealing.has_begun()
            self.out.note(f"deck {deck.name} is not in the {device} any more", self.law.cite("5(a)"))
            deck.lose(is_gone=not is_wanted)
            # Before its first order the round is not lost: it waits for the shuffle (x.5(a)).
            if is_dealing:
                self._void()
            elif is_wanted:
                self.shuffling.reshuffle_locked(deck.name)

    def ends_deal(self, device: str, names: set[str]) -> bool:
        """Return whether the loss of these decks ends a deal: the shoe still has cards to give (x.13(f))."""
        is_wanted = self.stock.in_play in names and self.dealing.has_begun()
        return is_wanted and (self.is_shoe(device) or bool(self._inside(device)))

    def _inside(self, device: str) -> list[Deck]:
        """Return the decks that lie in an automated shoe, ready to be dealt."""
        is_machine = self.law.setup.one_machine or self.devices.shuffler == Shuffler.RESHUFFLER
        if not (is_machine and self.devices.method.startswith(AUTOMATED) and device in ONE_MACHINE):
            return []  # a shoe that is loaded by hand has what the dealer lays in
        # In play and dealt out, the deck lies on the felt: what the machine has inside is the other one.
        is_in_shoe = self.play.phase is Phase.BETS_OPEN or self.dealing.waits_for_shoe()
        return [
            deck
            for deck in self.stock.decks.values()
            if deck.ready and (deck.name != self.stock.in_play or is_in_shoe)
        ]

    def on_link_lost(self, event: LinkLost) -> None:
        """Latch a device that is not heard any more."""
        self._heed(event.device, "lost_link")
        self.faults.hold("lost_link", event.device, event.reason)

    def on_link_restored(self, event: LinkRestored) -> None:
        """Take it as the retest of a lost link that the device is heard again and its state was read."""
        # A link that is up again proves that the device answers. It
        # releases nothing: people look what was missed.
        self._passed("lost_link", event.device)
