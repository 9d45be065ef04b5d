"""Orders of people at the console, who proved their role there and not at the table.

Each is an event like any other, so that replay and audit see who ordered it and why. A proof at the console
opens no list at the table: it counts for this one order and is gone. ``verify_release`` and
``verify_adjustment`` raise the reason beforehand, for whoever wants to say it before anything is posted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.calling import came
from sabot.statemachine.events import MeterAdjusted, ReleaseOrdered, Role, ServiceModeChanged
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.faults import hold, holds_to_lift, is_set_aside
from sabot.statemachine.ledger import ADJUSTMENT, UNITS, Cause, account, money

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

SERVICE, CONTROLLER = "service", "controller"
PEOPLE_FOR_A_METER = 2


@contextmanager
def _proved(table: "Table", role: Role, person: str) -> Iterator[None]:
    """A role that is unlocked for one order."""
    before = table.state.unlocked
    table.state.unlocked = {role.value: person} | {
        name: each for name, each in before.items() if name != role.value
    }
    try:
        yield
    finally:
        table.state.unlocked = before


def _hold_value(table: "Table", event: ReleaseOrdered) -> str:
    """The fault that is meant, as the table's own list of them has it."""
    for value in holds_to_lift(table):
        if value.partition(" ")[2] == f"{event.fault} {event.device}":
            return value
    if is_set_aside(table, event.fault, event.device):
        raise Refused(f"{event.device} is out of order: a technician takes it BACK IN SERVICE first")
    if any((each.kind, each.device) == (event.fault, event.device) for each in table.state.holds):
        raise Refused(f"{event.fault}: at the table, by CONFIRM ROUND or TAKE OVER")
    raise Refused(f"{event.device} has no fault {event.fault}")


def verify_release(table: "Table", event: ReleaseOrdered) -> None:
    """Raise why the fault may not be released now."""
    with _proved(table, event.role, event.person):
        table.verify("release", _hold_value(table, event))


def on_release(table: "Table", event: ReleaseOrdered) -> None:
    """The fault goes by the table's own action, with its own reasons against."""
    with _proved(table, event.role, event.person):
        table.do("release", _hold_value(table, event))
    came(table, event.role)


def verify_adjustment(table: "Table", event: MeterAdjusted) -> None:
    """Raise why the meter may not be changed so now."""
    if event.level not in table.setup.meters.get(event.meter, {}):
        raise Refused(f"there is no meter {account(event.meter, event.level)}")
    if table.state.round is not None:
        raise Refused("a meter is adjusted only between rounds")
    if not event.cause.strip():
        raise Refused("an adjustment has a cause")
    if len(set(event.by)) < PEOPLE_FOR_A_METER:
        raise Refused("an adjustment takes two people")
    if not event.cents:
        raise Refused("an adjustment of nothing")
    if table.state.ledger.cents(event.meter, event.level) + event.cents < 0:
        raise Refused("a meter does not go below zero")


def on_meter_adjusted(table: "Table", event: MeterAdjusted) -> None:
    """Money of the house on to a meter, or off it, by a named cause."""
    verify_adjustment(table, event)
    table.state.ledger.adjust(event.meter, event.level, event.cents, Cause(ADJUSTMENT, table.state.rounds))
    words = (
        f"meter {account(event.meter, event.level)} adjusted by {money(event.cents * UNITS)}: {event.cause}"
    )
    table.note(words, POLICY, ", ".join(event.by))


def on_service_mode(table: "Table", event: ServiceModeChanged) -> None:
    """Service holds the table; its end is the retest of that hold, and the floor's word its release."""
    if event.on:
        hold(table, SERVICE, CONTROLLER, f"{event.why or 'service'}, by {event.person}")
        return
    found = [each for each in table.state.holds if each.kind == SERVICE]
    if not found:
        raise Refused("service mode is off")
    found[0].retested = True
    table.note(f"service ended by {event.person}", POLICY, event.person)


def in_service(table: "Table") -> bool:
    """Whether service is going on, and was not ended yet."""
    return any(each.kind == SERVICE and not each.retested for each in table.state.holds)
