"""A conversation with a simulated device in virtual time: what the device does, and what the table hears of it."""

from typing import Any

import pytest

from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.messages import Unknown
from sabot.drivers.sabot_link.reporter import Reporter
from sabot.hil.simulators.sabot_link import Machine, Who, card, pack
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    LinkLost,
    LinkRestored,
    Secret,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDelayed,
    StackDispensed,
    StubEjected,
)

from .link_pair import Line, Pair


@pytest.fixture
def pair() -> Pair:
    return Pair().up()


def shuffled(pair: Pair) -> Pair:
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    return pair


def faults(pair: Pair) -> list[tuple[str, str]]:
    return [(event.device, event.fault) for event in pair.said(DeviceFaulted)]


# ---------------------------------------------------------------- the good way


def test_a_session_opens_silently_and_knows_the_device(pair: Pair) -> None:
    who = pair.host.identity
    assert (who.maker, who.serial, who.authenticated) == ("Sabot", "SIM-0001", True)
    assert "reads stacks" in who.capabilities
    assert pair.events == []
    assert not pair.device.machine.held


def test_a_shuffle_is_proved_by_its_reads(pair: Pair) -> None:
    pair.shuffle("B")
    done = pair.wait(ShuffleCompleted)
    assert pair.said(ShuffleStarted)[0].deck == done.deck == "B"
    assert (done.count, len(set(done.composition))) == (52, 52)
    assert done.composition == tuple(Secret(each.code) for each in pack())
    assert pair.host.reporter.cycle is None


def test_a_stack_with_its_cards(pair: Pair) -> None:
    ready = list(shuffled(pair).device.machine.ready)
    pair.dispense(5)
    stack = pair.wait(StackDispensed)
    assert (stack.count, stack.cards) == (5, tuple(Secret(each.code) for each in ready[:5]))


def test_a_table_that_needs_no_identities_gets_none() -> None:
    pair = shuffled(Pair(identities=False).up())
    pair.dispense(5)
    assert (pair.wait(StackDispensed).count, pair.said(StackDispensed)[0].cards) == (5, ())


def test_a_shuffler_that_cannot_read_proves_a_count_only() -> None:
    done = shuffled(Pair(who=Who(capabilities=1 | 4)).up()).said(ShuffleCompleted)[0]
    assert (done.count, done.composition) == (52, ())


def test_a_shuffler_that_cannot_count_proves_nothing() -> None:
    done = shuffled(Pair(who=Who(capabilities=1)).up()).said(ShuffleCompleted)[0]
    assert (done.count, done.composition) == (None, ())


def test_a_wrong_count_is_told_as_it_is() -> None:
    pair = shuffled(Pair(machine=Machine(speed=20, intake=pack()[:51])).up())
    assert pair.said(ShuffleCompleted)[0].count == 51


def test_a_cycle_started_at_the_device_is_of_the_deck_last_ordered(pair: Pair) -> None:
    shuffled(pair).act("load")
    pair.act("shuffle")
    assert pair.wait(ShuffleCompleted).deck == "A"


def test_the_stub_is_a_number_for_the_technician(pair: Pair) -> None:
    shuffled(pair)
    pair.host.eject("A", pair.now)
    pair.flush()
    assert pair.run(5, lambda: pair.host.reporter.ejected == 52)
    (out,) = pair.said(StubEjected)
    assert (out.deck, out.count) == ("A", 52)


# ---------------------------------------------------------------- what goes wrong in a cycle


def test_a_jam_at_the_intake_stops_the_shuffle_once(pair: Pair) -> None:
    pair.act("jam-at 7")
    pair.shuffle()
    assert pair.wait(ShufflerStopped).cause == "jam at the intake: two cards at once"
    pair.run(5)
    assert (len(pair.said(ShufflerStopped)), pair.said(DeviceJammed)) == (1, [])


def test_a_jam_at_the_exit_is_the_shoes(pair: Pair) -> None:
    shuffled(pair).act("jam 4 2")
    jam = pair.wait(DeviceJammed)
    assert (jam.device, jam.cause) == ("shuffler", "jam at the exit: a bent card")


@pytest.mark.parametrize("place", [1, 4])
def test_a_jam_that_was_tested_is_cleared_at_the_device_too(pair: Pair, place: int) -> None:
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.act(f"jam {place} 2")
    pair.wait(ShufflerStopped if place == 1 else DeviceJammed)
    pair.host.retest("jam", pair.now)
    pair.flush()
    assert pair.wait(DeviceRetested).good
    pair.host.clear(pair.now)
    pair.flush()
    assert pair.run(5, lambda: not pair.host.reporter.fault)
    assert pair.device.machine.fault == 0


