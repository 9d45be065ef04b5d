"""Who did it: signed on, unlocked, two where two are wanted; and faults that go by test and role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .finding import Finding, RoundRule, StepRule
from .law import OUR_POLICY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import ByTwo, Json, Step
    from .story import Round

TWO = 2
# Who lifts a fault that a technician must look at; every other one is the floor's.
TECHNICIAN = ("device", "not_emptied")
# What has no cause to be tested: a person's word, or another deck, is the cure.
UNTESTED = (
    "deck_removed",
    "out_of_order",
    "unreadable_card",
    "missed_card",
    "card_out_of_turn",
    "exit_sensor",
    "exposed_other",
    "hit_paid",
    "paid_first",
    "void_late",
    "paid_other",
    "restarted",
    "slip",
)


def dealer_there(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Somebody has signed on, and the record has the same name."""
    if not round_.dealer:
        yield Finding(round_.lock.entry, "a round was dealt and no dealer had signed on")
    elif record["dealer"] != round_.dealer:
        yield Finding(
            round_.lock.entry, f"the record names {record['dealer']}, signed on was {round_.dealer}"
        )


def lifted(_shift: Shift, step: Step) -> Iterator[Finding]:
    """A fault is lifted once its cause was tested again, and by the role that it waits for."""
    for kind, device, tested in step.lifted:
        role = "technician" if kind in TECHNICIAN else "floor"
        if tested is None:
            yield Finding(step.entry, f"{kind} of {device} was lifted and never raised")
        elif not tested and kind not in UNTESTED:
            yield Finding(step.entry, f"{kind} of {device} was lifted and its cause was not tested again")
        if role not in step.unlocked and step.event.get("role") != role:
            yield Finding(step.entry, f"{kind} of {device} was lifted and no {role} was there")


def two_on_the_meter(_shift: Shift, step: Step) -> Iterator[Finding]:
    """A meter is changed by two people who say why."""
    if step.name != "MeterAdjusted" or step.is_refused:
        return
    if len(set(step.event["by"])) < TWO:
        yield Finding(
            step.entry, f"meter {step.event['meter']} was changed by {len(set(step.event['by']))} person"
        )
    if not str(step.event["cause"]).strip():
        yield Finding(step.entry, f"meter {step.event['meter']} was changed without a cause")


def by_two(item: ByTwo) -> Iterator[Finding]:
    """Opening seals, retention, restoring and clearing take two people."""
    if len(set(item.people)) < TWO:
        yield Finding(item.entry, f"{item.what} by {len(set(item.people))} person")


STEP_RULES = (
    StepRule("fault lifted", OUR_POLICY, "a fault goes by test and role", lifted),
    StepRule("two on the meter", OUR_POLICY, "two people change a meter", two_on_the_meter),
)
ROUND_RULES = (RoundRule("dealer there", OUR_POLICY, "a dealer has signed on", dealer_there),)
