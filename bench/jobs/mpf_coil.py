"""Mission Pinball's way of one event: switch handler, event queue, coil player, Driver.pulse.

A machine of one switch and one coil on MPF's own smart_virtual platform and its own event loop. The clock
runs from the switch controller's door to the platform's ``pulse``, which is the last thing MPF does before
bytes would leave. Wall time: the way crosses the loop. With a pause each hit comes after a rest, as that of a
person does, when nothing is warm.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from time import perf_counter_ns, thread_time_ns
from typing import Any

import mpf
from mpf.core.config_loader import YamlMultifileConfigLoader
from mpf.core.machine import MachineController

CONFIG = """#config_version=6
playfields:
  playfield:
    tags: default
    default_source_device: None
switches:
  s_button:
    number: 1
    events_when_activated: button_was_hit
coils:
  c_coil:
    number: 1
    default_pulse_ms: 10
coil_player:
  button_was_hit:
    c_coil: pulse
"""
WARM_UP = 1_000


def machine_in(folder: str) -> Any:  # noqa: ANN401 (MPF has no types)
    """The machine, started."""
    (Path(folder) / "config").mkdir()
    (Path(folder) / "config" / "config.yaml").write_text(CONFIG, encoding="utf-8")
    options = {
        "force_platform": "smart_virtual",
        "production": True,
        "mpfconfigfile": str(Path(mpf.__file__).parent / "mpfconfig.yaml"),
        "configfile": ["config.yaml"],
        "debug": False,
        "bcp": False,
        "no_load_cache": True,
        "create_config_cache": False,
        "text_ui": False,
        "platform_integration_test": False,
    }
    loader = YamlMultifileConfigLoader(folder, ["config.yaml"], load_cache=False, store_cache=False)
    machine = MachineController(options, loader.load_mpf_config())
    assert machine.initialize_mpf(), "MPF does not start"
    return machine


async def microseconds(machine: Any, hits: int, pause_s: float) -> tuple[list[float], list[float]]:  # noqa: ANN401
    """From each hit of the switch to the pulse of the coil: on the wall, and on the processor."""
    driver = machine.coils["c_coil"].hw_driver
    found: list[float] = []
    spent: list[float] = []
    own_pulse, start, before = driver.pulse, 0, 0
    pulsed = asyncio.Event()

    def pulse(*args: object) -> None:
        found.append((perf_counter_ns() - start) / 1000)
        spent.append((thread_time_ns() - before) / 1000)
        own_pulse(*args)
        pulsed.set()

    driver.pulse = pulse
    for number in range(hits + WARM_UP):
        if pause_s and number >= WARM_UP:
            await asyncio.sleep(pause_s)
        pulsed.clear()
        before = thread_time_ns()
        start = perf_counter_ns()
        machine.switch_controller.process_switch("s_button", 1, logical=True)
        await pulsed.wait()
        machine.switch_controller.process_switch("s_button", 0, logical=True)
        await asyncio.sleep(0)
    return found[WARM_UP:], spent[WARM_UP:]


def percentiles(times: list[float]) -> dict[str, float]:
    """The median and the 99th percentile."""
    cuts = quantiles(times, n=1000)
    return {"p50": cuts[499], "p99": cuts[989]}


def main() -> None:
    """Print the median and the 99th percentile, on the wall and of the processor."""
    hits, pause_s = int(sys.argv[1]), float("".join(sys.argv[2:3]) or 0)
    with tempfile.TemporaryDirectory() as folder:
        machine = machine_in(folder)
        wall, processor = machine.clock.loop.run_until_complete(microseconds(machine, hits, pause_s))
    print(json.dumps({**percentiles(wall), "processor": percentiles(processor)}))


if __name__ == "__main__":
    main()