@pytest.mark.parametrize(("what", "cause"), [("Td!", "a card lay face up"), ("door", "a door was opened")])
def test_what_stops_a_cycle(pair: Pair, what: str, cause: str) -> None:
    pair.act("load As Kd " + (what if what != "door" else "2c"))
    pair.shuffle()
    if what == "door":
        pair.wait(ShuffleStarted)
        pair.act("door 3 open")
        assert pair.wait(DeviceFaulted).detail == "the service door was opened"
    assert pair.run(5, lambda: pair.said(ShufflerStopped))
    assert pair.said(ShufflerStopped)[0].cause == cause
    assert pair.said(ShuffleCompleted) == []


def test_a_lid_is_no_fault(pair: Pair) -> None:
    pair.act("door 1 open")
    pair.act("door 1 close")
    pair.act("door 3 close")
    pair.run(3)
    assert pair.events == []


def test_a_card_face_up_in_a_completed_cycle_counts_as_stopped() -> None:
    machine = Machine(speed=20, intake=[card("As"), card("Kd!")])
    pair = Pair(who=Who(capabilities=0xFF - 32), machine=machine).up()
    pair.shuffle()
    assert pair.wait(ShufflerStopped).cause == "1 card(s) lay face up"


def test_a_card_not_read_proves_a_count_only(pair: Pair) -> None:
    pair.act("load As Kd? 2c")
    done = shuffled(pair).said(ShuffleCompleted)[0]
    assert (done.count, done.composition) == (3, ())
    assert faults(pair) == [("shuffler", "unreadable_card")]


def test_a_card_read_with_doubt_is_not_read() -> None:
    pair = shuffled(Pair(confidence=100).up())
    assert pair.said(ShuffleCompleted)[0].composition == ()


def test_a_card_of_the_other_deck_is_the_decks_fault_until_a_clean_cycle(pair: Pair) -> None:
    pair.act("load As Kd~ 2c")
    pair.shuffle()
    assert pair.wait(ShufflerStopped).cause == "a card of another color"
    assert faults(pair) == [("deck A", "deck_color")]
    assert pair.said(DeviceFaulted)[0].detail == "1 blue card(s) in a deck that is red"
    pair.act("load")
    shuffled(pair)
    tested = pair.said(DeviceRetested)[0]
    assert (tested.device, tested.fault, tested.good) == ("deck A", "deck_color", True)


def test_the_whole_deck_of_the_wrong_color() -> None:
    pair = Pair(color_a="blue").up()
    pair.shuffle()
    assert "52 red card(s) in a deck that is blue" in pair.wait(DeviceFaulted).detail


def test_two_cycles_without_an_end_between(pair: Pair) -> None:
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.device.machine.cycle = 0
    pair.act("shuffle")
    assert pair.wait(ShufflerStopped).cause == "another cycle began before it ended"


# ---------------------------------------------------------------- firmware that lies


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("lie count 1", "it counted 53 cards and read 52"),
        ("lie digest", "its digest is not that of the cards that it read"),
        ("lie reads 2", "it counted 52 cards and read 50"),
    ],
)
def test_a_lie_is_a_contradiction_and_no_shuffle(pair: Pair, lie: str, words: str) -> None:
    pair.act(lie)
    pair.shuffle()
    fault = pair.wait(DeviceFaulted)
    assert (fault.fault, fault.detail) == ("contradiction", words)
    assert pair.said(ShuffleCompleted) == []


def test_a_number_of_reads_that_is_not_what_was_told(pair: Pair) -> None:
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.device.link.report("CYCLE_COMPLETED", pair.now, deck=65, count=52, reads=52, digest=bytes(32))
    assert "it says that it read 52 cards and reported" in pair.wait(DeviceFaulted).detail


def test_reads_of_a_device_that_cannot_read(pair: Pair) -> None:
    pair.host.reporter.capabilities = 4
    pair.shuffle()
    assert pair.wait(DeviceFaulted).detail == "52 cards read by a device that cannot read"


def test_an_order_that_leaks_is_thrown_away(pair: Pair) -> None:
    pair.act("lie order")
    shuffled(pair)
    pair.run(10)
    assert faults(pair) == [("shuffler", "contradiction")] * 52
    assert pair.said(DeviceFaulted)[0].detail == "it told a card outside a cycle"
    assert not any(name in repr(pair.events) for name in ("As", "Secret(5"))


def test_a_card_out_of_its_turn(pair: Pair) -> None:
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.device.machine._tell(card("As"), 9, pair.now)
    assert pair.wait(DeviceFaulted).detail == "it told a card out of its turn"


def test_the_end_of_a_cycle_that_never_began(pair: Pair) -> None:
    pair.device.link.report("CYCLE_COMPLETED", pair.now, deck=65, count=52, reads=0, digest=bytes(32))
    assert pair.wait(DeviceFaulted).detail == "it ended a cycle that never began"


