"""A whole round at a real table whose shuffler and packet shoe is a simulated device on Sabot Link.

Nothing is told to the table but what the driver's conversation says, and nothing to the device but what the
table orders.
"""

from sabot.hil.simulators.sabot_link import Machine
from sabot.statemachine.effects import (
    Dispense,
    Effect,
    FreeShoe,
    HaltShoe,
    RaiseFault,
    RemoveDeck,
    StartShuffle,
)
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, Shuffler
from tests.statemachine.shift import Shift

from .link_pair import Pair


class Floor:
    """A table, a device, and a line between them."""

    def __init__(self) -> None:
        self.pair = Pair(machine=Machine(speed=20.0)).up()
        self.shift = Shift(
            "pa641a",
            method="auto_shoe_reshuffle",
            knowledge=Knowledge.STACK,
            shuffler=Shuffler.RESHUFFLER,
        )
        self.done = self.heard = 0

    def perform(self, effect: Effect) -> None:
        host, now = self.pair.host, self.pair.now
        if isinstance(effect, StartShuffle):
            host.shuffle(effect.deck, now)
        elif isinstance(effect, Dispense):
            host.dispense(effect.count, now)
        elif isinstance(effect, HaltShoe):
            host.halt(now)
        elif isinstance(effect, FreeShoe):
            host.free(now)

    def settle(self, seconds: float = 30.0) -> None:
        """Carry events and effects to and fro until both sides rest."""
        end = self.pair.now + seconds
        while self.pair.now < end:
            for effect in self.shift.effects[self.done :]:
                self.perform(effect)
            self.done = len(self.shift.effects)
            self.pair.flush()
            self.pair.run(0.05)
            self.shift.now = max(self.shift.now, self.pair.now)
            for event in self.pair.events[self.heard :]:
                self.shift.handle(event)
            self.heard = len(self.pair.events)

    def open(self) -> "Floor":
        self.shift.receive()
        self.shift.verify_cards()
        self.shift.wash()
        self.settle()
        return self

    def bet_and_lock(self) -> None:
        self.shift.bet(2, ante=1000)
        self.shift.lock()


def test_a_deck_is_shuffled_proved_and_dealt_by_the_device() -> None:
    floor = Floor().open()
    assert floor.shift.phase is Phase.BETS_OPEN
    assert floor.shift.table.state.decks["A"].proof == "composition"
    before = len(floor.pair.device.machine.ready)
    floor.bet_and_lock()
    floor.settle()
    machine, table = floor.pair.device.machine, floor.shift.table
    assert table.round.drawn == before - len(machine.ready) > 0
    assert all(card is not None for card in table.round.seen)
    assert table.state.holds == []


def test_a_deck_that_lacks_a_card_leaves_the_table() -> None:
    floor = Floor()
    del floor.pair.device.machine.intake[7]
    floor.open()
    assert floor.shift.said(RemoveDeck, deck="A")
    assert floor.shift.phase is not Phase.BETS_OPEN


def test_a_short_stack_holds_the_round_and_halts_the_shoe() -> None:
    floor = Floor().open()
    floor.pair.act("short 1")
    floor.bet_and_lock()
    floor.settle()
    holds = {(held.kind, held.device) for held in floor.shift.table.state.holds}
    assert holds == {
        ("short_stack", "shoe"),
        ("short_stack", "shuffler"),
    }  # what the table saw, what the device says
    assert floor.pair.device.machine.held
    assert floor.shift.said(RaiseFault)[0].device == "shoe"


def test_a_link_that_dies_in_the_deal_holds_the_table_until_the_floor_releases_it() -> None:
    floor = Floor().open()
    floor.pair.is_cut = True
    floor.settle(4)
    (held,) = floor.shift.table.state.holds
    assert (held.kind, held.retested) == ("lost_link", False)
    floor.pair.is_cut = False
    floor.settle(20)
    assert held.retested
    assert floor.pair.device.machine.held
    assert held.role is Role.FLOOR
