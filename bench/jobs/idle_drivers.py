"""Every driver at work with its device, and nothing happening: how much of a processor that takes."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import structlog

from sabot.drivers.device import Driver, Keyring
from sabot.drivers.options import Value, defaults
from sabot.drivers.registry import load
from sabot.statemachine.vocabulary.events import Event

PATIENCE_S, SETTLE_S = 30.0, 2.0
MORE: dict[str, dict[str, Value]] = {
    "alpha": {"meters": "prog5.mega=MEGA"},
    "lines": {"module": "sabot.hil.simulators.gpio", "pull": "off"},
    "sabot-accounts": {"wagers": "hand_bonus_player hand_bonus_dealer", "seats": 7},
    "sabot-pads": {"spots": "ante aces_up queens_up", "seats": 7},
}


class Host:
    """Lends the drivers what they need."""

    keyring: Keyring

    def __init__(self, keys: dict[str, str]) -> None:
        self.keyring, self.keys, self.events = self, keys, 0

    def key_of(self, device: str) -> bytes | None:
        """The key that the simulated device shows."""
        return bytes.fromhex(self.keys[device]) or None

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def post(self, _event: Event) -> None:
        """An event, counted."""
        self.events += 1

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Nobody watches."""


def options_of(name: str, where: str) -> dict[str, Value]:
    """The options with which this driver finds its simulated device."""
    schema = load(name).schema
    found = defaults(schema) | MORE.get(name, {})
    if name == "sabot-pads":
        found["backend"] = f"sabot.hil.simulators.usb_backend:over_socket:{where}"
    if any(option.name == "port" for option in schema):
        found["port"] = where
    return found


async def measure(places: dict[str, list[str]], seconds: float) -> dict[str, object]:
    """The share of a processor, once all are up."""
    host = Host({name: key for name, (_, key) in places.items()})
    drivers: list[Driver] = [
        load(name).make(name, options_of(name, where), host) for name, (where, _) in places.items()
    ]
    for driver in drivers:
        await driver.start()
    await _all_up(drivers)
    await asyncio.sleep(SETTLE_S)
    before, events = time.process_time(), host.events
    await asyncio.sleep(seconds)
    share = (time.process_time() - before) / seconds * 100
    for driver in drivers:
        await driver.stop()
    return {"percent": share, "devices": len(drivers), "events": host.events - events}


async def _all_up(drivers: list[Driver]) -> None:
    end = time.monotonic() + PATIENCE_S
    while down := [driver.name for driver in drivers if not driver.status().is_up]:
        if time.monotonic() > end:
            raise SystemExit(f"not up: {', '.join(down)}")
        await asyncio.sleep(0.1)


def main() -> None:
    """Print the share."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    with tempfile.TemporaryDirectory() as folder:
        order = [sys.executable, str(Path(__file__).with_name("idle_world.py")), folder]
        with subprocess.Popen(order, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as world:
            assert world.stdout is not None
            every = json.loads(world.stdout.readline())
            places = {name: where for name, where in every.items() if name in (sys.argv[2:] or every)}
            os.environ["SABOT_GPIO_SOCKET"] = every["lines"][0]
            found = asyncio.run(measure(places, float(sys.argv[1])))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
