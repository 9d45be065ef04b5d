"""The serial link under pyserial on a port of the kernel: both ways, alone, pulled out, put in again."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping

from sabot.drivers.convention import LineSettings
from sabot.drivers.errors import LinkError
from sabot.drivers.port_names import found
from sabot.drivers.serial_link import WAITING_MOST, BackOff, SerialLink
from sabot.drivers.serial_port import open_port
from sabot.hil.kernel.devices.gadget import GadgetPort
from sabot.hil.kernel.inside.pads import soon
from sabot.hil.kernel.inside.report import Check, expect

LINE = LineSettings(baud=115200)
ROUNDS, REPLUGS = 100, 5
EVERY_BYTE = bytes(range(256))


class Echo:
    """A device that answers with what it was told; when deaf, it takes nothing."""

    def __init__(self) -> None:
        self._write: Callable[[bytes], None] = lambda _data: None

    def attached(self, write: Callable[[bytes], None]) -> None:
        """Take the way to the line."""
        self._write = write

    def received(self, data: bytes) -> None:
        """Send the program's bytes back."""
        self._write(data)

    def detached(self) -> None:
        """Do nothing: the next line brings its own way."""


class KernelEar:
    """A listener to a link."""

    def __init__(self) -> None:
        self.data, self.ups, self.downs = bytearray(), 0, list[str]()

    def link_up(self) -> None:
        """Count that the port was opened."""
        self.ups += 1

    def link_down(self, reason: str) -> None:
        """Keep why the port is gone."""
        self.downs.append(reason)

    def received(self, data: bytes, _at: float) -> None:
        """Keep the bytes."""
        self.data += data


class SerialPart:
    """Checks, each with an adapter of its own plugged in."""

    def checks(self) -> Mapping[str, Check]:
        """Return the checks by name."""
        rows: Mapping[str, Callable[[GadgetPort], Awaitable[str]]] = {
            "serial-both-ways": self.both_ways,
            "serial-alone": self.alone,
            "serial-unplug": self.unplug,
            "serial-deaf": self.deaf,
        }
        return {name: lambda work=work: asyncio.run(_plugged(work)) for name, work in rows.items()}  # type: ignore[misc]

    async def both_ways(self, port: GadgetPort) -> str:
        """Check that every byte goes through as it is, and that each message comes back."""
        async with Linked(port) as (link, ear):
            link.write(EVERY_BYTE)
            await soon("every byte", lambda: len(ear.data) >= len(EVERY_BYTE))
            expect("the bytes", bytes(ear.data), EVERY_BYTE)
            took = []
            for number in range(ROUNDS):
                began, before = time.monotonic(), len(ear.data)
                link.write(b"frame %06d" % number)
                while len(ear.data) < before + 12:  # noqa: ASYNC110 - a link has ears and no events
                    await asyncio.sleep(0)
                took.append(time.monotonic() - began)
            expect("the adapter's serial number", [each.serial for each in found() if each.serial], ["rig"])
        return f"{ROUNDS} answers, median {sorted(took)[ROUNDS // 2] * 1000:.2f} ms"

    async def alone(self, port: GadgetPort) -> str:
        """Check that a second program cannot have the port."""
        async with Linked(port):
            try:
                open_port(port.name, LINE)
            except LinkError as error:
                return str(error)
        raise AssertionError("the port was opened twice")

    async def unplug(self, port: GadgetPort) -> str:
        """Pull and plug: one reason each time, and the same port under the same name again."""
        async with Linked(port) as (link, ear):
            numbers = set()
            for number in range(REPLUGS):
                numbers.add(os.path.realpath(port.name))  # noqa: ASYNC240, PTH - where the name leads now
                port.unplug()
                await soon("the loss", lambda: len(ear.downs) > number)  # noqa: B023
                port.plug_in()
                await soon("the way back", lambda: ear.ups > number + 1)  # noqa: B023
                before = len(ear.data)
                link.write(b"here again")
                await soon("an answer", lambda: len(ear.data) > before)  # noqa: B023
            expect("losses told", len(ear.downs), REPLUGS)
        return f"{REPLUGS} times, {' '.join(sorted(numbers))}; {ear.downs[0]}"

    async def deaf(self, port: GadgetPort) -> str:
        """Check that a device that takes nothing more is a loss and not a wait."""
        async with Linked(port) as (link, ear):
            asyncio.get_running_loop().remove_reader(port._master)  # noqa: SLF001 - a device that hangs
            while link.write(b"x" * 1024):  # noqa: ASYNC110 - until it takes no more
                await asyncio.sleep(0)
            await soon("the loss", lambda: bool(ear.downs))
            expect("the reason", "takes no bytes" in ear.downs[0], wanted=True)
            began = time.monotonic()
            await soon("the port again", lambda: ear.ups > 1)
            asyncio.get_running_loop().add_reader(port._master, port._readable)  # noqa: SLF001
        return f"more than {WAITING_MOST} bytes; open again after {time.monotonic() - began:.2f} s"


class Linked:
    """A link to the port, up."""

    def __init__(self, port: GadgetPort) -> None:
        self.ear = KernelEar()
        backoff = BackOff(first_s=0.05, most_s=0.2)
        self.link = SerialLink(port.name, LINE, self.ear, now=time.monotonic, backoff=backoff)

    async def __aenter__(self) -> tuple[SerialLink, KernelEar]:
        self.link.start()
        await soon("the port", lambda: self.ear.ups > 0)
        self.ear.downs.clear()
        self.ear.ups = 1
        return self.link, self.ear

    async def __aexit__(self, *_: object) -> None:
        await self.link.stop()


async def _plugged(work: Callable[[GadgetPort], Awaitable[str]]) -> str:
    port = GadgetPort(Echo(), "rig", 0)
    port.plug_in()
    try:
        return await work(port)
    finally:
        port.remove()
