"""One card through a device that gives cards: the part of a test that needs a deck and a hand.

It asks as the table asks, by effects, and believes what the table believes, events; so it knows no device.
The card itself is never said: it is a test of the way, and the deck may be one that is dealt tonight.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sabot.drivers.device import Driver
from sabot.firmware.devices.lone import LoneHost
from sabot.statemachine.effects import Dispense, Effect, FreeShoe, HaltShoe, StartShuffle
from sabot.statemachine.events import CardDrawn, CardsMissed, Event, ShuffleCompleted, StackDispensed

Say = Callable[[str], None]


class CycleStep(NamedTuple):
    """A step: the request to device or person, its proof, and the time it may take."""

    words: str
    asked: tuple[Effect, ...]
    proof: type[Event]
    patience_s: float


STEPS = {
    "shuffles": CycleStep(
        "it shuffles the deck in its intake", (StartShuffle(deck="A"),), ShuffleCompleted, patience_s=250.0
    ),
    "dispenses": CycleStep(
        "it puts out one card", (FreeShoe(), Dispense(count=1)), StackDispensed, patience_s=20.0
    ),
    "reads each card": CycleStep("draw one card by hand", (FreeShoe(),), CardDrawn, patience_s=30.0),
}


async def cycle(driver: Driver, host: LoneHost, say: Say) -> bool:
    """Return whether one card went all the way; the device is halted behind it."""
    can = driver.status().identity.capabilities
    steps = [step for name, step in STEPS.items() if name in can]
    if not steps:
        say("no card cycle: it gives no cards")
        return False
    try:
        return all([await _is_done(step, driver, host, say) for step in steps])
    finally:
        driver.perform(HaltShoe())


async def _is_done(step: CycleStep, driver: Driver, host: LoneHost, say: Say) -> bool:
    say(step.words)
    seen = len(host.events)
    for effect in step.asked:
        driver.perform(effect)
    try:
        async with asyncio.timeout(step.patience_s):
            while not any(isinstance(event, step.proof) for event in host.events[seen:]):
                host.news.clear()
                await host.news.wait()
    except TimeoutError:
        say(f"  not within {step.patience_s:g} s")
        return False
    what = _verdict(host.events[seen:])
    say(f"  {what or 'done'}")
    return not what


def _verdict(events: Sequence[Event]) -> str:
    """Return the fault in what happened; empty where it is as asked."""
    for event in events:
        if isinstance(event, CardDrawn) and event.card is None:
            return "the card could not be read"
        if isinstance(event, CardsMissed) or (isinstance(event, CardDrawn) and event.missed):
            return "a report of the shoe is missing: check its line"
        if isinstance(event, StackDispensed) and event.count != 1:
            return f"{event.count} cards came out"
        if detail := getattr(event, "detail", ""):
            return str(detail)
    return ""