def test_reports_that_are_missing(pair: Pair) -> None:
    shuffled(pair)
    pair.device.link.events += 3
    pair.act("door 1 open")
    assert pair.wait(DeviceFaulted).detail == "3 report(s) of it are missing"


def test_an_event_that_was_had_before_is_no_event(pair: Pair) -> None:
    pair.act("mode sort")
    pair.wait(DeviceModeChanged)
    pair.device.link.events -= 1
    pair.act("mode verify")
    pair.run(3)
    assert [event.mode for event in pair.said(DeviceModeChanged)] == ["sort"]


def test_a_message_that_this_program_does_not_know_is_passed_over(pair: Pair) -> None:
    assert pair.host.reporter.on(Unknown(0x7F, b""), pair.now) == []


@pytest.mark.parametrize("deck", ["", "a", "AB", "?"])
def test_a_deck_that_has_no_name_of_a_deck(pair: Pair, deck: str) -> None:
    pair.shuffle(deck)
    assert pair.said(ShufflerStopped)[0].cause == "it does not shuffle: the order makes no sense"


@pytest.mark.parametrize("cards", [0, 53, 999])
def test_a_stack_of_no_pack(pair: Pair, cards: int) -> None:
    pair.dispense(cards)
    assert pair.said(DeviceFaulted)[0].detail == "it does not dispense: the order makes no sense"


def test_a_device_that_reads_and_does_not_count() -> None:
    done = shuffled(Pair(who=Who(capabilities=1 | 8)).up()).said(ShuffleCompleted)[0]
    assert (done.count, len(done.composition)) == (None, 52)


def test_a_value_that_the_page_does_not_know(pair: Pair) -> None:
    pair.device.link.report("MODE", pair.now, mode=9)
    fault = pair.wait(DeviceFaulted)
    assert (fault.fault, fault.detail) == (
        "device",
        "it speaks against its own convention (Malformed(type=0x27, 9 bytes))",
    )


# ---------------------------------------------------------------- stacks


def test_a_short_stack_is_told_with_its_true_size(pair: Pair) -> None:
    shuffled(pair).act("short 2")
    pair.dispense(7)
    assert pair.wait(StackDispensed).count == 5
    assert pair.wait(DeviceFaulted).fault == "short_stack"


def test_a_size_that_is_not_the_cards_is_the_tables_to_judge(pair: Pair) -> None:
    shuffled(pair).act("lie size 1")
    pair.dispense(4)
    stack = pair.wait(StackDispensed)
    assert (stack.count, len(stack.cards)) == (5, 4)


def test_a_card_of_a_stack_not_read(pair: Pair) -> None:
    pair.act("load As Kd? 2c")
    shuffled(pair)
    pair.dispense(3)
    assert (pair.wait(StackDispensed).count, pair.said(StackDispensed)[0].cards) == (3, ())
    assert faults(pair)[-1] == ("shuffler", "unreadable_card")


def test_a_stack_that_does_not_come(pair: Pair) -> None:
    shuffled(pair)
    pair.dispense(4)
    pair.run(0.02)
    pair.device.machine.agenda.clear()
    assert pair.wait(DeviceFaulted).detail == "a stack was accepted and did not come"


def test_a_cycle_that_does_not_end(pair: Pair) -> None:
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.device.machine.agenda.clear()
    assert pair.wait(ShufflerStopped, 300).cause == "a cycle began and did not end"


def test_a_cycle_that_does_not_begin(pair: Pair) -> None:
    pair.device.machine.start_cycle = lambda *_: None  # type: ignore[method-assign]
    pair.shuffle()
    assert (
        pair.wait(ShufflerStopped, 300).cause
        == "it does not shuffle: a shuffle was accepted and did not begin"
    )


@pytest.mark.parametrize(
    ("before", "words"),
    [("mode sort", "not in play mode"), ("door 3 open", "a door is open"), ("fault 4", "a fault is latched"), ("state", "not enough cards")],
)  # fmt: skip
def test_a_refused_stack_is_a_fault(pair: Pair, before: str, words: str) -> None:
    pair.act(before)
    pair.run(1)
    pair.dispense(4, "A")
    pair.run(1)
    assert pair.said(DeviceFaulted)[-1].detail == f"it does not dispense: {words}"


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("mode verify", "not in play mode"),
        ("fault 4", "a fault is latched"),
    ],
)
def test_a_refused_shuffle_stops_the_shuffler(pair: Pair, before: str, words: str) -> None:
    pair.act(before)
    pair.shuffle()
    assert pair.wait(ShufflerStopped).cause == f"it does not shuffle: {words}"


@pytest.mark.parametrize("loading", ["door 1 open", "load 2c"])
def test_a_shuffle_that_comes_while_the_dealer_loads_is_ordered_until_it_begins(
    pair: Pair, loading: str
) -> None:
    pair.act(loading)
    pair.device.machine.intake = pair.device.machine.intake if loading.startswith("door") else []
    pair.shuffle()
    pair.run(5)
    assert not pair.said(ShufflerStopped)

    pair.act("door 1 close" if loading.startswith("door") else "load red")

    assert pair.wait(ShuffleStarted).deck == "A"


