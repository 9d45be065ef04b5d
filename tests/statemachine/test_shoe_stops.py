"""x.13(f): an automated shoe that jams, stops or fails to deal all cards voids the round; (c): too many at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Policies
from sabot.statemachine.vocabulary.effects import (
    Dispense,
    HaltShoe,
    LockWagers,
    ReturnWager,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    Key,
    LinkLost,
    LinkRestored,
    Secret,
    ShuffleStarted,
    StackDispensed,
)

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

if TYPE_CHECKING:
    from collections.abc import Callable

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
NO_POLICY = Policies(**dict.fromkeys(Policies.__dataclass_fields__, False))
# Every word in which a shoe, or its line, says that it deals no more.
STOPS: dict[str, Callable[[Shift], object]] = {
    "jam": lambda shift: shift.send(DeviceJammed, device="shoe", cause="card stuck"),
    "motor": lambda shift: shift.send(DeviceFaulted, device="shoe", fault="motor", detail="stalled"),
    "line": lambda shift: shift.send(LinkLost, device="shoe", reason="silent"),
    "line, by the device": lambda shift: shift.send(DeviceFaulted, device="shoe", fault="lost_link"),
    "a stack that never came": lambda shift: shift.send(
        DeviceFaulted, device="shoe", fault="device", detail="no stack in 20 s"
    ),
    "no cards left": lambda shift: shift.send(DeviceFaulted, device="shoe", fault="short_stack"),
    "a short stack": lambda shift: shift.dispense(shift.wanted - 1),
    "another mode": lambda shift: shift.send(DeviceModeChanged, device="shoe", mode="sort"),
    "emptied": lambda shift: shift.send(DeviceEmptied, device="shoe", cards_in=52, cards_out=40),
}
each_stop = pytest.mark.parametrize("stop", STOPS)


def locked(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **({"method": "auto_shoe"} | changes))
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.stack()
    return shift


def voids(shift: Shift) -> list[str]:
    return [each.cite for each in shift.said(VoidRound)]


def jam_cite(chapter: str) -> str:
    return law(chapter).irregularities["shoe_jam"].cite


# ---------------------------------------------------------------- certain: void at once


@each_stop
@each_chapter
def test_x_13f_a_shoe_that_stops_in_the_deal_by_whatever_word_voids_the_round(
    chapter: str, stop: str
) -> None:
    shift = locked(chapter)
    shift.draw()
    assert shift.is_in(Phase.DEALING)
    shift.mark()
    STOPS[stop](shift)
    assert voids(shift) == [jam_cite(chapter)]
    assert {(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)} == {
        (2, "ante", 1000),
        (5, "ante", 1000),
    }
    assert shift.is_in(Phase.RETURNING)
    assert len(shift.said(HaltShoe)) == 1


@each_stop
def test_641a_13f_no_policy_switches_the_paragraph_off(stop: str) -> None:
    shift = locked(policies=NO_POLICY)
    shift.draw()
    shift.mark()
    STOPS[stop](shift)
    assert voids(shift) == ["641a.13(f)"]
    assert shift.said(HaltShoe)


@each_stop
@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY])
def test_641a_13f_after_the_void_the_same_cards_are_shuffled_before_they_are_dealt(
    stop: str, method: str, knowledge: Knowledge
) -> None:
    shift = locked(method=method, knowledge=knowledge)
    shift.draw()
    STOPS[stop](shift)
    shift.ok()
    assert shift.prompt == ("FAULT: CARDS TO RACK", "OUT OF SHOE TOO, OK")
    shift.in_shuffler.clear()
    shift.mark()
    shift.ok()
    assert not shift.table.state.stock.decks["A"].ready
    for held in list(shift.table.state.trouble.holds):
        shift.send(DeviceModeChanged, device="shoe", mode="play")
        shift.send(DeviceRetested, device=held.device, fault="all", good=True)
        (shift.technician if held.role.value == "technician" else shift.floor)("RELEASE")
    assert shift.is_in(Phase.SHUFFLING)
    assert shift.said(StartShuffle, deck="A")
    assert not shift.said(Dispense)
    shift.send(ShuffleStarted, deck="A")
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)


@each_stop
def test_641a_13f_before_the_shoe_has_an_order_only_a_jam_voids(stop: str) -> None:
    """Chips are counted: nothing of the shoe was wanted yet, so what stops is put right and deals then."""
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    shift.wanted = 5
    shift.pack = list(range(52))
    shift.mark()
    STOPS[stop](shift)
    assert bool(voids(shift)) is (stop == "jam")


def test_641a_13f_a_shoe_that_never_had_its_order_is_ordered_when_it_is_heard_again() -> None:
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    assert shift.prompt == ("CHIPS TO TRAY", "THEN OK")
    shift.send(LinkLost, device="shoe", reason="silent")
    assert not shift.said(VoidRound)
    shift.send(LinkRestored, device="shoe")
    shift.floor("RELEASE")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


@each_stop
def test_683a_10c_what_stops_after_the_last_stack_voids_nothing(stop: str) -> None:
    """D18: what is left is dealt by hand."""
    shift = locked("pa683a")
    while shift.wanted:
        shift.draw()
    assert shift.is_in(Phase.DEALING)
    if stop == "a short stack":
        return
    shift.mark()
    STOPS[stop](shift)
    assert not voids(shift)


@each_stop
def test_641a_13f_a_shoe_that_is_drawn_from_by_hand_voids_nothing(stop: str) -> None:
    """V13."""
    shift = locked(method="manual_shoe")
    shift.draw()
    shift.mark()
    if stop == "a short stack":
        shift.send(StackDispensed, count=2)
    else:
        STOPS[stop](shift)
    assert not voids(shift)
    # Nor may the floor by this paragraph, which a chapter without an automated shoe need not have.
    with pytest.raises(NotOfferedError):
        shift.floor("VOID ROUND")


def test_641a_13f_another_device_that_stops_voids_nothing_and_the_floor_cannot_either() -> None:
    shift = locked()
    shift.draw()
    shift.mark()
    shift.send(LinkLost, device="pads", reason="silent")
    assert not voids(shift)
    with pytest.raises(NotOfferedError):
        shift.floor("VOID ROUND")


def test_641a_13f_the_lock_is_the_first_thing_a_stop_brings() -> None:
    shift = locked()
    shift.draw()
    shift.send(LinkLost, device="shoe", reason="silent")
    assert [type(each) for each in shift.last[:2]] == [LockWagers, HaltShoe]


@each_chapter
@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY, Knowledge.NONE])
def test_x_13f_the_dealer_may_say_that_the_shoe_stopped(chapter: str, knowledge: Knowledge) -> None:
    """Where no device tells it, and where the device does not."""
    shift = locked(chapter, knowledge=knowledge)
    shift.mark()
    shift.menu("IRREGULARITY", "shoe_jam")
    assert voids(shift) == [jam_cite(chapter)]
    assert shift.prompt == ("VOID: RETURN ALL", "WAGERS, THEN OK")


def test_641a_13f_the_dealer_may_say_so_while_chips_are_counted_and_not_once_all_is_dealt() -> None:
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    shift.menu("IRREGULARITY", "shoe_jam")
    assert shift.is_in(Phase.RETURNING)
    shift = locked()
    shift.deal_cards()
    with pytest.raises(NotOfferedError):
        shift.menu("IRREGULARITY", "shoe_jam")
    shift = locked(method="manual_shoe")
    shift.draw()
    with pytest.raises(NotOfferedError):
        shift.menu("IRREGULARITY", "shoe_jam")


# ---------------------------------------------------------------- a stack of another size


@pytest.mark.parametrize("count", [6, 7])
@each_chapter
def test_x_13c_a_stack_too_large_lies_at_a_place_and_voids_the_round(chapter: str, count: int) -> None:
    """It is not the first card of the next place."""
    shift = locked(chapter)
    if chapter == "md4cp":
        shift.draw()
    before, wanted = shift.table.state.play.current.drawn, shift.wanted
    shift.mark()
    shift.dispense(wanted + count - 5)
    assert voids(shift) == [law(chapter).irregularities["wrong_count"].cite]
    assert shift.table.state.play.current.drawn == before + wanted
    assert f"a stack of {wanted + count - 5}, {wanted} were wanted" in [
        note.words for note in shift.table.state.play.current.notes
    ]


def test_641a_13c_the_last_stack_too_large_lies_at_its_player_too() -> None:
    """Nothing is left to deal behind it; it is void all the same, and no card of it is the stub's."""
    for policies in (Policies(), NO_POLICY):
        shift = Shift(method="auto_shoe_reshuffle", policies=policies)
        shift.open_table()
        shift.bet(2, ante=1000)
        shift.lock()
        shift.stack()
        shift.draw()
        assert shift.table.rooms.contest.laid.order[-1].place == "seat2"
        shift.mark()
        shift.dispense(shift.wanted + 1)
        assert voids(shift) == ["641a.13(c)"]


