"""Illegal input changes nothing and says why: each key and each event, in each phase, alone and in company."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import RefuseInput, ShowNotice
from sabot.statemachine.vocabulary.events import (
    AccountCredited,
    AccountsRead,
    AccountWager,
    CardDrawn,
    CardsMissed,
    DealerSignedOn,
    DecksFound,
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    DrawMade,
    DrawSealed,
    Event,
    GrantTakenBack,
    HitGranted,
    Key,
    KeyPressed,
    LinkLost,
    LinkRestored,
    LotRegistered,
    MeterAdjusted,
    MeterLinkChanged,
    MeterLinkRefused,
    ReleaseOrdered,
    Resumed,
    Role,
    RoleLocked,
    RoleUnlocked,
    Secret,
    ServiceModeChanged,
    ShuffleBlocked,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDelayed,
    StackDispensed,
    StackTaken,
    StubEjected,
    TimeReached,
    WagerSensed,
)

from .life import at
from .shift import Shift

AT = 9_999.0
INPUTS: list[Event] = [
    *(KeyPressed(at=AT, key=key) for key in Key),
    CardDrawn(at=AT, card=Secret(51)),
    CardDrawn(at=AT, card=None),
    CardDrawn(at=AT, card=Secret(50), missed=2),
    CardsMissed(at=AT, device="shoe", count=1),
    StackDispensed(at=AT, count=5),
    StackDelayed(at=AT, device="shoe", deck="B"),
    ShuffleStarted(at=AT, deck="A"),
    ShuffleCompleted(at=AT, deck="A", count=52),
    ShuffleCompleted(at=AT, deck="Z", count=52),
    ShufflerStopped(at=AT, deck="A", cause="jam"),
    DeviceJammed(at=AT, device="shoe", cause="stuck"),
    StackTaken(at=AT, device="shoe"),
    StubEjected(at=AT, device="shoe", deck="A", count=30),
    DecksFound(at=AT, device="shoe", decks=()),
    ShuffleBlocked(at=AT, device="shoe", deck="A"),
    ShuffleBlocked(at=AT, device="shoe", deck="Z"),
    DeviceFaulted(at=AT, device="shoe", fault="lamp"),
    DeviceRetested(at=AT, device="shoe", fault="all", good=True),
    DeviceModeChanged(at=AT, device="shuffler", mode="sort"),
    DeviceModeChanged(at=AT, device="shuffler", mode="play"),
    DeviceEmptied(at=AT, device="shuffler", cards_in=52, cards_out=52),
    DeviceEmptied(at=AT, device="shuffler", cards_in=52, cards_out=36),
    LinkLost(at=AT, device="pad", reason="silent"),
    LinkRestored(at=AT, device="pad"),
    WagerSensed(at=AT, seat=2, wager="play", cents=1000),
    WagerSensed(at=AT, seat=3, wager="ante", cents=1000),
    WagerSensed(at=AT, seat=2, wager="ante", cents=0),
    WagerSensed(at=AT, seat=99, wager="nonsense", cents=-1),
    AccountWager(at=AT, seat=2, wager="hand_bonus_player", cents=100),
    AccountWager(at=AT, seat=99, wager="ante", cents=100),
    AccountWager(at=AT, seat=2, wager="hand_bonus_player", cents=0, ticket=9),
    AccountsRead(at=AT, device="accounts", round=0, stakes=((2, "hand_bonus_player", 100),)),
    AccountsRead(at=AT, device="accounts", round=1, stakes=((9, "nonsense", -1),)),
    AccountCredited(at=AT, device="accounts", number=1, cents=100),
    DrawSealed(at=AT, device="accounts", draw=1, seal="5e"),
    DrawMade(at=AT, draw=9, magic_card=3),
    DrawMade(at=AT, magic_card=3),
    DrawMade(at=AT, magic_card=99),
    RoleUnlocked(at=AT, role=Role.FLOOR, person="f"),
    RoleLocked(at=AT, role=Role.FLOOR),
    DealerSignedOn(at=AT, person="d2"),
    LotRegistered(at=AT, lot="L9", color="green"),
    LotRegistered(at=AT, lot="", color="green"),
    ReleaseOrdered(at=AT, fault="device", device="shoe", role=Role.TECHNICIAN, person="t"),
    MeterAdjusted(at=AT, meter="prog4", level="main", cents=-1, cause="audit", by=("f", "t")),
    MeterAdjusted(at=AT, meter="prog4", level="nonsense", cents=-1, cause="audit", by=("f", "t")),
    ServiceModeChanged(at=AT, on=True, person="t"),
    ServiceModeChanged(at=AT, on=False, person="t"),
    MeterLinkChanged(at=AT, link="pit", config=1),
    HitGranted(
        at=AT,
        number=1,
        grant=7,
        link="pit",
        level="mega",
        round=1,
        wager="prog5",
        row="royal_flush",
        seats=(2,),
        cents=100,
        each=100,
    ),
    MeterLinkRefused(
        at=AT, number=1, message="claim", link="pit", round=1, wager="prog5", seats=(2,), why="no"
    ),
    GrantTakenBack(at=AT, number=1, grant=7, cause="no"),
    TimeReached(at=AT),
    Resumed(at=AT, down_s=1.0),
    Event(at=AT),
]
# What may leave no trace where there is nothing to do: it is news of the world, not an order.
SILENT = (
    RoleLocked,
    TimeReached,
    LinkRestored,
    DeviceModeChanged,
    DeviceEmptied,
    WagerSensed,
    ShuffleStarted,
    StackTaken,
    StubEjected,
    DecksFound,
    AccountsRead,
    Resumed,
)
every_phase = pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)


def state_of(shift: Shift) -> dict[str, Any]:
    """All that the table knows but for the time."""
    taken: dict[str, Any] = dict(shift.table.snapshot())
    return {**taken, "state": {**taken["state"], "now": 0}}


def refusals(effects: list[Any]) -> list[str]:
    return [effect.why for effect in effects if isinstance(effect, RefuseInput)]


def test_every_kind_of_event_is_among_the_inputs() -> None:
    known = {*at(Phase.CLOSED).table.rooms.handlers, Event}
    assert {type(event) for event in INPUTS} == known


@every_phase
def test_each_input_in_each_phase_does_something_or_is_refused_with_a_reason_and_changes_nothing(
    phase: Phase,
) -> None:
    shift = at(phase)
    taken, before = shift.table.snapshot(), state_of(shift)
    for event in INPUTS:
        effects = shift.table.handle(event)
        why = refusals(effects)
        after = state_of(shift)
        if why:
            others = [each for each in effects if not isinstance(each, (RefuseInput, ShowNotice))]
            assert others == [], (event, effects)
            assert why[0], event
            assert after == before, event
        else:
            assert after != before or effects or isinstance(event, SILENT), event
        if after != before:
            shift.table = Table.restore(shift.setup, taken)


@every_phase
def test_whatever_makes_no_sense_at_the_same_instant_what_makes_sense_is_done_as_if_it_were_alone(
    phase: Phase,
) -> None:
    shift = at(phase)
    taken = shift.table.snapshot()
    senseless: list[Event] = []
    sensible: list[Event] = []
    for event in INPUTS:
        if not isinstance(event, KeyPressed):
            continue
        (senseless if refusals(shift.table.handle(event)) else sensible).append(event)
        shift.table = Table.restore(shift.setup, taken)
    for event in sensible:
        alone = shift.table.handle(event), state_of(shift)
        shift.table = Table.restore(shift.setup, taken)
        for order in (senseless, senseless[::-1]):
            for other in order:
                assert refusals(shift.table.handle(other))
            assert (shift.table.handle(event), state_of(shift)) == alone
            shift.table = Table.restore(shift.setup, taken)


@every_phase
def test_while_the_table_is_held_no_key_but_a_list_does_anything(phase: Phase) -> None:
    shift = at(phase)
    shift.send(LinkLost, device="pad", reason="silent")
    taken, before = shift.table.snapshot(), state_of(shift)
    counting = {Key.PLUS, Key.RIGHT}
    goes_on = {
        Phase.RETURNING: {Key.OK},
        Phase.CLEARING: {Key.OK},
        Phase.LAST_COUNT: counting,
        Phase.LAST_WRONG: {Key.OK, Key.FOLD, Key.BACK},
    }.get(phase, set())
    for key in Key:
        effects = shift.press(key)
        if key in (Key.MENU, Key.FLOOR) or key in goes_on:
            shift.table = Table.restore(shift.setup, taken)
            continue
        assert len(refusals(effects)) == 1, key
        assert {type(each) for each in effects} <= {RefuseInput, ShowNotice}, key
        assert state_of(shift) == before, key


def test_a_key_that_is_for_nothing_says_its_name() -> None:
    shift = at(Phase.BETS_OPEN)
    assert refusals(shift.press(Key.PLUS)) == ["PLUS means nothing now"]
    assert refusals(shift.send(Event)) == ["Event is no event of this table"]


def test_an_open_list_takes_its_own_keys_and_no_others() -> None:
    shift = at(Phase.DECIDING)
    shift.press(Key.MENU)
    before = state_of(shift)
    for key in (Key.ONE, Key.TWO, Key.THREE, Key.FOLD, Key.PLUS, Key.MINUS, Key.MENU, Key.FLOOR):
        assert refusals(shift.press(key)) == [f"{key} means nothing in a list"]
        assert state_of(shift) == before
    assert refusals(shift.press(Key.LOCK)) == ["no more bets: not while deciding"]
    assert state_of(shift) == before