def test_a_shuffle_that_was_ordered_twice_is_made_once(pair: Pair) -> None:
    pair.device.machine.intake = []
    pair.shuffle("B")
    pair.run(0.3)
    pair.act("load blue")
    pair.shuffle("B")
    assert pair.wait(ShuffleStarted).deck == "B"
    assert pair.wait(ShuffleCompleted).deck == "B"
    pair.act("load red")
    pair.run(5)
    assert len(pair.said(ShuffleStarted)) == 1


def test_a_shuffle_that_is_ordered_while_another_begins_is_still_made(pair: Pair) -> None:
    pair.shuffle("A")
    pair.shuffle("B")
    assert pair.wait(ShuffleStarted).deck == "A"
    assert pair.wait(ShuffleCompleted).deck == "A"
    pair.act("load blue")
    assert pair.wait(ShuffleStarted).deck == "B"


def test_a_device_without_a_capability() -> None:
    pair = Pair(who=Who(capabilities=2)).up()
    pair.shuffle()
    assert pair.wait(ShufflerStopped).cause == "it does not shuffle: it has no such capability"


# ---------------------------------------------------------------- orders that have to wait


def shuffling_the_other(pair: Pair) -> Pair:
    """Deck A is ready, deck B is being taken in."""
    shuffled(pair).act("load blue")
    pair.shuffle("B")
    pair.wait(ShuffleStarted)
    return pair


def orders_heard(pair: Pair) -> list[int]:
    """The order numbers of every DISPENSE that the device answered."""
    return [values["order"] for name, values in pair.commands if name == "DISPENSE"]


def test_a_stack_that_is_ordered_while_the_other_deck_is_shuffled_comes_once_and_is_no_fault(
    pair: Pair,
) -> None:
    shuffling_the_other(pair)
    pair.dispense(5)
    delayed = pair.wait(StackDelayed)
    assert (delayed.device, delayed.deck) == ("shuffler", "B")
    assert pair.said(StackDispensed) == []
    assert pair.wait(StackDispensed).count == 5
    assert pair.said(ShuffleCompleted)[-1].deck == "B"
    pair.run(30)
    assert (len(pair.said(StackDelayed)), len(pair.said(StackDispensed)), faults(pair)) == (1, 1, [])


@pytest.mark.parametrize(("door", "why"), [("close", "not enough cards"), ("open", "a door is open")])
def test_a_deck_that_nobody_puts_in_is_a_fault_at_last(door: str, why: str) -> None:
    """The display says SHUFFLING, WAIT all the while and asks nobody: that must have an end."""
    pair = Pair(load_s=30.0).up()
    pair.device.machine.intake = []
    pair.act(f"door 1 {door}")
    pair.shuffle()
    began = pair.now
    assert pair.wait(ShufflerStopped).cause == f"it does not shuffle: {why}, asked for 30 s"
    assert 30 <= pair.now - began < 33
    pair.run(60)
    assert (len(pair.said(ShufflerStopped)), faults(pair)) == (1, [])


def test_an_order_that_waits_is_repeated_under_its_own_number_until_it_is_taken(pair: Pair) -> None:
    shuffling_the_other(pair).device.machine.speed = 2.0
    pair.dispense(5)
    pair.wait(StackDispensed)
    assert len(set(orders_heard(pair))) == 1
    assert len(orders_heard(pair)) > 3


def test_a_device_that_is_busy_for_too_long_is_a_fault() -> None:
    pair = shuffling_the_other(Pair(busy_s=20.0).up())
    pair.device.machine.agenda.clear()
    pair.dispense(5)
    began = pair.now
    assert pair.wait(DeviceFaulted).detail == "it does not dispense: busy, asked for 20 s"
    assert 20 <= pair.now - began < 22
    heard = len(orders_heard(pair))
    pair.run(10)
    assert (len(orders_heard(pair)), len(faults(pair))) == (heard, 1)


@pytest.mark.parametrize(
    ("meanwhile", "words"), [("door 3 open", "a door is open"), ("mode sort", "not in play mode")]
)
def test_another_refusal_than_busy_ends_the_waiting(pair: Pair, meanwhile: str, words: str) -> None:
    shuffling_the_other(pair)
    pair.device.machine.agenda.clear()
    pair.dispense(5)
    pair.wait(StackDelayed)
    pair.act(meanwhile)
    assert pair.run(
        5, lambda: f"it does not dispense: {words}" in [e.detail for e in pair.said(DeviceFaulted)]
    )
    heard = len(orders_heard(pair))
    pair.run(10)
    assert len(orders_heard(pair)) == heard


