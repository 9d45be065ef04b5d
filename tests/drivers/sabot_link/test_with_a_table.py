"""A whole round at a real table whose shuffler and packet shoe is a simulated device on Sabot Link.

Nothing is told to the table but what the driver's conversation says, and nothing to the device but what the
table orders.
"""

from typing import Any

from sabot.hil.simulators.sabot_link import Machine
from sabot.statemachine.effects import (
    Dispense,
    Effect,
    FreeShoe,
    HaltShoe,
    RaiseFault,
    RemoveDeck,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.events import Resumed, Role, ShuffleCompleted, StackDispensed
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, Shuffler
from tests.statemachine.shift import Shift

from .link_pair import Pair


class Floor:
    """A table, a device, and a line between them."""

    def __init__(self, **changes: Any) -> None:
        name = "shoe" if changes.get("one_machine") else "shuffler"
        self.pair = Pair(machine=Machine(speed=20.0), name=name).up()
        reshuffles = {"method": "auto_shoe_reshuffle", "shuffler": Shuffler.RESHUFFLER}
        self.shift = Shift("pa641a", knowledge=Knowledge.STACK, **(changes or reshuffles))
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


# ---------------------------------------------------------------- one machine, two decks


def locked_early() -> Floor:
    """Deck A is in play, and LOCK comes while the machine takes in deck B."""
    floor = Floor(method="auto_shoe", decks=2, one_machine=True).open()
    assert floor.shift.phase is Phase.BETS_OPEN
    floor.pair.device.machine.speed = 2.0
    floor.pair.act("load blue")
    floor.settle(1.5)
    assert floor.pair.device.machine.cycle == 1
    floor.bet_and_lock()
    floor.settle(0.3)
    assert floor.shift.prompt == ("SHOE SHUFFLES DECK B", "WAIT, THEN 5 CARDS")
    return floor


def test_641a_10b_a_lock_while_the_other_deck_is_shuffled_waits_and_the_cards_are_dealt() -> None:
    floor = locked_early()
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert floor.shift.table.state.holds == []
    assert [each.count for each in floor.pair.said(StackDispensed)] == [5, 5, 5]
    assert floor.pair.said(ShuffleCompleted)[-1].deck == "B"
    assert floor.pair.device.machine.stacks == 3


def test_641a_13c_a_void_while_the_order_waits_lets_no_card_out_and_the_next_round_is_dealt() -> None:
    floor = locked_early()
    floor.shift.menu("IRREGULARITY", "wrong_count")
    floor.settle(0.3)
    assert floor.shift.said(VoidRound)
    assert floor.pair.device.machine.held
    floor.settle()
    assert (floor.pair.device.machine.stacks, floor.shift.table.state.holds) == (0, [])
    floor.shift.ok(2)
    floor.settle(1)
    assert not floor.pair.device.machine.held
    assert floor.shift.is_in(Phase.BETS_OPEN)
    floor.bet_and_lock()
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert floor.pair.device.machine.stacks == 3


def test_641a_13c_a_void_that_is_undone_while_the_order_waits_deals_each_card_once() -> None:
    floor = locked_early()
    floor.shift.menu("IRREGULARITY", "wrong_count")
    floor.shift.floor("UNDO VOID")
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert (floor.pair.device.machine.stacks, floor.shift.table.state.holds) == (3, [])


def test_policy_a_restart_while_the_order_waits_gives_it_again_when_the_round_is_confirmed() -> None:
    floor = locked_early()
    floor.shift.handle(Resumed(at=floor.shift.now + 1, down_s=3.0))
    floor.settle(5)
    assert floor.pair.device.machine.stacks == 0
    floor.shift.floor("CONFIRM ROUND")
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert (floor.pair.device.machine.stacks, floor.shift.table.state.holds) == (3, [])


def test_policy_a_machine_that_is_busy_for_too_long_holds_the_round() -> None:
    floor = locked_early()
    floor.pair.device.machine.agenda.clear()
    floor.settle(70)
    (held,) = floor.shift.table.holding()
    assert (held.kind, held.why) == ("device", "it does not dispense: busy, asked for 60 s")
    floor.shift.floor("VOID ROUND")
    assert floor.shift.is_in(Phase.RETURNING)


def test_641a_13e_a_jam_while_the_shuffle_waits_is_one_fault_and_it_is_ordered_again_after_it() -> None:
    floor = Floor(method="auto_shoe", decks=2, one_machine=True).open()
    floor.settle(1)
    floor.pair.act("jam 1 2")
    floor.settle(5)
    assert [(held.kind, held.device) for held in floor.shift.table.state.holds] == [("device", "shoe")]
    floor.pair.host.retest("device", floor.pair.now)
    floor.settle(5)
    floor.shift.mark()
    floor.shift.technician("RELEASE")
    assert floor.shift.said(StartShuffle, deck="B")
    floor.pair.host.clear(floor.pair.now)
    floor.settle(1)
    floor.pair.act("load blue")
    floor.settle()
    assert floor.pair.said(ShuffleCompleted)[-1].deck == "B"
    assert floor.shift.table.state.holds == []
