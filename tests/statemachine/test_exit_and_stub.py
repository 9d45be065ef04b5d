"""An automated shoe's exit, its stub, and the decks that lie in it: what is named, ordered and heard, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary.effects import Dispense, EjectStub, HaltShoe, StartShuffle, VoidRound
from sabot.statemachine.vocabulary.events import (
    DecksFound,
    DeviceEmptied,
    DeviceFaulted,
    DeviceRetested,
    Exit,
    Key,
    Role,
    RoleLocked,
    ShuffleBlocked,
    ShuffleStarted,
    StackDelayed,
    StackTaken,
    StubEjected,
)

from .shift import Shift

if TYPE_CHECKING:
    from collections.abc import Callable

each_exit = pytest.mark.parametrize("exit_", [Exit.SENSED, Exit.UNSENSED])


def locked(chapter: str = "pa641a", seats: tuple[int, ...] = (1, 2), **changes: Any) -> Shift:
    machine: dict[str, Any] = {"method": "auto_shoe", "one_machine": True}
    shift = Shift(chapter, **(machine | changes))
    shift.open_table()
    for seat in seats:
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.stack()
    return shift


def taken(shift: Shift, exit_: Exit) -> None:
    """The dealer takes the stack; where nobody sees that, by key."""
    if exit_ is Exit.SENSED:
        shift.send(StackTaken, device="shoe")
    else:
        shift.ok()


def orders(shift: Shift) -> list[int]:
    return [effect.count for effect in shift.said(Dispense)]


def ejects(shift: Shift) -> list[str]:
    return [effect.deck for effect in shift.said(EjectStub)]


def racked(shift: Shift) -> Shift:
    """The stub lies in the exit, and the dealer has it."""
    while shift.wanted:
        shift.dispense(shift.wanted)
    return shift


# ---------------------------------------------------------------- the exit


@each_exit
def test_641a_10b_the_next_seat_is_named_when_the_stack_was_taken(exit_: Exit) -> None:
    shift = locked()
    ok = ", OK" * (exit_ is Exit.UNSENSED)
    shift.mark()
    assert shift.prompt == ("5 CARDS TO", "SEAT 1")
    shift.dispense(5, exit_)
    assert shift.prompt == ("TAKE THE STACK", f"SEAT 1{ok}")
    assert shift.table.rooms.display.shown()[-1] == 1
    assert orders(shift) == []
    taken(shift, exit_)
    assert shift.prompt == ("5 CARDS TO", "SEAT 2")
    assert orders(shift) == [5]


@each_exit
def test_641a_10c_the_stub_is_named_and_ordered_when_the_last_stack_was_taken(exit_: Exit) -> None:
    shift = locked(seats=(1,))
    shift.dispense(5, exit_)
    taken(shift, exit_)
    shift.dispense(5, exit_)
    taken(shift, exit_)
    shift.mark()
    first, second = shift.prompt
    shift.dispense(5, exit_)
    assert shift.is_in(Phase.STUB)
    assert shift.prompt[0] == first
    assert shift.prompt[1] in (second, f"{second}, OK")
    assert ejects(shift) == []
    taken(shift, exit_)
    assert shift.is_in(Phase.STUB)
    assert shift.prompt[0] == "STUB TO RACK"
    assert ejects(shift) == ["A"]
    shift.ok()
    assert shift.is_in(Phase.DECIDING)


def test_policy_ok_does_not_say_what_the_exit_sees_itself() -> None:
    shift = locked()
    shift.dispense(5, Exit.SENSED)
    shift.ok()
    assert shift.why == "take the stack: the shoe sees when its exit is empty"
    assert shift.prompt == ("TAKE THE STACK", "SEAT 1")


def test_policy_a_stack_that_is_taken_while_the_table_is_held_is_followed_by_the_next_after_the_release() -> (
    None
):
    shift = locked()
    shift.dispense(5, Exit.SENSED)
    shift.send(DeviceFaulted, device="pads", fault="device")
    shift.mark()
    shift.send(StackTaken, device="shoe")
    assert orders(shift) == []
    shift.send(DeviceRetested, device="pads", fault="all", good=True)
    shift.technician("RELEASE")
    assert orders(shift) == [5]


def test_641a_10b_a_shoe_that_waits_for_its_exit_has_the_dealer_take_the_stack() -> None:
    shift = locked()
    shift.send(StackDelayed, device="shoe", by_exit=True)
    assert shift.prompt == ("EMPTY THE EXIT", "THEN 5 CARDS")
    shift.dispense(5)
    shift.send(StackDelayed, device="shoe", by_exit=True)
    assert shift.prompt == ("TAKE THE STACK", "SEAT 1")
    shift.dispense(5)
    assert shift.prompt == ("5 CARDS TO", "DEALER")


@each_exit
def test_policy_what_lies_there_after_the_stack_was_taken_is_of_no_seat(exit_: Exit) -> None:
    shift = locked()
    shift.dispense(5, exit_)
    taken(shift, exit_)
    shift.send(StackDelayed, device="shoe", by_exit=True)
    assert shift.prompt == ("EMPTY THE EXIT", "THEN 5 CARDS")


@pytest.mark.parametrize("chapter", ["pa641a", "pa683a"])
def test_policy_an_exit_that_is_never_told_as_empty_is_the_floors_and_then_the_dealers(chapter: str) -> None:
    shift = locked(chapter)
    shift.dispense(shift.wanted, Exit.SENSED)
    shift.send(DeviceFaulted, device="shoe", fault="exit_sensor", detail="told as occupied for 120 s")
    assert shift.prompt == ("HELD: EXIT OCCUPIED", "FLOOR: EMPTY EXIT")
    shift.mark()
    shift.floor("RELEASE")
    assert orders(shift) == []
    first, second = shift.prompt
    assert first == "TAKE THE STACK"
    assert second.endswith(", OK")
    shift.ok()
    assert orders(shift) == [shift.wanted]


def test_policy_a_shoe_that_goes_on_refusing_for_its_exit_voids_by_the_floor() -> None:
    shift = locked()
    shift.dispense(5, Exit.SENSED)
    shift.send(DeviceFaulted, device="shoe", fault="exit_sensor")
    shift.unlock()
    shift.press(Key.FLOOR)
    assert "VOID ROUND" in shift.titles()
    shift.send(RoleLocked, role=Role.FLOOR)
    shift.floor("VOID ROUND")
    assert shift.said(VoidRound)


def test_policy_a_doubt_about_an_empty_exit_leaves_the_deal_as_it_was() -> None:
    shift = locked()
    shift.send(DeviceFaulted, device="shoe", fault="exit_sensor")
    shift.mark()
    shift.floor("RELEASE")
    assert orders(shift) == [5]


# ---------------------------------------------------------------- the stub


def test_641a_10c_what_is_left_is_ordered_out_once_and_out_of_its_deck() -> None:
    shift = locked(decks=2)
    assert {effect.deck for effect in shift.said(Dispense)} == {"A"}
    racked(shift)
    assert ejects(shift) == ["A"]
    shift.send(StubEjected, device="shoe", deck="A", count=52 - shift.table.state.play.current.drawn)
    assert shift.table.state.trouble.holds == []
    shift.send(StackTaken, device="shoe")
    assert ejects(shift) == ["A"]


def test_679a_10c_the_stub_of_which_fourth_cards_are_dealt_is_ordered_out_before_them() -> None:
    shift = Shift("pa679a", method="auto_shoe")
    shift.open_table()
    shift.bet(1, ante=1000, pair_bonus=500)
    shift.lock()
    shift.stack()
    while shift.wanted:
        shift.dispense(shift.wanted, Exit.SENSED)
        shift.send(StackTaken, device="shoe")
    assert shift.is_in(Phase.DEALING)
    assert ejects(shift) == ["A"]
    shift.ok(1)
    assert ejects(shift) == ["A"]


def test_641a_10d_a_stub_of_another_number_holds_the_table_and_is_counted() -> None:
    shift = racked(locked())
    left = 52 - shift.table.state.play.current.drawn
    shift.send(StubEjected, device="shoe", deck="A", count=left - 1)
    (held,) = shift.table.state.trouble.holds
    assert (held.kind, held.why) == ("contradiction", f"a stub of {left - 1}, {left} were left")
    shift.send(DeviceRetested, device="shoe", fault="all", good=True)
    shift.floor("RELEASE")
    assert shift.prompt[0] == "COUNT STUB: -"
    assert ejects(shift) == ["A"]


def test_641a_13_a_void_round_has_the_rest_put_out_when_the_wagers_are_back() -> None:
    shift = locked()
    shift.dispense(5)
    shift.menu("WRONG NUMBER", "seat1")
    assert shift.is_in(Phase.RETURNING)
    assert ejects(shift) == []
    shift.ok()
    assert ejects(shift) == ["A"]
    shift.send(StubEjected, device="shoe", deck="A", count=3)
    assert shift.table.state.trouble.holds == []


def test_policy_a_stub_that_a_halt_recalled_is_ordered_again_at_the_release() -> None:
    shift = racked(locked())
    shift.send(DeviceFaulted, device="pads", fault="device")
    assert shift.said(HaltShoe)
    shift.mark()
    shift.send(DeviceRetested, device="pads", fault="all", good=True)
    shift.technician("RELEASE")
    assert ejects(shift) == ["A"]


# ---------------------------------------------------------------- decks that are gone

GONE: dict[str, Callable[[Shift], object]] = {
    "emptied": lambda shift: shift.send(DeviceEmptied, device="shoe", cards_in=52, cards_out=52),
    "emptied of it": lambda shift: shift.send(
        DeviceEmptied, device="shoe", cards_in=52, cards_out=52, deck="A"
    ),
    "ejected": lambda shift: shift.send(StubEjected, device="shoe", deck="A", count=52),
    "ejected, all": lambda shift: shift.send(StubEjected, device="shoe", deck="", count=52),
    "not found": lambda shift: shift.send(DecksFound, device="shoe", decks=()),
}
each_way = pytest.mark.parametrize("way", GONE)


@each_way
def test_641a_5a_no_bet_is_taken_over_a_shoe_without_its_deck(way: str) -> None:
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.open_table()
    shift.bet(2, ante=1000)
    assert shift.table.rooms.display.open_spots()
    GONE[way](shift)
    assert not shift.table.rooms.display.open_spots()
    assert shift.prompt == ("DECK A NOT READY", "FLOOR: RESHUFFLE")
    shift.press(Key.LOCK)
    assert shift.why == "no deck is ready"
    shift.mark()
    shift.floor("RESHUFFLE")
    assert shift.said(StartShuffle, deck="A")
    shift.send(ShuffleStarted, deck="A")
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.table.rooms.display.open_spots()


@each_way
def test_641a_13f_a_deck_that_leaves_the_shoe_in_the_deal_voids_the_round(way: str) -> None:
    shift = locked()
    shift.dispense(5)
    GONE[way](shift)
    assert shift.said(VoidRound)


@each_way
def test_641a_5a_a_deck_that_leaves_the_shoe_before_the_first_order_is_shuffled_for_the_round(
    way: str,
) -> None:
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.COUNTING_CHIPS)
    shift.mark()
    GONE[way](shift)
    assert not shift.said(VoidRound)
    assert shift.said(StartShuffle, deck="A")
    assert shift.table.state.stock.decks["A"].reshuffle


def test_641a_3b_the_other_deck_that_leaves_the_machine_is_shuffled_anew_and_the_round_goes_on() -> None:
    shift = locked(decks=2)
    shift.send(ShuffleStarted, deck="B")
    shift.shuffler_done("B")
    assert shift.table.state.stock.decks["B"].ready
    shift.send(DeviceEmptied, device="shoe", cards_in=52, cards_out=52, deck="B")
    assert not shift.said(VoidRound)
    assert not shift.table.state.stock.decks["B"].ready


def test_policy_decks_that_are_found_are_dealt() -> None:
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.open_table()
    shift.send(DecksFound, device="shoe", decks=("A",))
    shift.send(DecksFound, device="shoe", decks=("",))
    assert shift.table.state.stock.decks["A"].ready


def test_policy_what_a_shoe_that_is_loaded_by_hand_holds_is_the_dealers_affair() -> None:
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.send(DecksFound, device="shoe", decks=())
    shift.send(DeviceEmptied, device="shoe", cards_in=52, cards_out=52)
    assert shift.table.state.stock.decks["A"].ready


# ---------------------------------------------------------------- cards in the way of a shuffle


def test_641a_5a_cards_in_the_way_of_a_shuffle_are_put_out_and_the_display_says_so() -> None:
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.receive()
    shift.verify_cards()
    shift.wash()
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    shift.send(ShuffleBlocked, device="shoe", deck="A")
    assert shift.prompt == ("CARDS IN THE MACHINE", "TAKE THEM OUT")
    assert ejects(shift) == [""]
    shift.send(ShuffleStarted, deck="A")
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")


@pytest.mark.parametrize(
    ("taken", "facts"),
    [(StubEjected, {"count": 52, "deck": "A"}), (DeviceEmptied, {"cards_in": 52, "cards_out": 52})],
)
def test_641a_5a_once_they_are_out_the_deck_goes_in(
    taken: type[StubEjected | DeviceEmptied], facts: dict[str, Any]
) -> None:
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.receive()
    shift.verify_cards()
    shift.wash()
    shift.send(ShuffleBlocked, device="shoe", deck="A")
    shift.send(taken, device="shoe", **facts)
    assert shift.prompt == ("PUT DECK A IN", "TO BE SHUFFLED")
    shift.send(taken, device="shoe", **facts)
    assert shift.prompt == ("PUT DECK A IN", "TO BE SHUFFLED")
    shift.send(ShuffleBlocked, device="shoe", deck="A")
    assert shift.prompt == ("CARDS IN THE MACHINE", "TAKE THEM OUT")
    shift.send(taken, device="shoe", **facts)
    shift.send(ShuffleStarted, deck="A")
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")


def test_641a_5a_a_shuffler_that_waits_for_its_deck_has_it_asked_for() -> None:
    """The display read WAIT, and nobody was asked for anything."""
    shift = Shift(method="auto_shoe", one_machine=True)
    shift.receive()
    shift.verify_cards()
    shift.wash()
    shift.send(ShuffleBlocked, device="shoe", deck="A", is_empty=True)
    assert shift.prompt == ("PUT DECK A IN", "TO BE SHUFFLED")
    assert ejects(shift) == []
    shift.send(ShuffleStarted, deck="A")
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")


def test_641a_5a_a_ready_deck_is_not_put_out_with_them() -> None:
    shift = Shift(method="auto_shoe", one_machine=True, decks=2)
    shift.open_table()
    shift.mark()
    shift.send(ShuffleBlocked, device="shoe", deck="B")
    assert ejects(shift) == ["B"]


def test_641a_10b_nothing_is_put_out_while_stacks_are_dealt() -> None:
    shift = locked(decks=2)
    shift.mark()
    shift.send(ShuffleBlocked, device="shoe", deck="B")
    assert ejects(shift) == []


def test_5g_a_reshuffler_is_a_machine_too() -> None:
    shift = Shift(method="auto_shoe_reshuffle", shuffler=Shuffler.RESHUFFLER)
    shift.open_table()
    shift.send(DecksFound, device="shoe", decks=())
    assert not shift.table.state.stock.decks["A"].ready


def test_641a_10c_a_stack_whose_division_fills_the_display_is_divided_and_then_ok() -> None:
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.bet(1, ante=1000, six_card=500)
    shift.lock()
    shift.stack()
    for _ in range(2):
        shift.dispense(5, Exit.UNSENSED)
        shift.ok()
    first, second = shift.prompt
    assert second == "SIX CARD, 3 TO RACK"
    shift.dispense(5, Exit.UNSENSED)
    assert shift.prompt == (first, "DIVIDE IT, THEN OK")


def test_policy_a_stack_is_not_taken_where_none_lies() -> None:
    shift = locked()
    with pytest.raises(Refused, match="no stack lies in the exit"):
        shift.table.rooms.actions.verify("stack_taken")