def test_a_halt_ends_the_waiting_and_the_order_stays_void(pair: Pair) -> None:
    shuffling_the_other(pair)
    pair.dispense(5)
    pair.wait(StackDelayed)
    pair.host.halt(pair.now)
    pair.host.free(pair.now)
    pair.flush()
    pair.run(30)
    assert (pair.said(StackDispensed), faults(pair)) == ([], [])
    pair.dispense(4)
    assert pair.wait(StackDispensed).count == 4
    pair.run(10)
    assert len(pair.said(StackDispensed)) == 1


def test_an_order_that_was_on_its_way_when_it_was_recalled_does_not_begin_to_wait(pair: Pair) -> None:
    shuffling_the_other(pair)
    pair.dispense(5)
    pair.run(0.001)
    pair.host.halt(pair.now)
    pair.host.free(pair.now)
    pair.dispense(3)
    assert pair.wait(StackDispensed).count == 3
    pair.run(30)
    assert (len(pair.said(StackDispensed)), len(pair.said(StackDelayed)), faults(pair)) == (1, 1, [])


def test_a_stack_that_was_on_its_way_out_when_it_was_recalled_stays_inside(pair: Pair) -> None:
    shuffled(pair).device.machine.speed = 1.0
    pair.dispense(5)
    pair.run(0.3)
    pair.host.halt(pair.now)
    pair.host.free(pair.now)
    pair.dispense(3)
    assert pair.wait(StackDispensed).count == 3
    pair.run(10)
    assert (len(pair.said(StackDispensed)), len(pair.device.machine.ready), faults(pair)) == (1, 49, [])


def test_a_dead_link_ends_the_waiting(pair: Pair) -> None:
    shuffling_the_other(pair).device.machine.speed = 2.0
    pair.dispense(5)
    pair.wait(StackDelayed)
    pair.is_cut = True
    pair.wait(LinkLost)
    pair.is_cut = False
    pair.wait(LinkRestored)
    pair.run(30)
    assert pair.said(ShuffleCompleted)[-1].deck == "B"
    assert (pair.said(StackDispensed), faults(pair)) == ([], [])


def test_leaving_ends_the_waiting(pair: Pair) -> None:
    shuffling_the_other(pair)
    pair.dispense(5)
    pair.wait(StackDelayed)
    pair.host.leave(pair.now)
    pair.flush()
    assert pair.host.deadline is None


def test_two_orders_at_a_time_are_told_and_not_forgotten(pair: Pair) -> None:
    shuffling_the_other(pair)
    pair.dispense(5)
    pair.dispense(4)
    assert pair.wait(DeviceFaulted).detail == "it does not dispense: it is busy with another order"


def test_a_number_that_was_taken_on_is_not_taken_on_again(pair: Pair) -> None:
    shuffled(pair)
    pair.dispense(5)
    pair.wait(StackDispensed)
    pair.host._orders -= 1
    pair.dispense(5)
    assert pair.wait(DeviceFaulted).detail == "it does not dispense: the order makes no sense to it"
    pair.run(10)
    assert len(pair.said(StackDispensed)) == 1


@pytest.mark.parametrize("place", [1, 4])
def test_a_jam_ends_a_shuffle_that_waits_and_is_the_only_fault(pair: Pair, place: int) -> None:
    pair.device.machine.intake = []
    pair.shuffle()
    pair.run(1.5)
    pair.act(f"jam {place} 2")
    pair.wait(DeviceJammed)
    pair.run(10)
    assert (pair.said(ShufflerStopped), faults(pair)) == ([], [])
    pair.host.retest("device", pair.now)
    pair.wait(DeviceRetested)
    pair.host.clear(pair.now)
    pair.act("load red")
    pair.run(10)
    assert pair.said(ShuffleStarted) == []
    pair.shuffle()
    assert pair.wait(ShuffleCompleted).deck == "A"


def test_a_jam_that_is_told_after_the_answer_ends_it_too(pair: Pair) -> None:
    pair.device.machine.intake = []
    pair.shuffle()
    pair.run(0.5)
    pair.device.machine.fault = 1
    pair.run(0.8)
    pair.device.machine.jam(pair.now, 1, 2)
    pair.wait(DeviceJammed)
    pair.run(10)
    assert pair.said(ShufflerStopped) == []


def test_a_latch_that_the_device_tells_nobody_of_stops_the_shuffle(pair: Pair) -> None:
    pair.device.machine.intake = []
    pair.shuffle()
    pair.run(0.5)
    pair.device.machine.fault = 1
    assert pair.wait(ShufflerStopped).cause == "it does not shuffle: a fault is latched"


