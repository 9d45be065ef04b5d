"""A device that cannot be used, and the method that takes its place (x.13(g)).

The device must be seen covered or signed before another method is chosen, and what is chosen follows its
own rules: the hand needs an automated shuffler, without a shuffler two decks become one, the shorter deck
life counts.
"""

# Theory of operation. Three steps: the dealer says that a device cannot be used, the floor sees it covered or
# signed, and only then another method may be chosen (x.13(g)); the fault holds the table until it is
# released. What the device reports once it is covered is on record only, and counts again when a technician
# takes it back in service. A locked round keeps its method, unless it waits for a shuffle that no device can
# make now.

from dataclasses import dataclass

from sabot.statemachine.action import ANY_PHASE, BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.irregular import Irregularities
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.shuffling import BY_HAND, Shuffling
from sabot.statemachine.state.parts import Devices, TableCrew, Trouble
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import Knowledge, SetupError, Shuffler, verify_method
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.events import (
    Role,
)

# What can be dealt by without any device of the table: a shoe without a reader, and the dealer's hand.
PLAIN_METHODS = ("manual_shoe", "hand")
MACHINE = ("shoe", "shuffler")
# Where a deck lies that was shuffled and not dealt yet.
SHUFFLED = (Phase.CUTTING, Phase.BETS_OPEN)


