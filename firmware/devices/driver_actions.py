"""`sabot device identify` and `test`: a driver is started by itself, looked at, and left safe.

Devices that give cards are tested with one card, which needs a deck and a hand. The test asks as the table
asks, by effects, and believes what the table believes, events; so it knows no device. The card itself is
never said: it is a test of the way, and the deck may be one that is dealt tonight.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sabot.drivers.device import DeviceStatus, Driver, in_words
from sabot.firmware.devices.arguments import chosen_driver, key_of_hex
from sabot.firmware.devices.open_table import is_table_open
from sabot.firmware.devices.single_driver import SingleDriverHost, as_json, at_work
from sabot.firmware.errors import CommandError
from sabot.statemachine.vocabulary.effects import Dispense, Effect, FreeShoe, HaltShoe, StartShuffle
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    CardsMissed,
    Event,
    ShuffleCompleted,
    StackDispensed,
)

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


async def cycle(driver: Driver, host: SingleDriverHost, say: Say) -> bool:
    """Let one card go all the way and halt the device behind it; return whether it did."""
    can = driver.status().identity.capabilities
    steps = [step for name, step in STEPS.items() if name in can]
    if not steps:
        say("no card cycle: it gives no cards")
        return False
    try:
        # A list, for ``all`` takes no generator that awaits: each step is taken, also after one that failed.
        return all([await _is_done(step, driver, host, say) for step in steps])
    finally:
        driver.perform(HaltShoe())


async def _is_done(step: CycleStep, driver: Driver, host: SingleDriverHost, say: Say) -> bool:
    say(step.words)
    # A report from before the order proves nothing.
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
    what = _cycle_verdict(host.events[seen:])
    say(f"  {what or 'done'}")
    return not what


def _cycle_verdict(events: Sequence[Event]) -> str:
    """Return what is wrong with the events, or nothing where they are as asked."""
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


async def identify(args: argparse.Namespace) -> int:
    """Say who and how the device is; return 1 where it did not come up."""
    kind, options = chosen_driver(args)
    _verify_closed(args)
    async with at_work(kind, options, _key(args), args.patience) as (driver, _):
        status = driver.status()
    print(json.dumps(as_json(status)) if args.json else "\n".join(_in_words(status)))
    return 0 if status.is_up else 1


async def test(args: argparse.Namespace) -> int:
    """Let the driver test its device; return 1 where it found something."""
    kind, options = chosen_driver(args)
    _verify_closed(args)
    steps: list[str] = []

    def say(words: str) -> None:
        steps.append(words)
        if not args.json:
            print(f"  {words}", flush=True)

    async with at_work(kind, options, _key(args), args.patience) as (driver, host):
        good = await driver.test(say) if driver.status().is_up else False
        if args.cycle and good:
            good = await cycle(driver, host, say)
        status = driver.status()
    if args.json:
        print(json.dumps({**as_json(status), "steps": steps, "good": good}))
    else:
        print(_verdict(status, good=good))
    return 0 if good else 1


def _verdict(status: DeviceStatus, *, good: bool) -> str:
    if not status.is_up:
        return f"{status.name} is not there: {status.why}"
    return f"{status.name} is {'good' if good else 'NOT GOOD'}"


def _verify_closed(args: argparse.Namespace) -> None:
    """Raise beside an open table: a driver by itself orders its device about."""
    if is_table_open():
        raise CommandError("E-CLI-008", f"device {args.action}")


def _key(args: argparse.Namespace) -> bytes | None:
    return key_of_hex(args.key) if args.key else None


def _in_words(status: DeviceStatus) -> Iterator[str]:
    yield f"{status.name}  {status.port or '-'}  {'up' if status.is_up else f'DOWN: {status.why}'}"
    yield f"  it is     {in_words(status.identity)}"
    if status.identity.capabilities:
        yield f"  it can    {', '.join(status.identity.capabilities)}"
    for name, value in status.state.items():
        yield f"  {name:<9} {value}"
    counted = {name: getattr(status.statistics, name) for name in status.statistics.__slots__}
    yield "  counted   " + ", ".join(f"{name} {number}" for name, number in counted.items() if number)