def test_a_fault_of_the_device_ends_a_shuffle_that_waits_and_is_the_only_one(pair: Pair) -> None:
    pair.device.machine.intake = []
    pair.shuffle()
    pair.run(1.5)
    pair.act("fault 5")
    pair.wait(DeviceFaulted)
    pair.run(10)
    assert (faults(pair), pair.said(ShufflerStopped)) == ([("shuffler", "device")], [])


def test_a_deck_that_is_ordered_again_while_it_is_shuffled_is_not_shuffled_twice(pair: Pair) -> None:
    pair.shuffle("A")
    pair.wait(ShuffleStarted)
    pair.shuffle("A")
    pair.wait(ShuffleCompleted)
    pair.act("load red")
    pair.run(10)
    assert len(pair.said(ShuffleStarted)) == 1


# ---------------------------------------------------------------- hold and free


def test_a_halt_goes_before_orders_that_wait_and_voids_them(pair: Pair) -> None:
    shuffled(pair)
    pair.host.dispense(3, pair.now)
    pair.host.dispense(4, pair.now)
    pair.host.halt(pair.now)
    pair.flush()
    pair.run(5)
    assert pair.device.machine.held
    assert pair.said(StackDispensed) == []
    pair.host.free(pair.now)
    pair.flush()
    pair.run(15)
    assert not pair.device.machine.held
    assert (pair.said(StackDispensed), faults(pair)) == ([], [])


def test_a_gate_is_brought_where_the_table_wants_it(pair: Pair) -> None:
    pair.host.closed("unplugged", pair.now)
    pair.host.halt(pair.now)
    pair.host.free(pair.now)
    pair.host.halt(pair.now)
    pair.host.opened(pair.now)
    pair.flush()
    pair.up()
    assert pair.device.machine.held


def test_a_device_that_hears_no_host_holds_by_itself(pair: Pair) -> None:
    pair.is_cut = True
    assert pair.run(2.5, lambda: pair.device.machine.held)


def test_leaving_holds_the_cards(pair: Pair) -> None:
    pair.host.leave(pair.now)
    pair.flush()
    pair.run(0.1)
    assert pair.device.machine.held
    assert pair.host.deadline is None
    pair.host.leave(pair.now)


# ---------------------------------------------------------------- modes, faults, tests


def test_modes(pair: Pair) -> None:
    pair.act("mode sort")
    assert pair.wait(DeviceModeChanged).mode == "sort"
    pair.act("mode play")
    assert pair.wait(DeviceModeChanged).mode == "play"


def test_cards_left_inside(pair: Pair) -> None:
    shuffled(pair).act("empty 16")
    emptied = pair.wait(DeviceEmptied)
    assert (emptied.cards_in, emptied.cards_out) == (52, 36)


@pytest.mark.parametrize(
    ("number", "kind"),
    [(3, "short_stack"), (7, "not_emptied"), (9, "deck_color"), (4, "device"), (77, "device")],
)
def test_faults_of_the_device(pair: Pair, number: int, kind: str) -> None:
    pair.act(f"fault {number}")
    assert pair.wait(DeviceFaulted).fault == kind


def test_a_fault_goes_when_it_was_tested_and_released(pair: Pair) -> None:
    pair.act("remain 1")
    pair.act("fault 5")
    pair.wait(DeviceFaulted)
    for is_good in (False, True):
        pair.host.retest("device", pair.now)
        pair.flush()
        tested = pair.wait(DeviceRetested)
        assert (tested.device, tested.fault, tested.good) == ("shuffler", "device", is_good)
        left = "a motor (take away what blocks it, else have the device serviced, then test again)"
        assert tested.detail == ("" if is_good else left)
        pair.act("remain 0")
    assert pair.device.machine.fault == 5
    pair.host.clear(pair.now)
    pair.flush()
    assert pair.run(2, lambda: pair.host.reporter.fault == 0)
    assert pair.device.machine.fault == 0
    pair.host.clear(pair.now)
    assert pair.host.take_wires() == b""


def test_a_release_that_was_not_tested_is_refused(pair: Pair) -> None:
    pair.act("fault 5")
    pair.wait(DeviceFaulted)
    pair.host.clear(pair.now)
    pair.flush()
    assert pair.wait(DeviceFaulted).detail == "it does not obey: a fault is latched"


def test_a_test_without_a_result_is_not_good(pair: Pair) -> None:
    pair.host.retest("", pair.now)
    pair.flush()
    pair.run(0.02)
    pair.device.machine.agenda.clear()
    tested = pair.wait(DeviceRetested)
    assert (tested.fault, tested.good) == ("all", False)
    assert tested.detail == "a test was accepted and had no result"


def test_a_test_that_stays_bad_names_the_open_door_beside_what_is_latched(pair: Pair) -> None:
    pair.act("remain 1")
    pair.act("fault 6")
    pair.wait(DeviceFaulted)
    pair.act("door 3 open")
    pair.wait(DeviceFaulted)
    pair.host.retest("device", pair.now)
    pair.flush()
    told = pair.wait(DeviceRetested).detail
    assert told == "the reader (clean it, else have the device serviced, then test again); " + words.SHUT_IT