def test_641a_13f_a_short_stack_is_never_filled_by_another_order() -> None:
    shift = locked()
    shift.mark()
    shift.dispense(3)
    assert not shift.said(Dispense)
    assert shift.table.state.play.current.drawn == 3
    assert voids(shift) == ["641a.13(f)"]


def test_641a_13c_reading_v6_a_card_too_many_at_no_players_place_is_held_and_stays_with_the_stub() -> None:
    """The last stack of a reshuffling shoe is the Six Card Bonus card alone."""
    for policies in (Policies(), NO_POLICY):
        shift = Shift(method="auto_shoe_reshuffle", policies=policies)
        shift.open_table()
        shift.bet(2, ante=1000, six_card=500)
        shift.lock()
        shift.stack()
        while shift.wanted != 1:
            shift.draw()
        shift.mark()
        shift.dispense(2)
        assert not voids(shift)
        assert [held.kind for held in shift.table.state.trouble.holds] == (
            ["short_stack"] if policies.short_stack else []
        )
        assert shift.is_in(Phase.STUB)
        assert shift.table.state.play.current.drawn == 12


# ---------------------------------------------------------------- reading V18: the floor counts first


@pytest.mark.parametrize("count", [4, 6])
def test_641a_13f_reading_v18_leaves_a_stack_of_another_size_to_the_floor(count: int) -> None:
    shift = locked(readings={"stack_count": "held"})
    shift.mark()
    shift.dispense(count)
    assert not voids(shift)
    assert shift.prompt == ("HELD: WRONG STACK", "FLOOR: COUNT, RETEST")
    shift.floor("VOID ROUND")
    assert voids(shift) == ["641a.13(f)"]
    assert not shift.said(Dispense)


