"""A bus that is neither serial nor USB, behind a pseudo-terminal of its own: a bridge as docs/devices.md has it."""

import asyncio
import os
import tty
from pathlib import Path

from sabot.drivers.angel_eye import KIND
from sabot.drivers.options import Value
from sabot.hil.simulators.angel_eye_wire import report
from sabot.statemachine.vocabulary.effects import FreeShoe
from sabot.statemachine.vocabulary.events import CardDrawn, LinkLost, LinkRestored

from .wired_host import Paper, run


class Bridge:
    """Between one connection of a network and a pseudo-terminal, byte for byte; it hangs up with its bus."""

    def __init__(self, path: Path, stream: asyncio.StreamWriter) -> None:
        self.master, self.far = os.openpty()
        tty.setraw(self.far)
        path.symlink_to(os.ttyname(self.far))
        self.path, self.stream = path, stream
        asyncio.get_running_loop().add_reader(self.master, self._out)

    def _out(self) -> None:
        self.stream.write(os.read(self.master, 4096))

    def hang_up(self) -> None:
        asyncio.get_running_loop().remove_reader(self.master)
        self.path.unlink()
        os.close(self.master)
        os.close(self.far)


async def _device(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A shoe on a network: it acknowledges each command, and deals a card when it is freed."""
    heard = b""
    while data := await reader.read(64):
        heard += data
        while (end := heard.find(b"\x03")) >= 0 and len(heard) >= end + 3:
            command, heard = heard[: end + 3], heard[end + 3 :]
            writer.write(b"\x06" + report(1, b"D", b"\x11\x31") * (b"LK01" in command))


def test_a_bus_of_its_own_is_a_port_when_a_bridge_offers_a_pseudo_terminal(tmp_path: Path) -> None:
    async def work() -> None:
        server = await asyncio.start_server(_device, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        bridge = Bridge(tmp_path / "bus", writer)
        paper = Paper()
        options: dict[str, Value] = {"port": str(bridge.path), "deadline_s": 0.2, "poll_s": 0.2}
        driver = KIND.make("shoe", options, paper)
        pump = asyncio.create_task(_pump(reader, bridge))
        await driver.start()
        await paper.has(LinkRestored)
        driver.perform(FreeShoe())
        await paper.has(CardDrawn)
        pump.cancel()
        bridge.hang_up()
        await paper.has(LinkLost)
        await driver.stop()
        writer.close()
        server.close()

    run(work)


async def _pump(reader: asyncio.StreamReader, bridge: Bridge) -> None:
    while data := await reader.read(64):
        os.write(bridge.master, data)
