"""The safe lane: what an event locks and halts is known before the rest of it, and nothing else is done for it."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Policies
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    Effect,
    FreeShoe,
    HaltShoe,
    LockWagers,
    OpenSpots,
    RefuseInput,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    DecksFound,
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    Event,
    Key,
    KeyPressed,
    LinkLost,
    Resumed,
    Secret,
    ServiceModeChanged,
    ShuffleCompleted,
    ShufflerStopped,
    StackDispensed,
    StubEjected,
    TimeReached,
)

from .lane import MOST_CALLS, SAFE, calls_of, kinds
from .life import at
from .shift import Shift


def opened(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    shift.bet(2, ante=1000)
    return shift


# ---------------------------------------------------------------- LOCK


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa679a", "pa682a", "pa683a"])
def test_x_8_lock_that_is_in_order_locks_the_open_spots_within_a_few_calls(chapter: str) -> None:
    shift = opened(chapter)
    event = KeyPressed(at=shift.now + 1, key=Key.LOCK)

    (lock,) = shift.table.safe(event)
    assert isinstance(lock, LockWagers)
    assert set(lock.spots) == {spot for effect in shift.said(OpenSpots) for spot in effect.spots}
    assert calls_of(shift.table, event) <= MOST_CALLS
    assert shift.handle(event)[0] == lock
    assert shift.phase is not Phase.BETS_OPEN


def test_x_8_lock_takes_as_many_calls_with_one_seat_as_with_seven_and_every_wager() -> None:
    one, seven = Shift("pa641a"), Shift("pa641a")
    for shift, seats in ((one, [1]), (seven, range(1, 8))):
        shift.open_table()
        for seat in seats:
            shift.bet(seat, ante=1000, **({"aces_up": 500, "prog4": 100} if len(list(seats)) > 1 else {}))
    counted = {calls_of(shift.table, KeyPressed(at=shift.now + 1, key=Key.LOCK)) for shift in (one, seven)}

    assert len(counted) == 1


@pytest.mark.parametrize("why", ["no wager", "held", "the deck is due", "another phase", "another key"])
def test_x_8_lock_that_is_not_in_order_is_refused_as_ever(why: str) -> None:
    shift = opened()
    if why == "no wager":
        shift = Shift()
        shift.open_table()
    elif why == "held":
        shift.send(LinkLost, device="pads", reason="silent")
    elif why == "the deck is due":
        shift.now += 9 * 3600
    elif why == "another phase":
        shift.lock()
    key = Key.OK if why == "another key" else Key.LOCK

    assert shift.table.safe(KeyPressed(at=shift.now + 1, key=key)) == ()
    if key is Key.LOCK:
        assert RefuseInput in kinds(shift.press(key))


def test_x_8_lock_is_armed_again_by_a_snapshot() -> None:
    shift = opened()
    table = Table.restore(shift.setup, shift.table.snapshot())
    event = KeyPressed(at=shift.now + 1, key=Key.LOCK)

    assert kinds(table.safe(event)) == [LockWagers]
    assert set(table.safe(event)[0].spots) == set(shift.table.safe(event)[0].spots)  # type: ignore[attr-defined]


# ---------------------------------------------------------------- faults

FAULTS: dict[str, tuple[dict[str, Any], Any]] = {
    "a jam": ({}, lambda now: DeviceJammed(at=now, device="shoe", cause="stuck")),
    "a fault": ({}, lambda now: DeviceFaulted(at=now, device="shoe", fault="contradiction")),
    "a fault of no known kind": ({}, lambda now: DeviceFaulted(at=now, device="shoe", fault="smoke")),
    "a lost link": ({}, lambda now: LinkLost(at=now, device="pads", reason="silent")),
    "another mode": ({}, lambda now: DeviceModeChanged(at=now, device="shoe", mode="sort")),
    "cards left in": ({}, lambda now: DeviceEmptied(at=now, device="shoe", cards_in=52, cards_out=51)),
    "a restart": ({}, lambda now: Resumed(at=now, down_s=1.0)),
    "a card out of turn": (
        {"knowledge": Knowledge.EACH_CARD},
        lambda now: CardDrawn(at=now, card=Secret(3)),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_policy_what_a_device_says_that_stops_the_table_locks_and_halts_at_once(name: str) -> None:
    changes, event_of = FAULTS[name]
    shift = opened(**changes)
    if name == "a restart":
        shift.lock()
    event = event_of(shift.now + 1)

    assert kinds(shift.table.safe(event)) == [LockWagers, HaltShoe]
    assert calls_of(shift.table, event) <= 3 * MOST_CALLS
    assert kinds(shift.handle(event)[:2]) == [LockWagers, HaltShoe]
    assert shift.table.rooms.faults.held is not None
    again = kinds(shift.table.safe(event_of(shift.now + 2)))
    # Once more it is no news; but whether a shoe that was halted still is nobody knows after a start.
    assert again == ([LockWagers, HaltShoe] if name == "a restart" else [])


def test_policy_what_stops_nothing_is_not_in_the_lane() -> None:
    shift = opened()
    quiet = (
        DeviceModeChanged(at=shift.now, device="shoe", mode="play"),
        DeviceEmptied(at=shift.now, device="shoe", cards_in=52, cards_out=52),
        ServiceModeChanged(at=shift.now, on=False, person="31"),
        ShuffleCompleted(at=shift.now, deck="Z", count=51),
        TimeReached(at=shift.now),
        StackDispensed(at=shift.now, count=5, cards=()),
    )

    assert [shift.table.safe(event) for event in quiet] == [()] * len(quiet)


def test_policy_a_policy_that_is_off_halts_nothing() -> None:
    shift = opened(policies=Policies(lost_link=False))

    assert shift.table.safe(LinkLost(at=shift.now, device="pads", reason="silent")) == ()


def test_v15_a_shuffler_that_stops_while_the_other_deck_is_on_the_felt_halts_nothing() -> None:
    shift = at(Phase.DECIDING)

    assert shift.table.safe(ShufflerStopped(at=shift.now, deck="B", cause="jam")) == ()


def test_policy_after_a_start_all_is_locked_and_with_a_slip_it_is_held() -> None:
    shift = Shift()
    shift.open_table()
    assert kinds(shift.table.safe(Resumed(at=shift.now, down_s=1.0))) == [LockWagers]
    slip = Resumed(at=shift.now, down_s=1.0, slip="E-RUN-009 KeyError at a.py:1 f, over KeyPressed LOCK")
    assert kinds(shift.table.safe(slip)) == [LockWagers, HaltShoe]

    shift.handle(slip)
    assert shift.table.rooms.faults.held is not None
    assert shift.table.rooms.faults.held.kind == "slip"
    assert "over KeyPressed LOCK" in shift.table.rooms.faults.held.why
    assert shift.prompt == ("HELD: PROGRAM SLIP", "FLOOR: LOOK, RELEASE")
    shift.floor("RELEASE")
    assert shift.phase is Phase.BETS_OPEN
    assert shift.said(OpenSpots)


def test_policy_a_slip_within_a_round_is_in_its_record() -> None:
    shift = opened()
    shift.lock()
    shift.send(Resumed, down_s=1.0, slip="E-RUN-009 KeyError at a.py:1 f, over KeyPressed OK")

    assert shift.table.rooms.faults.held is not None
    assert (shift.table.rooms.faults.held.kind, "E-RUN-009" in shift.table.rooms.faults.held.why) == (
        "restarted",
        True,
    )
    assert any("E-RUN-009 KeyError" in note.words for note in shift.table.state.play.current.notes)


def test_policy_what_the_lane_halted_for_nothing_is_freed_again() -> None:
    """A deck that was in a sorting device is shuffled again whatever is counted: nothing is held over it."""
    shift = at(Phase.SHUFFLING)
    deck = next(iter(shift.table.state.stock.decks.values()))
    deck.sorted_since = True
    effects = shift.send(ShuffleCompleted, deck=deck.name, count=51)

    assert kinds(effects[:2]) == [LockWagers, HaltShoe]
    assert RefuseInput in kinds(effects)
    assert FreeShoe in kinds(effects)
    assert shift.table.rooms.faults.held is None


# ---------------------------------------------------------------- cards and stacks


def dealing(method: str, knowledge: Knowledge, **changes: Any) -> Shift:
    shift = at(Phase.DEALING, "pa679a", method=method, knowledge=knowledge, **changes)
    assert shift.table.rooms.faults.held is None
    return shift


def stack(shift: Shift, cards: list[int], count: int | None = None) -> list[type[Effect]]:
    count = len(cards) if count is None else count
    event = StackDispensed(at=shift.now + 1, count=count, cards=tuple(map(Secret, cards)))
    found = kinds(shift.table.safe(event))
    assert (HaltShoe in found) == (HaltShoe in kinds(shift.handle(event)))
    return found


@pytest.mark.parametrize(
    ("cards", "count", "halts"),
    [
        ([1, 2, 3], None, False),
        ([1, 2], None, True),
        ([1, 2, 3, 4], None, True),
        ([1, 1, 2], None, True),
        ([1, 2], 3, True),
        ([1, 2, 99], None, True),
    ],
    ids=["right", "short", "long", "a card twice", "not all read", "a card of no deck"],
)
def test_x_13f_a_stack_that_is_not_as_it_was_ordered_halts_at_once(
    cards: list[int], count: int | None, halts: bool
) -> None:
    shift = dealing("auto_shoe", Knowledge.STACK)

    assert stack(shift, cards, count) == (list(SAFE) if halts else [])


def test_x_13b_a_card_that_was_read_before_or_not_at_all_halts_at_once() -> None:
    for card, halts in ((Secret(7), False), (Secret(7), True), (None, True)):
        shift = dealing("manual_shoe", Knowledge.EACH_CARD)
        if halts:
            shift.send(CardDrawn, card=Secret(7))
        event = CardDrawn(at=shift.now + 1, card=card)
        assert kinds(shift.table.safe(event)) == (list(SAFE) if halts else [])


def test_x_5b_a_shuffle_of_a_wrong_count_or_of_a_deck_that_is_not_in_it_halts() -> None:
    shift = at(Phase.SHUFFLING)
    deck = next(iter(shift.table.state.stock.decks))
    right = ShuffleCompleted(at=shift.now, deck=deck, count=52)
    wrong = ShuffleCompleted(at=shift.now, deck=deck, count=51)
    assert shift.table.safe(right) == ()
    assert kinds(shift.table.safe(wrong)) == list(SAFE)

    shift = opened()
    assert kinds(shift.table.safe(right)) == list(SAFE)


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        (DeviceEmptied, {"cards_in": 52, "cards_out": 52}),
        (StubEjected, {"deck": "A", "count": 47}),
        (DecksFound, {"decks": ()}),
    ],
)
def test_x_13f_a_shoe_without_its_deck_in_the_deal_halts_at_once_and_is_not_freed(
    kind: type[Event], facts: dict[str, Any]
) -> None:
    shift = dealing("auto_shoe", Knowledge.COUNT_ONLY, one_machine=True)
    event = kind(at=shift.now + 1, device="shoe", **facts)  # type: ignore[call-arg]
    first = shift.table.safe(event)

    effects = shift.handle(event)

    assert kinds(first) == list(SAFE)
    assert {each.cite for each in first} == {"679a.13(f)"}
    assert effects[:2] == list(first)
    assert VoidRound in kinds(effects)
    assert FreeShoe not in kinds(effects)
