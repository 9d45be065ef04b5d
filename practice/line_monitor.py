"""The wires of a practice table as a line analyser shows them, for as long as somebody looks.

The bytes are those of the simulated devices' own ends; they are read by the conventions, as `sabot device
monitor` reads a line. Bytes of a message that has a card are not shown, nor is the card.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from sabot.drivers.registry import load_convention
from sabot.firmware.devices.analyser import AmountShown, Analyser
from sabot.hil.simulators.device_kinds import OnUsb
from sabot.hil.table.world import OnItsWire

# Rows that are kept for a page, and bytes of a message that are shown.
MOST_KEPT, MOST_BYTES = 400, 32
TO_DEVICE, FROM_DEVICE = "to", "from"
Row = dict[str, Any]


class LineMonitor:
    """Hears every wire, and reads it only while somebody looks."""

    def __init__(self, plan: Mapping[str, Mapping[str, Any]]) -> None:
        self._kinds = {name: str(wanted["kind"]) for name, wanted in plan.items()}
        self._analysers: dict[tuple[str, str], Analyser] = {}
        self._rows: deque[Row] = deque(maxlen=MOST_KEPT)
        self._count = 0
        self._more = asyncio.Event()
        self._wanted_until = 0.0
        self._loop = asyncio.get_running_loop()

    def listen_at(self, name: str, part: OnItsWire) -> None:
        """Hear what goes to a device and what comes from it."""

        def hear(way: str, data: bytes) -> None:
            # Called in the thread of the wire, at every transfer: cheap while nobody looks, and never
            # anything but handing over to the loop, or the device would answer late.
            if time.monotonic() < self._wanted_until:
                self._loop.call_soon_threadsafe(self._take, name, way, data)

        if part.port is not None:
            part.port.on_bytes = hear
        elif isinstance(part.running, OnUsb):
            _listen_on_usb(part.running.pad, hear)

    def _take(self, name: str, way: str, data: bytes) -> None:
        analyser = self._analysers.get((name, way))
        if analyser is None:
            convention = load_convention(self._kinds[name])
            analyser = self._analysers[name, way] = Analyser(convention, {}, AmountShown.NO_CARDS)
        for heard in analyser.take(data, time.monotonic()):
            self._count += 1
            shown = "" if heard.data is None else heard.data[:MOST_BYTES].hex(" ")
            self._rows.append(
                {
                    "number": self._count,
                    "at": round(heard.at, 3),
                    "device": name,
                    "way": way,
                    "bytes": heard.count,
                    "hex": shown,
                    "words": heard.words,
                }
            )
        self._more.set()

    async def until(self, after: int, most_s: float) -> Row:
        """Return what was said after a row, as soon as there is something, at most after that long."""
        # Twice as long as one question waits: a page that keeps asking misses nothing between two questions.
        self._wanted_until = time.monotonic() + 2 * most_s
        if self._count <= after:
            self._more.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._more.wait(), most_s)
        return {"count": self._count, "wire": [row for row in self._rows if row["number"] > after]}


def _listen_on_usb(pad: Any, hear: Callable[[str, bytes], None]) -> None:  # noqa: ANN401 - a simulator
    """Hear the transfers of a device on a bus, which come and go in threads of its server."""
    write, wait = pad.write, pad.wait

    def heard_write(data: bytes) -> None:
        hear(TO_DEVICE, data)
        write(data)

    def heard_wait(timeout_s: float, is_gone: Callable[[], bool]) -> bytes | None:
        data: bytes | None = wait(timeout_s, is_gone)
        if data is not None:
            hear(FROM_DEVICE, data)
        return data

    pad.write, pad.wait = heard_write, heard_wait
