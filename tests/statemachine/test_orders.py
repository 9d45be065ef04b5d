"""Orders at the console: release of a fault, adjustment of a meter, service mode. All three are our own policy."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.vocabulary.effects import ClearFault, FreeShoe, HaltShoe, LockWagers, SetMeter
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceRetested,
    MeterAdjusted,
    ReleaseOrdered,
    Resumed,
    Role,
    ServiceModeChanged,
)

from .shift import opened

BY = ("17 Ann", "42 Bob")


def order(fault: str, device: str, role: Role) -> ReleaseOrdered:
    return ReleaseOrdered(at=0.0, fault=fault, device=device, role=role, person="Ann")


def adjusted(**changes: Any) -> MeterAdjusted:
    fields: dict[str, Any] = {
        "meter": "prog4",
        "level": "main",
        "cents": -500,
        "cause": "audit 7",
        "by": BY,
    } | changes
    return MeterAdjusted(at=0.0, **fields)


# ---------------------------------------------------------------- release


def test_policy_a_release_from_the_console_wants_test_and_role_like_one_at_the_table() -> None:
    shift = opened()
    shift.send(DeviceFaulted, device="shoe", fault="device", detail="lamp")
    shift.handle(order("device", "shoe", Role.TECHNICIAN))
    assert shift.why == "device: test the cause again first"
    shift.send(DeviceRetested, device="shoe", fault="device", good=True)
    shift.handle(order("device", "shoe", Role.FLOOR))
    assert shift.why == "device: only the technician releases it"
    shift.mark()
    shift.handle(order("device", "shoe", Role.TECHNICIAN))
    (cleared,) = shift.said(ClearFault)
    assert (cleared.fault, cleared.device, cleared.by) == ("device", "shoe", "Ann")
    assert shift.said(FreeShoe)
    assert shift.table.rooms.faults.held is None


def test_policy_a_proof_at_the_console_unlocks_nothing_at_the_table() -> None:
    shift = opened()
    shift.send(DeviceFaulted, device="shoe", fault="device", detail="lamp")
    before = dict(shift.table.state.crew.unlocked)
    with pytest.raises(Refused):
        shift.table.rooms.orders.verify_release(order("device", "shoe", Role.TECHNICIAN))
    shift.handle(order("device", "shoe", Role.TECHNICIAN))
    assert shift.table.state.crew.unlocked == before == {}


def test_policy_what_is_no_fault_is_not_released() -> None:
    shift = opened()
    shift.handle(order("device", "shoe", Role.TECHNICIAN))
    assert shift.why == "shoe has no fault device"


def test_policy_a_restarted_round_is_confirmed_at_the_table_and_never_released_from_afar() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.send(Resumed, down_s=1.0)
    shift.handle(order("restarted", "controller", Role.FLOOR))
    assert shift.why == "restarted: at the table, by CONFIRM ROUND or TAKE OVER"


# ---------------------------------------------------------------- meters


@pytest.mark.parametrize(("cents", "house"), [(-500, 50_000), (500, -50_000)])
def test_641a_12_an_adjustment_moves_money_between_meter_and_house(cents: int, house: int) -> None:
    shift = opened()
    ledger = shift.table.state.books.ledger
    before = dict(ledger.balances)
    shift.mark()
    shift.handle(adjusted(cents=cents))
    assert ledger.cents("prog4", "main") == 500_000 + cents
    assert ledger.balances["house"] - before["house"] == house
    assert ledger.is_balanced()
    assert [each.cents for each in shift.said(SetMeter)] == [500_000 + cents]
    assert ledger.moved["prog4.main"] == {"adjustment": cents * 100}


def test_policy_the_next_round_has_the_adjustment_in_its_record() -> None:
    shift = opened()
    shift.handle(adjusted())
    shift.play()
    record = shift.table.rooms.recorded.last
    assert record is not None
    assert [(each.words, each.by) for each in record.notes if "adjusted" in each.words] == [
        ("meter prog4.main adjusted by -$5.0000: audit 7", "17 Ann, 42 Bob")
    ]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"meter": "prog9"}, "there is no meter prog9.main"),
        ({"level": "mega"}, "there is no meter prog4.mega"),
        ({"cause": " "}, "an adjustment has a cause"),
        ({"by": ("17 Ann",)}, "an adjustment takes two people"),
        ({"by": ("17 Ann", "17 Ann")}, "an adjustment takes two people"),
        ({"cents": 0}, "an adjustment of nothing"),
        ({"cents": -500_001}, "a meter does not go below zero"),
    ],
)
def test_policy_an_adjustment_that_cannot_be_changes_nothing(changes: dict[str, Any], why: str) -> None:
    shift = opened()
    before = dict(shift.table.state.books.ledger.balances)
    with pytest.raises(Refused, match=why):
        shift.table.rooms.orders.verify_adjustment(adjusted(**changes))
    shift.handle(adjusted(**changes))
    assert shift.why == why
    assert shift.table.state.books.ledger.balances == before


def test_policy_a_meter_may_be_adjusted_down_to_nothing() -> None:
    shift = opened()
    shift.handle(adjusted(cents=-500_000))
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == 0


def test_policy_no_meter_is_adjusted_within_a_round() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.handle(adjusted())
    assert shift.why == "a meter is adjusted only between rounds"


# ---------------------------------------------------------------- service


def test_policy_service_mode_takes_a_technician_to_end_it_and_a_floorperson_to_play_again() -> None:
    shift = opened()
    shift.mark()
    shift.send(ServiceModeChanged, on=True, person="Tom", why="new lamp")
    assert shift.said(LockWagers)
    assert shift.said(HaltShoe)
    assert shift.table.rooms.faults.held is not None
    assert shift.table.rooms.faults.held.why == "new lamp, by Tom"
    assert shift.table.rooms.orders.in_service()
    shift.handle(order("service", "controller", Role.FLOOR))
    assert shift.why == "service: test the cause again first"
    shift.send(ServiceModeChanged, on=False, person="Tom")
    assert not shift.table.rooms.orders.in_service()
    assert shift.table.rooms.faults.held is not None
    shift.handle(order("service", "controller", Role.TECHNICIAN))
    assert shift.why == "service: only the floor releases it"
    shift.handle(order("service", "controller", Role.FLOOR))
    assert shift.table.rooms.faults.held is None


def test_policy_no_device_begins_or_ends_service_mode() -> None:
    shift = opened()
    shift.send(DeviceFaulted, device="controller", fault="service")
    assert [each.kind for each in shift.table.state.trouble.holds] == ["device"]
    assert not shift.table.rooms.orders.in_service()


def test_policy_service_mode_that_is_off_cannot_be_ended() -> None:
    shift = opened()
    shift.send(ServiceModeChanged, on=False, person="Tom")
    assert shift.why == "service mode is off"


def test_policy_service_mode_begun_again_wants_its_end_again() -> None:
    shift = opened()
    for on in (True, False, True):
        shift.send(ServiceModeChanged, on=on, person="Tom")
    shift.handle(order("service", "controller", Role.FLOOR))
    assert shift.why == "service: test the cause again first"


def test_policy_service_mode_outlives_a_restart() -> None:
    shift = opened()
    shift.send(ServiceModeChanged, on=True, person="Tom")
    shift.send(Resumed, down_s=5.0)
    assert shift.table.rooms.orders.in_service()
    assert shift.table.rooms.faults.held is not None


def test_policy_the_fault_that_is_named_goes_and_the_one_before_it_stays() -> None:
    shift = opened()
    for device in ("sign", "shoe"):
        shift.send(DeviceFaulted, device=device, fault="device", detail="lamp")
        shift.send(DeviceRetested, device=device, fault="device", good=True)
    shift.handle(order("device", "shoe", Role.TECHNICIAN))
    assert [each.device for each in shift.table.state.trouble.holds] == ["sign"]