@pytest.mark.parametrize("count", [4, 6])
def test_641a_13f_reading_v18_a_stack_that_the_floor_releases_is_whole_and_not_known(count: int) -> None:
    shift = locked(readings={"stack_count": "held"})
    shift.dispense(count)
    shift.send(DeviceRetested, device="shoe", fault="short_stack", good=True)
    shift.mark()
    shift.floor("RELEASE")
    assert [each.count for each in shift.said(Dispense)] == [5]
    assert shift.table.state.play.current.seen == [None] * 5
    shift.out = 5
    shift.deal()
    shift.answer_all()
    shift.ok()
    assert shift.is_in(Phase.DECLARING)


def test_641a_13f_reading_v18_the_last_stack_may_be_voided_by_the_floor_too() -> None:
    shift = locked(readings={"stack_count": "held"})
    for _ in range(3):
        shift.draw()
    shift.dispense(4)
    assert shift.table.state.play.phase is Phase.STUB
    shift.floor("VOID ROUND")
    assert shift.is_in(Phase.RETURNING)


def test_641a_13f_reading_v18_leaves_nothing_to_a_hold_that_is_switched_off() -> None:
    shift = locked(readings={"stack_count": "held"}, policies=Policies(short_stack=False))
    shift.mark()
    shift.dispense(4)
    assert voids(shift) == ["641a.13(f)"]


def test_641a_13f_what_the_sensors_doubt_is_held_and_the_floor_may_void_it() -> None:
    shift = locked()
    shift.send(StackDispensed, count=5, cards=(Secret(1), Secret(2)))
    assert shift.prompt == ("HELD: CONTRADICTION", "FLOOR: LOOK, RETEST")
    shift.mark()
    shift.floor("VOID ROUND")
    assert voids(shift) == ["641a.13(f)"]


def test_641a_13f_a_stack_that_is_short_and_read_in_part_is_short() -> None:
    shift = locked()
    shift.mark()
    shift.send(StackDispensed, count=4, cards=(Secret(1), Secret(2)))
    assert voids(shift) == ["641a.13(f)"]
