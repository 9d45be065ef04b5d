"""x.13(a) where no device sees the card: which of the way around it was, and where its place is filled from."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.effects import Dispense, VoidRound
from sabot.statemachine.vocabulary.events import DeviceJammed, Key

from .shift import Shift
from .tables import CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def locked(chapter: str, **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    side = {"pa679a": {"pair_bonus": 500}, "pa683a": {"all_six": 500}}.get(chapter, {})
    for seat in (2, 5):
        shift.bet(seat, ante=1000, **side)
    shift.lock()
    return shift


def by_hand(chapter: str, **changes: Any) -> Shift:
    """All stacks are out; the first card by hand is next."""
    shift = locked(chapter, method="auto_shoe", **changes)
    while shift.wanted:
        shift.draw()
    assert shift.is_in(Phase.DEALING)
    return shift


def offered(shift: Shift) -> list[str]:
    values = shift.table.rooms.actions.named("face_up").values
    assert values is not None
    return values()


def placed(shift: Shift) -> list[str]:
    return [str(each) for each in sorted(shift.table.state.play.current.plan)]


# ---------------------------------------------------------------- 10(c): the first card by hand after the stacks


@pytest.mark.parametrize(
    ("chapter", "first", "place"),
    [("pa679a", "10 SEAT 2 FOURTH", "seat2:fourth"), ("pa683a", "5 ALL SIX", "all_six")],
)
@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY])
def test_679a_683a_13a_the_first_card_dealt_by_hand_may_lie_face_up_and_is_the_default(
    chapter: str, first: str, place: str, knowledge: Knowledge
) -> None:
    shift = by_hand(chapter, knowledge=knowledge)
    assert offered(shift)[0] == first
    shift.menu("CARD FACE UP")
    found = int(first.partition(" ")[0])
    assert shift.table.state.play.current.face_up == [found]
    assert shift.table.state.play.current.drawn == found
    assert placed(shift)[found - 1 : found + 1] == [f"discard^@{found}", f"{place}@{found + 1}"]
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


@pytest.mark.parametrize("chapter", ["pa679a", "pa683a"])
def test_679a_683a_13a_a_card_of_the_last_stack_is_offered_after_it(chapter: str) -> None:
    shift = by_hand(chapter)
    last = [
        each
        for each in shift.table.state.play.current.plan
        if each.position == shift.table.state.play.current.drawn
    ]
    words = last[0].place.upper().replace("SEAT", "SEAT ")
    assert f"{last[0].position} {words}" in offered(shift)


@each_chapter
@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY])
def test_x_10c_no_card_is_dispensed_from_a_shoe_whose_stub_is_out(chapter: str, knowledge: Knowledge) -> None:
    """Found in the last stack, its place is filled by hand (V21)."""
    shift = locked(chapter, method="auto_shoe", knowledge=knowledge)
    while shift.wanted:
        shift.draw()
    of_stack = next(
        value for value in offered(shift) if int(value.split()[0]) <= shift.table.state.play.current.drawn
    )
    shift.mark()
    shift.menu("CARD FACE UP", of_stack)
    assert shift.prompt == ("FACE-UP CARD TO RACK", "UNUSED, THEN OK")
    shift.ok()
    assert shift.prompt[0].startswith("DEAL ")
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    assert not shift.said(Dispense)


@pytest.mark.parametrize("chapter", ["pa679a", "pa683a"])
def test_679a_683a_13f_a_shoe_whose_stub_is_out_can_jam_no_more(chapter: str) -> None:
    shift = by_hand(chapter)
    shift.menu("CARD FACE UP", offered(shift)[-1])
    shift.ok()
    shift.mark()
    shift.send(DeviceJammed, device="shoe", cause="empty")
    assert not shift.said(VoidRound)


def test_641a_13a_before_the_last_stack_the_shoe_fills_the_place() -> None:
    shift = locked("pa641a", method="auto_shoe")
    shift.draw()
    shift.draw()
    shift.menu("CARD FACE UP", "8 SEAT 5")
    shift.ok()
    shift.mark()
    shift.draw()
    assert [each.count for each in shift.said(Dispense)] == [1]


# ---------------------------------------------------------------- a way around that is dealt by key


@each_chapter
@pytest.mark.parametrize("method", ["hand", "manual_shoe"])
def test_x_13a_of_a_way_by_key_it_is_recorded_at_the_place_it_was_for(chapter: str, method: str) -> None:
    shift = locked(chapter, method=method, knowledge=Knowledge.NONE)
    if chapter == "pa683a":
        shift.ok()
    drawn = shift.table.state.play.current.drawn
    assert offered(shift)[:2] == [f"{drawn + 1} SEAT 2", f"{drawn + 2} SEAT 5"]
    shift.menu("CARD FACE UP", f"{drawn + 2} SEAT 5")
    assert shift.table.state.play.current.drawn == drawn + 2
    assert placed(shift)[drawn : drawn + 3] == [
        f"seat2@{drawn + 1}",
        f"discard^@{drawn + 2}",
        f"seat5@{drawn + 3}",
    ]
    shift.deal()
    assert shift.is_in(Phase.DECIDING)
    assert shift.table.state.play.current.face_up == [drawn + 2]


def test_641a_13a_it_may_be_one_of_the_way_that_was_said_to_be_dealt() -> None:
    shift = locked("pa641a", method="hand")
    shift.ok()
    assert offered(shift)[3:] == ["3 DEALER", "2 SEAT 5", "1 SEAT 2"]
    shift.menu("CARD FACE UP", "2 SEAT 5")
    assert shift.table.state.play.current.drawn == 3
    assert placed(shift)[:4] == ["seat2@1", "discard^@2", "seat5@3", "dealer@4"]


def test_641a_13a_when_all_is_dealt_by_key_it_is_one_of_the_last_way_the_last_card_first() -> None:
    shift = locked("pa641a", method="hand")
    shift.ok(6)
    assert shift.is_in(Phase.STUB)
    assert offered(shift) == ["16 DEALER"]
    shift.menu("CARD FACE UP")
    assert (shift.phase, shift.table.state.play.current.face_up) == (Phase.DEALING, [16])


def test_641a_13a_a_second_one_by_key_voids_whichever_it_was() -> None:
    shift = locked("pa641a", method="hand")
    shift.menu("CARD FACE UP", "1 SEAT 2")
    shift.menu("CARD FACE UP", "3 SEAT 5")
    assert shift.is_in(Phase.RETURNING)


def test_641a_13a_back_takes_it_back_before_the_next_step() -> None:
    shift = locked("pa641a", method="hand")
    shift.menu("CARD FACE UP", "2 SEAT 5")
    shift.press(Key.BACK)
    assert (shift.table.state.play.current.drawn, shift.table.state.play.current.face_up) == (0, [])
    assert shift.prompt == ("DEAL 3 CARDS AROUND", "THEN OK")