@dataclass(slots=True, eq=False, repr=False)
class OutOfOrder:
    """Set a device aside, and choose another method."""

    law: Law
    phases: Phases
    out: Outbox
    crew: TableCrew
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    irregularities: Irregularities
    shuffling: Shuffling

    def device_names(self) -> list[str]:
        """Return the devices that may be out of order; a machine that shuffles and deals is one."""
        # One body cannot be covered by halves.
        if self.law.setup.one_machine:
            return ["shoe"]
        names = ["shoe"] if self.devices.method != "hand" else []
        return names + (["shuffler"] if self.devices.shuffler != Shuffler.HAND else [])

    def _parts(self, device: str) -> tuple[str, ...]:
        """Return the names under which the table knows a device: one machine is out of order as a whole."""
        return MACHINE if self.law.setup.one_machine else (device,)

    def out_of_order(self, value: str) -> None:
        """Set a device aside that cannot be used: it is covered or signed before another method (x.13(g))."""
        self.devices.out_of_order += [
            each for each in self._parts(value) if each not in self.devices.out_of_order
        ]
        if value == "shoe" and self.play.round is not None:
            if self.dealing.waits_for_shoe():
                self.irregularities.irregular("shoe_jam")
            # The rest of this round is dealt and declared by the dealer.
            self.play.round.deal_by(self.play.round.method, Knowledge.NONE)
        self.faults.hold("out_of_order", value, f"{value} cannot be used")

    def covered(self, value: str) -> None:
        """Take the floor's word that a device is covered or signed: its faults no longer hold the table."""
        self.devices.covered += [each for each in self._parts(value) if each not in self.devices.covered]
        self.out.note(f"{value} covered or signed", self.law.cite("13(g)"), self.crew.person(Role.FLOOR))

    def broken(self) -> list[str]:
        """Return the devices out of order, each once."""
        is_machine = self.law.setup.one_machine
        return [device for device in self.devices.out_of_order if not (is_machine and device == "shuffler")]

    def methods_left(self) -> list[str]:
        """Return the methods that the floor may choose while a device is out of order, or to go back after.

        A locked round keeps its method, unless it waits for a shuffle by a device that cannot be used.
        """
        own = self.law.setup.method
        # Covered or signed *before* another method may be used: the order is the law's (x.13(g)).
        if self.devices.uncovered() or (self.play.round is not None and not self.dealing.lacks_shuffler()):
            return []
        # All devices are there again: nothing is left to choose but the table's own way.
        if not self.devices.out_of_order:
            is_own = (self.devices.method, self.devices.knowledge) == (own, self.law.setup.knowledge)
            return [] if is_own else [own]
        there = PLAIN_METHODS if "shoe" in self.devices.out_of_order else (own, *PLAIN_METHODS)
        return [method for method in self.law.chapter.plans if method in there and self._may_deal_by(method)]

    def _may_deal_by(self, method: str) -> bool:
        """Return whether the law lets cards be dealt so with the devices that remain."""
        try:
            # The same question as at the set-up, so no method is
            # offered here that a table could not begin with.
            verify_method(self.law.setup, method, self._least_knowledge(method), self._shuffler_left())
        except SetupError:
            return False
        return True

    def verify_devices(self) -> None:
        """Raise where a device that is out of order has taken away the method or what it knew (x.13(g))."""
        is_left = (
            self.devices.method in self.methods_left() and self.devices.shuffler == self._shuffler_left()
        )
        if not is_left or self.devices.knowledge != self._least_knowledge(self.devices.method):
            raise Refused(f"a device is out of order: choose a method ({self.law.chapter.out_of_order.cite})")

    def _least_knowledge(self, method: str) -> Knowledge:
        # By another method nothing is read: the reader belongs to the method of the set-up.
        is_seen = method == self.law.setup.method and "shoe" not in self.devices.out_of_order
        return self.law.setup.knowledge if is_seen else Knowledge.NONE

    def _shuffler_left(self) -> Shuffler:
        return Shuffler.HAND if "shuffler" in self.devices.out_of_order else Shuffler(self.devices.shuffler)

    def choose_method(self, value: str) -> None:
        """Deal by another method from now on; without a shuffler two decks become one."""
        self.devices.deal_by(value, self._least_knowledge(value), self._shuffler_left())
        # Two decks only where a device shuffles one while the other is dealt (x.3(b)).
        if self.devices.shuffler == Shuffler.HAND and self.devices.deck_count > 1:
            self._keep_one_deck()
        if self.play.round is not None:
            self.dealing.deal_by(value)
        self.deck_room.forget_deadlines()
        self.out.note(
            f"dealing by {value.replace('_', ' ')}", self.law.cite("13(g)"), self.crew.person(Role.FLOOR)
        )
        self._shuffle_for_hand()

    def _shuffle_for_hand(self) -> None:
        """Have a deck shuffled by hand shuffled by device, where the method wants that (x.9(a)(1))."""
        deck, needs = (
            self.stock.decks.get(self.stock.in_play),
            self.law.chapter.plans[self.devices.method].needs_shuffler,
        )
        is_wrong = (
            needs and deck is not None and deck.proof == BY_HAND and self.shuffling.shuffles_by_device()
        )
        if is_wrong and self.play.phase in SHUFFLED:
            self.out.note("shuffled by hand: shuffled by the device", needs)
            self.phases.reshuffle()
            self.shuffling.start_shuffle(self.stock.in_play)

    def _keep_one_deck(self) -> None:
        """Make two decks one: the one in play stays (x.3(b))."""
        self.devices.shuffle_by(self.devices.shuffler, 1)
        stays = (
            self.stock.in_play if self.stock.in_play in self.stock.decks else next(iter(self.stock.decks), "")
        )
        cite = self.law.chapter.deck.rules["two_decks"].cite
        for name in [name for name in self.stock.decks if name != stays]:
            self.deck_room.retire(name, "one deck without a shuffler", cite)
        self.stock.put_on(*(name for name in self.stock.opening if name == stays))
        # Where the deck that was being shuffled goes, the one that stays is shuffled in its place.
        if self.stock.in_shuffler not in self.stock.decks:
            self.stock.put_in_shuffler(stays if self.play.phase is Phase.SHUFFLING else "")
        self.stock.bring_in(stays)

    def in_service(self, value: str) -> None:
        """Take a repaired device back: its faults count again, with the shuffler a second deck may come."""
        parts = self._parts(value)
        # Asked before the device is in use again: afterwards none of its faults is aside.
        aside = [held for held in self.trouble.holds if self.faults.is_set_aside(held.kind, held.device)]
        self.devices.out_of_order = [device for device in self.devices.out_of_order if device not in parts]
        self.devices.covered = [device for device in self.devices.covered if device not in parts]
        if "shuffler" in parts:
            self.devices.shuffle_by(self.law.setup.shuffler, self.law.setup.decks)
        self.out.note(f"{value} back in service", self.law.cite("13(g)"), self.crew.person(Role.TECHNICIAN))
        self.faults.hold_at_last(aside)
        if "shuffler" in parts:
            # Decks that wait to be shuffled are sent to it here: no other event would do it.
            self.shuffling.order_shuffle_again()
            self._shuffle_for_hand()


ACTIONS = (
    Action(
        "in_service",
        "BACK IN SERVICE",
        Role.TECHNICIAN,
        BETWEEN_ROUNDS,
        "13(g)",
        OutOfOrder.in_service,
        values=OutOfOrder.broken,
        while_held=True,
    ),
    Action(
        "out_of_order",
        "OUT OF ORDER",
        Role.DEALER,
        ANY_PHASE,
        "13(g)",
        OutOfOrder.out_of_order,
        values=OutOfOrder.device_names,
        while_held=True,
    ),
    Action(
        "covered",
        "DEVICE COVERED",
        Role.FLOOR,
        ANY_PHASE,
        "13(g)",
        OutOfOrder.covered,
        values=OutOfOrder.broken,
        while_held=True,
    ),
    Action(
        "choose_method",
        "CHOOSE METHOD",
        Role.FLOOR,
        BETWEEN_ROUNDS | phases(Phase.DEALING),
        "13(g)",
        OutOfOrder.choose_method,
        values=OutOfOrder.methods_left,
        while_held=True,
    ),
)
