"""The process of a simulated table that can also be abused: ports that flood, a chip in a storm, a timed lock.

It is `sabot.hil.table` with more that may be asked of it. Noise is drawn here, in the process of the devices,
so that ten megabytes of it need not be told over the control socket; a lock is timed here, by the chip's own
record, so that who asks adds nothing to the time.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from sabot.hil.simulators.device_kinds import OnSerial, OnUsb
from sabot.hil.table.control_socket import serve
from sabot.hil.table.world import OnItsWire, SimulatedLines, World

LOCK, OPEN_LINE = "key_lock", "lock_open"
LONGEST_S, LOOK_S = 10.0, 0.0005
USB_READ = 1024
AT_A_TIME = 65_536
EVERY_SPOT = (1 << 64) - 1


class RoughWorld(World):
    """A table with vandals at it."""

    async def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """``rough`` says what else is done to a device; everything else is as at any simulated table.

        It stands in the diary as all that is done there: people see by its row what came after it.
        """
        if "rough" not in asked:
            return await super().answer(asked)
        acts: Mapping[str, Callable[..., Awaitable[dict[str, Any]]]] = {
            "flood": self._flood,
            "storm": self._storm,
            "lock": self._lock,
            "back": self._back,
        }
        row = self.diary.did(asked["device"], asked["rough"])
        return {**await acts[asked["rough"]](asked), "row": row}

    async def _flood(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """So many bytes that mean nothing, as fast as the program takes them."""
        part = self.parts[asked["device"]]
        assert isinstance(part, OnItsWire)
        noise, count = random.Random(asked["seed"]), int(asked["bytes"])
        running = part._running
        if isinstance(running, OnSerial):
            return {"sent": await _flood_port(running.port, noise, count)}
        assert isinstance(running, OnUsb)
        return {"sent": await _flood_pad(running.pad, noise, count)}

    async def _storm(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Edges on one line or on many, as fast as a chip can tell them."""
        lines = self._lines()
        pins = [lines._pins[name] for name in asked["lines"]]
        back = {pin: lines._chip.level(pin) for pin in pins}

        def shake() -> None:
            for number in range(int(asked["edges"])):
                lines._chip.drive(pins[number % len(pins)], number // len(pins) % 2)
            for pin, level in back.items():
                lines._chip.drive(pin, level)

        await asyncio.to_thread(shake)
        return {"edges": int(asked["edges"])}

    async def _lock(self, _asked: Mapping[str, Any]) -> dict[str, Any]:
        """Press LOCK until the lock output has fallen; milliseconds from the edge, None where it never fell."""
        lines = self._lines()
        pin, began = lines._pins[OPEN_LINE], time.monotonic()
        was_open, seen = bool(lines._chip.level(pin)), len(lines._chip.history)
        await lines.act("hold", LOCK)
        while lines._chip.level(pin) and time.monotonic() - began < LONGEST_S:  # noqa: ASYNC110 - a chip has no event
            await asyncio.sleep(LOOK_S)
        fell = next((at for at, which, up in lines._chip.history[seen:] if (which, up) == (pin, 0)), None)
        await lines.act("let", LOCK)
        return {"was_open": was_open, "ms": None if fell is None else (fell - began) * 1000}

    async def _back(self, _asked: Mapping[str, Any]) -> dict[str, Any]:
        """The chip that vanished is there again."""
        self._lines()._chip.come_back()
        return {"done": True}

    def _lines(self) -> SimulatedLines:
        lines = self.parts["lines"]
        assert isinstance(lines, SimulatedLines)
        return lines


async def _flood_port(port: Any, noise: random.Random, count: int) -> int:
    """A line is written to whenever it takes something; one that is pulled meanwhile ends the flood."""
    sent, left = 0, b""
    while sent < count and port.is_plugged_in:
        left = left or noise.randbytes(min(AT_A_TIME, count - sent))
        try:
            written = os.write(port._master, left)
        except BlockingIOError:
            await asyncio.sleep(LOOK_S)
            continue
        sent, left = sent + written, left[written:]
        await asyncio.sleep(0)
    return sent


async def _flood_pad(pad: Any, noise: random.Random, count: int) -> int:
    """Reports that are none, before any that is one."""
    sent = 0
    while sent < count:
        with pad.condition:
            if len(pad._answers) < 16:
                pad._answers.extend(noise.randbytes(USB_READ) for _ in range(16))
                sent += 16 * USB_READ
                pad.condition.notify_all()
        await asyncio.sleep(LOOK_S)
        if pad.session is None:
            break
    return sent


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), RoughWorld))