def test_a_cycle_that_begins_and_never_ends_is_stopped_when_its_time_is_over(pair: Pair) -> None:
    pair.device.machine.speed = 0.001
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.run(239)
    assert pair.said(ShufflerStopped) == []
    pair.run(3)
    assert len(pair.said(ShufflerStopped)) == 1


def test_only_one_end_is_that_of_a_cycle_that_was_passed_over() -> None:
    reporter = Reporter(name="shuffler", is_fresh=False, is_passed_over=True)
    assert not any(isinstance(each, DeviceFaulted) for each in reporter._ended_unbegun("A"))
    (told,) = reporter._ended_unbegun("A")
    assert isinstance(told, DeviceFaulted)


def test_what_a_test_found_that_no_fault_has_told_is_said_so() -> None:
    reporter = Reporter(name="shuffler")
    bad = m.Retested(1, 0, 0, 0)
    (told,) = reporter.on(bad, 1.0)
    assert isinstance(told, DeviceRetested)
    assert told.detail == "it tested itself and is not good, and has told no fault (have it serviced)"
    reporter.on(m.DoorMoved(2, 0, 3, 1), 2.0)
    (told,) = reporter.on(m.Retested(3, 0, 0, 0), 3.0)
    assert isinstance(told, DeviceRetested)
    assert told.detail == "the service door is open (close it)"
    reporter.on(m.DoorMoved(4, 0, 3, 0), 4.0)
    reporter.asked_of = "device"
    (told,) = reporter.on(m.Retested(5, 0, 0, 1), 5.0)
    assert isinstance(told, DeviceRetested)
    assert (told.good, told.detail) == (True, "")


def test_each_fault_of_the_page_has_what_lifts_it() -> None:
    assert words.LIFTS.keys() == words.FAULT_WORDS.keys()
    assert (
        words.remaining(99, words.FAULT_WORDS, words.LIFTS)
        == "its fault 99 (its manual says what lifts it, then test again)"
    )


def test_what_is_not_connected_cannot_be_ordered(pair: Pair) -> None:
    pair.host.closed("unplugged", pair.now)
    pair.shuffle("B")
    pair.dispense(3)
    pair.host.retest("lost_link", pair.now)
    pair.host.clear(pair.now)
    pair.host.query(pair.now)
    pair.flush()
    assert (pair.said(ShufflerStopped)[0].deck, pair.said(ShufflerStopped)[0].cause) == (
        "B",
        "it does not shuffle: it is not connected",
    )
    assert pair.said(DeviceFaulted)[0].detail == "it does not dispense: it is not connected"
    assert not pair.said(DeviceRetested)[0].good
    assert pair.said(DeviceRetested)[0].detail == "not connected: unplugged"


# ---------------------------------------------------------------- the link


def test_a_dead_link_is_one_event_and_a_recovered_one_another(pair: Pair) -> None:
    pair.is_cut = True
    lost = pair.wait(LinkLost)
    assert (lost.device, lost.reason) == ("shuffler", "silent for 2 s")
    assert pair.run(30, lambda: pair.host.is_port_suspect)
    pair.run(30)
    assert len(pair.said(LinkLost)) == 1
    pair.is_cut = False
    pair.wait(LinkRestored)
    assert len(pair.events) == 2


def test_a_shuffle_that_ended_while_nothing_was_heard_is_told_before_the_link_counts() -> None:
    pair = Pair(machine=Machine(speed=3.0)).up()
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.is_cut = True
    pair.run(30)
    assert pair.device.machine.cycles == 1
    pair.is_cut = False
    pair.wait(LinkRestored)
    kinds = [type(event) for event in pair.events]
    assert kinds == [ShuffleStarted, LinkLost, ShuffleCompleted, LinkRestored]
    assert len(set(pair.said(ShuffleCompleted)[0].composition)) == 52


def test_a_stack_that_came_while_nothing_was_heard_is_told_once(pair: Pair) -> None:
    shuffled(pair)
    pair.dispense(4)
    pair.run(0.02)
    pair.is_cut = True
    pair.wait(LinkLost)
    assert pair.device.machine.stacks == 1
    pair.is_cut = False
    pair.wait(LinkRestored)
    assert [type(event) for event in pair.events[2:]] == [LinkLost, StackDispensed, LinkRestored]
    assert len(pair.said(StackDispensed)[0].cards) == 4


def test_a_cycle_that_goes_on_over_a_dead_link() -> None:
    pair = Pair(machine=Machine(speed=1.0)).up()
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.is_cut = True
    pair.wait(LinkLost)
    pair.is_cut = False
    pair.wait(LinkRestored)
    assert pair.wait(ShuffleCompleted, 90).count == 52
    assert pair.said(ShufflerStopped) == []


