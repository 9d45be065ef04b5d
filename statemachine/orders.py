"""Orders of people at the console, who proved their role there and not at the table.

Each is an event like any other, so that replay and audit see who ordered it and why. A proof at the console
opens no list at the table: it counts for this one order and is gone. ``verify_release`` and
``verify_adjustment`` raise the reason beforehand, for whoever wants to say it before anything is posted.
"""

from dataclasses import dataclass

from sabot.statemachine.action import Actions, Refused
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import ADJUSTMENT, UNITS, Cause, account, money
from sabot.statemachine.state.parts import TableCrew, Trouble
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.events import MeterAdjusted, ReleaseOrdered, ServiceModeChanged
from sabot.statemachine.vocabulary.fault_kinds import POLICY

SERVICE, CONTROLLER = "service", "controller"
# A meter goes down for a paid hit or a named cause alone; a cause that people name takes two of them.
PEOPLE_FOR_A_METER = 2


@dataclass(slots=True, eq=False, repr=False)
class ConsoleOrders:
    """Carry out orders of people at the console."""

    law: Law
    out: Outbox
    actions: Actions
    crew: TableCrew
    trouble: Trouble
    books: MoneyBooks
    play: Play
    calling: Calling
    faults: FaultLatch

    def _hold_value(self, event: ReleaseOrdered) -> str:
        """Return the fault that is meant, as the table's own list has it, or raise why it is not there."""
        # The list of RELEASE has a number in front, for two faults of
        # one kind may stand; the console names the fault.
        for value in self.faults.holds_to_lift():
            if value.partition(" ")[2] == f"{event.fault} {event.device}":
                return value
        if self.faults.is_set_aside(event.fault, event.device):
            raise Refused(f"{event.device} is out of order: a technician takes it BACK IN SERVICE first")
        if any((each.kind, each.device) == (event.fault, event.device) for each in self.trouble.holds):
            raise Refused(f"{event.fault}: at the table, by CONFIRM ROUND or TAKE OVER")
        raise Refused(f"{event.device} has no fault {event.fault}")

    def verify_release(self, event: ReleaseOrdered) -> None:
        """Raise why the fault may not be released now."""
        with self.crew.proved(event.role, event.person):
            self.actions.verify("release", self._hold_value(event))

    def on_release(self, event: ReleaseOrdered) -> None:
        """Release a fault by the table's own action, with that action's reasons against it."""
        with self.crew.proved(event.role, event.person):
            self.actions.do("release", self._hold_value(event))
        self.calling.came(event.role)

    def verify_adjustment(self, event: MeterAdjusted) -> None:
        """Raise why the meter may not be changed so now."""
        if event.level not in self.law.setup.meters.get(event.meter, {}):
            raise Refused(f"there is no meter {account(event.meter, event.level)}")
        if self.play.round is not None:
            raise Refused("a meter is adjusted only between rounds")
        if not event.cause.strip():
            raise Refused("an adjustment has a cause")
        if len(set(event.by)) < PEOPLE_FOR_A_METER:
            raise Refused("an adjustment takes two people")
        if not event.cents:
            raise Refused("an adjustment of nothing")
        if self.books.ledger.cents(event.meter, event.level) + event.cents < 0:
            raise Refused("a meter does not go below zero")

    def on_meter_adjusted(self, event: MeterAdjusted) -> None:
        """Put money of the house on a meter, or take it off, by a named cause."""
        self.verify_adjustment(event)
        self.books.ledger.adjust(event.meter, event.level, event.cents, Cause(ADJUSTMENT, self.books.rounds))
        meter, change = account(event.meter, event.level), money(event.cents * UNITS)
        words = f"meter {meter} adjusted by {change}: {event.cause}"
        self.out.note(words, POLICY, ", ".join(event.by))

    def on_service_mode(self, event: ServiceModeChanged) -> None:
        """Hold the table for service; its end is the retest of that hold, and a person releases it."""
        if event.on:
            self.faults.hold(SERVICE, CONTROLLER, f"{event.why or 'service'}, by {event.person}")
            return
        found = [each for each in self.trouble.holds if each.kind == SERVICE]
        if not found:
            raise Refused("service mode is off")
        found[0].tested(is_good=True)
        self.out.note(f"service ended by {event.person}", POLICY, event.person)

    def in_service(self) -> bool:
        """Return whether service is going on, and was not ended yet."""
        return any(each.kind == SERVICE and not each.retested for each in self.trouble.holds)
