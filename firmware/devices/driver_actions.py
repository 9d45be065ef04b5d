"""`sabot device identify` and `test`: a driver is started by itself, looked at, and left safe."""

import argparse
import json
from collections.abc import Iterator

from sabot.drivers.device import DeviceStatus
from sabot.drivers.identity import in_words
from sabot.firmware.devices.arguments import chosen_driver, key_of_hex
from sabot.firmware.devices.card_cycle import cycle
from sabot.firmware.devices.lone import as_json, at_work
from sabot.firmware.devices.open_table import is_table_open
from sabot.firmware.errors import CommandError


async def identify(args: argparse.Namespace) -> int:
    """Say who and how the device is; 1 where it did not come up."""
    kind, options = chosen_driver(args)
    _verify_closed(args)
    async with at_work(kind, options, _key(args), args.patience) as (driver, _):
        status = driver.status()
    print(json.dumps(as_json(status)) if args.json else "\n".join(_in_words(status)))
    return 0 if status.is_up else 1


async def test(args: argparse.Namespace) -> int:
    """Let the driver test its device; 1 where it found something."""
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
    """A driver by itself orders its device about: not beside a table."""
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
