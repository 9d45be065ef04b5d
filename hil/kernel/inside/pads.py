"""The pads' port under the real libusb: found by its class, read, halted, pulled out, cut, put in again."""

# Theory of operation. The device is one of the kernel's own USB/IP, and the port under test is the driver's,
# on libusb, in this process. An attempt is one opening of the port, which ends once and is never opened
# again: whoever wants the pads back makes another, as the driver does. Both sides turn while a check waits:
# the device has threads of its own, and a cable is pulled in a thread beside the loop that must notice it.

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping

from sabot.drivers.pads.usb import PortListener, UsbPort, WantedPad
from sabot.hil.kernel.devices.usbip import UsbipDevice
from sabot.hil.kernel.inside.report import Check, expect
from sabot.hil.simulators.usb_bus import IN, OUT

LIMIT_S = 60.0
SERIAL = "RIG7"


class PadsTick:
    """A device that makes a report every few milliseconds, and keeps what it is told."""

    strings = ("Sabot", "Rig pads", SERIAL)

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.heard: list[bytes] = []
        self.count = 0

    def write(self, data: bytes) -> None:
        """Keep what the host says."""
        self.heard.append(data)

    def wait(self, timeout_s: float, is_gone: Callable[[], bool]) -> bytes | None:
        """Return the next report, after a few milliseconds; None when the device is gone."""
        time.sleep(min(timeout_s, 0.02))
        if is_gone():
            return None
        self.count += 1
        return b"report %06d" % self.count


class PadsAttempt:
    """One attempt at opening the pads, and what came of it."""

    def __init__(self, serial: str = "") -> None:
        self.reports: list[bytes] = []
        self.opened, self.ended = 0, ""
        loop = asyncio.get_running_loop()
        owner = PortListener(self._open, lambda _at, data: self.reports.append(data), self._end)
        self.port = UsbPort(WantedPad(serial), loop, time.monotonic, owner)
        self.port.start()

    def _open(self) -> None:
        self.opened += 1

    def _end(self, why: str) -> None:
        self.ended = why or "closed"

    async def reads(self, more: int = 3) -> None:
        """Wait for some more reports; raise if the port ends instead."""
        wanted = len(self.reports) + more
        await soon("reports", lambda: len(self.reports) >= wanted or bool(self.ended))
        expect("the end of the port", self.ended, "")

    async def ends(self) -> str:
        """Return why it ended, once it did."""
        await soon("the end of the port", lambda: bool(self.ended))
        return self.ended

    async def close(self) -> None:
        """Close the port, and wait for its end."""
        self.port.close()
        await self.ends()


async def soon(what: str, is_so: Callable[[], bool]) -> None:
    """Wait until something is seen; raise AssertionError when it takes too long."""
    end = time.monotonic() + LIMIT_S
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come in {LIMIT_S:.0f} s")
        await asyncio.sleep(0.01)


class PadsPart:
    """Checks that share one device."""

    def __init__(self) -> None:
        self.tick = PadsTick()
        self.device = UsbipDevice(self.tick)

    def checks(self) -> Mapping[str, Check]:
        """Return the checks, in their order: the first wants no device."""
        rows: Mapping[str, Callable[[], Awaitable[str]]] = {
            "pads-hot-plug": self.hot_plug,
            "pads-both-ways": self.both_ways,
            "pads-stall": self.stall,
            "pads-stall-for-good": self.stall_for_good,
            "pads-unplug": self.unplug,
            "pads-cut": self.cut,
            "pads-second-program": self.second,
            "pads-replug-often": self.often,
        }
        return {name: lambda work=work: asyncio.run(work()) for name, work in rows.items()}  # type: ignore[misc]

    async def hot_plug(self) -> str:
        """Look for the pads before and after they are plugged in, in one process."""
        first = await PadsAttempt().ends()
        self.device.plug()
        began = time.monotonic()
        while True:
            found = PadsAttempt()
            await soon("an answer", lambda: bool(found.opened or found.ended))  # noqa: B023
            if found.opened:
                break
            expect("soon enough", time.monotonic() - began < LIMIT_S, wanted=True)
        await found.close()
        return f"before: {first.split()[0]}; found {time.monotonic() - began:.2f} s after the plug"

    async def both_ways(self) -> str:
        """Check that reports come and orders go, in order and whole."""
        heard = PadsAttempt(SERIAL)
        await heard.reads(20)
        orders = [b"order %03d" % number * 9 for number in range(20)]
        before = len(self.tick.heard)
        for order in orders:
            heard.port.send(order)
        await soon("the orders", lambda: len(self.tick.heard) >= before + len(orders))
        expect("the orders", self.tick.heard[before:], orders)
        numbers = [int(data.split()[1]) for data in heard.reports]
        expect("gaps between reports", numbers, list(range(numbers[0], numbers[0] + len(numbers))))
        await heard.close()
        return f"{len(numbers)} reports, {len(orders)} orders"

    async def stall(self) -> str:
        """Check that a halted endpoint is cleared, and that the port goes on."""
        heard = PadsAttempt()
        await heard.reads()
        for way in (IN, OUT):
            self.device.stall(way, 2)
            before = len(self.tick.heard)
            for _ in range(5):
                heard.port.send(b"again")
                await heard.reads()
            await soon("an order after the halt", lambda: len(self.tick.heard) > before)  # noqa: B023
            expect("halts left", self.device.stalls[way], 0)
        await heard.close()
        return "two halts of each endpoint"

    async def stall_for_good(self) -> str:
        """Check that an endpoint that halts again and again is a loss."""
        heard = PadsAttempt()
        await heard.reads()
        self.device.stall(IN, 99)
        why = await heard.ends()
        self.device.stall(IN, 0)
        expect("the reason", "stalls again" in why, wanted=True)
        return why

    async def unplug(self) -> str:
        """Pull the cable while a report is waited for."""
        return await self._lose(self.device.unplug)

    async def cut(self) -> str:
        """Break the cable, which nobody is told of."""
        return await self._lose(self.device.cut)

    async def _lose(self, how: Callable[[], None]) -> str:
        heard = PadsAttempt()
        await heard.reads()
        began = time.monotonic()
        await asyncio.to_thread(how)
        why = await heard.ends()
        expect("the reason", "unplugged" in why, wanted=True)
        lost_s = time.monotonic() - began
        await self._again()
        return f"{lost_s:.2f} s: {why}"

    async def _again(self) -> None:
        await asyncio.to_thread(self.device.plug)
        for _ in range(200):
            heard = PadsAttempt()
            await soon("an answer", lambda: bool(heard.opened or heard.ended))  # noqa: B023
            if heard.opened:
                await heard.close()
                return
        raise AssertionError("pads that were put in again were not found")

    async def second(self) -> str:
        """Check that two programs cannot have the pads."""
        heard = PadsAttempt()
        await heard.reads()
        other = PadsAttempt()
        why = await other.ends()
        await heard.reads()
        await heard.close()
        expect("the reason", "another program" in why, wanted=True)
        return why

    async def often(self) -> str:
        """Pull and plug often, and lose no way back."""
        for _ in range(5):
            await self._lose(self.device.unplug)
        return "5 times"

    def close(self) -> None:
        """Pull the cable."""
        self.device.unplug()