def test_an_event_whose_acknowledgement_was_lost_counts_once(pair: Pair) -> None:
    pair.tamper = lambda to, data: b"" if to == "device" else data
    pair.act("mode sort")
    pair.wait(LinkLost)
    pair.tamper = lambda _to, data: data
    pair.wait(LinkRestored)
    pair.run(2)
    assert [event.mode for event in pair.said(DeviceModeChanged)] == ["sort"]
    assert not pair.device.link.kept


def test_a_reboot_in_the_cycle_stops_it(pair: Pair) -> None:
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.act("reboot")
    pair.wait(LinkRestored)
    assert pair.said(ShufflerStopped)[0].cause == "the cycle was broken off while nothing was heard"
    pair.act("load")
    assert shuffled(pair).said(ShuffleCompleted)[0].count == 52


def test_state_is_read_anew(pair: Pair) -> None:
    pair.is_cut = True
    pair.wait(LinkLost)
    machine, link = pair.device.machine, pair.device.link
    machine.change_mode(pair.now, 4)
    machine.doors, machine.fault = 4, 7
    link.kept.clear()
    link.restart()
    pair.is_cut = False
    pair.wait(LinkRestored)
    assert [event.mode for event in pair.said(DeviceModeChanged)] == ["service"]
    assert faults(pair) == [("shuffler", "not_emptied"), ("shuffler", "device")]
    pair.host.query(pair.now)
    pair.flush()
    pair.run(1)
    assert faults(pair)[2:] == [("shuffler", "device")]


def test_a_device_that_parts(pair: Pair) -> None:
    link = pair.device.link
    link._say("PARTING", {"reason": 4})
    pair.post("host", link.take_out())
    assert pair.wait(LinkLost).reason == "the device ended the session"
    pair.wait(LinkRestored)


def test_a_device_that_tells_no_state() -> None:
    deaf = Pair()
    deaf.device.link._command = lambda *_: None  # type: ignore[method-assign]
    assert deaf.wait(LinkLost).reason == "it does not tell its state"


def test_a_command_without_an_answer(pair: Pair) -> None:
    pair.device.link._command = lambda *_: None  # type: ignore[method-assign]
    pair.dispense(3, "A")
    pair.host.halt(pair.now)
    pair.flush()
    pair.run(5)
    assert {event.detail for event in pair.said(DeviceFaulted)} == {
        "it does not dispense: no answer",
        "it does not hold: no answer",
    }


def test_a_full_store_of_events_is_a_fault_of_the_device(pair: Pair) -> None:
    pair.is_cut = True
    for _ in range(256):
        pair.device.machine.move_door(pair.now, 1, is_open=True)
    assert (pair.device.machine.fault, len(pair.device.link.kept)) == (12, 256)


# ---------------------------------------------------------------- bad lines


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_by_byte", [False, True])
def test_every_exchange_over_a_bad_line_ends_right_or_in_a_dead_link(seed: int, is_by_byte: bool) -> None:
    line = Line(loss=0.2, flips=0.15, delay_s=0.005, jitter_s=0.04, by_byte=is_by_byte)
    pair = Pair(line=line, seed=seed)
    assert pair.run(120, lambda: pair.host.is_up)
    pair.shuffle()
    assert pair.run(200, lambda: pair.said(ShuffleCompleted) or pair.said(ShufflerStopped))
    for done in pair.said(ShuffleCompleted):
        assert done.composition == tuple(Secret(each.code) for each in pack())
    pair.run(120, lambda: pair.host.is_up)
    pair.dispense(5)
    assert pair.run(30, lambda: _ended(pair))
    assert pair.host.codec.statistics.crc_errors > 0
    assert {fault for _, fault in faults(pair)} <= {"device"}


def _ended(pair: Pair) -> Any:
    return pair.said(StackDispensed) or pair.said(LinkLost) or pair.said(DeviceFaulted)


@pytest.mark.parametrize("how", ["drop", "twice", "half", "noise", "flip"])
def test_spoiled_frames_change_nothing(pair: Pair, how: str) -> None:
    pair.act(f"spoil {' '.join([how] * 5)}")
    shuffled(pair)
    assert (len(pair.events), pair.said(ShuffleCompleted)[0].count) == (2, 52)


def test_a_line_that_never_answers_ends() -> None:
    pair = Pair(line=Line(loss=1.0))
    assert pair.wait(LinkLost).reason == "no answer to greeting, asked 10 times"


def test_a_session_that_is_over_is_gone_and_the_next_begins_after_its_pause(pair: Pair) -> None:
    pair.host._again("for a reason", pair.now, 3.0)

    assert pair.host.session is None
    assert pair.host.why == "for a reason"
    assert pair.host._next_try == pair.now + 3.0
