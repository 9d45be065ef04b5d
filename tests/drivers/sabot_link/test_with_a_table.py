"""A whole round at a real table whose shuffler and packet shoe is a simulated device on Sabot Link.

Nothing is told to the table but what the driver's conversation says, and nothing to the device but what the
table orders.
"""

from typing import Any

import pytest

from sabot.hil.simulators.sabot_link import Machine
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import (
    Dispense,
    Effect,
    EjectStub,
    FreeShoe,
    HaltShoe,
    RaiseFault,
    RemoveDeck,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import (
    DeviceRetested,
    Resumed,
    Role,
    ShuffleCompleted,
    StackDispensed,
    StubEjected,
)
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
            host.dispense(effect.count, now, effect.deck)
        elif isinstance(effect, EjectStub):
            host.eject(effect.deck, now)
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
            for event in self.pair.heard[self.heard :]:
                self.shift.handle(event)
            self.heard = len(self.pair.heard)

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
    assert floor.shift.table.state.stock.decks["A"].proof == "composition"
    before = len(floor.pair.device.machine.ready)
    floor.bet_and_lock()
    floor.settle()
    machine, table = floor.pair.device.machine, floor.shift.table
    assert (before, len(machine.ready), table.state.stock.in_play) == (52, 0, "A")
    assert (
        table.state.play.current.drawn == machine.cards_out - (floor.pair.host.reporter.ejected or 0) > 0
    )  # the rest is the stub
    assert all(card is not None for card in table.state.play.current.seen)
    assert table.state.trouble.holds == []


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
    holds = {(held.kind, held.device) for held in floor.shift.table.state.trouble.holds}
    assert holds == {
        ("short_stack", "shoe"),
        ("short_stack", "shuffler"),
    }  # what the table saw, what the device says
    assert floor.pair.device.machine.held
    assert floor.shift.said(RaiseFault)[0].device == "shoe"


class OutOfAnother(Machine):
    """From its second stack on it tells another deck than the ordered one, as often as it is to."""

    times = 1

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        is_wrong = name == "STACK" and self.stacks > 1 and self.times > 0
        self.times -= is_wrong
        super().say(name, now, **values | ({"deck": ord("B")} if is_wrong else {}))


def wrong_again(times: int) -> Floor:
    """The first stack is dealt; the next ones come out of another deck, so often."""
    floor = Floor(method="auto_shoe", one_machine=True)
    machine = OutOfAnother(speed=20.0)
    machine.times, machine.lifts = times, False
    floor.pair = Pair(machine=machine, name="shoe").up()
    floor.open()
    floor.bet_and_lock()
    floor.settle(3)
    assert floor.shift.prompt[0] == "TAKE THE STACK"
    floor.pair.act("lift")
    floor.settle(3)
    return floor


def put_right(floor: Floor) -> None:
    """The floor tests again and releases the one fault."""
    (held,) = floor.shift.table.rooms.faults.holding()
    assert held.kind == "contradiction"
    floor.shift.send(DeviceRetested, device="shoe", fault="all", good=True)
    floor.shift.floor("RELEASE")
    floor.settle(3)


def test_policy_a_wrong_stack_after_a_release_is_no_stack_of_the_seat_before_it() -> None:
    floor = wrong_again(times=2)
    drawn = floor.shift.table.state.play.current.drawn
    for _ in range(2):
        put_right(floor)
        # What lies in the exit now is nobody's: the stack before it was taken.
        assert floor.shift.prompt == ("EMPTY THE EXIT", "THEN 5 CARDS")
        assert floor.shift.table.state.play.current.drawn == drawn
        floor.pair.act("lift")
        floor.settle(3)
    assert floor.shift.table.rooms.faults.holding() == []
    assert floor.shift.prompt[0] == "TAKE THE STACK"
    assert floor.shift.table.state.play.current.drawn > drawn


def test_policy_the_floor_may_void_what_goes_on_coming_wrong() -> None:
    floor = wrong_again(times=9)
    put_right(floor)
    floor.pair.act("lift")
    floor.settle(3)
    floor.shift.floor("VOID ROUND")
    floor.settle(3)
    assert floor.shift.said(VoidRound)
    assert floor.pair.device.machine.held


def test_a_link_that_dies_in_the_deal_holds_the_table_until_the_floor_releases_it() -> None:
    floor = Floor().open()
    floor.pair.is_cut = True
    floor.settle(4)
    (held,) = floor.shift.table.state.trouble.holds
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
    assert floor.shift.table.state.trouble.holds == []
    assert [each.count for each in floor.pair.said(StackDispensed)] == [5, 5, 5]
    assert floor.pair.said(ShuffleCompleted)[-1].deck == "B"
    assert floor.pair.device.machine.stacks == 3


def test_641a_13f_a_void_while_the_order_waits_lets_no_card_out_and_the_next_round_is_dealt() -> None:
    floor = locked_early()
    floor.shift.menu("IRREGULARITY", "shoe_jam")
    floor.settle(0.3)
    assert floor.shift.said(VoidRound)
    assert floor.pair.device.machine.held
    floor.settle()
    assert (floor.pair.device.machine.stacks, floor.shift.table.state.trouble.holds) == (0, [])
    floor.shift.ok(2)
    floor.settle(1)
    assert not floor.pair.device.machine.held
    assert floor.shift.is_in(Phase.BETS_OPEN)
    floor.bet_and_lock()
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert floor.pair.device.machine.stacks == 3


def test_641a_13f_a_void_that_is_undone_while_the_order_waits_deals_each_card_once() -> None:
    floor = locked_early()
    floor.shift.menu("IRREGULARITY", "shoe_jam")
    floor.shift.floor("UNDO VOID")
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert (floor.pair.device.machine.stacks, floor.shift.table.state.trouble.holds) == (3, [])


def test_policy_a_restart_while_the_order_waits_gives_it_again_when_the_round_is_confirmed() -> None:
    floor = locked_early()
    floor.shift.handle(Resumed(at=floor.shift.now + 1, down_s=3.0))
    floor.settle(5)
    assert floor.pair.device.machine.stacks == 0
    floor.shift.floor("CONFIRM ROUND")
    floor.settle()
    assert floor.shift.is_in(Phase.STUB)
    assert (floor.pair.device.machine.stacks, floor.shift.table.state.trouble.holds) == (3, [])


def test_policy_a_machine_that_is_busy_for_too_long_holds_the_round() -> None:
    floor = locked_early()
    floor.pair.device.machine.agenda.clear()
    floor.settle(70)
    (held,) = floor.shift.table.rooms.faults.holding()
    assert (held.kind, held.why) == ("device", "it does not dispense: busy, asked for 60 s")
    assert floor.shift.is_in(Phase.RETURNING)  # it fails to deal all cards: void at once (x.13(f))


def test_641a_13e_a_jam_while_the_shuffle_waits_is_one_fault_and_it_is_ordered_again_after_it() -> None:
    floor = Floor(method="auto_shoe", decks=2, one_machine=True).open()
    floor.settle(1)
    floor.pair.act("jam 1 2")
    floor.settle(5)
    assert [(held.kind, held.device) for held in floor.shift.table.state.trouble.holds] == [
        ("device", "shoe")
    ]
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
    assert floor.shift.table.state.trouble.holds == []


# ---------------------------------------------------------------- round after round


def play(floor: Floor) -> set[int]:
    """A round to the rack; the cards that were dealt."""
    floor.bet_and_lock()
    floor.settle(12)
    assert floor.shift.prompt[0] == "STUB TO RACK", floor.shift.prompt
    seen = {card.card for card in floor.shift.table.state.play.current.seen if card is not None}
    floor.shift.rack_stub()
    floor.shift.reveal()
    floor.shift.settle_all()
    floor.shift.clear()
    return seen


def test_641a_10c_each_round_comes_out_of_its_own_deck_and_no_rest_is_dealt_on() -> None:
    """Round 2 came from the rest of deck A: its stub was never ordered out."""
    floor = Floor(method="auto_shoe", decks=2, one_machine=True).open()
    machine, names = floor.pair.device.machine, []
    floor.pair.act("load blue")
    floor.settle(12)
    for color in ("red", "blue", "red"):
        names.append(floor.shift.table.state.stock.in_play)
        before = {card.code for card in machine.inside.find(ord(names[-1])).cards}  # type: ignore[union-attr]
        seen = play(floor)
        assert len(before) == 52
        assert seen <= before
        assert machine.inside.of(ord(names[-1])) == 0
        floor.pair.act(f"load {color}")
        floor.settle(12)
    assert names == ["A", "B", "A"]
    assert floor.shift.table.state.trouble.holds == []
    assert len(floor.pair.said(StubEjected)) == 3


def test_641a_5a_a_power_cut_of_the_machine_between_rounds_has_its_deck_shuffled_anew() -> None:
    floor = Floor(method="auto_shoe", decks=1, one_machine=True).open()
    assert floor.shift.is_in(Phase.BETS_OPEN)
    floor.pair.act("reboot")
    floor.settle(10)
    (held,) = floor.shift.table.state.trouble.holds
    assert held.kind == "lost_link"
    floor.shift.floor("RELEASE")
    floor.settle(1)
    assert floor.shift.prompt == ("DECK A NOT READY", "FLOOR: RESHUFFLE")
    floor.shift.floor("RESHUFFLE")
    floor.settle(3)
    assert floor.pair.said(StubEjected)[-1].count == 52
    assert floor.shift.prompt == ("PUT DECK A IN", "TO BE SHUFFLED")
    floor.pair.act("load")
    floor.settle(12)
    assert floor.shift.is_in(Phase.BETS_OPEN)
    play(floor)


@pytest.mark.parametrize("fault", [3, 4, 7])
def test_641a_5a_a_machine_that_was_emptied_in_silence_tests_itself_well_and_is_not_dealt_from(
    fault: int,
) -> None:
    """It passed its test, was released, and faulted again at each order for want of cards."""
    floor = Floor(method="auto_shoe", decks=1, one_machine=True).open()
    floor.shift.bet(2, ante=1000)
    floor.pair.act("unseen")
    floor.pair.act(f"fault {fault}")
    floor.settle(2)
    (held,) = floor.shift.table.state.trouble.holds
    floor.pair.host.retest(held.kind, floor.pair.now)
    floor.settle(3)
    floor.shift.floor("RELEASE", role=held.role)
    floor.pair.host.clear(floor.pair.now)
    floor.settle(1)
    assert floor.shift.prompt == ("DECK A NOT READY", "FLOOR: RESHUFFLE")
    floor.shift.floor("RESHUFFLE")
    floor.settle(12)
    assert floor.shift.prompt == ("PUT DECK A IN", "TO BE SHUFFLED")
    floor.pair.act("load")
    floor.settle(12)
    assert floor.shift.is_in(Phase.BETS_OPEN)
    assert floor.shift.table.state.trouble.holds == []


def test_641a_5a_a_machine_that_was_tested_with_its_deck_inside_deals_on() -> None:
    floor = Floor(method="auto_shoe", decks=1, one_machine=True).open()
    floor.pair.act("fault 4")
    floor.settle(2)
    floor.pair.host.retest("device", floor.pair.now)
    floor.settle(3)
    floor.shift.technician("RELEASE")
    floor.pair.host.clear(floor.pair.now)
    floor.settle(1)
    play(floor)


@pytest.mark.parametrize("lie", ["digest", "count 1", "reads 1"])
def test_641a_5a_a_cycle_that_contradicts_itself_is_made_again_once_it_is_released(lie: str) -> None:
    """Nothing was held then, nobody was asked, and the display read WAIT for ever."""
    floor = Floor(method="auto_shoe", decks=1, one_machine=True)
    floor.pair.act(f"lie {lie}")
    floor.open()
    kinds = {held.kind for held in floor.shift.table.state.trouble.holds}
    assert kinds == {"contradiction", "shuffler_jam"}
    floor.pair.act("lie off")
    floor.pair.host.retest("all", floor.pair.now)
    floor.settle(5)
    for _ in kinds:
        floor.shift.floor("RELEASE")
    floor.settle(5)
    assert floor.shift.prompt == ("PUT DECK A IN", "TO BE SHUFFLED")
    floor.pair.act("load")
    floor.settle(12)
    assert floor.shift.is_in(Phase.BETS_OPEN)
